#include "core/precision/rounded_ids.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

Rounder checked(const Format& format, RoundingRule rule) {
  require_format(format);
  return Rounder(format, rule);
}

// Counts ids one after the other, each with a rank for its value.
class Count {
 public:
  void add(Index id, double value, Index rank, bool exact) {
    const auto at = static_cast<std::size_t>(rank);
    if (at >= sizes_.size()) sizes_.resize(std::max(at + 1, 2 * sizes_.size()), {});
    Size& size = sizes_[at];
    ++size.ids;
    ++facts_.n;
    facts_.exact += exact;
    if (size.ids == 1) {
      ++facts_.distinct;
      ++facts_.alone;
      facts_.alone_and_exact += exact;
    } else if (size.ids == 2) {
      --facts_.alone;
      facts_.alone_and_exact -= size.first_exact;
    }
    if (size.ids == 1) size.first_exact = exact;
    if (size.ids == 2 && !facts_.first_collision) facts_.first_collision = id;
    if (!exact && !facts_.first_inexact) facts_.first_inexact = id;
    facts_.largest_group = std::max(facts_.largest_group, size.ids);
    if (std::isfinite(value)) {
      facts_.max_error = std::max(facts_.max_error, std::fabs(value - static_cast<double>(id)));
    } else {
      ++facts_.not_finite;
    }
  }
  const IdFacts& facts() const { return facts_; }

 private:
  struct Size {
    Index ids = 0;
    bool first_exact = false;
  };
  std::vector<Size> sizes_;
  IdFacts facts_;
};

void require_length(Index n) {
  if (n < 0) refuse("rounded ids", "a number of ids from 0 on", std::to_string(n));
}

}  // namespace

RoundedIds::RoundedIds(const Format& format, RoundingRule rule, std::uint64_t seed)
    : rounder_(checked(format, rule)), nearest_(format), seed_(seed) {
  // Subnormal numbers further apart than 1 are counted from 0 on. Without them nothing lies between
  // 0 and the least normal number.
  const double consecutive = std::ldexp(1.0, format.mantissa_bits + 1);
  const double least = min_positive(format);
  const bool gap = !format.subnormals && least > 1;
  units_end_ = format.subnormals && least > 1 ? 0
               : gap                          ? std::max(least, consecutive)
                                              : consecutive;
  skipped_ = gap ? static_cast<Index>(least) - 1 : 0;
  after_ = units_end_;
  rank_after_ = static_cast<Index>(units_end_) - skipped_;
  code_after_ = after_ <= max_finite(format) ? nearest_.code(after_) : 0;
}

bool RoundedIds::exact(Index id) const {
  const auto x = static_cast<double>(id);
  return nearest_(x) == x;
}

Index RoundedIds::finite_rank(double value) const {
  // Below, only the largest number of a small format need not be an integer.
  if (value == 0) return 0;
  if (value < units_end_) return static_cast<Index>(std::ceil(value)) - skipped_;
  return rank_after_ + static_cast<Index>(nearest_.code(value) - code_after_);
}

Index RoundedIds::rank(double value) const {
  return std::isfinite(value) ? finite_rank(value) : finite_rank(max_finite(format())) + 1;
}

IdSharers RoundedIds::sharers(Index id, Index n) const {
  if (id < 0 || id >= n) {
    refuse("sharers", "an id from 0 to " + std::to_string(n - 1), std::to_string(id));
  }
  if (!stochastic()) {
    const IdGroup group = id_group(id, n, format(), rule());
    return {group.value, group.size(), group.first, group.last};
  }
  const double value = (*this)(id);
  const bool finite = std::isfinite(value);
  const auto end = static_cast<double>(n - 1);
  const double below = finite ? next_down(format(), value) : max_finite(format());
  // What is larger than the largest number may have become it.
  const bool bounded = finite && value < max_finite(format());
  const double above = bounded ? next_up(format(), value) : end;
  const auto first = static_cast<Index>(std::floor(std::max(below, 0.0)));
  const auto last = static_cast<Index>(above < end ? std::ceil(above) : end);
  IdSharers sharers{value, 0, id, id};
  for (Index other = first; other <= last; ++other) {
    const double theirs = (*this)(other);
    if (finite ? theirs != value : std::isfinite(theirs)) continue;
    ++sharers.count;
    sharers.first = std::min(sharers.first, other);
    sharers.last = std::max(sharers.last, other);
  }
  return sharers;
}

std::vector<IdFacts> RoundedIds::listed(const std::vector<Index>& lengths,
                                        const Cancel& cancel) const {
  std::vector<IdFacts> result;
  Count count;
  const double largest = max_finite(format());
  const Index infinite = rank(2 * largest + 1);
  Index id = 0;
  for (const Index n : lengths) {
    for (; id < n; ++id) {
      if (id % 65536 == 0) cancel.poll();
      const double value = (*this)(id);
      const bool is_exact = value == static_cast<double>(id);
      count.add(id, value, std::isfinite(value) ? finite_rank(value) : infinite, is_exact);
    }
    result.push_back(count.facts());
  }
  return result;
}

std::vector<IdFacts> RoundedIds::facts(const std::vector<Index>& lengths,
                                       const Cancel& cancel) const {
  Index before = 0;
  for (const Index n : lengths) {
    require_length(n);
    if (n < before) refuse("rounded ids", "lengths that rise", std::to_string(n));
    before = n;
  }
  if (stochastic()) return listed(lengths, cancel);
  std::vector<IdFacts> result;
  for (const Index n : lengths) {
    cancel.poll();
    result.push_back(id_facts(n, format(), rule()));
  }
  return result;
}

DistanceFacts RoundedIds::distances(Index n, const Cancel& cancel) const {
  require_length(n);
  if (!stochastic()) return distance_facts(n, format(), rule(), cancel);
  std::vector<double> errors, values;
  for (Index id = 0; id < n; ++id) {
    if (id % 65536 == 0) cancel.poll();
    const double value = (*this)(id);
    if (!std::isfinite(value)) continue;
    values.push_back(value);
    errors.push_back(value - static_cast<double>(id));
  }
  const auto pairs_of = [](Index count) { return count * (count + 1) / 2; };
  DistanceFacts facts;
  facts.pairs = pairs_of(n);
  const auto finite = static_cast<Index>(errors.size());
  facts.undefined = facts.pairs - pairs_of(finite);
  std::sort(values.begin(), values.end());
  std::sort(errors.begin(), errors.end());
  cancel.poll();
  for (std::size_t k = 1, same = 0; k < values.size(); ++k) {
    same = values[k] == values[k - 1] ? same + 1 : 0;
    facts.seem_equal += static_cast<Index>(same);
  }
  // Pairs of errors: equal ones, and those at most 1 apart.
  Index near = 0;
  std::size_t low = 0, equal = 0;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    while (errors[low] < errors[k] - 1) ++low;
    while (errors[equal] < errors[k]) ++equal;
    facts.exact += static_cast<Index>(k - equal + 1);
    near += static_cast<Index>(k - low + 1);
  }
  facts.wrong_by_more = pairs_of(finite) - near;
  if (!errors.empty()) facts.max_error = errors.back() - errors.front();
  return facts;
}

}  // namespace core
