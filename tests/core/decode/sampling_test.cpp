// Drawing tokens: by hand, by frequency, and texts that are the same for the same seed.
#include "core/decode/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace sampling_test {

using namespace core::decode;  // NOLINT: the box under test
using core::Index, core::VectorD;

namespace {

using Tokens = std::vector<std::int32_t>;

// Three words and an end, 3: whatever stands there, the next word is likelier than the others; the
// longer the text, the likelier its end.
VectorD next_of(const Tokens& ids) {
  VectorD logits = VectorD::Zero(4);
  if (!ids.empty()) logits((ids.back() + 1) % 3) = 1.5;
  logits(3) = 0.3 * static_cast<double>(ids.size()) - 2;
  return logits;
}

Tokens ids_of(const WrittenText& text) {
  Tokens ids;
  for (const WrittenToken& token : text.tokens) ids.push_back(token.id);
  return ids;
}

}  // namespace

TEST_CASE("a number from 0 to 1 is where a token lies") {
  VectorD p(4);
  p << 0, 0.25, 0, 0.75;
  CHECK(inverse_cdf(p, 0) == 1);
  CHECK(inverse_cdf(p, 0.2499) == 1);
  CHECK(inverse_cdf(p, 0.25) == 3);
  CHECK(inverse_cdf(p, 0.9999) == 3);
  // A sum that rounding keeps below 1: the last token that there is.
  p << 0.3, 0.3, 0.4 - 1e-9, 0;
  CHECK(inverse_cdf(p, 1 - 1e-12) == 2);
  CHECK_THROWS_AS(inverse_cdf(p, 1), core::InputError);
  CHECK_THROWS_AS(inverse_cdf(p, -0.1), core::InputError);
  CHECK_THROWS_AS(inverse_cdf(VectorD(), 0.5), core::InputError);
  p << 0.3, 0.4, 0.4, 0;
  CHECK(greedy(p) == 1);
  CHECK_THROWS_AS(greedy(VectorD()), core::InputError);
}

TEST_CASE("many draws from one distribution are those of one after another") {
  VectorD p(6);
  p << 0, 0.2, 0, 0.3, 0.5 - 1e-9, 0;
  const InverseCdf draw(p);
  for (int k = 0; k < 1000; ++k) {
    const double u = draw_number(3, k);
    double sum = 0;
    std::int32_t id = 0;
    for (; id < 4; ++id) {
      sum += p(id);
      if (sum > u) break;
    }
    CHECK(draw(u) == id);
    CHECK(inverse_cdf(p, u) == id);
  }
  CHECK(draw(1 - 1e-12) == 4);
  CHECK_THROWS_AS(draw(1), core::InputError);
  p(0) = -0.1;
  CHECK_THROWS_AS(InverseCdf{p}, core::InputError);
}

TEST_CASE("many first tokens are drawn as often as they are likely") {
  constexpr int kDraws = 20000;
  std::vector<int> counts(4, 0);
  WriteOptions options{.filters = {{Filter::Kind::top_k, 3}}, .most = 1, .end = 3};
  for (int k = 0; k < kDraws; ++k) {
    options.seed = static_cast<std::uint64_t>(k);
    ++counts[static_cast<std::size_t>(write(next_of, {1}, options).tokens[0].id)];
  }
  const VectorD p =
      filtered(Distribution::of_logits(next_of({1})), options.filters).after().probabilities;
  for (Index i = 0; i < 4; ++i) {
    // Four standard deviations of a binomial count.
    const double off = 4 * std::sqrt(kDraws * p(i) * (1 - p(i)));
    CHECK(std::abs(counts[static_cast<std::size_t>(i)] - kDraws * p(i)) <= off);
  }
  CHECK(counts[3] == 0);
}

TEST_CASE("the same seed writes the same text, and what it says of each token is so") {
  WriteOptions options{
      .filters = {{Filter::Kind::temperature, 1.3}}, .seed = 3, .most = 40, .end = 3};
  const WrittenText text = write(next_of, {0, 1}, options);
  CHECK(ids_of(text) == ids_of(write(next_of, {0, 1}, options)));
  CHECK(text.ended);
  REQUIRE(text.tokens.size() >= 2);
  CHECK(text.tokens.back().id == 3);
  Tokens before{0, 1};
  double sum = 0;
  for (const WrittenToken& token : text.tokens) {
    const auto model = Distribution::of_logits(next_of(before));
    CHECK(token.log_probability == doctest::Approx(std::log(model.probabilities(token.id))));
    CHECK(token.probability == filtered(model, options.filters).after().probabilities(token.id));
    sum += token.log_probability;
    before.push_back(token.id);
  }
  CHECK(text.log_probability == doctest::Approx(sum));

  // Each token by a number of its own: of four that are as likely all come up.
  const NextLogits even = [](const Tokens&) { return VectorD(VectorD::Zero(4)); };
  Tokens many = ids_of(write(even, {}, {.seed = 1, .most = 40}));
  std::sort(many.begin(), many.end());
  CHECK(std::unique(many.begin(), many.end()) - many.begin() == 4);

  // Shorter is the beginning of longer.
  options.most = 2;
  const Tokens two = ids_of(write(next_of, {0, 1}, options));
  CHECK(two == Tokens{text.tokens[0].id, text.tokens[1].id});
  int others = 0;
  for (options.seed = 0; options.seed < 20; ++options.seed) {
    others += ids_of(write(next_of, {0, 1}, options)) != two;
  }
  CHECK(others > 5);
}

TEST_CASE("without chance the likeliest is written, and a penalty sees the prompt and the text") {
  WriteOptions options{.samples = false, .most = 4};
  CHECK(ids_of(write(next_of, {0}, options)) == Tokens{1, 2, 0, 1});
  CHECK_FALSE(write(next_of, {0}, options).ended);
  const NextLogits always = [](const Tokens&) {
    VectorD logits(3);
    logits << 2, 1.5, 1.2;
    return logits;
  };
  CHECK(ids_of(write(always, {}, options)) == Tokens{0, 0, 0, 0});
  options.filters = {{Filter::Kind::repetition, 1.5}};
  CHECK(ids_of(write(always, {}, options)) == Tokens{0, 1, 0, 0});
  CHECK(ids_of(write(always, {0}, options)) == Tokens{1, 0, 0, 0});
  options.most = 0;
  CHECK(write(always, {}, options).tokens.empty());
  options.most = -1;
  CHECK_THROWS_AS(write(always, {}, options), core::InputError);
}

}  // namespace sampling_test
