#include "app/ui/draw/fonts.h"

#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "app/state/program.h"
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

}  // namespace fonts_test
