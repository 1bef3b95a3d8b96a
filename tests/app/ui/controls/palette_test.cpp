// Ctrl K: everything by its name.
#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "app/state/actions.h"
#include "rig.h"

namespace palette_test {

struct Open : Rig {
  Open() : Rig(1600, 1000, lab::all()) {}
  void ask(const std::string& text) {
    tap(GLFW_KEY_K, GLFW_MOD_CONTROL);
    REQUIRE(has("palette"));
    type(text);
  }
  void go(const std::string& text) {
    ask(text);
    tap(GLFW_KEY_ENTER);
    settle();
    CHECK_FALSE(has("palette"));
  }
};

TEST_CASE("a lab, a preset, a stop, a paper and a knob are opened by a few letters and Enter") {
  Open rig;
  rig.go("deco");
  CHECK(rig.map()["lab"] == "decoding");
  rig.go("bigbird");
  CHECK(rig.map()["lab"] == "masks");
  CHECK(rig.program.knobs.preset()->id == "bigbird");
  rig.go("bandwidth");
  CHECK(rig.map()["lab"] == "pooling");
}

TEST_CASE("a stop opens its lesson there, and an action is done") {
  Open rig;
  rig.go(lesson::shipped("rope", words::Language::en).stops[3].title);
  CHECK(rig.map()["lesson"]["name"] == "rope");
  CHECK(rig.map()["lesson"]["at"] == 3);
  rig.go("leave the lesson");
  CHECK(rig.map()["lesson"].is_null());
  rig.go("dark or light");
  CHECK(rig.map()["theme"] == "light");
  rig.go("language");
  CHECK(rig.map()["language"] == "zh_CN");
  rig.go("start page");  // English words in a Chinese window
  CHECK(rig.shell.start().open());
  rig.go("帮助");
  CHECK(rig.has("dialog.close"));
}

TEST_CASE("a paper brings its place among the sources into view") {
  Open rig;
  rig.go("press");  // ALiBi's first author
  REQUIRE(rig.has("source.shown"));
  const auto shown = rig.control("source.shown");
  CHECK(shown.y >= 0);
  CHECK(shown.bottom() <= 1000);
}

TEST_CASE("arrows walk, a click opens, Escape and Ctrl K close, typing reaches nothing else") {
  Open rig;
  rig.ask("");
  REQUIRE(rig.has("palette.chosen"));
  const float first = rig.control("palette.chosen").y;
  rig.tap(GLFW_KEY_UP);
  CHECK(rig.control("palette.chosen").y == first);
  rig.tap(GLFW_KEY_DOWN);
  rig.tap(GLFW_KEY_DOWN);
  CHECK(rig.control("palette.chosen").y > first);
  for (int k = 0; k < 100; ++k) rig.tap(GLFW_KEY_DOWN);
  CHECK(rig.control("palette.chosen").bottom() <= rig.control("palette").bottom());
  rig.type("c f");  // captions and a figure alone, elsewhere
  CHECK(rig.program.looks.captions);
  CHECK(rig.shell.page_view().alone().empty());
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.has("palette"));
  rig.ask("zzzz");
  CHECK(rig.has("palette.nothing"));
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.has("palette"));
  rig.tap(GLFW_KEY_K, GLFW_MOD_CONTROL);
  CHECK_FALSE(rig.has("palette"));
  rig.ask("rotary position");
  rig.click("palette.0");
  CHECK(rig.map()["lab"] == "rotary");
  CHECK_FALSE(rig.has("palette"));
}

TEST_CASE("every action of the table is known to the window") {
  for (const state::Action& one : state::actions()) {
    CAPTURE(one.id);
    if (one.id == "export_now") continue;  // writes a file
    Rig rig;
    REQUIRE_NOTHROW(rig.shell.act(one.id));
    rig.settle();
  }
}

}  // namespace palette_test
