// What the presets of the lab of multi-head attention claim.
#include <doctest/doctest.h>

#include <algorithm>
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

Index strongest(const std::vector<double>& row) {
  Index best = 0;
  for (Index j = 0; j < Index(row.size()); ++j) {
    if (row[std::size_t(j)] > row[std::size_t(best)]) best = j;
  }
  return best;
}

// How many rows of all heads have their largest weight at the query's own word, over seeds 0 to 9.
struct Found {
  int own = 0, rows = 0;
};
Found found(std::string_view id) {
  Found all;
  for (int seed = 0; seed < 10; ++seed) {
    for (int head = 1; head <= 8; ++head) {
      Made made = preset(id);
      made.set({{"seed", std::to_string(seed)}, {"head", std::to_string(head)}, {"mask", "full"}});
      const Model model = made.model();
      const auto& labels = *model.sequence->labels;
      for (Index i = 0; i < model.n(); ++i) {
        all.own += labels[std::size_t(strongest(weights(model, i)))] == labels[std::size_t(i)];
        ++all.rows;
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("equal_words: mostly a word finds itself, not always") {
  const Found all = found("equal_words");
  REQUIRE(all.rows == 10 * 8 * 14);
  CHECK(2 * all.own > all.rows);
  CHECK(all.own < all.rows);
}

TEST_CASE("sines: with independent matrices a word finds itself no more often than by chance") {
  const Found all = found("sines");
  // 14 words, of which "the", "river" and "bank" stand there two or three times.
  double chance = 0;
  Made made = preset("sines");
  const auto labels = *made.model().sequence->labels;
  for (const std::string& word : labels) {
    chance += double(std::count(labels.begin(), labels.end(), word)) / double(labels.size());
  }
  chance *= 80;
  CHECK(all.own < chance + 3 * std::sqrt(chance));
  CHECK(all.own > chance - 3 * std::sqrt(chance));
}

TEST_CASE("weights that underflow are let through by the mask all the same") {
  Made made;
  made.p.temperature = 0.05;
  CHECK(readout(made.page(), "kept_pairs") == 14 * 15 / 2);
}

}  // namespace multi_head_presets_test
