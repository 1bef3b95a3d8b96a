#include "app/ui/shell.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "rig.h"

TEST_CASE("dragging a slider changes its knob, as one step of undo") {
  Rig rig;
  rig.drag("knob.heads.slider", 0.1f, 0.95f);
  CHECK(rig.map()["knobs"]["heads"] >= 30);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["heads"] == 4);
  CHECK_FALSE(rig.model.can_undo());
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
  CHECK(rig.map()["knobs"]["heads"] >= 30);
}

TEST_CASE("an exact value is typed; one out of range is refused and Escape gives up") {
  Rig rig;
  rig.click("knob.heads.value");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type("17");
  CHECK(rig.map()["knobs"]["heads"] == 4);
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["heads"] == 17);
  rig.click("knob.heads.value");
  rig.type("99");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["heads"] == 17);
  CHECK(rig.has("error.heads"));
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.has("error.heads"));
  CHECK(rig.map()["knobs"]["heads"] == 17);
}

TEST_CASE("a text is read while it is typed, and all of it is one step of undo") {
  Rig rig;
  rig.click("knob.text.value");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type("a rose");
  CHECK(rig.map()["knobs"]["text"] == "a rose");
  rig.tap(GLFW_KEY_BACKSPACE);
  CHECK(rig.map()["knobs"]["text"] == "a ros");
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["text"] == "one two three");
}

TEST_CASE("choices and switches") {
  Rig rig;
  rig.click("choice.kind.third");
  CHECK(rig.map()["knobs"]["kind"] == "third");
  rig.click("knob.scaled");
  CHECK(rig.map()["knobs"]["scaled"] == false);
}

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
  CHECK_FALSE(rig.model.can_undo());
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
  CHECK(rig.model.message().text ==
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

namespace {

void frames(Rig& rig, int count) {
  for (int k = 0; k < count; ++k) {
    rig.frame();
    rig.model.wait();
  }
}

}  // namespace

TEST_CASE("a parameter plays: one step of undo, at its own pace, until its maximum") {
  Rig rig;
  const auto query = [&] { return rig.map()["knobs"]["query"].get<int>(); };
  CHECK_FALSE(rig.has("play.heads.toggle"));
  CHECK(std::isinf(rig.model.seconds_to_step()));
  rig.click("play.query.toggle");
  CHECK(rig.map()["playing"] == "query");
  const int before = query();
  CHECK(rig.shell.next_change() <= 1.0 / 20);
  frames(rig, 6);  // a tenth of a second at twenty steps a second
  CHECK(query() >= before + 1);
  CHECK(query() <= before + 3);
  frames(rig, 60);
  CHECK(query() == 7);
  CHECK(rig.map()["playing"] == "");
  CHECK(std::isinf(rig.model.seconds_to_step()));
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(query() == 1);
  CHECK_FALSE(rig.model.can_undo());
}

TEST_CASE("playing is paused by Space, by any other change, and begins anew at its end") {
  Rig rig;
  const auto query = [&] { return rig.map()["knobs"]["query"].get<int>(); };
  rig.click("knob.query.slider", 0.99f);
  CHECK(query() == 7);
  rig.tap(GLFW_KEY_SPACE);
  CHECK(rig.map()["playing"] == "query");
  CHECK(query() <= 2);  // from the start again
  frames(rig, 9);
  rig.tap(GLFW_KEY_SPACE);
  CHECK(rig.map()["playing"] == "");
  const int here = query();
  CHECK(here > 0);
  CHECK(here < 7);
  frames(rig, 30);
  CHECK(query() == here);
  rig.click("play.query.forward");
  CHECK(query() == here + 1);
  rig.click("play.query.back");
  CHECK(query() == here);
  rig.click("play.query.start");
  CHECK(query() == 0);
  rig.click("play.query.back");
  CHECK(query() == 0);
  rig.click("play.query.toggle");
  rig.click("knob.scaled");
  CHECK(rig.map()["playing"] == "");
  rig.click("play.query.toggle");
  rig.click("lab.two");
  CHECK(rig.map()["playing"] == "");
  rig.click("play.query.toggle");
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["playing"] == "");
}

TEST_CASE("a file is chosen in a dialog that lists what fits, typed, dropped and taken away") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "attnscope_file_knob";
  fs::create_directories(folder / "inner");
  for (const char* name : {"a.csv", "b.TXT", "c.png", "bad.csv"}) std::ofstream(folder / name) << 1;
  Rig rig(1600, 1400);
  const auto file = [&] { return rig.map()["knobs"]["file"].get<std::string>(); };
  rig.click("knob.file.value");
  rig.type((folder / "a.csv").string());
  rig.tap(GLFW_KEY_ENTER);
  CHECK(file() == (folder / "a.csv").string());
  rig.click("knob.file.choose");
  CHECK(rig.has("dialog.entry.b.TXT"));
  CHECK(rig.has("dialog.entry.inner"));
  CHECK_FALSE(rig.has("dialog.entry.c.png"));
  rig.click("dialog.entry.b.TXT");
  rig.click("dialog.accept");
  CHECK(file() == (folder / "b.TXT").string());
  rig.click("knob.file.clear");
  CHECK(file() == "");
  rig.shell.drop({(folder / "a.csv").string()});
  rig.settle();
  CHECK(file() == (folder / "a.csv").string());
  // What has another ending is opened as a session or an exported figure.
  rig.shell.drop({(folder / "c.png").string()});
  rig.settle();
  CHECK(file() == (folder / "a.csv").string());
  CHECK(rig.model.message().is_error);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(file() == "");
  // A file that the lab refuses: its sentence, and the page of before.
  const auto page = rig.model.shared_page();
  rig.shell.drop({(folder / "bad.csv").string()});
  rig.settle();
  CHECK(rig.model.message().text == "bad.csv: expected a good file");
  CHECK(rig.model.compute_error() == "bad.csv: expected a good file");
  CHECK(rig.model.shared_page() == page);
  fs::remove_all(folder);
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
  rig.input.wheel(0, 3);
  rig.settle();
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

TEST_CASE("a stack is built by mouse: added, changed, moved, removed, each one step of undo") {
  Rig rig;
  rig.click("stack:stack:add");
  rig.click("stack:stack:add:far");
  CHECK(rig.map()["knobs"]["stack"] == "local window=3; or far step=4");
  rig.click("stack:stack:1:operation");
  rig.click("stack:stack:1:operation:minus");
  CHECK(rig.map()["knobs"]["stack"] == "local window=3; minus far step=4");
  rig.click("stack:stack:1:up");
  CHECK(rig.map()["knobs"]["stack"] == "far step=4; minus local window=3");
  rig.drag("stack:stack:0:step.slider", 0.4f, 1.0f);
  CHECK(rig.map()["knobs"]["stack"] == "far step=9; minus local window=3");
  rig.click("stack:stack:1:entry");
  rig.click("stack:stack:1:entry:full");
  CHECK(rig.map()["knobs"]["stack"] == "far step=9; minus full");
  rig.click("stack:stack:0:remove");
  CHECK(rig.map()["knobs"]["stack"] == "full");
  rig.click("stack:stack:0:remove");  // the last one stays
  CHECK(rig.map()["knobs"]["stack"] == "full");
  for (const char* before : {"far step=9; minus full", "far step=9; minus local window=3",
                             "far step=4; minus local window=3", "local window=3; minus far step=4",
                             "local window=3; or far step=4", "local window=3"}) {
    rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(rig.map()["knobs"]["stack"] == before);
  }
  CHECK_FALSE(rig.model.can_undo());
}

TEST_CASE("a stack's arguments are typed; the keyboard alone reaches and moves its items") {
  Rig rig;
  rig.click("stack:stack:0:window.value");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type("101");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.has("error.stack"));
  CHECK(rig.map()["errors"]["stack"] ==
        "expected in item 1 for window an integer from 0 to 100, got 101");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type("64");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["stack"] == "local window=64");
  CHECK_FALSE(rig.has("error.stack"));
  rig.model.set("stack", "local; or full; minus far");
  rig.settle();
  const auto tab_to = [&](const std::string& id) {
    for (int i = 0; i < 80 && !rig.shell.gui().has_focus(id); ++i) rig.tap(GLFW_KEY_TAB);
    REQUIRE(rig.shell.gui().has_focus(id));
  };
  tab_to("stack:stack:1:down");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["stack"] == "local window=3; minus far step=4; or full");
  tab_to("stack:stack:1:step.slider");
  rig.tap(GLFW_KEY_RIGHT);
  CHECK(rig.map()["knobs"]["stack"] == "local window=3; minus far step=5; or full");
}

TEST_CASE("a row of a table is picked; the wheel over a table moves the page") {
  Rig rig(1600, 800);
  rig.click("plot.table", 0.5f, 0.7f);  // a title and four rows, about equally high
  CHECK(rig.map()["knobs"]["query"] == 2);
  const float top = rig.control("plot.table").y;
  rig.input.wheel(0, -1);
  rig.settle();
  CHECK(rig.control("plot.table").y < top);
  CHECK(rig.model.views().empty());
}

TEST_CASE("the wheel zooms linked plots about the pointer, a double click shows the whole") {
  Rig rig;
  rig.point("plot.left", 0.25f, 0.75f);
  rig.input.wheel(0, 2);
  rig.settle();
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
  rig.input.wheel(0, 4);
  rig.settle();
  const double before = rig.map()["plots"]["left"]["shown"][0];
  rig.drag("plot.left", 0.5f, 0.8f);
  CHECK(rig.map()["plots"]["right"]["shown"][0] < before);
  CHECK(rig.map()["knobs"]["key"] == -1);
}

TEST_CASE("the keyboard alone reaches a knob and moves it") {
  Rig rig;
  for (int i = 0; i < 60 && !rig.shell.gui().has_focus("knob.heads.slider"); ++i) {
    rig.tap(GLFW_KEY_TAB);
  }
  REQUIRE(rig.shell.gui().has_focus("knob.heads.slider"));
  rig.tap(GLFW_KEY_RIGHT);
  rig.tap(GLFW_KEY_RIGHT);
  CHECK(rig.map()["knobs"]["heads"] == 6);
  rig.tap(GLFW_KEY_TAB);
  REQUIRE(rig.shell.gui().has_focus("knob.heads.value"));
  rig.type("12");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["heads"] == 12);
}

TEST_CASE("keys for theme, language, scale and labs") {
  Rig rig;
  rig.tap(GLFW_KEY_T, GLFW_MOD_CONTROL);
  CHECK(rig.map()["theme"] == "light");
  rig.tap(GLFW_KEY_L, GLFW_MOD_CONTROL);
  CHECK(rig.map()["language"] == "zh_CN");
  rig.tap(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL);
  CHECK(rig.map()["scale"] == 1.25);
  rig.tap(GLFW_KEY_0, GLFW_MOD_CONTROL);
  CHECK(rig.map()["scale"] == 1);
  rig.tap(GLFW_KEY_PAGE_DOWN);
  CHECK(rig.map()["lab"] == "two");
  rig.click("lab.one");
  CHECK(rig.map()["lab"] == "one");
}

TEST_CASE("search goes to what it finds") {
  Rig rig;
  rig.tap(GLFW_KEY_F, GLFW_MOD_CONTROL);
  rig.type("hot");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["temperature"] == 5);
}

TEST_CASE("menus open, choose and close") {
  Rig rig;
  rig.click("button.presets");
  REQUIRE(rig.has("preset.hot"));
  rig.click("preset.hot");
  CHECK(rig.map()["knobs"]["temperature"] == 5);
  CHECK_FALSE(rig.has("preset.hot"));
  rig.click("button.export");
  REQUIRE(rig.has("export.pdf"));
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.has("export.pdf"));
  rig.click("button.export");
  rig.click("export.pdf");
  REQUIRE(rig.has("dialog.accept"));
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.has("dialog.accept"));
}

TEST_CASE("every control lies inside of the window, at any size and scale") {
  for (const auto& [w, h, scale] : {std::tuple{1600.0f, 1000.0f, 1.0f},
                                    {1280.0f, 720.0f, 1.0f},
                                    {1280.0f, 720.0f, 2.0f},
                                    {1920.0f, 1080.0f, 3.0f}}) {
    Rig rig(w, h);
    rig.model.set_scale(scale);
    rig.settle();
    for (const auto& control : rig.shell.gui().controls()) {
      const std::string& id = control.first;
      const auto& r = control.second;
      CAPTURE(id);
      CHECK(r.x >= 0);
      CHECK(r.right() <= w + 0.5f);
      CHECK(r.w > 0);
    }
  }
}

TEST_CASE("what is cut is shown whole under the pointer, after a while") {
  Rig rig(1280, 720);
  const std::string question(rig.model.lab().question);
  const auto rest = [&](float x) {
    rig.input.move(x, 29);
    for (int frame = 0; frame < 60; ++frame) rig.frame();
    return rig.shell.gui().tip();
  };
  const ui::Rect undo = rig.control("button.undo");
  CHECK(rest(undo.x - 30) == question);
  CHECK(rest(undo.x + 5) != question);
  rig.resize(2560, 720);
  rig.settle();
  CHECK(rest(undo.x - 30) == "");  // there is room for all of it
}

TEST_CASE("the control map tells what has come in: the pointer, held buttons, keys and wheels") {
  Rig rig;
  rig.input.move(40.4f, 30);
  rig.input.button(0, true);
  rig.settle();
  CHECK(rig.map()["input"]["pointer"] == nlohmann::json{40, 30});
  CHECK(rig.map()["input"]["down"] == nlohmann::json{0});
  CHECK(rig.map()["input"]["keys"] == 0);
  rig.input.button(0, false);
  rig.tap(GLFW_KEY_DOWN);
  rig.input.key(GLFW_KEY_DOWN, true, true, 0);  // held: the same press again
  rig.input.wheel(0, 1);
  rig.input.wheel(0, 1);
  rig.input.move(-1e6f, -1e6f);
  rig.settle();
  CHECK(rig.map()["input"] ==
        nlohmann::json{
            {"pointer", {-1, -1}}, {"down", nlohmann::json::array()}, {"keys", 1}, {"wheels", 2}});
}

TEST_CASE("an idle window has nothing to wait for") {
  Rig rig;
  rig.input.move(-1e6f, -1e6f);
  rig.settle();
  CHECK(std::isinf(rig.shell.next_change()));
}

TEST_CASE("a random walk over everything ends well") {
  Rig rig;
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr int kKeys[] = {GLFW_KEY_TAB,    GLFW_KEY_ENTER, GLFW_KEY_ESCAPE,    GLFW_KEY_LEFT,
                           GLFW_KEY_RIGHT,  GLFW_KEY_DOWN,  GLFW_KEY_SPACE,     GLFW_KEY_BACKSPACE,
                           GLFW_KEY_DELETE, GLFW_KEY_HOME,  GLFW_KEY_PAGE_DOWN, GLFW_KEY_F1};
  constexpr int kCtrlKeys[] = {GLFW_KEY_Z, GLFW_KEY_Y, GLFW_KEY_T,     GLFW_KEY_L, GLFW_KEY_A,
                               GLFW_KEY_V, GLFW_KEY_X, GLFW_KEY_EQUAL, GLFW_KEY_0, GLFW_KEY_F};
  bool down = false;
  for (int i = 0; i < 4000; ++i) {
    switch (below(9)) {
      case 0:
        rig.input.tap(kKeys[below(IM_ARRAYSIZE(kKeys))], below(4) == 0 ? GLFW_MOD_SHIFT : 0);
        break;
      case 1:
        rig.input.tap(kCtrlKeys[below(IM_ARRAYSIZE(kCtrlKeys))], GLFW_MOD_CONTROL);
        break;
      case 2:
        rig.input.type(below(2) ? "7" : "中 a");
        break;
      case 3:
        rig.input.wheel(0, static_cast<float>(below(7) - 3));
        break;
      case 4:
        rig.input.button(0, down = !down);
        break;
      case 5:
        if (below(20) == 0) {
          rig.resize(static_cast<float>(1 + below(2000)), static_cast<float>(1 + below(1200)));
        }
        break;
      case 6: {
        // Controls are likelier to do something than the space between them.
        const auto& all = rig.shell.gui().controls();
        auto at = all.begin();
        std::advance(at, below(static_cast<int>(all.size())));
        rig.input.move(at->second.x + at->second.w / 2, at->second.y + at->second.h / 2);
        rig.input.button(0, true);
        rig.input.button(0, false);
        break;
      }
      default:
        rig.input.move(static_cast<float>(below(1700)) - 50, static_cast<float>(below(1100)) - 50);
    }
    rig.frame();
  }
  rig.input.button(0, false);
  rig.settle();
  CHECK(rig.model.page() != nullptr);
}
