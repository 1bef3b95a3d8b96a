// Trainings as the model shows them.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "app/labs/labs.h"
#include "core/types.h"
#include "eventually.h"
#include "program_rig.h"

namespace program_training_test {

using namespace std::chrono_literals;
using program_rig::During;

namespace {

// A training that a test can hold up.
struct Counting {
  struct State {
    int steps = 0;
  };
  static inline std::atomic<bool> go{true};
  bool operator==(const Counting&) const = default;
  State begin(const lab::Run&) const { return {}; }
  void step(State& state, const lab::Run& run) const {
    while (!go) run.cancel.poll(), std::this_thread::sleep_for(1ms);
    ++state.steps;
  }
  std::vector<double> scalars(const State& state) const { return {1.0 * state.steps}; }
  std::size_t bytes(const State&) const { return sizeof(State); }
  core::Message fault(const State&) const { return {}; }
};

}  // namespace

TEST_CASE("a training goes on while other knobs turn, and the page follows it to its end") {
  Counting::go = false;
  const During train([](const test_lab::Parameters& p, const lab::Context& context) {
    context.trained("counting", Counting{}, 10 * p.heads, 10 * p.heads);
  });
  state::Program program(test_lab::labs());
  const auto reached = [&] { return program.trainings.all().at(0).reached; };
  REQUIRE(eventually([&] { return program.poll(), program.pages.page() != nullptr; }));
  CHECK_FALSE(program.pages.page()->whole);
  CHECK(program.pages.stale());
  CHECK(reached() == 0);
  program.knobs.set("query", "3");  // no part of the task
  REQUIRE(eventually([&] {
    return program.poll(), program.pages.page()->made_from.values == program.desk.now().values;
  }));
  CHECK(reached() == 0);
  CHECK_FALSE(program.pages.page()->whole);
  Counting::go = true;
  program.wait();
  CHECK(program.pages.page()->whole);
  CHECK_FALSE(program.pages.stale());
  CHECK(reached() == 40);
  program.knobs.set("heads", "5");
  program.wait();
  CHECK(reached() == 50);
  program.trainings.restart();
  program.wait();
  CHECK(reached() == 50);
}

TEST_CASE("a training that is paused shows where it is, and goes on when asked to") {
  Counting::go = false;
  const During train([](const test_lab::Parameters&, const lab::Context& context) {
    context.trained("counting", Counting{}, 30, 30);
  });
  state::Program program(test_lab::labs());
  REQUIRE(eventually([&] { return program.poll(), program.pages.page() != nullptr; }));
  program.trainings.pause();
  Counting::go = true;
  program.wait();
  CHECK(program.pages.page()->whole);
  CHECK(program.trainings.all().at(0).state == worker::RunState::paused);
  const auto held = program.trainings.all().at(0).reached;
  CHECK(held <= 1);
  program.trainings.step();
  program.wait();
  CHECK(program.trainings.all().at(0).reached == held + 1);
  program.trainings.go_on();
  program.wait();
  CHECK(program.trainings.all().at(0).reached == 30);
  CHECK(program.trainings.all().at(0).state == worker::RunState::waiting);
}

TEST_CASE("trainings of one page are paused, stepped and gone on with together") {
  Counting::go = false;
  const During train([](const test_lab::Parameters&, const lab::Context& context) {
    context.trained("counting", Counting{}, 30, 30);
    context.trained("counting beside", Counting{}, 20, 20);
  });
  state::Program program(test_lab::labs());
  REQUIRE(eventually(
      [&] { return program.poll(), program.pages.page() && program.trainings.all().size() == 2; }));
  const auto reached = [&](std::size_t k) { return program.trainings.all().at(k).reached; };
  program.trainings.pause();
  Counting::go = true;
  program.wait();  // for neither: the page rests
  for (const auto& run : program.trainings.all()) CHECK(run.state == worker::RunState::paused);
  const auto first = reached(0), second = reached(1);
  CHECK(second < 20);
  program.trainings.step();
  program.wait();
  CHECK(reached(0) == first + 1);
  CHECK(reached(1) == second + 1);
  program.trainings.go_on();
  program.wait();
  for (const auto& run : program.trainings.all()) {
    CHECK(run.state == worker::RunState::waiting);
    CHECK(run.reached == run.goal);
  }
}

namespace {

// A training whose state is larger than any budget.
struct Heavy {
  struct State {
    int steps = 0;
  };
  bool operator==(const Heavy&) const = default;
  State begin(const lab::Run&) const { return {}; }
  void step(State& state, const lab::Run&) const { ++state.steps; }
  std::vector<double> scalars(const State& state) const { return {1.0 * state.steps}; }
  std::size_t bytes(const State&) const { return std::size_t{1} << 40; }
  core::Message fault(const State&) const { return {}; }
};

}  // namespace

TEST_CASE("with a budget smaller than one state of a training every step is shown all the same") {
  std::atomic<int> shown = -1;
  const During train([&](const test_lab::Parameters& p, const lab::Context& context) {
    const auto run = context.trained("heavy", Heavy{}, 32, p.heads);
    shown = run.state ? run.state->steps : -1;
  });
  state::Program program(test_lab::labs());
  program.set_memory_budget(1);
  CHECK(program.memory_budget() == std::size_t{64} << 20);
  for (const int step : {32, 7, 8, 31, 1, 7}) {
    program.knobs.set("heads", std::to_string(step));
    program.wait();
    CHECK_FALSE(program.pages.stale());
    CHECK(program.pages.error().empty());
    CHECK(shown == step);
    CHECK(program.trainings.all().at(0).reached == 32);
  }
}

TEST_CASE("a learning rate that is far too large stops in a state that says so, and leads back") {
  state::Program program(lab::all());
  program.desk.show_lab("pooling");
  program.knobs.set("method", "parametric");
  program.knobs.set("epochs", "20");
  program.knobs.set("step", "20");
  program.wait();
  CHECK(program.trainings.all().at(0).reached == 20);
  REQUIRE(program.knobs.set("rate", "1e9"));
  program.wait();
  const auto run = program.trainings.all().at(0);
  CHECK(run.state == worker::RunState::stopped);
  CHECK(run.reached == 0);
  const std::string why = worker::why_stopped(run).in_english();
  CHECK(why.starts_with("training stopped after step 0: w would be "));
  CHECK(program.pages.page()->page.notes.front().starts_with(
      "Training stopped after step 0: w would be"));
  CHECK(program.pages.page()->page.notes.front().ends_with("Step 20 was not reached."));
  CHECK(program.pages.error().empty());  // the last good step is shown
  CHECK_FALSE(program.pages.stale());
  CHECK(program.knobs.value("step") == "20");
  CHECK(program.pages.page()->page.status.find("step 0 of 20") != std::string::npos);
  REQUIRE(program.knobs.set("rate", "0.5"));
  program.wait();
  CHECK(program.trainings.all().at(0).state == worker::RunState::waiting);
  CHECK(program.pages.page()->page.status.find("step 20 of 20") != std::string::npos);
  program.desk.undo();
  program.wait();
  CHECK(program.trainings.all().at(0).state == worker::RunState::stopped);
}

}  // namespace program_training_test
