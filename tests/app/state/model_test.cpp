#include "app/state/model.h"

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "eventually.h"
#include "app/labs/labs.h"
#include "core/types.h"
#include "model_rig.h"

namespace model_test {

using namespace std::chrono_literals;
using model_rig::During;

TEST_CASE("a value that is refused stays away, with a sentence beside its knob") {
  state::Model model(test_lab::labs());
  CHECK_FALSE(model.set("heads", "99"));
  CHECK(model.value("heads") == "4");
  CHECK(model.error_of("heads").find("32") != std::string::npos);
  CHECK(model.error_of("heads").find("99") != std::string::npos);
  CHECK_FALSE(model.can_undo());
  CHECK(model.set("heads", "8"));
  CHECK(model.error_of("heads").empty());
}

TEST_CASE("one drag is one step of undo") {
  state::Model model(test_lab::labs());
  for (const char* v : {"5", "6", "7", "8"}) model.set("heads", v, "drag.heads");
  model.end_gesture();
  for (const char* v : {"9", "10"}) model.set("heads", v, "drag.heads");
  model.undo();
  CHECK(model.value("heads") == "8");
  model.undo();
  CHECK(model.value("heads") == "4");
  CHECK_FALSE(model.can_undo());
  model.redo();
  model.redo();
  CHECK(model.value("heads") == "10");
  CHECK_FALSE(model.can_redo());
}

TEST_CASE("what gives way during a drag comes back with it") {
  state::Model model(lab::all());
  model.show_lab("multi_head");
  model.set("heads", "8");
  model.set("head", "5");
  model.set("heads", "2", "drag.heads");
  CHECK(model.value("head") == "2");
  CHECK_FALSE(model.set("heads", "99", "drag.heads"));
  CHECK(model.value("heads") == "2");
  CHECK(model.value("head") == "2");
  model.set("heads", "7", "drag.heads");
  CHECK(model.value("heads") == "7");
  CHECK(model.value("head") == "5");
  model.set("heads", "1", "drag.heads");
  model.end_gesture();
  model.set("heads", "8", "drag.heads");  // another one
  CHECK(model.value("head") == "1");
  model.undo();
  model.undo();
  CHECK(model.value("heads") == "8");
  CHECK(model.value("head") == "5");
}

TEST_CASE("a new change forgets what was undone") {
  state::Model model(test_lab::labs());
  model.set("heads", "8");
  model.undo();
  model.set("scaled", "false");
  CHECK_FALSE(model.can_redo());
}

TEST_CASE("setting the same value again is no step") {
  state::Model model(test_lab::labs());
  CHECK(model.set("heads", "4"));
  CHECK_FALSE(model.can_undo());
}

TEST_CASE("a pick sets its parameters in one step, and un-pinning sets back those that say so") {
  state::Model model(test_lab::labs());
  CHECK_FALSE(model.unpin());
  model.apply({{"query", "3"}, {"key", "5"}});
  CHECK(model.value("query") == "3");
  CHECK(model.value("key") == "5");
  CHECK(model.unpin());
  CHECK(model.value("key") == "-1");
  CHECK(model.value("query") == "3");
  model.undo();
  CHECK(model.value("key") == "5");
  model.undo();
  CHECK(model.value("query") == "1");
}

TEST_CASE("a drag on a figure is one step of undo, each place the nearest permitted one") {
  state::Model model(test_lab::labs());
  for (const double x : {1.4, 2.6, 99.0, 5.2}) {
    model.pick({{{"scaled", "false"}}, {{"query", x}, {"height", x / 10}}}, "drag.curve");
  }
  model.end_gesture();
  CHECK(model.value("query") == "5");
  CHECK(model.value("height") == "0.52");
  CHECK(model.value("scaled") == "false");
  model.pick({{}, {{"query", 6.0}}}, "drag.curve");
  model.undo();
  CHECK(model.value("query") == "5");
  model.undo();
  CHECK(model.value("query") == "1");
  CHECK(model.value("scaled") == "true");
  CHECK_FALSE(model.can_undo());
  model.pick({{}, {{"query", 1.2}}}, "drag.curve");  // where it is already
  CHECK_FALSE(model.can_undo());
  model.pick({{{"heads", "2"}}, {{"nothing", 1}}});
  CHECK(model.message().is_error);
  CHECK(model.value("heads") == "4");
}

TEST_CASE("pages come from the worker, and a late one of another lab is not shown") {
  state::Model model(test_lab::labs());
  model.wait();
  REQUIRE(model.page() != nullptr);
  CHECK(model.page()->made_from.lab == "one");
  CHECK_FALSE(model.stale());
  model.set("text", "abc");
  CHECK(model.stale());
  model.show_lab("two");
  CHECK(model.page() == nullptr);
  model.wait();
  REQUIRE(model.page() != nullptr);
  CHECK(model.page()->made_from.lab == "two");
  model.show_lab("one");
  model.wait();
  CHECK(model.page()->page.status == "abc");
}

TEST_CASE("linked plots show the same part; the whole is no view") {
  state::Model model(test_lab::labs());
  model.wait();
  model.set_view("left", {1, 4, 2, 6}, "zoom.left");
  REQUIRE(model.views().contains("right"));
  CHECK(model.views().at("right") == figure::View{1, 4, 2, 6});
  model.set_view("left", {2, 4, 2, 4}, "zoom.left");
  model.undo();
  CHECK(model.views().empty());
  model.redo();
  model.reset_view("right");
  CHECK(model.views().empty());
  model.set_view("nowhere", {0, 1, 0, 1});
  CHECK(model.views().empty());
}

TEST_CASE("a preset stands on the defaults and is recognised") {
  state::Model model(test_lab::labs());
  model.set("heads", "9");
  CHECK(model.current_preset() == nullptr);
  model.apply_preset("hot");
  CHECK(model.value("heads") == "4");
  REQUIRE(model.current_preset() != nullptr);
  CHECK(model.current_preset()->id == "hot");
  model.undo();
  CHECK(model.value("heads") == "9");
  model.apply_preset("cold");
  CHECK(model.message().is_error);
}

TEST_CASE("a page knows what made it, and is stale until the knobs and the language are its own") {
  const During block([](const test_lab::Parameters& p, const lab::Context& context) {
    while (p.heads == 7) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  state::Model model(test_lab::labs());
  CHECK(model.stale());
  model.wait();
  CHECK_FALSE(model.stale());
  CHECK(model.page()->made_from == model.session());
  model.set("heads", "7");
  CHECK(model.stale());
  CHECK(model.busy());
  model.cancel();
  model.wait();
  CHECK_FALSE(model.busy());
  CHECK(model.stale());  // what was cancelled is not on screen
  model.undo();
  CHECK_FALSE(model.stale());  // the page is the one of these knobs
  model.wait();
  model.set_language(words::Language::zh_CN);
  CHECK(model.stale());
  model.wait();
  CHECK_FALSE(model.stale());
}

TEST_CASE("a computation that fails leaves the page stale, and says why until it is mended") {
  state::Model model(test_lab::labs());
  model.wait();
  model.set("file", "bad.csv");
  model.wait();
  CHECK_FALSE(model.compute_error().empty());
  CHECK(model.stale());
  CHECK(model.message().text == model.compute_error());
  CHECK(model.untold_error().empty());
  model.set("file", "");
  model.wait();
  CHECK(model.message().text.empty());
  // A message that came after it is another matter; without one the status line says it.
  model.set("file", "bad.csv");
  model.wait();
  model.dismiss_message();
  CHECK(model.untold_error() == model.compute_error());
  model.apply_preset("none of them");
  const std::string said = model.message().text;
  model.set("file", "");
  model.wait();
  CHECK(model.message().text == said);
}

TEST_CASE("a page that is published on the way is not whole, and what is cancelled stays so") {
  const During train([](const test_lab::Parameters& p, const lab::Context& context) {
    if (p.heads != 7) return;
    lab::Page part;
    part.status = "half";
    context.publish(part);
    for (;;) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  state::Model model(test_lab::labs());
  model.wait();
  model.set("heads", "7");
  REQUIRE(eventually([&] { return model.poll(), model.page()->page.status == "half"; }));
  CHECK_FALSE(model.page()->whole);
  CHECK(model.page()->made_from == model.session());
  CHECK(model.stale());
  model.cancel();
  model.wait();
  CHECK(model.page()->page.status == "half");
  CHECK(model.stale());
}

TEST_CASE("a long drag keeps what it began with and not what every step was") {
  state::Model model(test_lab::labs());
  for (int k = 0; k < 200; ++k) model.set("height", std::to_string(k % 100) + "e-2", "drag");
  model.set("height", "0.5", "drag");  // where it began
  CHECK_FALSE(model.can_undo());
  model.set("height", "0.25", "drag");
  model.undo();
  CHECK(model.value("height") == "0.5");
}

TEST_CASE("while pages are made the player waits, and a cancelled page stops it") {
  std::atomic<bool> go = false;
  const During wait([&](const test_lab::Parameters& p, const lab::Context& context) {
    while (p.query > 1 && !go) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  state::Model model(test_lab::labs());
  model.wait();
  model.play("query");
  for (int k = 0; k < 20; ++k) model.advance(0.1);
  CHECK(model.value("query") == "3");  // 0.1 s at 20 a second; then it waits
  model.cancel();
  CHECK(model.playing().empty());
  model.wait();
}

TEST_CASE("scale keeps to its range") {
  state::Model model(test_lab::labs());
  model.set_scale(9);
  CHECK(model.scale() == 3);
  model.set_scale(0.1f);
  CHECK(model.scale() == 1);
  model.set_scale(1.3f);
  CHECK(model.scale() == 1.25f);
  model.set_scale(std::numeric_limits<float>::quiet_NaN());
  CHECK(model.scale() == 1.25f);
}

TEST_CASE("a page opens another lab with what it found: one step of undo, and a way back") {
  state::Model model(test_lab::labs());
  model.set("text", "leads on");
  model.set("query", "3");
  model.wait();
  const auto jumps = model.page()->page.jumps;
  REQUIRE(jumps.size() == 1);
  CHECK(model.came_from().empty());
  model.jump(jumps.front());
  CHECK(model.lab().id == "two");
  CHECK(model.value("heads") == "8");
  CHECK(model.value("text") == "one two three");  // all else as it is at first
  CHECK(model.came_from() == "one");
  model.jump_back();
  CHECK(model.lab().id == "one");
  CHECK(model.value("query") == "3");
  CHECK(model.came_from().empty());
  model.jump(jumps.front());
  model.undo();
  CHECK(model.lab().id == "one");
  model.show_lab("two");
  CHECK(model.value("heads") == "8");  // of the jump before
  model.undo();
  CHECK(model.value("heads") == "4");
  model.jump({"three", "", "", {}});
  CHECK(model.message().is_error);
  CHECK(model.lab().id != "three");
  model.jump({"two", "", "", {{"heads", "99"}}});
  CHECK(model.message().text.find("heads: expected") == 0);
}

TEST_CASE("a lab that nobody has touched begins with an example in the language of the window") {
  state::Model model(test_lab::labs());
  CHECK(model.value("text") == "one two three");
  model.set_language(words::Language::zh_CN);
  CHECK(model.value("text") == "一 二 三");
  CHECK_FALSE(model.changed("text"));
  model.wait();
  CHECK(model.page()->page.status.find("一 二 三") == 0);
  model.show_lab("two");  // it has none
  CHECK(model.value("text") == "one two three");
  model.set("heads", "3");
  model.show_lab("one");
  model.set_language(words::Language::en);
  CHECK(model.value("text") == "one two three");
  model.set("text", "mine");
  model.set_language(words::Language::zh_CN);
  CHECK(model.value("text") == "mine");
  CHECK(model.changed("text"));
  model.show_lab("two");
  CHECK(model.value("heads") == "3");
}

TEST_CASE("a wait that comes to its limit says what it waited for") {
  state::Model model(lab::all());
  model.show_lab("multi_head");
  REQUIRE(model.set("length", "1000"));
  CHECK_THROWS_WITH_AS(model.wait(std::chrono::minutes(0)), "waited 0 minutes for a page",
                       std::runtime_error);
  model.wait();
  CHECK_FALSE(model.busy());
}

}  // namespace model_test
