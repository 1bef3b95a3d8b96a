#include "app/state/sweeper.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "eventually.h"
#include "program_rig.h"

namespace sweeper_test {

using state::Program;
using state::Sweeper;

// Lets time pass in frames, each with its page made.
void pass(Program& program, Sweeper& sweeper, double seconds) {
  for (double gone = 0; gone < seconds - 1e-9; gone += 0.05) {
    program.wait();
    sweeper.advance(std::min(0.05, seconds - gone));
  }
  program.wait();
}

double temperature(Program& program) { return std::stod(program.knobs.value("temperature")); }

TEST_CASE("a knob goes from the lower to the upper end of its slider and back") {
  Program program(test_lab::labs());
  Sweeper sweeper(program);
  CHECK(std::isinf(sweeper.next_change()));
  sweeper.start("temperature");
  REQUIRE(sweeper.playing());
  CHECK(sweeper.sweep().tracks[0].keys[0].value == "0.1");
  CHECK(sweeper.sweep().tracks[0].keys[1].value == "10");
  pass(program, sweeper, 2);
  CHECK(sweeper.place() == doctest::Approx(0.5));
  CHECK(temperature(program) == doctest::Approx(1).epsilon(1e-3));
  pass(program, sweeper, 2);
  CHECK(temperature(program) == doctest::Approx(10).epsilon(1e-3));
  pass(program, sweeper, 2);
  CHECK(temperature(program) == doctest::Approx(1).epsilon(1e-3));
  CHECK(sweeper.next_change() < 0.02);
}

TEST_CASE("all of it is one step of undo, and Escape leaves none") {
  Program program(test_lab::labs());
  program.knobs.set("temperature", "3");
  Sweeper sweeper(program);
  sweeper.start("temperature");
  pass(program, sweeper, 1);
  sweeper.pause();
  sweeper.scrub(0.9);
  sweeper.end();
  program.desk.undo();
  CHECK(program.knobs.value("temperature") == "3");
  program.desk.undo();
  CHECK(program.knobs.value("temperature") == "1");
  program.desk.redo();
  CHECK(program.knobs.value("temperature") == "3");
  sweeper.start("temperature");
  pass(program, sweeper, 1);
  sweeper.give_up();
  CHECK_FALSE(sweeper.open());
  CHECK(program.knobs.value("temperature") == "3");
  program.desk.undo();
  CHECK(program.knobs.value("temperature") == "1");
}

TEST_CASE("a touch of the knob ends it, another knob may be turned meanwhile") {
  Program program(test_lab::labs());
  Sweeper sweeper(program);
  sweeper.start("temperature");
  pass(program, sweeper, 0.5);
  program.knobs.set("heads", "7");
  pass(program, sweeper, 0.5);
  REQUIRE(sweeper.playing());
  CHECK(program.knobs.value("heads") == "7");
  CHECK(temperature(program) > 0.1);
  program.knobs.set("temperature", "5");
  pass(program, sweeper, 0.5);
  CHECK_FALSE(sweeper.open());
  CHECK(program.knobs.value("temperature") == "5");
  // Undo is a touch, too.
  sweeper.start("temperature");
  pass(program, sweeper, 0.5);
  program.desk.undo();
  pass(program, sweeper, 0.1);
  CHECK_FALSE(sweeper.open());
  CHECK(program.knobs.value("temperature") == "5");
}

TEST_CASE("it rests where it is paused or scrubbed, and goes on from there") {
  Program program(test_lab::labs());
  Sweeper sweeper(program);
  sweeper.start("temperature");
  pass(program, sweeper, 1);
  sweeper.pause();
  CHECK(std::isinf(sweeper.next_change()));
  const std::string there = program.knobs.value("temperature");
  pass(program, sweeper, 1);
  CHECK(program.knobs.value("temperature") == there);
  sweeper.scrub(1);
  CHECK(program.knobs.value("temperature") == "10");
  sweeper.set_loop(sweep::Loop::loop);
  sweeper.scrub(1);
  CHECK(temperature(program) == doctest::Approx(10).epsilon(1e-3));
  sweeper.scrub(0);
  CHECK(program.knobs.value("temperature") == "0.1");
  sweeper.set_loop(sweep::Loop::once);
  sweeper.set_seconds(0.5);
  sweeper.play();
  pass(program, sweeper, 1);
  CHECK_FALSE(sweeper.playing());
  CHECK(program.knobs.value("temperature") == "10");
  sweeper.play();
  pass(program, sweeper, 0.05);
  CHECK(temperature(program) < 1);
}

TEST_CASE("while a page is made it waits, and skips what was due meanwhile") {
  std::atomic<bool> go = false;
  std::atomic<int> pages = 0;
  const program_rig::During during([&](const test_lab::Parameters&, const lab::Context&) {
    ++pages;
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  Program program(test_lab::labs());
  Sweeper sweeper(program);
  sweeper.start("temperature");
  const std::string before = program.knobs.value("temperature");
  REQUIRE(eventually([&] { return pages > 0; }));
  for (int k = 0; k < 20; ++k) {
    program.poll();
    sweeper.advance(0.05);
  }
  CHECK(program.knobs.value("temperature") == before);
  CHECK(std::isinf(sweeper.next_change()));
  CHECK(pages == 1);
  go = true;
  program.wait();
  sweeper.advance(0.01);
  CHECK(sweeper.place() > 0.25);
  CHECK(temperature(program) == doctest::Approx(0.1 * std::pow(100, 0.158)).epsilon(0.05));
  program.wait();
}

TEST_CASE("another knob, other ends, and what is refused") {
  Program program(test_lab::labs());
  Sweeper sweeper(program);
  sweeper.start("text");
  CHECK_FALSE(sweeper.open());
  CHECK(program.messages.last().is_error);
  sweeper.start("heads");
  sweeper.add("kind");
  REQUIRE(sweeper.sweep().tracks.size() == 2);
  CHECK(sweeper.set_key("heads", 0, "4"));
  CHECK(sweeper.set_key("heads", 1, "8"));
  CHECK_FALSE(sweeper.set_key("heads", 1, "99"));
  CHECK(program.messages.last().text.find("from 1 to 32") != std::string::npos);
  sweeper.scrub(1);
  CHECK(program.knobs.value("heads") == "8");
  CHECK(program.knobs.value("kind") == "third");
  sweeper.remove("kind");
  CHECK(sweeper.sweep().tracks.size() == 1);
  sweeper.remove("heads");
  CHECK_FALSE(sweeper.open());
  CHECK(program.knobs.value("heads") == "4");
}

TEST_CASE("through presets as key frames, and a lab that is left ends it") {
  Program program(test_lab::labs());
  Sweeper sweeper(program);
  REQUIRE_FALSE(program.desk.lab().presets.empty());
  const std::string first(program.desk.lab().presets.front().id);
  program.knobs.set("temperature", "7");
  sweeper.add_preset(first);
  REQUIRE(sweeper.open());
  CHECK(sweeper.presets() == std::vector<std::string>{first});
  sweeper.scrub(1);
  REQUIRE(program.knobs.preset());
  CHECK(program.knobs.preset()->id == first);
  sweeper.scrub(0);
  CHECK(program.knobs.value("temperature") == "7");
  program.desk.step_lab(1);
  sweeper.advance(0.01);
  CHECK_FALSE(sweeper.open());
}

}  // namespace sweeper_test
