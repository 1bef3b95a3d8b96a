// Trainings as the model shows them.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "eventually.h"
#include "app/labs/labs.h"
#include "core/types.h"
#include "model_rig.h"

namespace model_training_test {

using namespace std::chrono_literals;
using model_rig::During;

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
  state::Model model(test_lab::labs());
  const auto reached = [&] { return model.trainings().at(0).reached; };
  REQUIRE(eventually([&] { return model.poll(), model.page() != nullptr; }));
  CHECK_FALSE(model.page()->whole);
  CHECK(model.stale());
  CHECK(reached() == 0);
  model.set("query", "3");  // no part of the task
  REQUIRE(eventually(
      [&] { return model.poll(), model.page()->made_from.values == model.session().values; }));
  CHECK(reached() == 0);
  CHECK_FALSE(model.page()->whole);
  Counting::go = true;
  model.wait();
  CHECK(model.page()->whole);
  CHECK_FALSE(model.stale());
  CHECK(reached() == 40);
  model.set("heads", "5");
  model.wait();
  CHECK(reached() == 50);
  model.restart_trainings();
  model.wait();
  CHECK(reached() == 50);
}

TEST_CASE("a training that is paused shows where it is, and goes on when asked to") {
  Counting::go = false;
  const During train([](const test_lab::Parameters&, const lab::Context& context) {
    context.trained("counting", Counting{}, 30, 30);
  });
  state::Model model(test_lab::labs());
  REQUIRE(eventually([&] { return model.poll(), model.page() != nullptr; }));
  model.pause_trainings();
  Counting::go = true;
  model.wait();
  CHECK(model.page()->whole);
  CHECK(model.trainings().at(0).state == worker::RunState::paused);
  const auto held = model.trainings().at(0).reached;
  CHECK(held <= 1);
  model.step_trainings();
  model.wait();
  CHECK(model.trainings().at(0).reached == held + 1);
  model.go_on_trainings();
  model.wait();
  CHECK(model.trainings().at(0).reached == 30);
  CHECK(model.trainings().at(0).state == worker::RunState::waiting);
}

TEST_CASE("trainings of one page are paused, stepped and gone on with together") {
  Counting::go = false;
  const During train([](const test_lab::Parameters&, const lab::Context& context) {
    context.trained("counting", Counting{}, 30, 30);
    context.trained("counting beside", Counting{}, 20, 20);
  });
  state::Model model(test_lab::labs());
  REQUIRE(eventually([&] { return model.poll(), model.page() && model.trainings().size() == 2; }));
  const auto reached = [&](std::size_t k) { return model.trainings().at(k).reached; };
  model.pause_trainings();
  Counting::go = true;
  model.wait();  // for neither: the page rests
  for (const auto& run : model.trainings()) CHECK(run.state == worker::RunState::paused);
  const auto first = reached(0), second = reached(1);
  CHECK(second < 20);
  model.step_trainings();
  model.wait();
  CHECK(reached(0) == first + 1);
  CHECK(reached(1) == second + 1);
  model.go_on_trainings();
  model.wait();
  for (const auto& run : model.trainings()) {
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
  state::Model model(test_lab::labs());
  model.set_memory_budget(1);
  CHECK(model.memory_budget() == std::size_t{64} << 20);
  for (const int step : {32, 7, 8, 31, 1, 7}) {
    model.set("heads", std::to_string(step));
    model.wait();
    CHECK_FALSE(model.stale());
    CHECK(model.compute_error().empty());
    CHECK(shown == step);
    CHECK(model.trainings().at(0).reached == 32);
  }
}

TEST_CASE("a learning rate that is far too large stops in a state that says so, and leads back") {
  state::Model model(lab::all());
  model.show_lab("pooling");
  model.set("method", "parametric");
  model.set("epochs", "20");
  model.set("step", "20");
  model.wait();
  CHECK(model.trainings().at(0).reached == 20);
  REQUIRE(model.set("rate", "1e9"));
  model.wait();
  const auto run = model.trainings().at(0);
  CHECK(run.state == worker::RunState::stopped);
  CHECK(run.reached == 0);
  const std::string why = worker::why_stopped(run).in_english();
  CHECK(why.starts_with("training stopped after step 0: w would be "));
  CHECK(model.page()->page.notes.front().starts_with("Training stopped after step 0: w would be"));
  CHECK(model.page()->page.notes.front().ends_with("Step 20 was not reached."));
  CHECK(model.compute_error().empty());  // the last good step is shown
  CHECK_FALSE(model.stale());
  CHECK(model.value("step") == "20");
  CHECK(model.page()->page.status.find("step 0 of 20") != std::string::npos);
  REQUIRE(model.set("rate", "0.5"));
  model.wait();
  CHECK(model.trainings().at(0).state == worker::RunState::waiting);
  CHECK(model.page()->page.status.find("step 20 of 20") != std::string::npos);
  model.undo();
  model.wait();
  CHECK(model.trainings().at(0).state == worker::RunState::stopped);
}

}  // namespace model_training_test
