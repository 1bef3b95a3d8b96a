// What the presets of the lab of multi-head attention claim.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "app/labs/labs.h"
#include "app/labs/multi_head/model.h"
#include "app/labs/multi_head/page.h"
#include "core/attention/attention.h"
#include "trying.h"

namespace multi_head_presets_test {

using namespace lab::multi_head;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

namespace {

using Made = Trial<Parameters>;
Made preset(std::string_view id) { return lab::trying::preset<Parameters>("multi_head", id); }

// The row of weights of one query.
std::vector<double> weights(const Model& model, Index query) {
  std::vector<double> row;
  for (Index j = 0; j < model.n(); ++j) {
    const float weight = model.weights(model.head).value(query, j);
    row.push_back(core::is_masked(weight) ? 0 : static_cast<double>(weight));
  }
  return row;
}

Index strongest(const std::vector<double>& row, Index but = -1) {
  Index best = but == 0 ? 1 : 0;
  for (Index j = 0; j < Index(row.size()); ++j) {
    if (j != but && row[std::size_t(j)] > row[std::size_t(best)]) best = j;
  }
  return best;
}

const char* kSeeds[] = {"89", "1", "2", "3"};

}  // namespace

TEST_CASE("equal_words: equal words weigh the same for every query; mostly a word finds itself") {
  for (const char* seed : kSeeds) {
    int own = 0;
    for (int head = 1; head <= 8; ++head) {
      Made made = preset("equal_words");
      made.set({{"seed", seed}, {"head", std::to_string(head)}});
      const Model model = made.model();
      const auto& labels = *model.sequence->labels;
      for (Index i = 0; i < model.n(); ++i) {
        const std::vector<double> row = weights(model, i);
        // Rounding of a float, where columns stand in other lanes.
        CHECK(std::abs(row[1] - row[11]) < 1e-6);  // river
        CHECK(std::abs(row[2] - row[12]) < 1e-6);  // bank
        own += labels[std::size_t(strongest(row))] == labels[std::size_t(i)];
      }
    }
    CAPTURE(seed);
    CHECK(own > 56);   // mostly: more than half of 8 times 14
    CHECK(own < 112);  // not always
  }
}

TEST_CASE("first_look, repeats, chinese: what finds what") {
  const Model first = preset("first_look").model();
  REQUIRE(first.head == 2);  // head 3
  CHECK(strongest(weights(first, 12)) == 12);
  CHECK(strongest(weights(first, 12), 12) == 2);
  const Model repeats = preset("repeats").model();
  const std::vector<double> row = weights(repeats, 40);
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (j <= 40) CHECK((j % 8 == 0) == (row[j] > 0.9 * row[40]));
  }
  Made chinese = preset("chinese");
  const Model model = chinese.model();
  const auto& labels = *model.sequence->labels;
  CHECK(labels.size() == 36);
  for (const char* character : {"不", "亦", "乎"}) {
    for (Index i = 0; i < model.n(); ++i) {
      if (labels[std::size_t(i)] != character) continue;
      CHECK(labels[std::size_t(strongest(weights(model, i)))] == character);
    }
  }
  int refrains = 0;
  for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
    refrains += labels[i] == "不" && labels[i + 1] == "亦";
  }
  CHECK(refrains == 3);
}

TEST_CASE("hot and saturated: as even, and as uneven, as they say") {
  for (const char* seed : kSeeds) {
    for (int head = 1; head <= 8; ++head) {
      Made hot = preset("hot");
      hot.set({{"seed", seed}, {"head", std::to_string(head)}});
      CHECK(readout(hot.page(), "entropy_share") > 0.985);  // printed without decimals: 99 %
    }
  }
  double top = 0;
  for (int head = 1; head <= 4; ++head) {
    Made saturated = preset("saturated");
    saturated.set({{"head", std::to_string(head)}});
    const Model model = saturated.model();
    CHECK(std::sqrt(model.numbers->variance) == doctest::Approx(std::sqrt(128)).epsilon(0.15));
    double mean = 0;
    for (Index i = 0; i < model.n(); ++i) {
      const std::vector<double> row = weights(model, i);
      mean += row[std::size_t(strongest(row))] / static_cast<double>(model.n());
    }
    CHECK(mean > 0.5);
    saturated.set({{"scaled", "true"}});
    CHECK(saturated.model().numbers->largest_weight < 0.7);
    top = std::max(top, mean);
  }
  CHECK(top > 0.7);
}

TEST_CASE(
    "window, padding, long: what is absent is exactly 0, and nothing is kept of the long one") {
  const Model window = preset("window").model();
  for (Index i = 0; i < window.n(); ++i) {
    for (Index j = 0; j < window.n(); ++j) {
      CHECK(core::is_masked(window.weights(0).value(i, j)) == (std::abs(i - j) > 2));
    }
  }
  const Model padding = preset("padding").model();
  CHECK(padding.heads->concat().bottomRows(padding.n() - 10).cwiseAbs().maxCoeff() == 0);
  CHECK(padding.heads->concat().row(9).cwiseAbs().maxCoeff() > 0);
  Made made;
  made.p.temperature = 0.05;  // weights underflow, and are let through all the same
  CHECK(readout(made.page(), "kept_pairs") == 14 * 15 / 2);
  CHECK(std::llround(16384.0 * 16384 / 1e6) == 268);
}

}  // namespace multi_head_presets_test
