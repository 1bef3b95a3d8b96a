#include "app/ui/draw/fonts.h"

#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "app/state/model.h"
#include "app/ui/frame/renderer.h"

namespace fonts_test {

TEST_CASE("the first page of a start needs no letter that is not built yet") {
  for (const words::Language language : {words::Language::en, words::Language::zh_CN}) {
    const ui::ImGuiSession imgui;
    ui::Fonts fonts;
    fonts.need(language);
    fonts.build();
    state::Model model(lab::all());
    model.set_language(language);
    model.wait();
    fonts.need(model.page()->page);
    CHECK_FALSE(fonts.stale());
    CHECK(fonts.need("ꙮ"));
    CHECK(fonts.stale());
  }
}

}  // namespace fonts_test
