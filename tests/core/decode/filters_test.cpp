// Filters over a distribution, by hand: what each keeps, that their order matters, and what is
// refused.
#include "core/decode/filters.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/random.h"

namespace filters_test {

using namespace core::decode;  // NOLINT: the box under test
using core::Index, core::VectorD;
using Kind = Filter::Kind;
using Form = Filter::Form;

namespace {

VectorD vector(std::initializer_list<double> numbers) {
  VectorD v(static_cast<Index>(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), v.begin());
  return v;
}

using Ids = std::vector<std::int32_t>;

Ids left(const Distribution& d) {
  Ids ids;
  for (Index i = 0; i < d.probabilities.size(); ++i) {
    if (d.probabilities(i) > 0) ids.push_back(static_cast<std::int32_t>(i));
  }
  return ids;
}

Ids left(const VectorD& logits, const std::vector<Filter>& filters) {
  return left(filtered(Distribution::of_logits(logits), filters).after());
}

std::string refusal(const auto& call) {
  try {
    call();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("temperature first or last: logits 3, 2, 1, top-p 0.8, T = 0.5 keep one token or two") {
  const VectorD logits = vector({3, 2, 1});
  const Filter cool{Kind::temperature, 0.5}, nucleus{Kind::top_p, 0.8};
  CHECK(left(logits, {cool, nucleus}) == Ids{0});
  CHECK(left(logits, {nucleus, cool}) == Ids{0, 1});
  // The steps tell what was before, what after, and who was cut.
  const Filtered f = filtered(Distribution::of_logits(logits), {nucleus, cool});
  REQUIRE(f.steps.size() == 2);
  const double all = std::exp(3) + std::exp(2) + std::exp(1), two = std::exp(3) + std::exp(2);
  CHECK(f.before.probabilities(1) == doctest::Approx(std::exp(2) / all));
  CHECK(f.steps[0].after.probabilities(1) == doctest::Approx(std::exp(2) / two));
  CHECK(f.steps[0].cut == Ids{2});
  CHECK(f.steps[0].filter == nucleus);
  CHECK(f.steps[1].after.probabilities(1) == doctest::Approx(1 / (1 + std::exp(2))));
  CHECK(f.steps[1].cut.empty());
  CHECK((&f.after() == &f.steps[1].after));
}

TEST_CASE("each filter by hand") {
  const VectorD logits = vector({0, std::log(4), std::log(2), std::log(1)});  // 1/8 1/2 1/4 1/8
  CHECK(left(logits, {{Kind::top_k, 1}}) == Ids{1});
  CHECK(left(logits, {{Kind::top_k, 3}}) == Ids{0, 1, 2});  // equal ones: the lower number
  CHECK(left(logits, {{Kind::top_k, 3, Form::library}}) == Ids{0, 1, 2, 3});
  CHECK(left(logits, {{Kind::top_k, 50}}) == Ids{0, 1, 2, 3});
  CHECK(left(logits, {{Kind::top_k, 1e300}}) == Ids{0, 1, 2, 3});
  CHECK(left(logits, {{Kind::min_p, 0.3}}) == Ids{1, 2});
  CHECK(left(logits, {{Kind::min_p, 0}}) == Ids{0, 1, 2, 3});
  CHECK(left(logits, {{Kind::min_p, 1}}) == Ids{1});
  // Exact sums: stop at the sum, or one later.
  const Distribution typed = Distribution::of_probabilities(vector({0.125, 0.5, 0.25, 0.125}));
  CHECK(left(filtered(typed, {{Kind::top_p, 0.5}}).after()) == Ids{1});
  CHECK(left(filtered(typed, {{Kind::top_p, 0.5, Form::library}}).after()) == Ids{1, 2});
  CHECK(left(filtered(typed, {{Kind::top_p, 0}}).after()) == Ids{1});
  CHECK(left(filtered(typed, {{Kind::top_p, 1}}).after()) == Ids{0, 1, 2, 3});
  CHECK((filtered(typed, {}).after().probabilities == typed.probabilities));
  // After top-k the nucleus is that of what is left.
  CHECK(left(filtered(typed, {{Kind::top_k, 2}, {Kind::top_p, 0.6}}).after()) == Ids{1});
  CHECK(left(filtered(typed, {{Kind::top_p, 0.6}, {Kind::top_k, 2}}).after()) == Ids{1, 2});
}

TEST_CASE("sums of decimals that equal p on paper are complete at p") {
  const Distribution four = Distribution::of_probabilities(vector({0.4, 0.3, 0.2, 0.1}));
  CHECK(left(filtered(four, {{Kind::top_p, 0.7}}).after()) == Ids{0, 1});
  CHECK(left(filtered(four, {{Kind::top_p, 0.9}}).after()) == Ids{0, 1, 2});
  CHECK(left(filtered(four, {{Kind::top_p, 0.9, Form::library}}).after()) == Ids{0, 1, 2, 3});
  CHECK(left(filtered(four, {{Kind::top_p, 0.901}}).after()) == Ids{0, 1, 2, 3});
  const Distribution flat = Distribution::of_probabilities(vector({0.7, 0.1, 0.1, 0.1}));
  CHECK(left(filtered(flat, {{Kind::top_p, 0.8}}).after()) == Ids{0, 1});
  CHECK(left(filtered(flat, {{Kind::top_p, 0.8, Form::library}}).after()) == Ids{0, 1, 2});
  CHECK(left(filtered(flat, {{Kind::top_p, 0.9}}).after()) == Ids{0, 1, 2});
  // The same as logits: what softmax rounds does not decide either.
  const VectorD logits = flat.probabilities.array().log().matrix();
  CHECK(left(logits, {{Kind::top_p, 0.8}}) == Ids{0, 1});
  CHECK(left(logits, {{Kind::top_p, 0.9}}) == Ids{0, 1, 2});
  // Every decimal boundary of tenths, whichever way they are split.
  for (int a = 1; a <= 8; ++a) {
    for (int b = 1; b <= std::min(a, 9 - a); ++b) {
      const Distribution d = Distribution::of_probabilities(
          vector({a / 10., b / 10., (10 - a - b) / 20., (10 - a - b) / 20.}));
      CAPTURE(a);
      CAPTURE(b);
      if (2 * b < 10 - a - b) continue;  // the third would come before the second
      CHECK(left(filtered(d, {{Kind::top_p, (a + b) / 10.}}).after()) == Ids{0, 1});
    }
  }
  // p = 1 leaves nothing out that can come, however small.
  const Distribution tail = Distribution::of_probabilities(vector({1 - 1e-17, 1e-17, 0}));
  CHECK(left(filtered(tail, {{Kind::top_p, 1}}).after()) == Ids{0, 1});
}

TEST_CASE("min-p keeps what is exactly the share on paper") {
  // 0.8 times 0.1 is above 0.08 in doubles.
  const Distribution d = Distribution::of_probabilities(vector({0.8, 0.12, 0.08}));
  CHECK(left(filtered(d, {{Kind::min_p, 0.1}}).after()) == Ids{0, 1, 2});
  const Distribution e = Distribution::of_probabilities(vector({0.3, 0.3, 0.3, 0.07, 0.03}));
  CHECK(left(filtered(e, {{Kind::min_p, 0.1}}).after()) == Ids{0, 1, 2, 3, 4});
  const Distribution f = Distribution::of_logits(vector({std::log(0.7), std::log(0.07), -9}));
  CHECK(left(filtered(f, {{Kind::min_p, 0.1}}).after()) == Ids{0, 1});
  CHECK(left(filtered(e, {{Kind::min_p, 0.101}}).after()) == Ids{0, 1, 2, 3});
}

TEST_CASE("a repetition penalty divides; a negative logit falls or, as published, rises") {
  const Distribution from = Distribution::of_logits(vector({2, -2, 1, 0.5}));
  const Ids written{1, 0, 1};
  const auto paper = filtered(from, {{Kind::repetition, 2}}, written).after();
  CHECK((paper.logits == vector({1, -1, 1, 0.5})));
  const auto library = filtered(from, {{Kind::repetition, 2, Form::library}}, written).after();
  CHECK((library.logits == vector({1, -4, 1, 0.5})));
  CHECK((filtered(from, {{Kind::repetition, 2}}).after().logits == from.logits));
  CHECK(refusal([&] {
          filtered(from, {{Kind::repetition, 2}}, {4});
        }) == "repetition penalty: expected tokens below 4, got 4");
}

TEST_CASE("whatever the filters, the rest sums to one and keeps its order") {
  core::Random random(8);
  for (int round = 0; round < 300; ++round) {
    VectorD logits(static_cast<Index>(1 + random.below(30)));
    for (double& x : logits) x = std::round(random.gaussian() * 4) / 2;  // many equal ones
    std::vector<Filter> filters;
    for (std::uint32_t k = random.below(5); k > 0; --k) {
      const auto kind = static_cast<Kind>(random.below(4));
      const double value = kind == Kind::top_k         ? 1 + random.below(12)
                           : kind == Kind::temperature ? 0.6 + 2 * random.uniform()
                                                       : random.uniform();
      filters.push_back({kind, value, static_cast<Form>(random.below(2))});
    }
    const Filtered f = filtered(Distribution::of_logits(logits), filters);
    std::size_t cut = 0;
    for (const FilterStep& step : f.steps) {
      CHECK(step.after.probabilities.sum() == doctest::Approx(1).epsilon(1e-12));
      cut += step.cut.size();
    }
    CHECK(left(f.after()).size() + cut == static_cast<std::size_t>(logits.size()));
    CHECK(f.after().probabilities(by_probability(f.before.probabilities).front()) > 0);
    for (Index i = 0; i < logits.size(); ++i) {
      for (Index j = 0; j < logits.size(); ++j) {
        const VectorD& p = f.after().probabilities;
        if (p(i) > 0 && p(j) > 0 && logits(i) > logits(j)) CHECK(p(i) > p(j));
      }
    }
  }
}

TEST_CASE("of a large vocabulary the few likeliest are those of the whole order, ties by number") {
  core::Random random(9);
  VectorD logits(5000);
  for (double& x : logits) x = std::round(random.gaussian() * 3) / 2;  // many equal ones
  for (const double heat : {1.0, 100.0}) {
    const VectorD p = Distribution::of_logits(logits / heat).probabilities;
    const std::vector<std::int32_t> order = by_probability(p);
    CHECK(likeliest(p, 6000) == order);
    CHECK(likeliest(p, 300) == std::vector<std::int32_t>(order.begin(), order.begin() + 300));
    CHECK(likeliest(p, 0).empty());
    for (const Form form : {Form::paper, Form::library}) {
      for (const double share : {0.0, 0.3, 0.9, 1.0}) {
        std::vector<std::uint8_t> kept(5000, 0);
        double before = 0;
        for (const std::int32_t id : order) {
          if (id != order.front() && !(form == Form::library ? before <= share : before < share)) {
            break;
          }
          kept[static_cast<std::size_t>(id)] = 1;
          before += p(id);
        }
        CHECK(kept_by_top_p(p, share, form) == kept);
      }
    }
  }
}

TEST_CASE("what is no distribution, and values out of range, say so in one sentence") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto logits = [](const VectorD& v) { return refusal([&] { Distribution::of_logits(v); }); };
  const auto typed = [](const VectorD& v) {
    return refusal([&] { Distribution::of_probabilities(v); });
  };
  const std::string none = "vocabulary: expected at least one token, got none";
  CHECK(logits({}) == none);
  CHECK(typed({}) == none);
  CHECK(logits(vector({1, nan})) == "logits: expected finite numbers or -inf, got nan for token 1");
  CHECK(logits(vector({infinity, 1})) ==
        "logits: expected finite numbers or -inf, got inf for token 0");
  CHECK(logits(vector({-infinity, -infinity})) ==
        "logits: expected at least one finite number, got -inf for every token");
  CHECK(logits(vector({-infinity, 3})).empty());
  CHECK(typed(vector({0.5, 0.4})) == "probabilities: expected a sum of 1, got 0.9");
  CHECK(typed(vector({1.5, -0.5})) ==
        "probabilities: expected numbers of at least 0, got -0.5 for token 1");
  CHECK(typed(vector({1, nan})) ==
        "probabilities: expected numbers of at least 0, got nan for token 1");
  CHECK(typed(vector({infinity})) == "probabilities: expected a sum of 1, got inf");
  CHECK(typed(vector({0.3, 0.3, 0.4})).empty());
  const auto value = [](Kind kind, double v) { return refusal([&] { check({kind, v}); }); };
  CHECK(value(Kind::temperature, 0) == "temperature: expected a finite number above 0, got 0");
  CHECK(value(Kind::temperature, infinity) ==
        "temperature: expected a finite number above 0, got inf");
  CHECK(value(Kind::top_k, 0) == "top k: expected a whole number of at least 1, got 0");
  CHECK(value(Kind::top_k, 2.5) == "top k: expected a whole number of at least 1, got 2.5");
  CHECK(value(Kind::top_p, 1.5) == "top p: expected a number from 0 to 1, got 1.5");
  CHECK(value(Kind::top_p, nan) == "top p: expected a number from 0 to 1, got nan");
  CHECK(value(Kind::min_p, -0.5) == "min p: expected a number from 0 to 1, got -0.5");
  CHECK(value(Kind::repetition, -1) ==
        "repetition penalty: expected a finite number above 0, got -1");
  CHECK_THROWS_AS(filtered(Distribution::of_logits(vector({1})), {{Kind::top_k, 0}}),
                  core::InputError);
}

}  // namespace filters_test
