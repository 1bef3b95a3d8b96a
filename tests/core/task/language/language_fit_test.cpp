// Training a language model: its gradient, that it learns, and that the same bits come out however
// it is run.
#include "core/task/language/language_fit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/io/memory_bytes.h"
#include "core/random.h"
#include "core/task/language/language_file.h"
#include "refusal.h"
#include "task/language/gradient_check.h"

namespace language_fit_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index;

namespace {

// Counting on from a random number to the next separator.
std::vector<TokenText> texts(std::uint64_t seed) {
  core::Random random(seed);
  std::vector<TokenText> all;
  for (int k = 0; k < 200; ++k) {
    const auto begin = static_cast<std::int32_t>(1 + random.below(20));
    TokenText text;
    for (std::int32_t id = begin; id < begin + 8; ++id) text.push_back(id);
    all.push_back(text);
  }
  return all;
}

constexpr LanguageForm kForm{.vocabulary = 30,
                             .width = 16,
                             .layers = 2,
                             .heads = 2,
                             .feed_forward = 24,
                             .context = 24,
                             .dropout = 0.1};

LanguageFit fit_of(Index steps = 200, const LanguageForm& form = kForm, std::uint64_t seed = 5) {
  LanguageOptions options;
  options.schedule.rate = 0.02;
  options.schedule.warmup = 10;
  options.schedule.steps = steps;
  options.batch = 8;
  options.seed = seed;
  return {form, options, PackedText(texts(1), 0, form.context, seed)};
}

LanguageState after(LanguageFit& fit, Index steps, int threads) {
  LanguageState state = fit.begin();
  for (Index k = 0; k < steps; ++k) fit.step(state, threads);
  return state;
}

ReadState read_again(const LanguageFit& fit, const std::string& bytes) {
  return read_state(fit, std::make_shared<const core::MemoryBytes>(bytes), "state");
}

}  // namespace

TEST_CASE("the gradient of the whole model is that of differences") {
  LanguageForm form = kForm;
  form.dropout = 0;
  const LanguageModel model(form);
  const std::vector<std::int32_t> ids{0, 3, 4, 5, 0, 9, 10, 11, 12, 13, 29, 1},
      next{3, 4, 5, 0, 9, 10, 11, 12, 13, 29, 1, 2};
  language_test::check_gradient(model, model.layout.start<double>(3), ids, next, 3);
}

TEST_CASE("it learns to count, and what it was not shown as well") {
  LanguageFit fit = fit_of();
  LanguageState state = fit.begin();
  fit.step(state, 0);
  CHECK(state.loss == doctest::Approx(std::log(30)).epsilon(0.1));
  CHECK(state.optimizer.steps() == 1);
  for (int k = 1; k < 200; ++k) fit.step(state, 0);
  // A text's first number is any of 20 and is guessed one time of nine.
  CHECK(state.loss < 0.6);
  std::vector<Index> bytes_of(30, 2);
  bytes_of[0] = 1;
  const auto score_of = [&](Index most, int threads) {
    return score(fit.model(), state.values.data(), texts(2), 0, bytes_of, most, threads);
  };
  const LanguageScore held = score_of(0, 0);
  CHECK(held.bits / static_cast<double>(held.tokens) < 0.8);
  CHECK(held.bits / static_cast<double>(held.tokens) > std::log2(20.0) / 9 * 0.9);
  // 1801 tokens, windows of 24 by 12: the first 12 are not counted, nor what is left over.
  CHECK(held.tokens == (1801 - 1 - 24) / 12 * 12 + 12);
  CHECK(held.bytes == doctest::Approx(static_cast<double>(held.tokens) * 17 / 9).epsilon(0.01));
  CHECK(score_of(0, 1).bits == held.bits);
  CHECK(score_of(10, 0).tokens == 120);
}

TEST_CASE("a score adds up what is guessed, and nothing else") {
  LanguageFit fit = fit_of();
  LanguageState state = fit.begin();
  std::fill(state.values.begin(), state.values.end(), 0.0F);  // knows nothing: all are as likely
  const LanguageScore blank =
      score(fit.model(), state.values.data(), texts(2), 0, std::vector<Index>(30, 1), 0, 1);
  CHECK(blank.bits == doctest::Approx(static_cast<double>(blank.tokens) * std::log2(30.0)));
  CHECK(blank.bits_per_byte() == doctest::Approx(std::log2(30.0)));
  CHECK(refusals::sentence([&] {
          score(fit.model(), state.values.data(), {{1, 2}}, 0, std::vector<Index>(30, 1), 0, 1);
        }) == "held-out text: expected more than 24 tokens, got 4");
}

TEST_CASE("any number of threads gives the same bits") {
  LanguageFit fit = fit_of();
  const LanguageState one = after(fit, 12, 1), two = after(fit, 12, 2), all = after(fit, 12, 3);
  CHECK(one.values == two.values);
  CHECK(one.values == all.values);
  CHECK(one.loss == two.loss);
}

TEST_CASE("a training that was interrupted ends with the bits of one that was not") {
  LanguageFit fit = fit_of(20);
  const LanguageState whole = after(fit, 20, 2);
  const std::string kept = state_bytes(fit, after(fit, 9, 2), "a note");
  LanguageFit later = fit_of(20);
  auto [state, about] = read_again(later, kept);
  CHECK(about == "a note");
  CHECK(state.optimizer.steps() == 9);
  for (int k = 9; k < 20; ++k) later.step(state, 2);
  CHECK(state.values == whole.values);
  CHECK(state.optimizer.first() == whole.optimizer.first());
  CHECK(state.optimizer.second() == whole.optimizer.second());
  CHECK(state.loss == whole.loss);
  CHECK(state.gradient_norm == whole.gradient_norm);
  CHECK(state_bytes(later, state, "") == state_bytes(fit, whole, ""));
}

TEST_CASE("it can be made longer or shorter while the rate is steady, and not later") {
  LanguageFit fit = fit_of(20), longer = fit_of(40), shorter = fit_of(10);
  const std::string steady = state_bytes(fit, after(fit, 8, 1), ""),
                    falling = state_bytes(fit, after(fit, 17, 1), "");
  const std::string another =
      "state: expected a training of the same model on the same text, got another; remove it to "
      "begin anew";
  const auto refused = [](const LanguageFit& by, const std::string& bytes) {
    return refusals::sentence([&] { read_again(by, bytes); });
  };
  CHECK(refused(longer, steady).empty());
  CHECK(refused(shorter, steady).empty());
  CHECK(refused(fit, falling).empty());
  CHECK(refused(longer, falling) == another);
  CHECK(refused(shorter, falling) == another);
  LanguageForm wider = kForm;
  wider.dropout = 0.2;
  CHECK(refused(fit_of(20, wider), steady) == another);
  CHECK(refused(fit_of(20, kForm, 6), steady) == another);
  LanguageState state = read_again(longer, steady).state;
  for (int k = 8; k < 12; ++k) longer.step(state, 1);
  LanguageFit anew = fit_of(40);
  CHECK(state.values == after(anew, 12, 1).values);
}

TEST_CASE("a state that is damaged is refused") {
  LanguageFit fit = fit_of(20);
  const std::string bytes = state_bytes(fit, fit.begin(), "");
  const auto refused = [&](const std::string& what, const std::string& by) {
    return refusals::sentence([&] { read_again(fit, refusals::replaced(bytes, what, by)); });
  };
  const std::string part = "state: expected where a training stands, got a part of it";
  CHECK(refused("first moments", "thirdmoments!") == part);
  CHECK(refusals::sentence([&] { read_again(fit, bytes.substr(0, bytes.size() - 5)); }) != "");
  CHECK(refusals::sentence([&] { read_again(fit, "no state at all"); }) != "");
}

TEST_CASE("a model whose heads do not share out its width is refused") {
  LanguageForm odd = kForm;
  odd.heads = 3;
  CHECK(refusals::sentence([&] { LanguageModel model(odd); }) ==
        "language model: expected heads that share out a width of 16, got 3");
  LanguageOptions none;
  none.batch = 0;
  CHECK(refusals::sentence([&] {
          LanguageFit(kForm, none, PackedText(texts(1), 0, kForm.context, 1));
        }) == "batch: expected at least one window, got 0");
}

}  // namespace language_fit_test
