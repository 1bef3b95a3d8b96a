// Similarity of the rows of a table of positions as a function of distance.
#pragma once

#include "core/position/curve.h"
#include "core/position/table/position_table.h"

namespace core {

// Over all pairs of rows t apart, for t = 0 to rows - 1.
struct ByDistance {
  VectorD mean, least, largest;
};
ByDistance products_by_distance(const MatrixD& P);   // P_i . P_(i+t)
ByDistance distances_by_distance(const MatrixD& P);  // |P_i - P_(i+t)|

struct ProductDecay : ByDistance {
  bool exact = false;  // all pairs at a distance have the same product: the mean
  VectorD envelope;    // the largest mean at this distance or beyond
  CurveFacts facts;    // of the mean
};
// A sinusoidal table by its formula, at distances below n and within `most_cosines` cosines in all;
// other tables over the kept rows, at least one.
ProductDecay product_decay(const PositionTable& table, double most_cosines);

}  // namespace core
