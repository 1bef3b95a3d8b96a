#include "app/worker/runs.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <random>
#include <thread>

#include "app/worker/copies.h"
#include "app/worker/timeline.h"
#include "eventually.h"

namespace runs_test {

namespace {

using namespace std::chrono_literals;
using lab::Snapshot;
using worker::Index;
using worker::Runs;
using worker::RunState;

// A training whose state is a number that every step changes; faulty from a step on, and slow, as a
// test wants it.
struct Wandering {
  struct Copied {
    bool slowly = false;
    explicit Copied(bool is_slow = false) : slowly(is_slow) {}
    Copied(const Copied& other) : slowly(other.slowly) {
      if (slowly) std::this_thread::sleep_for(30ms);
    }
    Copied(Copied&&) = default;
    Copied& operator=(const Copied& other) {
      if (other.slowly) std::this_thread::sleep_for(30ms);
      return *this;
    }
  };
  struct State {
    Index steps = 0;
    double x = 0;
    Copied copied = Copied();
  };
  double rate = 0.5;
  Index fails_at = -1, throws_at = -1;
  std::atomic<bool>* gate = nullptr;  // steps wait until it is open
  bool copies_slowly = false;
  std::size_t size = 1000;

  bool operator==(const Wandering&) const = default;
  State begin(const lab::Run&) const { return {0, rate, Copied(copies_slowly)}; }
  void step(State& state, const lab::Run& run) const {
    while (gate && !*gate) {
      run.cancel.poll();
      std::this_thread::sleep_for(1ms);
    }
    if (++state.steps == throws_at) throw core::InputError("no such step");
    state.x = state.steps == fails_at ? NAN : std::sin(3 * state.x + rate);
  }
  std::vector<double> scalars(const State& state) const { return {state.x * state.x, state.x}; }
  std::size_t bytes(const State&) const { return size; }
  core::Message fault(const State& state) const {
    return std::isfinite(state.x) ? core::Message() : core::Message("x is not finite");
  }
};
using Task = lab::TypedTask<Wandering>;

std::shared_ptr<const lab::Task> task(Wandering what = {}) {
  return std::make_shared<const Task>(what);
}

double x_of(const Snapshot& snapshot) { return Task::state_of(snapshot.state)->x; }

// What the plain way gives.
double plainly(Index step, Wandering what = {}) {
  return x_of(lab::train(*task(what), step, step, {}));
}

Runs::Options patient() { return {.patience = Runs::kPatient}; }

// Lets a run come to where it stays.
void settle(const Runs& runs) {
  REQUIRE(eventually([&] { return !runs.training(); }));
}

}  // namespace

TEST_CASE("a timeline keeps states densely, then thinner and thinner, and never more than it may") {
  worker::Timeline timeline;
  const std::shared_ptr<const lab::Training> state = task()->begin({});
  CHECK(timeline.before(5).second == nullptr);
  for (Index k = 0; k <= 100; ++k) {
    timeline.add({1.0});
    if (!timeline.wants(k)) continue;
    timeline.keep(k, state);
    timeline.thin(10'000);
    CHECK(timeline.bytes() <= 10'000);
  }
  CHECK(timeline.reached() == 100);
  CHECK(timeline.before(100).first == 96);
  CHECK(timeline.before(7).first == 0);
  CHECK(timeline.before(17).first == 16);
  timeline.thin(999);  // less than one state
  CHECK(timeline.bytes() == 0);
  CHECK(timeline.before(100).second == nullptr);
}

TEST_CASE("of large states fewer are kept from the beginning, and yet each is shown") {
  const Wandering large{.size = std::size_t{38} << 20};
  worker::Timeline timeline;
  const std::shared_ptr<const lab::Training> state = task(large)->begin({});
  int kept = 0;
  for (Index k = 0; k <= 64; ++k) {
    timeline.add({1.0});
    if (!timeline.wants(k)) continue;
    timeline.keep(k, state);
    ++kept;
  }
  CHECK(kept == 5);
  CHECK(timeline.before(40).first == 32);

  Runs runs(patient());
  for (const Index step : {Index{40}, Index{3}, Index{39}, Index{40}}) {
    CHECK(x_of(runs.at("a", task(large), 40, step, {})) == plainly(step));
  }
}

TEST_CASE("who wants to see the newest state gets it, whether it is kept or not") {
  std::atomic<bool> gate = false;
  const Wandering large{.gate = &gate, .size = std::size_t{38} << 20};
  Runs runs({.patience = 0ms});
  const auto ask = [&] { return runs.at("a", task(large), 9, 9, {}); };
  REQUIRE(eventually([&] { return ask().state != nullptr; }));
  CHECK(ask().step == 0);
  gate = true;
  Snapshot last;
  REQUIRE(eventually([&] {
    last = ask();
    CHECK(x_of(last) == plainly(last.step, {}));
    return !last.going;
  }));
  CHECK(last.step == 9);
  CHECK(x_of(last) == plainly(9, {}));
}

TEST_CASE("every step that a run shows is the plain one's, however it is looked for") {
  Runs runs({.budget = 7000, .patience = Runs::kPatient});
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    const auto step = static_cast<Index>(random() % 61);
    const Snapshot snapshot = runs.at("a", task(), 60, step, {});
    CHECK(snapshot.step == step);
    CHECK_FALSE(snapshot.going);
    REQUIRE(snapshot.scalars.size() == 61);
    CHECK(x_of(snapshot) == plainly(step));
    CHECK(snapshot.scalars[static_cast<std::size_t>(step)][1] == plainly(step));
  }
  CHECK(runs.bytes() <= 7000);
}

TEST_CASE("steps are made once: a further goal makes the further ones, a nearer one none") {
  Runs runs(patient());
  runs.at("a", task(), 5, 5, {});
  CHECK(runs.steps_made() == 5);
  runs.at("a", task(), 6, 6, {});
  CHECK(runs.steps_made() == 6);
  CHECK(runs.at("a", task(), 3, 3, {}).scalars.size() == 4);
  CHECK(runs.steps_made() == 6);
  for (int k = 0; k < 100; ++k) runs.at("a", task(), 6, k % 7, {});
  CHECK(runs.steps_made() == 6);  // all states are kept: nothing is made again
}

TEST_CASE("a state that is still being copied is waited for, and its step not made again") {
  Runs runs(patient());
  CHECK(x_of(runs.at("a", task({.copies_slowly = true}), 3, 3, {})) == plainly(3));
  CHECK(runs.steps_made() == 3);
}

TEST_CASE("a copy that nobody looks at any more lends its memory to the next one") {
  const std::unique_ptr<lab::Training> state = task()->begin({});
  worker::Copies copies;
  std::shared_ptr<const lab::Training> first = copies.of(*state);
  copies.reuse(true);
  first.reset();
  first = copies.of(*state);
  const lab::Training* const kept = first.get();
  state->step({});
  const auto second = copies.of(*state);
  CHECK(second.get() != kept);
  CHECK(Task::state_of(first)->steps == 0);
  first.reset();
  state->step({});
  const auto third = copies.of(*state);
  CHECK(third.get() == kept);
  CHECK(Task::state_of(third)->steps == 2);
  CHECK(Task::state_of(third)->x == Task::state_of(copies.of(*state))->x);
  CHECK(Task::state_of(second)->steps == 1);

  std::shared_ptr<const lab::Training> last;
  {
    worker::Copies gone;
    gone.reuse(true);
    last = gone.of(*state);
  }
  CHECK(Task::state_of(last)->steps == 2);  // it outlives what made it
}

TEST_CASE("another task under the same name begins its own run, and the old one waits") {
  Runs runs(patient());
  runs.at("a", task({.rate = 0.5}), 10, 10, {});
  CHECK(x_of(runs.at("a", task({.rate = 0.7}), 4, 4, {})) == plainly(4, {.rate = 0.7}));
  CHECK(runs.steps_made() == 14);
  CHECK(x_of(runs.at("a", task({.rate = 0.5}), 10, 10, {})) == plainly(10));
  CHECK(runs.steps_made() == 14);
  CHECK(runs.status().size() == 1);
  runs.at("b", task({.rate = 0.5}), 2, 2, {});
  CHECK(runs.steps_made() == 16);
  CHECK(runs.status().size() == 2);
}

TEST_CASE("a run that is asked for meanwhile shows what there is, and goes on") {
  std::atomic<bool> gate{false};
  const Wandering slow{.gate = &gate};
  Runs runs({.patience = 0ms});
  const Snapshot first = runs.at("a", task(slow), 50, 50, {});
  CHECK(first.going);
  CHECK(first.step == 0);
  REQUIRE(first.state);
  CHECK(first.scalars.size() == 1);
  gate = true;
  settle(runs);
  const Snapshot last = runs.at("a", task(slow), 50, 50, {});
  CHECK_FALSE(last.going);
  CHECK(last.step == 50);
  CHECK(x_of(last) == plainly(50));
  CHECK(runs.steps_made() == 50);
}

TEST_CASE("who asks can be cancelled, and the run goes on") {
  std::atomic<bool> gate{false};
  Runs runs(patient());
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(runs.at("a", task({.gate = &gate}), 3, 3, core::Cancel(stop.get_token())),
                  core::Cancelled);
  gate = true;
  settle(runs);
  CHECK(runs.status()[0].reached == 3);
}

TEST_CASE("a run is paused, makes one step, goes on, and is dropped") {
  std::atomic<bool> gate{false};
  const Wandering slow{.gate = &gate};
  Runs runs({.patience = 0ms});
  runs.at("a", task(slow), 20, 20, {});
  CHECK(runs.status()[0].state == RunState::training);
  runs.pause("a");
  gate = true;
  settle(runs);  // the step that was being made ends
  const Index held = runs.status()[0].reached;
  CHECK(held <= 1);
  CHECK(runs.status()[0].state == RunState::paused);
  const Snapshot paused = runs.at("a", task(slow), 20, 20, {});
  CHECK_FALSE(paused.going);
  CHECK(paused.step == held);
  runs.step("a");
  settle(runs);
  CHECK(runs.status()[0].reached == held + 1);
  runs.go_on("a");
  settle(runs);
  CHECK(runs.status()[0].reached == 20);
  CHECK(runs.status()[0].state == RunState::waiting);
  runs.drop("a");
  CHECK(runs.status().empty());
  CHECK(runs.bytes() == 0);
  runs.at("a", task(slow), 1, 1, {});
  settle(runs);
  CHECK(runs.status()[0].reached == 1);
}

TEST_CASE("a state that is none ends the run in a sentence, and the last good one is shown") {
  const Wandering faulty{.fails_at = 8};
  Runs runs(patient());
  const Snapshot snapshot = runs.at("a", task(faulty), 20, 20, {});
  CHECK_FALSE(snapshot.going);
  CHECK(snapshot.step == 7);
  CHECK(snapshot.fault.in_english() == "x is not finite");
  CHECK(snapshot.scalars.size() == 8);
  CHECK(x_of(snapshot) == plainly(7, faulty));
  const Snapshot plain = lab::train(*task(faulty), 20, 20, {});
  CHECK(plain.step == 7);
  CHECK(plain.fault == snapshot.fault);
  CHECK(runs.status()[0].state == RunState::stopped);
  CHECK(runs.at("a", task(faulty), 5, 5, {}).fault.empty());  // so far all was well
  runs.at("a", task({.throws_at = 3}), 9, 9, {});
  CHECK(runs.status()[0].fault.in_english() == "no such step");
  CHECK(runs.status()[0].reached == 2);
}

TEST_CASE("many tasks of one name keep the newest, and memory is taken from the oldest first") {
  Runs runs({.budget = 30'000, .patience = Runs::kPatient});
  for (int k = 0; k < 40; ++k) {
    const Wandering what{.rate = 0.01 * k};
    CHECK(x_of(runs.at("a", task(what), 12, 12, {})) == plainly(12, what));
    CHECK(runs.bytes() <= 30'000);
  }
  const long made = runs.steps_made();
  runs.at("a", task({.rate = 0.39}), 12, 3, {});
  CHECK(runs.steps_made() == made);
  runs.set_budget(500);  // less than one state: all is made again from the beginning
  CHECK(runs.bytes() == 0);
  CHECK(x_of(runs.at("a", task({.rate = 0.39}), 12, 3, {})) == plainly(3, {.rate = 0.39}));
  runs.set_budget(30'000);
  for (const double rate : {0.1, 0.2}) runs.at("a", task({.rate = rate}), 12, 12, {});
  const std::size_t held = runs.bytes();
  runs.give_up(5000);
  CHECK(runs.bytes() <= held - 5000);
  CHECK(runs.bytes() >= held - 13'000);  // not all, though there was more
}

TEST_CASE("a program that ends does not wait for a training") {
  std::atomic<bool> gate{false};
  Runs runs({.patience = 0ms});
  runs.at("a", task({.gate = &gate}), 1000, 0, {});
  CHECK(runs.training());
}

}  // namespace runs_test
