#include "core/precision/alibi_rounding.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/position/checks.h"

namespace core {
namespace {

double required_slope(double slope) {
  if (!std::isfinite(slope)) {
    refuse("alibi rounding", "a finite slope", position::number_text(slope));
  }
  return slope;
}

}  // namespace

AlibiRounder::AlibiRounder(double slope, const AlibiRounding& rounding)
    : rounding_(rounding),
      step_(rounding.low, rounding.carrier, rounding.rule),
      exact_slope_(required_slope(slope)),
      slope_(step_(slope, rounding.slope)) {}

double AlibiRounder::bias(Index distance) const {
  const double steps = step_(static_cast<double>(distance), rounding_.distance);
  return step_(-slope_ * steps, rounding_.bias);
}

AlibiRoundingFacts alibi_rounding_facts(Index n, double slope, const AlibiRounding& rounding) {
  position::require_at_least("alibi_rounding_facts", "a number of distances", 0, n);
  const AlibiRounder rounder(slope, rounding);
  AlibiRoundingFacts facts;
  facts.n = n;
  facts.slope = slope;
  // Rounding and multiplying are monotone: equal biases are neighbours.
  double before = 0;
  Index group = 0;
  const auto end_group = [&] {
    facts.distinct += group > 0;
    facts.alone += group == 1;
    facts.largest_group = std::max(facts.largest_group, group);
    group = 0;
  };
  for (Index distance = 0; distance < n; ++distance) {
    const double bias = rounder.bias(distance);
    const bool same = bias == before || (std::isnan(bias) && std::isnan(before));
    if (!same) end_group();
    if (++group == 2 && !facts.first_collision) facts.first_collision = distance;
    before = bias;
    if (std::isfinite(bias)) {
      facts.max_error = std::max(facts.max_error, std::fabs(rounder.error(distance)));
    } else {
      ++facts.not_finite;
    }
  }
  end_group();
  return facts;
}

std::vector<AlibiRoundingFacts> alibi_rounding_facts(Index n, const VectorD& slopes,
                                                     const AlibiRounding& rounding, int threads,
                                                     const Cancel& cancel) {
  std::vector<AlibiRoundingFacts> facts(static_cast<size_t>(slopes.size()));
  parallel_for(slopes.size(), threads, [&](Index head, int) {
    cancel.poll();
    facts[static_cast<size_t>(head)] = alibi_rounding_facts(n, slopes(head), rounding);
  });
  return facts;
}

MatrixD biased_scores(const VectorD& scores, const VectorD& biases, const Format& low,
                      const Format& carrier, RoundingRule rule) {
  const Carried step(low, carrier, rule);
  return MatrixD::NullaryExpr(scores.size(), biases.size(),
                              [&](Index i, Index j) { return step(scores(i) + biases(j), true); });
}

}  // namespace core
