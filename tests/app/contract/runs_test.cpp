// Trainings that are watched from outside of compute.
#include <doctest/doctest.h>

#include "app/worker/runs.h"
#include "settings.h"

namespace runs_test {

using namespace contract;

namespace {

// The page of a state whose trainings live in `runs`.
std::uint64_t watched(const State& state, worker::Runs& runs, lab::Memo& memo, int threads) {
  static const words::Words english;
  return PageHash().of(state.compute({{}, english, memo, {}, threads, &runs}));
}

}  // namespace

TEST_CASE("A training that is watched shows what the plain one does, in every setting") {
  worker::Runs runs({.budget = 100'000, .patience = worker::Runs::kPatient});
  for (const char* id : {"pooling", "absolute"}) {
    const Lab& lab = lab::find(id);
    CAPTURE(named(lab));
    for (const Setting& setting : presets_and_random(lab)) {
      CAPTURE(setting.name);
      const auto state = lab.make();
      param::assign(state->describe(), setting.values);
      lab::Memo memo;
      CHECK(watched(*state, runs, memo, 1) == hash(*state));
    }
  }
}

TEST_CASE("Pooling trains every step once, however it is looked at") {
  const Lab& lab = lab::find("pooling");
  worker::Runs runs({.threads = 2, .patience = worker::Runs::kPatient});
  lab::Memo memo;
  const auto state = lab.make();
  param::assign(state->describe(), {{"method", "parametric"}, {"epochs", "5"}, {"step", "5"}});
  const auto shows_the_plain_page = [&] { CHECK(watched(*state, runs, memo, 1) == hash(*state)); };
  shows_the_plain_page();
  CHECK(runs.steps_made() == 5);
  for (int k = 0; k < 100; ++k) {
    set(*state, "step", std::to_string((k * 7) % 6));
    shows_the_plain_page();
  }
  CHECK(runs.steps_made() == 5);
  set(*state, "epochs", "6");
  shows_the_plain_page();
  CHECK(runs.steps_made() == 6);  // five epochs becoming six train one more
  set(*state, "query", "3");
  shows_the_plain_page();
  CHECK(runs.steps_made() == 6);
  set(*state, "rate", "0.4");
  shows_the_plain_page();
  CHECK(runs.steps_made() == 12);
  set(*state, "rate", "0.5");
  shows_the_plain_page();
  CHECK(runs.steps_made() == 12);  // back again: it was kept
  set(*state, "seed", "3");
  shows_the_plain_page();
  set(*state, "seed", "2");
  shows_the_plain_page();
  CHECK(runs.steps_made() == 18);
}

TEST_CASE("A learned table of positions goes on from where it was") {
  const Lab& lab = lab::find("absolute");
  worker::Runs runs({.budget = 1 << 20, .patience = worker::Runs::kPatient});
  lab::Memo memo;
  const auto state = lab.make();
  param::assign(state->describe(), {{"scheme", "learned"}, {"steps", "120"}});
  CHECK(watched(*state, runs, memo, 1) == hash(*state));
  set(*state, "steps", "150");
  CHECK(watched(*state, runs, memo, 2) == hash(*state));
  CHECK(runs.steps_made() == 150);
  set(*state, "position", "7");
  CHECK(watched(*state, runs, memo, 1) == hash(*state));
  CHECK(runs.steps_made() == 150);
  set(*state, "steps", "31");
  CHECK(watched(*state, runs, memo, 1) == hash(*state));  // made again from a kept state
}

}  // namespace runs_test
