// How many positions in a row a table tells apart: how near the nearest two rows of a stretch are.
#pragma once

#include <optional>
#include <vector>

#include "core/position/sinusoidal/sinusoidal_similarity.h"
#include "core/position/table/position_table.h"

namespace core {

// The lags that are closer than every shorter one, and the first below `threshold`. distance: of
// the lags 1 to its size.
std::vector<Lag> falling_records(const VectorD& distance);
std::optional<Lag> first_below(const VectorD& distance, double threshold);

struct Separation {
  VectorD distance;               // at lags 1 to its size, the least over all pairs of rows
  std::vector<Lag> records;       // closer than all shorter ones, up to `last`
  std::optional<Lag> first = {};  // below the threshold, up to `last`
  Index last = 0;                 // n - 1, of a grid along its longer axis
};
// Tables that follow the formula: with the distances of the first `drawn` lags; of others over
// the kept rows: fewer than two have none. threshold > 0, else InputError.
Separation separation(const PositionTable& table, double threshold, Index drawn,
                      const Cancel& cancel = {});

// The same scheme with other widths and bases: how many positions in a row stay at least
// `threshold` apart. NaN where none of `searched` are closer.
struct SizesCompared {
  Index searched = 0;
  std::vector<int> widths;  // at the base that is set
  std::vector<double> width_lengths;
  std::vector<std::vector<Lag>> width_records;  // of the first few, up to `last`
  std::vector<double> bases;                    // at the width that is set
  std::vector<double> base_lengths;
};
// Needs a table with frequencies, those of `base`; empty otherwise.
SizesCompared compare_sizes(const PositionTable& table, double base, double threshold, Index last,
                            const Cancel& cancel = {});

}  // namespace core
