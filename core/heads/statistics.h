// Statistics of a head: whether its rows are probabilities, and where they lie.
#pragma once

#include <vector>

#include "core/heads/head_rows.h"
#include "core/io/tensor/number_type.h"

namespace core::heads {

// Rows as they were found; one row may be counted in several.
struct RowFaults {
  Index rows = 0;        // looked at
  Index nan = 0;         // with a NaN or an infinity in them
  Index negative = 0;    // with a number below 0
  Index not_one = 0;     // finite, and their sum is not 1 within the tolerance
  Index empty = 0;       // nothing but masked keys and zeros
  double worst_sum = 1;  // the sum that is farthest from 1
  Index worst_row = -1;  // whose it is; -1: all sums are 1
  double largest = 0;    // weight of all rows

  bool sound() const { return nan + negative + not_one == 0; }
  void add(const RowFaults& other);
};

// Whether a row depends on its head. A query that sees one key alone gives it the weight 1 whatever
// the head does (row 0 under a causal mask): means over a head's rows leave it out.
constexpr bool has_choice(Index keys_seen) { return keys_seen > 1; }

// How far a sum of weights may be from 1 when each was rounded to that type: 1e-4 for float32 and
// float64, 2^-9 for float16, 2^-6 for bfloat16. Integers are exact.
double sum_tolerance(NumberType type);

// Means over the rows that have a choice, no NaN and nothing negative, and are not empty, each
// divided by its sum. NaN where there is no such row. Zeros in given weights do not tell a mask, so
// that of them a row without a choice is known by this: it is the row of key 0 and has weight there
// alone.
struct HeadStatistics {
  RowFaults faults;
  Index counted = 0;         // rows that the means are over
  double entropy = 0;        // nats
  double entropy_share = 0;  // the entropy by that of equal weights on the keys that are not masked
  double distance = 0;       // Σ w |j - own_key|, in tokens
  double first = 0;          // the weight of key 0
  double diagonal = 0;       // the weight of own_key
  double previous = 0;       // the weight of the key before own_key, over the rows that have one
  double separators = 0;     // the weight of keys that are separators
};

struct StatisticsOptions {
  double tolerance = 1e-4;
  Index most_rows = 0;             // looked at, spread evenly; 0: all
  std::vector<bool> separators{};  // of the keys; empty: none
};

// At most `most` (0: all) of `count` rows, evenly spread from the first one on.
std::vector<Index> spread_rows(Index count, Index most);

// Rows beyond own_key < 0 have no diagonal; it counts as 0 there.
HeadStatistics head_statistics(const HeadRows& head, const StatisticsOptions& options,
                               const Cancel& cancel = {});

// Both look at `rows` rows, spread evenly (0: all): the largest magnitude of a finite number, 0
// without one; and how many rows have a NaN or an infinity that is no masked key.
double largest_magnitude(const HeadRows& head, Index rows, const Cancel& cancel = {});
Index not_finite_rows(const HeadRows& head, Index rows, const Cancel& cancel = {});

}  // namespace core::heads
