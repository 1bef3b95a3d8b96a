#include "app/ui/frame/shell.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "app/labs/labs.h"
#include "rig.h"

namespace figures_test {

TEST_CASE("a click on a cell pins it, Escape un-pins") {
  Rig rig;
  rig.click("plot.right", 2.5f / 8, 5.5f / 8);
  CHECK(rig.map()["knobs"]["query"] == 5);
  CHECK(rig.map()["knobs"]["key"] == 2);
  CHECK(rig.map()["pinned"]["key"] == 2);
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK(rig.map()["knobs"]["key"] == -1);
  CHECK(rig.map()["pinned"].empty());
}

TEST_CASE("a handle is dragged by its grip, follows the pointer, and all of it is one step") {
  Rig rig;
  REQUIRE(rig.has("grip.curve.0"));
  const ui::Rect plot = rig.control("plot.curve"), grip = rig.control("grip.curve.0");
  CHECK(grip.w >= 16);
  // Taken hold of off its middle, it does not jump.
  const float x = grip.x + grip.w * 0.8f, y = grip.y + grip.h * 0.8f;
  rig.input.move(x, y);
  rig.settle();
  rig.input.button(0, true);
  rig.settle();
  for (int i = 1; i <= 8; ++i) {
    const auto part = static_cast<float>(i) / 8;
    rig.input.move(x + plot.w * part * 4 / 7, y - plot.h * part * 0.25f);
    rig.settle();
  }
  CHECK(rig.map()["knobs"]["query"] == 5);
  CHECK(rig.map()["knobs"]["height"] == doctest::Approx(0.75).epsilon(0.01));
  CHECK(rig.map()["knobs"]["scaled"] == false);
  const ui::Rect moved = rig.control("grip.curve.0");
  CHECK(moved.x - grip.x == doctest::Approx(plot.w * 4 / 7).epsilon(0.02));
  rig.input.move(x + 5000, y - 5000);
  rig.settle();
  CHECK(rig.map()["knobs"]["query"] == 7);
  CHECK(rig.map()["knobs"]["height"] == 1);
  rig.input.button(0, false);
  rig.settle();
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["query"] == 1);
  CHECK(rig.map()["knobs"]["height"] == 0.5);
  CHECK(rig.map()["knobs"]["scaled"] == true);
  CHECK_FALSE(rig.program.desk.can_undo());
  // A click alone takes hold and moves nothing.
  rig.click("grip.curve.0", 0.9f, 0.9f);
  CHECK(rig.map()["knobs"]["query"] == 1);
  CHECK(rig.map()["knobs"]["scaled"] == false);
}

TEST_CASE("points are clicked into a plot, dragged and taken away, each in one step of undo") {
  Rig rig(1600, 1400);
  const auto keys = [&] { return rig.map()["knobs"]["keys"]; };
  rig.click("plot.plane", 0.8f, 0.7f);
  REQUIRE(keys().size() == 3);
  CHECK(keys()[2][0] == doctest::Approx(8).epsilon(0.01));
  CHECK(keys()[2][1] == doctest::Approx(3).epsilon(0.03));
  // A second click at the same place takes hold of the point that is there now.
  rig.click("plot.plane", 0.8f, 0.7f);
  CHECK(keys().size() == 3);
  rig.drag("plot.plane", 0.8f, 0.9f);  // along the middle, where there is no point
  CHECK(keys().size() == 3);
  const ui::Rect plot = rig.control("plot.plane"), grip = rig.control("grip.plane.0");
  rig.point("grip.plane.0");
  rig.input.button(0, true);
  rig.settle();
  for (int i = 1; i <= 5; ++i) {
    const float part = static_cast<float>(i) / 5;
    rig.input.move(grip.x + grip.w / 2 + plot.w * 0.1f * part,
                   grip.y + grip.h / 2 - plot.h * 0.2f * part);
    rig.settle();
  }
  rig.input.button(0, false);
  rig.settle();
  CHECK(keys()[0][0] == doctest::Approx(3).epsilon(0.02));
  CHECK(keys()[0][1] == doctest::Approx(4).epsilon(0.03));
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(keys()[0] == nlohmann::json({2, 2}));
  CHECK(keys().size() == 3);
  // The limit is said.
  rig.click("plot.plane", 0.1f, 0.1f);
  CHECK(keys().size() == 4);
  rig.click("plot.plane", 0.3f, 0.1f);
  CHECK(keys().size() == 4);
  CHECK(rig.program.messages.last().text ==
        "keys: expected at most 4 points such as 0.5,1 with x from 0 to 10 and y from 0 to 10, "
        "got 5 points");
  // A right click on a point takes it away and opens no menu; beside the points it opens one.
  const std::size_t before = rig.shell.gui().controls().size();
  rig.point("grip.plane.1");
  rig.input.button(1, true);
  rig.input.button(1, false);
  rig.settle();
  CHECK(keys().size() == 3);
  CHECK(keys()[1][0] == doctest::Approx(8).epsilon(0.01));
  CHECK(rig.shell.gui().controls().size() < before);
  rig.point("grip.plane.0");
  rig.tap(GLFW_KEY_DELETE);
  CHECK(keys().size() == 2);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(keys().size() == 4);
  CHECK(keys()[1] == nlohmann::json({5, 5}));
  // While a text is typed, its keys are its own.
  rig.click("knob.text.value");
  rig.point("grip.plane.0");
  rig.tap(GLFW_KEY_BACKSPACE);
  CHECK(keys().size() == 4);
}

TEST_CASE(
    "what stands under a bar answers as the bar does: the same hand, the same tip and click") {
  Rig rig;
  const figure::Theme& theme = rig.shell.gui().theme();
  const figure::Rgba tip = ui::mix(theme.card, theme.text, 0.04f);  // what a tip stands on
  const float below = 1 + 14 / rig.control("plot.scrub").h;
  rig.point("plot.scrub", 5.5f / 8, below);
  CHECK(ImGui::GetMouseCursor() == ImGuiMouseCursor_Hand);
  CHECK(rig.drawn_in(tip));
  rig.click("plot.scrub", 5.5f / 8, below);
  CHECK(rig.map()["knobs"]["key"] == 5);
  // Between two of them nothing is.
  rig.click("plot.scrub", 3.0f / 8, below);
  CHECK_FALSE(rig.drawn_in(tip));
  CHECK(rig.map()["knobs"]["key"] == 5);
}

TEST_CASE("a plot that takes places: a click sets one, a drag scrubs, and a zoomed one is moved") {
  Rig rig;
  rig.click("plot.scrub", 3.5f / 8);
  CHECK(rig.map()["knobs"]["key"] == 3);
  CHECK(rig.map()["knobs"]["kind"] == "third");
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["key"] == -1);
  CHECK(rig.map()["knobs"]["kind"] == "first");
  rig.drag("plot.scrub", 0.1f, 0.8f);
  CHECK(rig.map()["knobs"]["key"] == 6);
  rig.drag("plot.scrub", 0.8f, 0.3f);
  CHECK(rig.map()["knobs"]["key"] == 2);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["key"] == 6);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["key"] == -1);
  rig.point("plot.scrub");
  rig.wheel(3, true);
  const double before = rig.map()["plots"]["scrub"]["shown"][0];
  rig.drag("plot.scrub", 0.5f, 0.7f);
  CHECK(rig.map()["plots"]["scrub"]["shown"][0] < before);
  CHECK(rig.map()["knobs"]["key"] == -1);
}

TEST_CASE("cells are painted by a drag, erased with Shift, all of a stroke one step of undo") {
  Rig rig(1600, 1400);  // every knob is in view
  rig.click("knob.paint");
  const auto cell = [](int k) { return (static_cast<float>(k) + 0.5f) / 8; };
  rig.point("plot.left", cell(1), cell(2));
  const auto stroke_to = [&](int column, int row) {
    const ui::Rect r = rig.control("plot.left");
    rig.input.move(r.x + r.w * cell(column), r.y + r.h * cell(row));
    rig.settle();
  };
  rig.input.button(0, true);
  rig.settle();
  CHECK(rig.map()["knobs"]["cells"] == "2:1");  // shown while it is painted
  stroke_to(5, 2);
  CHECK(rig.map()["knobs"]["cells"] == "2:1-5");
  stroke_to(5, 4);
  rig.input.button(0, false);
  rig.settle();
  CHECK(rig.map()["knobs"]["cells"] == "2:1-5;3-4:5");
  CHECK(rig.map()["knobs"]["key"] == -1);  // nothing was pinned
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["cells"] == "");
  rig.tap(GLFW_KEY_Y, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["cells"] == "2:1-5;3-4:5");

  // Shift, and the right button, erase; the right one opens no menu here.
  rig.point("plot.left", cell(2), cell(2));
  rig.input.key(GLFW_KEY_LEFT_SHIFT, true, false, GLFW_MOD_SHIFT);
  rig.input.button(0, true);
  rig.input.button(0, false);
  rig.input.key(GLFW_KEY_LEFT_SHIFT, false, false, 0);
  rig.settle();
  CHECK(rig.map()["knobs"]["cells"] == "2:1,3-5;3-4:5");
  rig.point("plot.left", cell(5), cell(3));
  rig.input.button(1, true);
  rig.settle();
  stroke_to(5, 4);
  rig.input.button(1, false);
  rig.settle();
  CHECK(rig.map()["knobs"]["cells"] == "2:1,3-5");
  CHECK_FALSE(rig.has("figure.main.menu.png"));

  // Escape gives the stroke up, and no step of undo is left of it.
  rig.point("plot.left", cell(0), cell(0));
  rig.input.button(0, true);
  rig.settle();
  stroke_to(0, 7);
  CHECK(rig.map()["knobs"]["cells"] == "0-1:0;2:0-1,3-5;3-7:0");
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK(rig.map()["knobs"]["cells"] == "2:1,3-5");
  stroke_to(7, 7);
  rig.input.button(0, false);
  rig.settle();
  CHECK(rig.map()["knobs"]["cells"] == "2:1,3-5");
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["cells"] == "2:1,3-5;3-4:5");
}

TEST_CASE("where painting is not armed, a heatmap pins as always") {
  Rig rig;
  rig.click("knob.paint");
  rig.click("plot.right", 2.5f / 8, 5.5f / 8);
  CHECK(rig.map()["knobs"]["key"] == 2);
  rig.click("knob.paint");
  rig.click("plot.left", 3.5f / 8, 5.5f / 8);
  CHECK(rig.map()["knobs"]["key"] == 3);
  CHECK(rig.map()["knobs"]["cells"] == "");
}

TEST_CASE("a row of a table is picked; the wheel over a table moves the page") {
  Rig rig(1600, 1000);
  rig.click("plot.table", 0.5f, 0.7f);  // a title and four rows, about equally high
  CHECK(rig.map()["knobs"]["query"] == 2);
  const float top = rig.control("plot.table").y;
  rig.input.wheel(0, -1);
  rig.settle();
  CHECK(rig.control("plot.table").y < top);
  CHECK(rig.program.sight.views().empty());
}

TEST_CASE(
    "Ctrl and the wheel zoom linked plots about the pointer, a double click shows the whole") {
  Rig rig;
  rig.point("plot.left", 0.25f, 0.75f);
  rig.wheel(2, true);
  const auto plots = rig.map()["plots"];
  const double x0 = plots["left"]["shown"][0], x1 = plots["left"]["shown"][1];
  CHECK(x1 - x0 == doctest::Approx(8 / 1.44));
  // What lies under the pointer stays there; a pointer lies on whole pixels.
  CHECK(x0 + 0.25 * (x1 - x0) == doctest::Approx(2).epsilon(0.02));
  CHECK(plots["right"]["shown"] == plots["left"]["shown"]);
  rig.click("plot.left");
  rig.input.button(0, true);
  rig.input.button(0, false);
  rig.settle();
  CHECK(rig.map()["plots"]["left"]["shown"][1] == 8);
}

TEST_CASE("a drag moves what a zoomed plot shows and picks nothing") {
  Rig rig;
  rig.point("plot.left");
  rig.wheel(4, true);
  const double before = rig.map()["plots"]["left"]["shown"][0];
  rig.drag("plot.left", 0.5f, 0.8f);
  CHECK(rig.map()["plots"]["right"]["shown"][0] < before);
  CHECK(rig.map()["knobs"]["key"] == -1);
}

TEST_CASE("the wheel alone moves the page, whatever lies under the pointer") {
  Rig rig;
  for (const char* plot : {"plot.left", "plot.curve"}) {
    CAPTURE(plot);
    const float top = rig.control("plot.left").y;
    rig.point(plot);
    rig.wheel(-1);
    CHECK(rig.control("plot.left").y < top);
    rig.wheel(1);
    CHECK(rig.control("plot.left").y == top);
  }
  CHECK(rig.program.sight.views().empty());
  CHECK_FALSE(rig.program.desk.can_undo());
}

TEST_CASE("where the page has nowhere to go, the wheel says how a plot is zoomed") {
  Rig rig(1600, 2400);
  rig.point("plot.left");
  rig.wheel(1);
  CHECK(rig.program.sight.views().empty());
  CHECK(rig.program.messages.last().text == "Ctrl and the wheel zoom into a plot.");
}

TEST_CASE("what has no axes is not zoomed, and the page stays where it is meanwhile") {
  Rig rig(1600, 2400);
  for (const char* plot : {"plot.table", "plot.boxes", "plot.words"}) {
    CAPTURE(plot);
    const float top = rig.control(plot).y;
    rig.point(plot);
    rig.wheel(3, true);
    CHECK(rig.program.sight.views().empty());
    CHECK(rig.control(plot).y == top);
  }
}

TEST_CASE("a curve that is zoomed stays the right way up, and a double click restores the linked") {
  Rig rig;
  const auto shown = [&](const char* plot) { return rig.map()["plots"][plot]["shown"]; };
  const auto whole = shown("curve");
  CHECK(whole[2] > whole[3]);  // the highest at the top
  rig.point("plot.curve");
  rig.wheel(2, true);
  CHECK(shown("curve") != whole);
  CHECK(shown("curve")[2] > shown("curve")[3]);
  rig.click("plot.curve", 0.5f, 0.2f);
  rig.input.button(0, true);
  rig.input.button(0, false);
  rig.settle();
  CHECK(shown("curve") == whole);
  // A plot that follows another one is restored with it, from wherever that is asked.
  rig.point("plot.left");
  rig.wheel(2, true);
  rig.click("plot.right");
  rig.input.button(0, true);
  rig.input.button(0, false);
  rig.settle();
  CHECK(rig.program.sight.views().empty());
}

TEST_CASE("a notch of the wheel lays out the figure that it zooms, and no other") {
  Rig rig;
  rig.point("plot.curve");
  const long before = rig.shell.page_view().layouts();
  rig.wheel(1, true);
  CHECK(rig.shell.page_view().layouts() == before + 1);
  rig.settle();
  CHECK(rig.shell.page_view().layouts() == before + 1);
}

TEST_CASE("the values of every mark are copied, with tabs between them") {
  Rig rig(1600, 2400);
  const auto copied = [&](const std::string& figure) {
    rig.click("figure." + figure + ".menu");
    rig.click("figure." + figure + ".menu.copy");
    return Rig::copied;
  };
  CHECK(copied("plane") == "x\ty\n2\t2\n5\t5\n");
  CHECK(copied("schemes") ==
        "# boxes\ntext\tx0\ty0\tx1\ty1\na, b\t0\t0\t1\t1\nc\t1\t0\t2\t1\n\n"
        "# words\nfrom\tto\tweight\nthe\tthe\t0.25\ncat\tthe\t0.75\n");
  CHECK(rig.program.messages.last().text == "Copied the values.");
  CHECK(copied("places").find("# scrub\nlabel\tvalue\n0\t0.5\n") != std::string::npos);
  CHECK(copied("table").find("说2") != std::string::npos);
  CHECK(copied("main").find("# right\n") != std::string::npos);
}

TEST_CASE("a click on a colour bar chooses the colours of that plot alone; it is a step of undo") {
  Rig rig(1600, 1400, lab::all());
  rig.program.desk.show_lab("multi_head");
  rig.settle();
  const auto scale = [&](std::string_view plot) {
    rig.settle();
    for (const figure::Figure& figure : rig.program.pages.page()->page.figures) {
      for (const figure::Plot& one : figure.plots) {
        const auto* map = one.marks.empty() ? nullptr : std::get_if<figure::Heatmap>(&one.marks[0]);
        if (one.id == plot && map) return map->scale;
      }
    }
    FAIL("no heatmap " << plot);
    return figure::ColorScale{};
  };
  const figure::ColorScale own = scale("weights"), of_scores = scale("scores");
  rig.click("bar.weights");
  rig.frame();
  rig.click("figure.colors.colors");
  rig.frame();
  rig.click("figure.colors.colors.magma");
  CHECK(scale("weights").map == figure::MapName::magma);
  rig.click("figure.colors.vmax");
  rig.type("0.25");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(scale("weights").hi == 0.25F);
  CHECK(scale("scores") == of_scores);
  // What is none is not taken.
  rig.click("figure.colors.vmin");
  rig.type("2x");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(scale("weights").lo == own.lo);
  CHECK(rig.has("figure.colors.fault"));
  rig.tap(GLFW_KEY_ESCAPE);
  rig.frame();
  if (!rig.has("figure.colors.fit")) rig.click("bar.weights");
  rig.frame();
  rig.click("figure.colors.fit");
  CHECK(scale("weights").hi > own.lo);
  CHECK(scale("weights").hi <= 1);
  const session::Session session = rig.program.desk.now();
  CHECK(session.figures.colors.size() == 1);
  rig.tap(GLFW_KEY_ESCAPE);
  rig.frame();
  rig.click("bar.weights");
  rig.frame();
  rig.click("figure.colors.own");
  CHECK(scale("weights") == own);
  rig.tap(GLFW_KEY_ESCAPE);
  rig.frame();
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(scale("weights").map == figure::MapName::magma);
  // All that was chosen while it was open is one step; a refused text had closed it once.
  for (int k = 0; k < 2; ++k) rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(scale("weights") == own);
  // It comes with a session, and what cannot be is said by the page.
  rig.program.files.restore(session);
  CHECK(scale("weights").map == figure::MapName::magma);
  rig.program.sight.set_colors("weights", {.vmin = "3"});
  CHECK(scale("weights") == own);
  const auto& notes = rig.program.pages.page()->page.notes;
  REQUIRE_FALSE(notes.empty());
  CHECK(notes.back().find("are not shown") != std::string::npos);
  // Small pictures have one scale, and so one choice in the menu of their figure.
  rig.click("figure.heads.menu");
  rig.click("figure.heads.menu.colors");
  rig.frame();
  rig.click("figure.colors.fit");
  CHECK(rig.program.desk.now().figures.colors.contains("heads"));
}

}  // namespace figures_test
