#include "app/state/program.h"

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "app/labs/labs.h"
#include "core/types.h"
#include "eventually.h"
#include "program_rig.h"

namespace program_test {

using namespace std::chrono_literals;
using program_rig::During;

TEST_CASE("a value that is refused stays away, with a sentence beside its knob") {
  state::Program program(test_lab::labs());
  CHECK_FALSE(program.knobs.set("heads", "99"));
  CHECK(program.knobs.value("heads") == "4");
  CHECK(program.knobs.error_of("heads").find("32") != std::string::npos);
  CHECK(program.knobs.error_of("heads").find("99") != std::string::npos);
  CHECK_FALSE(program.desk.can_undo());
  CHECK(program.knobs.set("heads", "8"));
  CHECK(program.knobs.error_of("heads").empty());
}

TEST_CASE("knobs can be walked while what one of them does replaces what they describe") {
  state::Program program(lab::all());
  program.desk.show_lab("translation");
  const lab::Lab& lab = program.desk.lab();
  const auto walk = [](const param::List& knobs) {
    param::Values all;
    for (const auto& one : knobs.items()) all.emplace_back(one.info.id, param::serialize(one));
    return all;
  };
  const param::List knobs = program.desk.list();
  const param::Values before = walk(knobs);
  program.desk.replace(lab, lab.make(), {});
  program.desk.begin_anew(program.desk.untouched_labs());
  program.desk.replace(lab, lab.make(), {});
  CHECK(walk(knobs) == before);
}

TEST_CASE("a click that takes something away says so once it is done, and undo brings it back") {
  state::Program program(test_lab::labs());
  program.knobs.pick({.exact = {{"heads", "99"}}, .said = "Left out: all."});
  CHECK(program.messages.last().is_error);
  program.knobs.pick({.exact = {{"heads", "8"}}, .said = "Left out: all."});
  CHECK(program.messages.last().text == "Left out: all.");
  program.desk.undo();
  CHECK(program.knobs.value("heads") == "4");
}

TEST_CASE("one drag is one step of undo") {
  state::Program program(test_lab::labs());
  for (const char* v : {"5", "6", "7", "8"}) program.knobs.set("heads", v, "drag.heads");
  program.desk.end_gesture();
  for (const char* v : {"9", "10"}) program.knobs.set("heads", v, "drag.heads");
  program.desk.undo();
  CHECK(program.knobs.value("heads") == "8");
  program.desk.undo();
  CHECK(program.knobs.value("heads") == "4");
  CHECK_FALSE(program.desk.can_undo());
  program.desk.redo();
  program.desk.redo();
  CHECK(program.knobs.value("heads") == "10");
  CHECK_FALSE(program.desk.can_redo());
}

TEST_CASE("what gives way during a drag comes back with it") {
  state::Program program(lab::all());
  program.desk.show_lab("multi_head");
  program.knobs.set("heads", "8");
  program.knobs.set("head", "5");
  program.knobs.set("heads", "2", "drag.heads");
  CHECK(program.knobs.value("head") == "2");
  CHECK_FALSE(program.knobs.set("heads", "99", "drag.heads"));
  CHECK(program.knobs.value("heads") == "2");
  CHECK(program.knobs.value("head") == "2");
  program.knobs.set("heads", "7", "drag.heads");
  CHECK(program.knobs.value("heads") == "7");
  CHECK(program.knobs.value("head") == "5");
  program.knobs.set("heads", "1", "drag.heads");
  program.desk.end_gesture();
  program.knobs.set("heads", "8", "drag.heads");  // another one
  CHECK(program.knobs.value("head") == "1");
  program.desk.undo();
  program.desk.undo();
  CHECK(program.knobs.value("heads") == "8");
  CHECK(program.knobs.value("head") == "5");
}

TEST_CASE("a new change forgets what was undone") {
  state::Program program(test_lab::labs());
  program.knobs.set("heads", "8");
  program.desk.undo();
  program.knobs.set("scaled", "false");
  CHECK_FALSE(program.desk.can_redo());
}

TEST_CASE("setting the same value again is no step") {
  state::Program program(test_lab::labs());
  CHECK(program.knobs.set("heads", "4"));
  CHECK_FALSE(program.desk.can_undo());
}

TEST_CASE("a pick sets its parameters in one step, and un-pinning sets back those that say so") {
  state::Program program(test_lab::labs());
  CHECK_FALSE(program.knobs.unpin());
  program.knobs.apply({{"query", "3"}, {"key", "5"}});
  CHECK(program.knobs.value("query") == "3");
  CHECK(program.knobs.value("key") == "5");
  CHECK(program.knobs.unpin());
  CHECK(program.knobs.value("key") == "-1");
  CHECK(program.knobs.value("query") == "3");
  program.desk.undo();
  CHECK(program.knobs.value("key") == "5");
  program.desk.undo();
  CHECK(program.knobs.value("query") == "1");
}

TEST_CASE("a drag on a figure is one step of undo, each place the nearest permitted one") {
  state::Program program(test_lab::labs());
  for (const double x : {1.4, 2.6, 99.0, 5.2}) {
    program.knobs.pick({{{"scaled", "false"}}, {{"query", x}, {"height", x / 10}}}, "drag.curve");
  }
  program.desk.end_gesture();
  CHECK(program.knobs.value("query") == "5");
  CHECK(program.knobs.value("height") == "0.52");
  CHECK(program.knobs.value("scaled") == "false");
  program.knobs.pick({{}, {{"query", 6.0}}}, "drag.curve");
  program.desk.undo();
  CHECK(program.knobs.value("query") == "5");
  program.desk.undo();
  CHECK(program.knobs.value("query") == "1");
  CHECK(program.knobs.value("scaled") == "true");
  CHECK_FALSE(program.desk.can_undo());
  program.knobs.pick({{}, {{"query", 1.2}}}, "drag.curve");  // where it is already
  CHECK_FALSE(program.desk.can_undo());
  program.knobs.pick({{{"heads", "2"}}, {{"nothing", 1}}});
  CHECK(program.messages.last().is_error);
  CHECK(program.knobs.value("heads") == "4");
}

TEST_CASE("pages come from the worker, and a late one of another lab is not shown") {
  state::Program program(test_lab::labs());
  program.wait();
  REQUIRE(program.pages.page() != nullptr);
  CHECK(program.pages.page()->made_from.lab == "one");
  CHECK_FALSE(program.pages.stale());
  program.knobs.set("text", "abc");
  CHECK(program.pages.stale());
  program.desk.show_lab("two");
  CHECK(program.pages.page() == nullptr);
  program.wait();
  REQUIRE(program.pages.page() != nullptr);
  CHECK(program.pages.page()->made_from.lab == "two");
  program.desk.show_lab("one");
  program.wait();
  CHECK(program.pages.page()->page.status == "abc");
}

TEST_CASE("linked plots show the same part; the whole is no view") {
  state::Program program(test_lab::labs());
  program.wait();
  program.sight.set_view("left", {1, 4, 2, 6}, "zoom.left");
  REQUIRE(program.sight.views().contains("right"));
  CHECK(program.sight.views().at("right") == figure::View{1, 4, 2, 6});
  program.sight.set_view("left", {2, 4, 2, 4}, "zoom.left");
  program.desk.undo();
  CHECK(program.sight.views().empty());
  program.desk.redo();
  program.sight.reset_view("right");
  CHECK(program.sight.views().empty());
  program.sight.set_view("nowhere", {0, 1, 0, 1});
  CHECK(program.sight.views().empty());
}

TEST_CASE("a preset stands on the defaults and is recognised") {
  state::Program program(test_lab::labs());
  program.knobs.set("heads", "9");
  CHECK(program.knobs.preset() == nullptr);
  program.knobs.apply_preset("hot");
  CHECK(program.knobs.value("heads") == "4");
  REQUIRE(program.knobs.preset() != nullptr);
  CHECK(program.knobs.preset()->id == "hot");
  program.desk.undo();
  CHECK(program.knobs.value("heads") == "9");
  program.knobs.apply_preset("cold");
  CHECK(program.messages.last().is_error);
}

TEST_CASE("a page knows what made it, and is stale until the knobs and the language are its own") {
  const During block([](const test_lab::Parameters& p, const lab::Context& context) {
    while (p.heads == 7) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  state::Program program(test_lab::labs());
  CHECK(program.pages.stale());
  program.wait();
  CHECK_FALSE(program.pages.stale());
  CHECK(program.pages.page()->made_from == program.desk.now());
  program.knobs.set("heads", "7");
  CHECK(program.pages.stale());
  CHECK(program.pages.busy());
  program.cancel_page();
  program.wait();
  CHECK_FALSE(program.pages.busy());
  CHECK(program.pages.stale());  // what was cancelled is not on screen
  program.desk.undo();
  CHECK_FALSE(program.pages.stale());  // the page is the one of these knobs
  program.wait();
  program.set_language(words::Language::zh_CN);
  CHECK(program.pages.stale());
  program.wait();
  CHECK_FALSE(program.pages.stale());
}

TEST_CASE("a computation that fails leaves the page stale, and says why until it is mended") {
  state::Program program(test_lab::labs());
  program.wait();
  program.knobs.set("file", "bad.csv");
  program.wait();
  CHECK_FALSE(program.pages.error().empty());
  CHECK(program.pages.stale());
  CHECK(program.messages.last().text == program.pages.error());
  CHECK(program.pages.unreported_error().empty());
  program.knobs.set("file", "");
  program.wait();
  CHECK(program.messages.last().text.empty());
  // A message that came after it is another matter; without one the status line says it.
  program.knobs.set("file", "bad.csv");
  program.wait();
  program.messages.dismiss();
  CHECK(program.pages.unreported_error() == program.pages.error());
  program.knobs.apply_preset("none of them");
  const std::string said = program.messages.last().text;
  program.knobs.set("file", "");
  program.wait();
  CHECK(program.messages.last().text == said);
}

TEST_CASE("a page that is published on the way is not whole, and what is cancelled stays so") {
  const During train([](const test_lab::Parameters& p, const lab::Context& context) {
    if (p.heads != 7) return;
    lab::Page part;
    part.status = "half";
    context.publish(part);
    for (;;) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  state::Program program(test_lab::labs());
  program.wait();
  program.knobs.set("heads", "7");
  REQUIRE(eventually([&] { return program.poll(), program.pages.page()->page.status == "half"; }));
  CHECK_FALSE(program.pages.page()->whole);
  CHECK(program.pages.page()->made_from == program.desk.now());
  CHECK(program.pages.stale());
  program.cancel_page();
  program.wait();
  CHECK(program.pages.page()->page.status == "half");
  CHECK(program.pages.stale());
}

TEST_CASE("a long drag keeps what it began with and not what every step was") {
  state::Program program(test_lab::labs());
  for (int k = 0; k < 200; ++k)
    program.knobs.set("height", std::to_string(k % 100) + "e-2", "drag");
  program.knobs.set("height", "0.5", "drag");  // where it began
  CHECK_FALSE(program.desk.can_undo());
  program.knobs.set("height", "0.25", "drag");
  program.desk.undo();
  CHECK(program.knobs.value("height") == "0.5");
}

TEST_CASE("while pages are made the player waits, and a cancelled page stops it") {
  std::atomic<bool> go = false;
  const During wait([&](const test_lab::Parameters& p, const lab::Context& context) {
    while (p.query > 1 && !go) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  state::Program program(test_lab::labs());
  program.wait();
  program.playing.start("query");
  for (int k = 0; k < 20; ++k) program.advance(0.1);
  CHECK(program.knobs.value("query") == "3");  // 0.1 s at 20 a second; then it waits
  program.cancel_page();
  CHECK(program.playing.id().empty());
  program.wait();
}

TEST_CASE("scale keeps to its range") {
  state::Program program(test_lab::labs());
  program.looks.rescale(9);
  CHECK(program.looks.scale == 3);
  program.looks.rescale(0.1f);
  CHECK(program.looks.scale == 1);
  program.looks.rescale(1.3f);
  CHECK(program.looks.scale == 1.25f);
  program.looks.rescale(std::numeric_limits<float>::quiet_NaN());
  CHECK(program.looks.scale == 1.25f);
}

TEST_CASE("a page opens another lab with what it found: one step of undo, and a way back") {
  state::Program program(test_lab::labs());
  program.knobs.set("text", "leads on");
  program.knobs.set("query", "3");
  program.wait();
  const auto jumps = program.pages.page()->page.jumps;
  REQUIRE(jumps.size() == 1);
  CHECK(program.jumps.came_from().empty());
  program.jumps.jump(jumps.front());
  CHECK(program.desk.lab().id == "two");
  CHECK(program.knobs.value("heads") == "8");
  CHECK(program.knobs.value("text") == "one two three");  // all else as it is at first
  CHECK(program.jumps.came_from() == "one");
  program.jumps.back();
  CHECK(program.desk.lab().id == "one");
  CHECK(program.knobs.value("query") == "3");
  CHECK(program.jumps.came_from().empty());
  program.jumps.jump(jumps.front());
  program.desk.undo();
  CHECK(program.desk.lab().id == "one");
  program.desk.show_lab("two");
  CHECK(program.knobs.value("heads") == "8");  // of the jump before
  program.desk.undo();
  CHECK(program.knobs.value("heads") == "4");
  // Where it begins is asked for, where the page says it.
  program.desk.show_lab("one");
  program.events.take();
  program.jumps.jump(jumps.front());
  CHECK(program.events.take().empty());
  program.desk.undo();
  lab::Jump further = jumps.front();
  further.figure = "below";
  program.jumps.jump(further);
  const std::vector<state::Event> events = program.events.take();
  REQUIRE(events.size() == 1);
  CHECK(std::get<state::FigureOpened>(events.front()).id == "below");
  program.jumps.jump({"three", "", "", {}});
  CHECK(program.messages.last().is_error);
  CHECK(program.desk.lab().id != "three");
  program.jumps.jump({"two", "", "", {{"heads", "99"}}});
  CHECK(program.messages.last().text.find("heads: expected") == 0);
}

TEST_CASE("a lab that nobody has touched begins with an example in the language of the window") {
  state::Program program(test_lab::labs());
  CHECK(program.knobs.value("text") == "one two three");
  program.set_language(words::Language::zh_CN);
  CHECK(program.knobs.value("text") == "一 二 三");
  CHECK_FALSE(program.knobs.changed("text"));
  program.wait();
  CHECK(program.pages.page()->page.status.find("一 二 三") == 0);
  program.desk.show_lab("two");  // it has none
  CHECK(program.knobs.value("text") == "one two three");
  program.knobs.set("heads", "3");
  program.desk.show_lab("one");
  program.set_language(words::Language::en);
  CHECK(program.knobs.value("text") == "one two three");
  program.knobs.set("text", "mine");
  program.set_language(words::Language::zh_CN);
  CHECK(program.knobs.value("text") == "mine");
  CHECK(program.knobs.changed("text"));
  program.desk.show_lab("two");
  CHECK(program.knobs.value("heads") == "3");
}

TEST_CASE("a wait that comes to its limit says what it waited for") {
  state::Program program(lab::all());
  program.desk.show_lab("multi_head");
  REQUIRE(program.knobs.set("length", "1000"));
  CHECK_THROWS_WITH_AS(program.wait(std::chrono::minutes(0)), "waited 0 minutes for a page",
                       std::runtime_error);
  program.wait();
  CHECK_FALSE(program.pages.busy());
}

}  // namespace program_test
