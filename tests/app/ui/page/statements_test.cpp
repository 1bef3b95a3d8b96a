// What is commonly said: judged first, then told, then shown.
#include "app/ui/page/statements.h"

#include <doctest/doctest.h>

#include "app/state/files/settings.h"
#include "rig.h"

namespace statements_test {

namespace {

bool has(const Rig& rig, const std::string& part) { return rig.has("statement." + part); }

// Into view first: the panel scrolls to them.
void click(Rig& rig, const std::string& part) {
  rig.click("button.statements");
  rig.click("statement." + part);
}

bool in_view(const Rig& rig, const std::string& figure) {
  const ui::Rect r = rig.control("figure." + figure);
  return r.y >= 40 && r.bottom() <= ImGui::GetIO().DisplaySize.y;
}

}  // namespace

TEST_CASE("a statement is asked about before its truth is told, and what was answered is kept") {
  Rig rig(1600, 1600);
  for (const char* card : {"sum", "words", "reading"}) {
    const std::string id(card);
    CHECK(has(rig, id + ".said"));
    CHECK(has(rig, id + ".true"));
    CHECK_FALSE(has(rig, id + ".truth"));
    CHECK_FALSE(has(rig, id + ".show"));
  }
  click(rig, "sum.false");
  CHECK(has(rig, "sum.right"));
  CHECK(has(rig, "sum.truth"));
  CHECK(has(rig, "sum.show"));
  CHECK_FALSE(has(rig, "sum.true"));
  click(rig, "words.false");  // it holds
  CHECK(has(rig, "words.wrong"));
  CHECK_FALSE(has(rig, "words.show"));  // settled by words alone
  CHECK_FALSE(has(rig, "reading.truth"));
  click(rig, "reading.true");  // true in one reading only
  CHECK(has(rig, "reading.wrong"));
  rig.tap(GLFW_KEY_L, GLFW_MOD_CONTROL);
  CHECK(has(rig, "sum.right"));
  rig.click("lab.two");
  CHECK_FALSE(has(rig, "sum.right"));  // another lab's
  CHECK(has(rig, "sum.true"));
  rig.click("lab.one");
  CHECK(has(rig, "sum.right"));
  CHECK(has(rig, "words.wrong"));
  rig.click("button.statements");
  rig.click("statements.again");
  CHECK(has(rig, "sum.true"));
  CHECK_FALSE(has(rig, "sum.right"));
}

TEST_CASE("the truth can be told without an answer, of one or of all") {
  Rig rig(1600, 1600);
  click(rig, "words.tell");
  CHECK(has(rig, "words.told"));
  CHECK_FALSE(has(rig, "words.right"));
  CHECK(has(rig, "sum.true"));
  rig.click("button.statements");
  rig.click("statements.tell");
  CHECK(has(rig, "sum.told"));
  CHECK(has(rig, "reading.told"));
  CHECK_FALSE(rig.has("statements.tell"));
}

TEST_CASE("who wants all of it told sets that once") {
  Rig rig(1600, 1600);
  click(rig, "sum.true");
  rig.program.looks.asks_first = false;
  rig.settle();
  for (const char* card : {"sum", "words", "reading"})
    CHECK(has(rig, std::string(card) + ".truth"));
  CHECK(has(rig, "sum.wrong"));
  CHECK(has(rig, "words.told"));
  CHECK_FALSE(rig.has("statements.again"));
  rig.click("button.scale");
  rig.click("view.ask_first");
  CHECK(rig.program.looks.asks_first);
  CHECK_FALSE(has(rig, "words.truth"));
  CHECK(state::settings_of(rig.program, 1).ask_first);
}

TEST_CASE("the button opens the preset that settles it and brings the figure into view") {
  Rig rig(1600, 700);
  REQUIRE_FALSE(in_view(rig, "schemes"));
  click(rig, "sum.false");
  rig.program.sight.hide_figure("schemes");
  rig.settle();
  click(rig, "sum.show");
  CHECK(rig.map()["knobs"]["temperature"] == 5);
  CHECK(in_view(rig, "schemes"));
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);  // figures shown again
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["temperature"] == 1);
  CHECK(has(rig, "sum.right"));
}

TEST_CASE("a panel over the page gives way to the figure that is shown") {
  Rig rig(700, 700);
  rig.click("button.panel");
  rig.click("button.statements");
  rig.click("statement.sum.tell");
  REQUIRE(rig.has("panel.knobs"));
  rig.click("button.statements");
  rig.click("statement.sum.show");
  CHECK_FALSE(rig.has("panel.knobs"));
  CHECK(in_view(rig, "schemes"));
}

TEST_CASE("a figure that stands alone gives way to the one that is shown") {
  Rig rig(1600, 1600);
  click(rig, "sum.tell");
  rig.point("figure.main");
  rig.tap(GLFW_KEY_F);
  REQUIRE_FALSE(rig.has("figure.schemes"));
  click(rig, "sum.show");
  CHECK(rig.has("figure.schemes"));
}

TEST_CASE("the keyboard answers, and goes on where the buttons were") {
  Rig rig(1600, 700);
  const auto walk_to = [&](const std::string& id) {
    for (int k = 0; k < 200 && rig.shell.gui().keyboard().focused() != id; ++k)
      rig.tap(GLFW_KEY_TAB);
    REQUIRE(rig.shell.gui().keyboard().focused() == id);
  };
  walk_to("statement.sum.false");
  const ui::Rect r = rig.control("statement.sum.false");
  CHECK(r.y > 0);
  CHECK(r.bottom() < 700);  // it was scrolled to
  rig.tap(GLFW_KEY_ENTER);
  CHECK(has(rig, "sum.right"));
  CHECK(rig.shell.gui().keyboard().focused() == "statement.sum.show");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["temperature"] == 5);
  walk_to("statement.words.true");
  rig.tap(GLFW_KEY_SPACE);
  CHECK(has(rig, "words.right"));
  CHECK(rig.shell.gui().keyboard().focused() == "statement.reading.true");
}

TEST_CASE("the button over the knobs says how many are told") {
  Rig rig(1600, 1600);
  const auto tip_free_width = [&] { return rig.control("button.statements").w; };
  const float before = tip_free_width();
  CHECK(before > 0);
  rig.program.looks.asks_first = false;
  rig.settle();
  CHECK(tip_free_width() != before);
}

}  // namespace statements_test
