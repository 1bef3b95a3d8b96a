#include "app/ui/draw/fonts.h"

#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "app/state/program.h"
#include "app/ui/draw/imgui_versions.h"
#include "app/ui/frame/renderer.h"

namespace fonts_test {

TEST_CASE("the first page of a start needs no letter that is not built yet") {
  for (const words::Language language : {words::Language::en, words::Language::zh_CN}) {
    const ui::ImGuiSession imgui;
    ui::Fonts fonts;
    fonts.need(language);
    fonts.build();
    state::Program program(lab::all());
    program.set_language(language);
    program.wait();
    fonts.need(program.pages.page()->page);
    CHECK_FALSE(fonts.stale());
    CHECK(fonts.need("ꙮ"));
    CHECK(fonts.stale());
  }
}

TEST_CASE(
    "every version of ImGui draws the same characters, in lines of the height that is measured") {
  const ui::ImGuiSession imgui;
  ui::Fonts fonts;
  fonts.need("中");
  fonts.build();
  const ui::ImGuiMeasure measure(fonts);
  for (const figure::TextStyle style : {figure::TextStyle::body, figure::TextStyle::title}) {
    ImFont& font = *fonts[style];
    CHECK(measure.size("A", style).y == ui::line_of(font));
    CHECK(measure.size("A", style).x == ui::advance_of(font, 'A'));
    CHECK(ui::has_picture(font, 0x4E2D));
    CHECK_FALSE(ui::has_picture(font, 0xA66E));
    // Where a text box breaks a line by itself there is nothing to see.
    CHECK(ui::advance_of(font, ui::kSoftBreakCode) == 0);
    CHECK(measure.size(ui::kSoftBreak, style).x == 0);
  }
}

}  // namespace fonts_test
