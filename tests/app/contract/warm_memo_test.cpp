// What a lab keeps between computations never shows an old picture.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>

#include "settings.h"

namespace warm_memo_test {

using namespace contract;

namespace {

// Of each lab; with all of them in a run, a quarter.
constexpr int kChanges = 60;
constexpr int kCancellings = 12;
int tried(int most) { return tried_wholly() ? most : most / 4; }

const words::Words& language(core::Random& random) {
  static const words::Words english, chinese(words::Language::zh_CN);
  return random.below(8) == 0 ? chinese : english;
}

// Mostly one thing changes; now and then a preset is opened.
void move_on(const Lab& lab, std::unique_ptr<State>& state, core::Random& random) {
  if (random.below(8) != 0) return change_one(*state, random);
  const std::vector<param::Values> starts = settings(lab);
  state = lab.make();
  param::assign(state->describe(), starts[random.below(static_cast<std::uint32_t>(starts.size()))]);
}

std::string told(const State& state) {
  std::string text;
  for (const auto& [id, value] : param::values(state.clone()->describe())) {
    text += " --set " + id + "=" + value;
  }
  return text;
}

// How often a computation asks whether it is cancelled.
std::int64_t questions(const State& state) {
  static const words::Words english;
  constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> left = kMany;
  lab::Memo memo;
  state.compute({core::Cancel(left), english, memo, {}, 1});
  return kMany - left;
}

}  // namespace

TEST_CASE("A memo that has seen other settings gives the page that a fresh one gives") {
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    core::Random random(core::hash64(lab.id));
    auto state = lab.make();
    lab::Memo warm;
    for (int change = 0; change < tried(kChanges); ++change) {
      const std::string before = told(*state);
      move_on(lab, state, random);
      const words::Words& words = language(random);
      lab::Memo fresh;
      const Page expected = state->compute({{}, words, fresh, {}, 0});
      const Page page = state->compute({{}, words, warm, {}, 0});
      CAPTURE(before);
      CAPTURE(told(*state));
      CHECK(PageHash().of(page) == PageHash().of(expected));
    }
  }
}

TEST_CASE("A computation stops wherever it is cancelled, and what it kept is sound") {
  static const words::Words english;
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    core::Random random(core::hash64(lab.id) + 1);
    auto state = lab.make();
    lab::Memo memo;
    for (int k = 0; k < tried(kCancellings); ++k) {
      move_on(lab, state, random);
      CAPTURE(told(*state));
      const std::int64_t asked = questions(*state);
      if (asked < 1) {
        FAIL_CHECK(
            named(lab) << ": compute: expected at least one context.cancel.poll(), got none");
        break;
      }
      const auto at = 1 + random.below(static_cast<std::uint32_t>(asked));
      CAPTURE(asked);
      CAPTURE(at);
      std::atomic<std::int64_t> left = at;
      lab::Memo cut;
      CHECK_THROWS_AS(state->compute({core::Cancel(left), english, cut, {}, 1}), core::Cancelled);
      const std::uint64_t expected = hash(*state);
      CHECK(PageHash().of(state->compute({{}, english, cut, {}, 0})) == expected);
      // The same in a memo that goes on from setting to setting; it need not ask so often.
      left = at;
      try {
        state->compute({core::Cancel(left), english, memo, {}, 0});
      } catch (const core::Cancelled&) {
      }
      CHECK(PageHash().of(state->compute({{}, english, memo, {}, 0})) == expected);
    }
  }
}

}  // namespace warm_memo_test
