// A whole page in the window: what stands over the figures, their order, one alone, their motion.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "app/labs/labs.h"
#include "app/ui/frame/shell.h"
#include "rig.h"

namespace page_test {

TEST_CASE("question, badge, introduction and tabs stand over the figures") {
  Rig rig(1280, 720);
  for (const char* id : {"page.question", "page.introduction", "page.made_up"}) CHECK(rig.has(id));
  CHECK(rig.control("page.introduction").bottom() <= rig.control("choice.part.upper").y);
  CHECK(rig.control("choice.part.upper").bottom() <= rig.control("figure.main").y);
  rig.click("knob.scaled");
  CHECK_FALSE(rig.has("page.made_up"));
  const float before = rig.control("figure.main").y;
  rig.click("button.introduction");
  CHECK_FALSE(rig.has("page.introduction"));
  CHECK(rig.control("figure.main").y < before);
  rig.click("lab.two");
  CHECK_FALSE(rig.has("page.introduction"));
  CHECK(rig.has("page.question"));
}

TEST_CASE("buttons over the figures open another lab and lead back") {
  Rig rig;
  rig.program.knobs.set("text", "leads on");
  rig.settle();
  REQUIRE(rig.has("jump.two"));
  CHECK_FALSE(rig.has("jump.back"));
  CHECK(rig.control("jump.two").bottom() <= rig.control("figure.main").y);
  rig.click("jump.two");
  CHECK(rig.program.desk.lab().id == "two");
  CHECK(rig.program.knobs.value("heads") == "8");
  CHECK_FALSE(rig.has("jump.two"));
  rig.click("jump.back");
  CHECK(rig.program.desk.lab().id == "one");
  CHECK(rig.program.knobs.value("text") == "leads on");
}

TEST_CASE("tabs are chosen by mouse and by arrow keys, and are no knob") {
  Rig rig;
  CHECK_FALSE(rig.has("knob.part"));
  rig.click("choice.part.middle");
  CHECK(rig.map()["knobs"]["part"] == "middle");
  rig.tap(GLFW_KEY_RIGHT);
  CHECK(rig.map()["knobs"]["part"] == "lower");
  rig.tap(GLFW_KEY_RIGHT);
  CHECK(rig.map()["knobs"]["part"] == "lower");
  rig.tap(GLFW_KEY_LEFT);
  CHECK(rig.map()["knobs"]["part"] == "middle");
}

TEST_CASE("captions stand under their figures, which keep their height, and go by one key") {
  Rig rig(1600, 2400);
  REQUIRE(rig.has("caption.places"));
  const ui::Rect figure = rig.control("figure.places"), below = rig.control("figure.table");
  CHECK(rig.control("caption.places").y >= figure.bottom());
  CHECK(rig.control("caption.places").bottom() <= below.y);
  rig.tap(GLFW_KEY_C);
  CHECK_FALSE(rig.has("caption.places"));
  CHECK(rig.control("figure.places").h == figure.h);
  CHECK(rig.control("figure.table").y < below.y);
  rig.click("knob.text.value");  // a letter that is typed
  rig.type("c");
  CHECK_FALSE(rig.has("caption.places"));
}

TEST_CASE(
    "one figure alone takes the page: by F, by a double click on its title; Escape goes back") {
  Rig rig(1920, 1080);
  rig.program.looks.rescale(2);
  rig.settle();
  const auto alone = [&] { return rig.shell.page_view().alone(); };
  rig.tap(GLFW_KEY_F);
  CHECK(alone() == "main");
  CHECK(rig.control("figure.main").h >= 0.75f * 1080);
  CHECK_FALSE(rig.has("figure.table"));
  CHECK(rig.has("knob.heads.slider"));
  CHECK_FALSE(rig.has("lab.one"));
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK(alone().empty());
  CHECK(rig.has("figure.table"));
  rig.program.looks.rescale(1);
  rig.settle();
  const ui::Rect card = rig.control("figure.main");
  rig.input.move(card.x + 60, card.y + 14);
  for (int i = 0; i < 2; ++i) rig.input.button(0, true), rig.input.button(0, false);
  rig.settle();
  CHECK(alone() == "main");
  rig.click("button.back");
  CHECK(alone().empty());
}

TEST_CASE("figures are hidden and moved by their menu, lab by lab, and sessions keep it") {
  Rig rig(1600, 2600);
  const auto choose = [&](const std::string& figure, const char* what) {
    rig.click("figure." + figure + ".menu");
    rig.click("figure." + figure + ".menu." + what);
  };
  choose("main", "hide");
  CHECK_FALSE(rig.has("figure.main"));
  CHECK(rig.control("figure.places").y < rig.control("figure.table").y);
  choose("table", "up");
  CHECK(rig.control("figure.table").y < rig.control("figure.places").y);
  const session::Session session = rig.program.desk.now();
  rig.click("lab.two");
  CHECK(rig.has("figure.main"));
  rig.click("lab.one");
  CHECK_FALSE(rig.has("figure.main"));
  rig.click("button.hidden");
  CHECK(rig.has("figure.main"));
  // Each is a step of undo, whatever lab was looked at meanwhile.
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK_FALSE(rig.has("figure.main"));
  CHECK(rig.control("figure.table").y < rig.control("figure.places").y);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.control("figure.places").y < rig.control("figure.table").y);
  CHECK_FALSE(rig.has("figure.main"));
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.has("figure.main"));
  CHECK_FALSE(rig.program.desk.can_undo());
  for (int k = 0; k < 3; ++k) rig.tap(GLFW_KEY_Y, GLFW_MOD_CONTROL);
  CHECK(rig.program.sight.figures().empty());
  rig.program.files.restore(session);
  rig.settle();
  CHECK_FALSE(rig.has("figure.main"));
  CHECK(rig.control("figure.table").y < rig.control("figure.places").y);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);  // opening it was one step
  CHECK(rig.has("figure.main"));
}

TEST_CASE("no note of a figure lies under the button for its menu") {
  Rig rig(1600, 2600);
  const ui::Rect more = rig.control("figure.places.menu");
  const ImU32 ink = ui::to_im(rig.shell.gui().theme().dim);
  int written = 0, under = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    for (const ImDrawVert& v : data.CmdLists[i]->VtxBuffer) {
      if (v.col != ink || v.pos.y < more.y || v.pos.y > more.bottom()) continue;
      written += v.pos.x > more.x - 60 && v.pos.x < more.x;
      under += v.pos.x >= more.x - 4 && v.pos.x < more.right();
    }
  }
  CHECK(written > 0);  // the note's last letters
  CHECK(under == 0);
}

TEST_CASE("a key for the figure under the pointer does nothing while a lab has no page yet") {
  Rig rig(1280, 900, lab::all());
  rig.program.desk.show_lab("multi_head");
  rig.settle();
  rig.point("plot.weights");
  rig.program.desk.show_lab("transformer");  // its first page takes a while
  rig.frame();
  const bool none = !rig.program.pages.page();
  const std::string hovered = rig.shell.page_view().hovered_figure();
  CHECK(hovered.empty() == none);
  rig.tap(GLFW_KEY_F);
  rig.settle();
  CHECK(rig.program.pages.page() != nullptr);
}

TEST_CASE("square maps that stand alone fill the window: in as many rows as make them largest") {
  Rig rig(1280, 900, lab::all());
  rig.program.desk.show_lab("absolute");
  rig.program.knobs.set("show", "order");
  rig.settle();
  rig.point("plot.order_before");
  rig.tap(GLFW_KEY_F);
  REQUIRE(rig.shell.page_view().alone() == "order");
  const std::vector<std::string> maps{"order_before", "order_after", "order_back",
                                      "order_difference"};
  const auto rows = [&] {
    rig.settle();
    std::set<long> tops;
    const ui::Rect card = rig.control("figure.order");
    for (const std::string& id : maps) {
      const ui::Rect map = rig.control("plot." + id);
      tops.insert(std::lround(map.y));
      CHECK(map.w == doctest::Approx(map.h).epsilon(0.02));
      CHECK(map.right() <= card.right() + 1);
      CHECK(map.bottom() <= card.bottom() + 1);
    }
    return tops.size();
  };
  CHECK(rows() == 2);
  const float high = rig.control("plot.order_before").h;
  rig.resize(1600, 420);
  CHECK(rows() == 1);
  CHECK(rig.control("plot.order_before").h < high);
  rig.resize(1280, 900);
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK(rows() == 1);  // as the page has them
  CHECK(rig.control("plot.order_before").h < high);
}

TEST_CASE("small pictures that stand alone spread over the window, and go back to their rows") {
  Rig rig(1600, 1000, lab::all());
  rig.program.desk.show_lab("multi_head");
  rig.settle();
  constexpr int kHeads = 8;
  REQUIRE(rig.map()["knobs"]["heads"] == kHeads);
  const auto head = [&](int k) { return rig.control("plot.head_" + std::to_string(k)); };
  const auto side = [&] { return std::min(head(1).w, head(1).h); };
  const auto columns = [&] {
    std::set<long> places;
    for (int k = 1; k <= kHeads; ++k) places.insert(std::lround(head(k).x));
    return places.size();
  };
  CHECK(columns() == kHeads);  // as the page has them
  const float before = side();
  rig.point("plot.head_1");
  rig.tap(GLFW_KEY_F);
  REQUIRE(rig.shell.page_view().alone() == "heads");
  CHECK(columns() > 1);
  CHECK(columns() < kHeads);
  CHECK(side() > 1.5f * before);
  // All of them are inside of the card, and none lies over another.
  const ui::Rect card = rig.control("figure.heads");
  for (int k = 1; k <= kHeads; ++k) {
    CHECK(head(k).right() <= card.right() + 1);
    CHECK(head(k).bottom() <= card.bottom() + 1);
    for (int other = 1; other < k; ++other) {
      const bool apart = head(k).x >= head(other).right() || head(other).x >= head(k).right() ||
                         head(k).y >= head(other).bottom() || head(other).y >= head(k).bottom();
      CHECK(apart);
    }
  }
  rig.click("plot.head_6");
  CHECK(rig.map()["knobs"]["head"] == 6);
  const std::size_t wide = columns();
  rig.resize(1000, 1400);  // in a higher window they stand in fewer columns
  rig.settle();
  CHECK(columns() < wide);
  rig.resize(1600, 1000);
  rig.settle();
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK(columns() == kHeads);
  CHECK(side() == before);
}

TEST_CASE("what a knob changes is seen to go there; what changes fast is there at once") {
  Rig rig;
  const auto moving = [&] { return rig.shell.next_change() == 0; };
  const auto change = [&](const char* height) {
    rig.program.knobs.set("height", height);
    rig.program.wait();
    rig.frame();
  };
  const auto pass = [&](int frames) {
    for (int k = 0; k < frames; ++k) rig.frame();
  };
  pass(12);
  change("0.6");
  CHECK_FALSE(moving());  // nobody asked for it
  rig.program.looks.moves = true;
  pass(12);
  change("0.9");
  CHECK(moving());
  pass(10);
  CHECK_FALSE(moving());
  change("0.2");
  CHECK(moving());
  change("0.3");  // before it has arrived
  CHECK_FALSE(moving());
  pass(12);
  rig.resize(1400, 900);
  rig.frame();
  CHECK_FALSE(moving());
  rig.program.desk.show_lab("two");
  rig.program.wait();
  rig.frame();
  CHECK_FALSE(moving());
}

TEST_CASE("a tip under the pointer has a line for each of its texts' lines") {
  Rig rig(1600, 1000, lab::all());
  rig.program.desk.show_lab("decoding");
  rig.settle();
  REQUIRE(rig.has("plot.tree"));
  std::vector<std::string> tip;
  for (int k = 0; k < 400 && tip.size() < 2; ++k) {
    rig.point("plot.tree", static_cast<float>(k / 20) / 20, static_cast<float>(k % 20) / 20);
    tip = rig.shell.gui().tip_now();
  }
  REQUIRE(tip.size() >= 2);
  for (const std::string& line : tip) CHECK(line.find('\n') == line.npos);
}

}  // namespace page_test
