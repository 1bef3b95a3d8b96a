#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/labs/alibi_rounding/page.h"
#include "trying.h"

namespace alibi_rounding_test {

using namespace lab::alibi_rounding;  // NOLINT: the box under test
using core::VectorD;
using namespace lab::trying;
using core::Index;

namespace {

using Made = Trial<Parameters>;
Parameters preset(std::string_view id) {
  return lab::trying::preset<Parameters>("alibi_rounding", id).p;
}

}  // namespace

TEST_CASE("Score plus bias by hand") {
  Parameters p;
  p.head = 1;
  const core::AlibiRounder rounder(0.5, p.steps());
  const Adder add(p.adding(), rounder);
  // Score 1.2512 becomes 1.25, the bias -254.5 ties to the even -254, their sum -252.75 to -253.
  const Sum sum = add(1.2512, 509);
  CHECK(sum.stored_score == 1.25);
  CHECK(sum.exact_bias == -254.5);
  CHECK(sum.bias == -254);
  CHECK(sum.before == -252.75);
  CHECK(sum.result == -253);
}

TEST_CASE("Whole sums are those of core's matrix") {
  Made made;
  Parameters p;
  p.tokens = 20;
  const Model m = made.model(p);
  const Index row = 7;
  VectorD biases(p.tokens);
  for (Index j = 0; j < p.tokens; ++j) biases(j) = m.rounder.bias(p.pair_distance(row, j));
  for (Index j = 0; j < p.tokens; ++j) {
    const VectorD score = VectorD::Constant(1, m.pairs->stored_scores(row, j));
    CHECK(m.pairs->rounded(row, j) == core::biased_scores(score, biases, core::kBFloat16)(0, j));
    CHECK(m.pairs->exact(row, j) == doctest::Approx(m.content->scores(row, j) -
                                                    m.slope * static_cast<double>(500 + row - j)));
  }
}

TEST_CASE("Keys after the query are absent") {
  Made made;
  Parameters p;
  p.start = 1, p.query = 2, p.key = 9, p.explained = Explained::score;
  const Model m = made.model(p);
  CHECK(core::is_masked(m.pairs->exact_cells->value(2, 4)));
  CHECK_FALSE(core::is_masked(m.pairs->exact_cells->value(2, 3)));
  CHECK(m.strips->keys == 4);
  CHECK(says(made.page(p), "causal mask hides"));
}

TEST_CASE("Presets: where biases collide") {
  Made made;
  {
    const Model m = made.model(preset("first_look"));
    CHECK(*m.facts({}).first_collision == 257);
    CHECK(m.rounder.bias(518) == m.rounder.bias(522));
    CHECK(m.rounder.bias(517) != m.rounder.bias(518));
    CHECK(m.rounder.bias(523) != m.rounder.bias(522));
  }
  {
    const Parameters p = preset("flattest");
    const Model m = made.model(p);
    CHECK(*m.facts(p).first_collision == 257);
    CHECK(m.rounder.exact(257) == doctest::Approx(-1.004).epsilon(1e-3));
    CHECK(std::exp(m.rounder.exact(257)) > 1.0 / 3);
  }
  {
    const Parameters p = preset("steepest");
    CHECK(made.model(p).rounder.exact(257) == -128.5);
  }
  {
    const Parameters p = preset("twelve_heads");
    const Model m = made.model(p);
    for (std::size_t head = 8; head < 12; ++head) {
      CHECK(*(*m.context)[head].first_collision == 183);
    }
    CHECK(m.rounder.error(1) != 0);
    for (int head = 0; head < 8; ++head) {
      const core::AlibiRounder rounder(m.slopes(head), p.steps());
      for (Index at = 0; at < 257; ++at) CHECK(rounder.error(at) == 0);
    }
  }
  {
    const Parameters p = preset("rounded_distance");
    CHECK(made.model(p).facts(p).distinct == made.model({}).facts({}).distinct);
  }
  {
    const Parameters p = preset("llama_8k");
    for (const AlibiRoundingFacts& f : *made.model(p).context) {
      CHECK(f.distinct == 897);
      CHECK(f.largest_group == 33);
    }
  }
  {
    const Parameters p = preset("llama_32k");
    const Model m = made.model(p);
    CHECK(m.facts(p).distinct == 1153);
    CHECK(m.facts(p).largest_group == 129);
    CHECK(m.rounder.exact(32768) == -128);
  }
}

TEST_CASE("Presets: sums, and where formats end") {
  Made made;
  {
    const lab::Page page = made.page(preset("swallowed"));
    const Model m = made.model(preset("swallowed"));
    const auto& pairs = *m.pairs;
    CHECK(static_cast<double>(pairs.equal) / static_cast<double>(pairs.neighbors) > 0.25);
    for (const double x : pairs.rounded.reshaped()) {
      if (std::abs(x) < 256 && std::abs(x) >= 128) CHECK(x == std::round(x));
    }
    CHECK(readout(page, "equal") == static_cast<double>(pairs.equal));
  }
  {
    const Model m = made.model(preset("wide_sum"));
    CHECK(m.pairs->equal == 0);
    CHECK(m.pairs->swapped > 0);
  }
  {
    const Parameters p = preset("llama_128k");
    const Model m = made.model(p);
    CHECK(std::isinf(m.rounder.bias(65520)));
    CHECK(std::isfinite(m.rounder.bias(65519)));
    Parameters bias_alone = p;
    bias_alone.round_distance = false;
    const Model other = made.model(bias_alone);
    CHECK(std::isfinite(other.rounder.bias(131071)));
    CHECK(other.rounder.exact(131071) > -512);
  }
  {
    const Model m = made.model(preset("eight_bits"));
    CHECK(std::isfinite(m.rounder.bias(928)));
    CHECK_FALSE(std::isfinite(m.rounder.bias(929)));
    CHECK(*m.facts(preset("eight_bits")).first_collision == 17);
  }
  {
    const Model m = made.model(preset("saturating"));
    CHECK(m.rounder.bias(863) != -448);
    for (Index at = 864; at < 999; ++at) CHECK(m.rounder.bias(at) == -448);
  }
}

TEST_CASE("Presets: what sums lose does not depend on the seed") {
  Made made;
  for (const int seed : {0, 1, 2, 3, 42, 1000, 9999}) {
    CAPTURE(seed);
    Parameters swallowed = preset("swallowed"), wide = preset("wide_sum");
    swallowed.seed = wide.seed = seed;
    const Model m = made.model(swallowed);
    const double share =
        static_cast<double>(m.pairs->equal) / static_cast<double>(m.pairs->neighbors);
    CHECK(share > 0.2);
    CHECK(share < 0.35);
    const Model w = made.model(wide);
    CHECK(w.pairs->equal == 0);
    CHECK(w.pairs->swapped > 0);
  }
}

TEST_CASE("Spacings below the smallest normal number are the format's") {
  Made made;
  Parameters p = preset("own_format");
  p.head = 8;  // slope 1/256: biases of near keys are subnormal
  p.explained = Explained::bias;
  for (const int distance : {1, 2, 3, 4, 7, 40}) {
    p.distance = distance;
    const double spacing =
        core::spacing(lab::format_of(p.format), std::abs(made.model(p).rounder.exact(distance)));
    CHECK(says(made.page(p), fmt::format("= {}", value_text(spacing))));
    const int k = std::max(std::ilogb(distance / 256.0), -6);
    CHECK(says(made.page(p), fmt::format("2^({} - 3)", k)));
    CHECK(std::ldexp(1, k - 3) == spacing);
  }
}

TEST_CASE("The explained error is the sum of its printed parts") {
  Made made;
  Parameters p;
  p.explained = Explained::score;
  const lab::Page page = made.page(p);
  const Model m = made.model(p);
  const Sum sum = Adder(p.adding(), m.rounder)(m.content->scores(12, 9), 503);
  const double error = sum.result - (sum.score + sum.exact_bias);
  const std::vector<std::string> all = lines(page);
  const std::string last = all.at(all.size() - 2);  // before what "≈" means
  CHECK(std::stod(last.substr(last.find("≈") + std::string("≈").size())) ==
        doctest::Approx(error).epsilon(1e-4));
  p.explained = Explained::bias;
  CHECK(says(made.page(p), "Distances 518 to 522 have this bias."));
  p.explained = Explained::count;
  CHECK(says(made.page(p), "769 of 4096"));
}

TEST_CASE("The smallest and the largest knobs are sound") {
  Made made;
  Parameters p;
  p.heads = p.head = 1, p.length = kShortest, p.start = 15, p.tokens = 2, p.query = p.key = 1;
  p.width_of_head = 1, p.spread = 0, p.distance = 0;
  CHECK(readout(made.page(p), "distinct") == 16);
  p = {};
  p.heads = kMostHeads, p.length = p.width = kLongest, p.start = 1, p.tokens = kMostTokens;
  p.width_of_head = 128;
  for (const auto choice : {lab::FormatChoice::bfloat16, lab::FormatChoice::float32}) {
    p.format.choice = choice;
    const double distinct = readout(made.page(p), "distinct");
    CHECK(distinct >= 1);
    CHECK(distinct <= kLongest);
  }
}

TEST_CASE("What did not change is not computed again") {
  Made made;
  Parameters p;
  (void)made.page(p);
  p.distance = 700, p.key = 3, p.vertical = Vertical::error;
  (void)made.page(p);
  for (const char* stage : {"curves", "counts", "content", "pairs", "strips"}) {
    CHECK(made.memo.runs(stage) == 1);
  }
  p.head = 2;
  (void)made.page(p);
  CHECK(made.memo.runs("curves") == 1);
  CHECK(made.memo.runs("pairs") == 2);
}

}  // namespace alibi_rounding_test
