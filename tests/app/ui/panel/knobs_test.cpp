#include "app/ui/frame/shell.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/labs/labs.h"
#include "folder.h"
#include "rig.h"

namespace knobs_test {

namespace {

void frames(Rig& rig, int count) {
  for (int k = 0; k < count; ++k) {
    rig.frame();
    rig.program.wait();
  }
}

}  // namespace

TEST_CASE("dragging a slider changes its knob, as one step of undo") {
  Rig rig;
  rig.drag("knob.heads.slider", 0.1f, 0.95f);
  CHECK(rig.map()["knobs"]["heads"] >= 30);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["heads"] == 4);
  CHECK_FALSE(rig.program.desk.can_undo());
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
  CHECK(rig.map()["knobs"]["heads"] >= 30);
}

TEST_CASE("a slider's grab is taken hold of off its middle, and nothing jumps") {
  Rig rig;
  rig.program.knobs.set("temperature", "1.37");  // near the middle: from 0.1 to 10
  rig.settle();
  const ui::Rect slider = rig.control("knob.temperature.slider");
  const float radius = rig.shell.gui().px(6);
  const float middle = slider.x + radius + (slider.w - 2 * radius) * std::log10(13.7f) / 2;
  const auto temperature = [&] { return rig.map()["knobs"]["temperature"].get<double>(); };
  rig.input.move(middle + radius - 1, slider.y + slider.h / 2);
  rig.settle();
  rig.input.button(0, true);
  rig.settle();
  CHECK(temperature() == 1.37);
  // Two pixels are two pixels.
  const double pixel = std::pow(100.0, 1 / static_cast<double>(slider.w - 2 * radius));
  rig.input.move(middle + radius + 1, slider.y + slider.h / 2);
  rig.settle();
  CHECK(temperature() > 1.37 * pixel);
  CHECK(temperature() < 1.37 * pixel * pixel * pixel);
  rig.input.button(0, false);
  rig.settle();
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(temperature() == 1.37);
  // Beside the grab a press moves it there.
  rig.click("knob.temperature.slider", 0.9f);
  CHECK(temperature() > 5);
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

TEST_CASE("a slider may end before the range: more is typed") {
  Rig rig(1600, 1400, lab::all());
  rig.program.desk.show_lab("pooling");
  rig.program.knobs.set("method", "parametric");
  rig.settle();
  const auto rate = [&] { return rig.map()["knobs"]["rate"].get<double>(); };
  rig.drag("knob.rate.slider", 0.3f, 1.0f);
  CHECK(rate() == 100);
  rig.click("knob.rate.value");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type("1e9");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rate() == 1e9);
  rig.click("knob.rate.slider", 0.5f);
  CHECK(rate() < 1);
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

TEST_CASE("few knobs are shown at first, the others behind a button, and those that were changed") {
  Rig rig(1600, 2600);
  CHECK(rig.has("knob.heads.slider"));
  CHECK_FALSE(rig.has("knob.height"));
  rig.click("button.knobs");
  CHECK(rig.has("knob.height"));
  rig.click("knob.height.slider", 0.8f);
  rig.click("button.knobs");
  CHECK(rig.has("knob.height"));  // changed
  CHECK_FALSE(rig.has("knob.spare"));
  rig.click("knob.height.value");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type("0.5");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.has("knob.height"));  // still in use
  rig.click("knob.kind");
  CHECK_FALSE(rig.has("knob.height"));
  rig.click("button.knobs");
  rig.click("lab.two");
  CHECK_FALSE(rig.has("knob.height"));  // each lab for itself
  rig.click("lab.one");
  CHECK(rig.has("knob.height"));
}

TEST_CASE("a knob without effect is not shown; the search says why, and unfolds what waits") {
  Rig rig(1600, 1400);
  const auto choose = [&](const char* words) {
    rig.tap(GLFW_KEY_F, GLFW_MOD_CONTROL);
    rig.type(words);
    rig.tap(GLFW_KEY_ENTER);
  };
  CHECK_FALSE(rig.has("knob.idle"));
  choose("idle");
  CHECK_FALSE(rig.has("knob.idle"));
  CHECK(rig.program.messages.last().text == "Idle has no effect at the current settings.");
  choose("height");
  CHECK(rig.has("knob.height"));
  rig.click("knob.scaled");
  CHECK(rig.has("knob.idle"));
}

TEST_CASE("choices and switches") {
  Rig rig;
  rig.click("choice.kind.third");
  CHECK(rig.map()["knobs"]["kind"] == "third");
  rig.click("knob.scaled");
  CHECK(rig.map()["knobs"]["scaled"] == false);
}

TEST_CASE("a parameter plays: one step of undo, at its own pace, until its maximum") {
  Rig rig;
  const auto query = [&] { return rig.map()["knobs"]["query"].get<int>(); };
  CHECK_FALSE(rig.has("play.heads.toggle"));
  CHECK(std::isinf(rig.program.seconds_to_step()));
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
  CHECK(std::isinf(rig.program.seconds_to_step()));
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(query() == 1);
  CHECK_FALSE(rig.program.desk.can_undo());
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

TEST_CASE("how fast it plays is chosen beside the knob and beside the figure that it moves") {
  Rig rig(1600, 2400);
  const auto query = [&] { return rig.map()["knobs"]["query"].get<int>(); };
  rig.click("figure.places.play.start");
  CHECK(query() == 0);
  rig.click("figure.places.play.forward");
  CHECK(query() == 1);
  CHECK(rig.map()["speed"] == 1);
  rig.click("figure.places.play.speed");
  rig.click("figure.places.play.speed.0.5");
  CHECK(rig.map()["speed"] == 0.5);
  rig.program.playing.start("query");
  CHECK(rig.program.seconds_to_step() == doctest::Approx(0.1));
  rig.click("play.query.toggle");
  CHECK(rig.map()["playing"] == "");
  rig.click("play.query.speed");
  rig.click("play.query.speed.4");
  rig.program.knobs.set("query", "0");
  rig.settle();
  rig.program.playing.start("query");
  CHECK(rig.program.seconds_to_step() == doctest::Approx(1.0 / 80));
}

TEST_CASE("a measurement is a button, which takes it away too") {
  Rig rig(1600, 1400);
  rig.click("knob.timed");
  CHECK(rig.map()["knobs"]["timed"] == true);
  rig.click("knob.timed");
  CHECK(rig.map()["knobs"]["timed"] == false);
}

TEST_CASE("a file is chosen in a dialog that lists what fits, typed, dropped and taken away") {
  namespace fs = std::filesystem;
  const test::Folder made;
  const fs::path& folder = made.path();
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
  CHECK(rig.program.messages.last().is_error);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(file() == "");
  // A file that the lab refuses: its sentence, and the page of before.
  const auto page = rig.program.pages.shared();
  rig.shell.drop({(folder / "bad.csv").string()});
  rig.settle();
  CHECK(rig.program.messages.last().text == "bad.csv: expected a good file");
  CHECK(rig.program.pages.error() == "bad.csv: expected a good file");
  CHECK(rig.program.pages.shared() == page);
}

TEST_CASE("a name is chosen from a list that is searched, by mouse and by keyboard") {
  Rig rig(1600, 1400);
  const auto column = [&] { return rig.map()["knobs"]["column"].get<std::string>(); };
  const auto open = [&] { return rig.has("knob.column.search"); };
  CHECK_FALSE(rig.has("choice.column"));
  rig.program.knobs.set("file", "names.csv");
  rig.settle();
  REQUIRE(rig.has("choice.column"));
  CHECK(rig.program.pages.page()->page.status ==
        "one two threenames.csv c1");  // the second, until chosen
  rig.click("choice.column");
  REQUIRE(open());
  CHECK(rig.has("choice.column.c0"));
  CHECK_FALSE(rig.has("choice.column.c30"));  // further down
  rig.point("choice.column.c3");
  rig.wheel(-20);
  CHECK(rig.has("choice.column.c39"));
  CHECK_FALSE(rig.has("choice.column.c0"));
  rig.type("C3");
  CHECK(rig.has("choice.column.c3"));
  CHECK(rig.has("choice.column.c38"));
  CHECK_FALSE(rig.has("choice.column.c4"));
  rig.click("choice.column.c35");
  CHECK(column() == "c35");
  CHECK_FALSE(open());
  CHECK(rig.program.pages.page()->page.status == "one two threenames.csv c35");
  // The keyboard alone: it opens at what is chosen, arrows walk, Enter takes, Escape leaves.
  REQUIRE(rig.shell.gui().keyboard().has_focus("choice.column"));
  rig.tap(GLFW_KEY_DOWN);
  REQUIRE(open());
  CHECK(rig.has("choice.column.c35"));
  rig.tap(GLFW_KEY_DOWN);
  rig.tap(GLFW_KEY_DOWN);
  rig.tap(GLFW_KEY_UP);
  rig.tap(GLFW_KEY_ENTER);
  CHECK(column() == "c36");
  CHECK_FALSE(open());
  rig.tap(GLFW_KEY_ENTER);
  REQUIRE(open());
  rig.type("third");  // of what is shown
  rig.tap(GLFW_KEY_ENTER);
  CHECK(column() == "c2");
  rig.tap(GLFW_KEY_ENTER);
  rig.type("nothing at all");
  CHECK_FALSE(rig.has("choice.column.c2"));
  rig.tap(GLFW_KEY_ENTER);  // there is nothing to take
  CHECK(open());
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(open());
  CHECK(column() == "c2");
  rig.tap(GLFW_KEY_PAGE_DOWN);  // the keys are the window's again
  CHECK(rig.map()["lab"] == "two");
  rig.tap(GLFW_KEY_PAGE_UP);
  for (const char* before : {"c36", "c35", ""}) {
    rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(column() == before);
  }
}

TEST_CASE("a name that is gone is kept and marked, what there is is said, and another is chosen") {
  Rig rig(1600, 1400);
  rig.program.knobs.set("file", "names.csv");
  rig.program.knobs.set("column", "c7");
  rig.settle();
  CHECK(rig.map()["missing"].empty());
  rig.program.knobs.set("file", "few names.csv");
  rig.settle();
  CHECK(rig.map()["knobs"]["column"] == "c7");
  CHECK(rig.map()["missing"] == nlohmann::json{"column"});
  REQUIRE(rig.has("missing.column"));
  CHECK(rig.drawn_in(rig.shell.gui().theme().bad));
  CHECK(rig.program.pages.error() == "there is no column c7");
  CHECK(rig.program.pages.stale());
  CHECK(rig.program.pages.page()->page.status == "one two threenames.csv c7");  // the last good one
  rig.click("choice.column");
  CHECK_FALSE(rig.has("knob.column.search"));  // three need no search
  rig.tap(GLFW_KEY_DOWN);
  rig.tap(GLFW_KEY_DOWN);
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["column"] == "c2");
  CHECK(rig.map()["missing"].empty());
  CHECK_FALSE(rig.has("missing.column"));
  CHECK(rig.program.pages.error().empty());
  CHECK_FALSE(rig.program.pages.stale());
  // Back to the file that has it: nothing was lost on the way.
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.program.pages.page()->page.status == "one two threenames.csv c7");
  CHECK(rig.map()["missing"].empty());
}

TEST_CASE("a page that never was says why, where it would stand") {
  Rig rig;
  session::Session session = rig.program.desk.now();
  session.lab = "two";
  for (auto& [id, value] : session.values) {
    if (id == "file") value = "few names.csv";
    if (id == "column") value = "c9";
  }
  rig.program.files.restore(session);
  rig.settle();
  CHECK(rig.program.pages.page() == nullptr);
  CHECK(rig.has("page.fault"));
  CHECK(rig.program.messages.last().text.empty());
  CHECK(rig.program.pages.unreported_error().empty());
  CHECK(rig.map()["missing"] == nlohmann::json{"column"});
  CHECK(rig.map()["knobs"]["column"] == "c9");
  rig.program.knobs.set("column", "");
  rig.settle();
  CHECK_FALSE(rig.has("page.fault"));
  CHECK(rig.program.pages.page()->page.status == "one two threefew names.csv c1");
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
  CHECK_FALSE(rig.program.desk.can_undo());
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
  rig.program.knobs.set("stack", "local; or full; minus far");
  rig.settle();
  const auto tab_to = [&](const std::string& id) {
    for (int i = 0; i < 80 && !rig.shell.gui().keyboard().has_focus(id); ++i) rig.tap(GLFW_KEY_TAB);
    REQUIRE(rig.shell.gui().keyboard().has_focus(id));
  };
  tab_to("stack:stack:1:down");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["stack"] == "local window=3; minus far step=4; or full");
  tab_to("stack:stack:1:step.slider");
  rig.tap(GLFW_KEY_RIGHT);
  CHECK(rig.map()["knobs"]["stack"] == "local window=3; minus far step=5; or full");
}

TEST_CASE("the keyboard alone reaches a knob and moves it") {
  Rig rig;
  for (int i = 0; i < 60 && !rig.shell.gui().keyboard().has_focus("knob.heads.slider"); ++i) {
    rig.tap(GLFW_KEY_TAB);
  }
  REQUIRE(rig.shell.gui().keyboard().has_focus("knob.heads.slider"));
  rig.tap(GLFW_KEY_RIGHT);
  rig.tap(GLFW_KEY_RIGHT);
  CHECK(rig.map()["knobs"]["heads"] == 6);
  rig.tap(GLFW_KEY_TAB);
  REQUIRE(rig.shell.gui().keyboard().has_focus("knob.heads.value"));
  rig.type("12");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["heads"] == 12);
}

}  // namespace knobs_test
