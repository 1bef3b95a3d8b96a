// Position ids 0 .. n-1 as numbers of a format, one by one: for pictures of them, and for
// stochastic rounding, under which equal values need not be neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "core/precision/position_ids.h"
#include "core/precision/rounding.h"
#include "core/types.h"

namespace core {

// The ids that become one value.
struct IdSharers {
  double value = 0;
  Index count = 0;            // the id itself included
  Index first = 0, last = 0;  // of them; all between them too unless rounding is stochastic
};

class RoundedIds {
 public:
  // `seed` is that of stochastic rounding: id i draws rounding_bits(seed, i). InputError for a
  // format that require_format refuses.
  explicit RoundedIds(const Format& format, RoundingRule rule = {}, std::uint64_t seed = 0);

  const Format& format() const { return rounder_.format(); }
  RoundingRule rule() const { return rounder_.rule(); }
  bool stochastic() const { return rule().rounding == Rounding::stochastic; }

  double operator()(Index id) const {
    return rounder_(static_cast<double>(id), stochastic() ? rounding_bits(seed_, id) : kHalf);
  }
  bool exact(Index id) const;

  // A number for each value that an id can become: 0 for the least, one more for each next one,
  // and for infinity and NaN, which count as one. `value` must be such a value; not checked.
  Index rank(double value) const;

  // The ids of 0 .. n-1 with the value of `id`. 0 <= id < n, else InputError. Costs as many
  // roundings as there are ids between the neighbours of the value when rounding is stochastic.
  IdSharers sharers(Index id, Index n) const;

  // id_facts of 0 .. n-1 for each of these lengths, which rise. Under stochastic rounding by
  // listing up to the last of them, without binades; first_collision is then the least id whose
  // value an earlier one has, and equal_neighbors() the ids less their different values. Lengths
  // that fall or are negative are an InputError.
  std::vector<IdFacts> facts(const std::vector<Index>& lengths, const Cancel& cancel = {}) const;
  IdFacts facts(Index n, const Cancel& cancel = {}) const {
    return facts(std::vector{n}, cancel)[0];
  }

  // distance_facts, of any rounding. n >= 0, else InputError. Costs n log n when stochastic.
  DistanceFacts distances(Index n, const Cancel& cancel = {}) const;

 private:
  static constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

  Index finite_rank(double value) const;
  std::vector<IdFacts> listed(const std::vector<Index>& lengths, const Cancel& cancel) const;

  Rounder rounder_, nearest_;
  std::uint64_t seed_;
  double units_end_;  // below it every integer is a number, but for the first ones:
  Index skipped_;     // so many from 1 on become 0 or the next
  double after_;      // the first number from units_end_ on
  Index rank_after_;  // its rank
  Code code_after_;
};

}  // namespace core
