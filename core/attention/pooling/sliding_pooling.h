// Sums of the kernels that end (boxcar, Epanechnikov, triangular) over sorted keys, at any number
// of queries, in time that does not depend on how many keys are in reach.
//
// Within its reach such a kernel is a polynomial of the distance, so that a sum over neighbouring
// keys follows from their moments. Keys stand in cells no wider than the bandwidth, each with its
// moments about its own middle, added up from its first key on and from its last: what is in reach
// of a query is a few of these running sums. None is subtracted from another, so nothing is lost to
// keys out of reach, however many or large.
#pragma once

#include <vector>

#include "core/attention/pooling/pooling.h"

namespace core {

class SlidingPooling {
 public:
  // The weights of the keys in reach, and the weights times the values.
  struct Sums {
    double ones = 0, weighted = 0;
  };

  // keys in rising order, m >= 1; as many values; neither is copied. Not for a Gaussian, which has
  // no end. bandwidth > 0 and finite. None of this is checked. O(m) time and memory.
  SlidingPooling(const VectorD& keys, const VectorD& values, PoolingKernel kernel, double bandwidth,
                 int threads);

  // At queries [first, end) of `queries`, which rise, into out[first] and so on. With `left_out`
  // query i is key i, which does not count. `ones` is off by at most 1e-14 for each key in reach,
  // `weighted` by at most that times its |value|; where the weights are a thousandth or less on
  // average, and so digits would be lost, the keys in reach are added up one by one.
  void at(const VectorD& queries, Index first, Index end, bool left_out, Sums* out) const;

 private:
  struct Cell {
    Index begin, end;
    double middle;
  };

  // (query - key) / bandwidth, as the plain version has it.
  double distance(double query, Index j) const { return (query - keys_(j)) / bandwidth_; }
  void make_cells();
  // Moments of keys `from`, `from` + `step`, ... of each cell up to each key.
  void run_up(bool forward, MatrixD& moments) const;

  // Keys in reach: all below the query (side 1), all above it (-1), or of both kinds (0), which a
  // triangle's peak does not allow.
  struct Range {
    Index begin = 0, end = 0;
    int side = 0;
  };
  void add_range(double query, Range range, Sums& sums) const;
  void add_moments(double query, const Cell& cell, const double* moments, Range range,
                   Sums& sums) const;
  void add_keys(double query, Range range, Sums& sums) const;

  const VectorD &keys_, &values_;
  PoolingKernel kernel_;
  double bandwidth_;
  Index columns_;  // 1, 3 or 5 moments: sum y; also of v and y v; also of v^2 and y v^2
  std::vector<Cell> cells_;
  std::vector<Index> cell_of_;
  // Row j: of the keys from the first of its cell to j, and from j to the last of its cell.
  MatrixD up_to_, from_;
};

}  // namespace core
