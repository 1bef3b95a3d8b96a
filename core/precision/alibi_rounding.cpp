#include "core/precision/alibi_rounding.h"

#include <algorithm>
#include <cmath>
#include <string>

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

bool same_bias(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The first distance after `first` whose bias is another, at most `end`. Biases are monotone.
Index group_end(const AlibiRounder& rounder, Index first, Index end) {
  const double bias = rounder.bias(first);
  Index step = 1;
  while (first + step < end && same_bias(rounder.bias(first + step), bias)) step *= 2;
  Index low = first + step / 2, high = std::min(first + step, end);  // the same; another or the end
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (same_bias(rounder.bias(middle), bias) ? low : high) = middle;
  }
  return high;
}

// Distances first .. end - 1 have one bias.
void add_group(AlibiRoundingFacts& facts, const AlibiRounder& rounder, Index first, Index end) {
  const Index size = end - first;
  facts.n = end;
  ++facts.distinct;
  facts.alone += size == 1;
  facts.largest_group = std::max(facts.largest_group, size);
  if (size > 1 && !facts.first_collision) facts.first_collision = first + 1;
  if (std::isfinite(rounder.bias(first))) {
    facts.max_error = std::max(
        {facts.max_error, std::fabs(rounder.error(first)), std::fabs(rounder.error(end - 1))});
  } else {
    facts.not_finite += size;
  }
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

std::vector<AlibiRoundingFacts> alibi_rounding_facts(const std::vector<Index>& lengths,
                                                     double slope, const AlibiRounding& rounding,
                                                     const Cancel& cancel) {
  for (Index before = 0; const Index n : lengths) {
    if (n < before) refuse("alibi_rounding_facts", "lengths that rise from 0", std::to_string(n));
    before = n;
  }
  const AlibiRounder rounder(slope, rounding);
  std::vector<AlibiRoundingFacts> result;
  AlibiRoundingFacts whole;  // of whole groups
  whole.slope = slope;
  const Index last = lengths.empty() ? 0 : lengths.back();
  Index first = 0, end = 0;  // the group being counted
  for (const Index n : lengths) {
    while (end < n) {
      cancel.poll();
      if (end > first) add_group(whole, rounder, first, end);
      first = end;
      end = group_end(rounder, first, last);
    }
    AlibiRoundingFacts facts = whole;
    if (n > first) add_group(facts, rounder, first, n);
    facts.n = n;
    result.push_back(facts);
  }
  return result;
}

MatrixD biased_scores(const VectorD& scores, const VectorD& biases, const Format& low,
                      const Format& carrier, RoundingRule rule) {
  const Carried step(low, carrier, rule);
  return MatrixD::NullaryExpr(scores.size(), biases.size(),
                              [&](Index i, Index j) { return step(scores(i) + biases(j), true); });
}

}  // namespace core
