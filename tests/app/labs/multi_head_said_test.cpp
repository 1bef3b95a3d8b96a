// What the lab of multi-head attention says of mistakes: heads added up, heads interleaved.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/labs/labs.h"
#include "app/labs/multi_head/model.h"
#include "app/labs/multi_head/page.h"
#include "trying.h"

namespace multi_head_said_test {

using namespace lab::multi_head;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index;

namespace {

using Made = Trial<Parameters>;

// The weights of the allowed keys of a row.
std::vector<double> softmax(const std::vector<double>& scores, const std::vector<bool>& allowed) {
  double sum = 0, largest = -1e300;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (allowed[j]) largest = std::max(largest, scores[j]);
  }
  std::vector<double> weights(scores.size());
  for (std::size_t j = 0; j < scores.size(); ++j) {
    if (allowed[j]) sum += weights[j] = std::exp(scores[j] - largest);
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

TEST_CASE("One softmax of all heads' scores is off by as much as the page says") {
  for (const MaskKind mask : {MaskKind::causal, MaskKind::full, MaskKind::local}) {
    Made made;
    made.p.mask = mask;
    made.p.heads = 4;
    std::vector<Row> rows;
    for (int head = 1; head <= 4; ++head) {
      made.p.head = head;
      rows.push_back(made.model().row);
    }
    std::vector<double> added(rows[0].scaled.size());
    for (const Row& row : rows) {
      for (std::size_t j = 0; j < added.size(); ++j) added[j] += row.scaled[j];
    }
    const std::vector<double> one = softmax(added, rows[0].allowed);
    double off = 0;
    for (const Row& row : rows) {
      for (std::size_t j = 0; j < one.size(); ++j) {
        off = std::max(off, std::abs(row.weights[j] - one[j]));
      }
    }
    CHECK(off > 0.1);
    // Scores of the page are products in float.
    CHECK(readout(made.page(), "one_softmax") == doctest::Approx(off).epsilon(1e-4));
  }
  Made alone;
  alone.p.heads = 1;
  CHECK(readout(alone.page(), "one_softmax") == 0);
  Made nobody;
  nobody.p.mask = MaskKind::query_padding;
  nobody.p.valid = 3;  // the query sees no key
  CHECK(readout(nobody.page(), "one_softmax") == 0);
}

TEST_CASE("Interleaved heads are the columns of Concat in another order, and another output") {
  Made made;
  made.p.heads = 2;
  made.p.d_model = 8;
  made.p.projection = Projection::identity;  // no W_O: the order itself
  const Model model = made.model();
  const auto row = model.heads->concat().row(model.query);
  REQUIRE(row.size() == 8);
  double off = 0;
  for (const auto& [from, to] :
       {std::pair{0, 0}, {1, 2}, {2, 4}, {3, 6}, {4, 1}, {5, 3}, {6, 5}, {7, 7}}) {
    off = std::max(off, std::abs(static_cast<double>(row(from)) - static_cast<double>(row(to))));
  }
  CHECK(off > 0);
  CHECK(readout(made.page(), "stacked") == doctest::Approx(off).epsilon(1e-12));
  made.p.projection = Projection::tied;
  CHECK(readout(made.page(), "stacked") > 0.01);
  made.p.heads = 1;
  CHECK(readout(made.page(), "stacked") == 0);
  // head_i = Attention(X W_Q, ...), each d_model / h wide.
  Made first = preset<Parameters>("multi_head", "first_look");
  CHECK(readout(first.page(), "d_k") == 64 / 8);
}

}  // namespace multi_head_said_test
