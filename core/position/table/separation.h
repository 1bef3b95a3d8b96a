// How many consecutive positions a table distinguishes: the least distance between any two of its
// rows.
#pragma once

#include <optional>
#include <vector>

#include "core/position/sinusoidal/sinusoidal_similarity.h"
#include "core/position/table/position_table.h"

namespace core {

// The lags that are closer than every shorter one; and the first lag below `threshold`. distance:
// at lags 1, 2, ...
std::vector<Lag> falling_records(const VectorD& distance);
std::optional<Lag> first_below(const VectorD& distance, double threshold);

struct Separation {
  VectorD distance;               // at lags 1, 2, ...: the least over all pairs of rows
  std::vector<Lag> records;       // lags up to `last` that are closer than all shorter ones
  std::optional<Lag> first = {};  // the first below the threshold, up to `last`
  Index last = 0;                 // n - 1; on a grid along its longer axis
};
// Tables that follow the formula: `distance` at the first `drawn` lags. Other tables: over the kept
// rows; with fewer than two rows there are no lags. threshold > 0, else InputError.
Separation separation(const PositionTable& table, double threshold, Index drawn,
                      const Cancel& cancel = {});

// The same scheme with other widths and bases: how many positions in a row stay at least
// `threshold` apart. NaN where they all do, among the lags searched.
struct SizesCompared {
  Index searched = 0;
  std::vector<int> widths;  // with the base that is set
  std::vector<double> width_lengths;
  std::vector<std::vector<Lag>> width_records;  // of the first few widths, up to `last`
  std::vector<double> bases;                    // with the width that is set
  std::vector<double> base_lengths;
};
// For tables with frequencies, those of `base`; of others empty.
SizesCompared compare_sizes(const PositionTable& table, double base, double threshold, Index last,
                            const Cancel& cancel = {});

}  // namespace core
