// How alike the rows of a table of positions are, by their distance.
#pragma once

#include "core/position/curve.h"
#include "core/position/table/position_table.h"

namespace core {

// What all pairs of rows t apart have, for t = 0 to rows - 1.
struct ByDistance {
  VectorD mean, least, largest;
};
ByDistance products_by_distance(const MatrixD& P);   // P_i . P_(i+t)
ByDistance distances_by_distance(const MatrixD& P);  // |P_i - P_(i+t)|

struct ProductDecay : ByDistance {
  bool exact = false;  // all pairs of a distance have the same product: the mean
  VectorD envelope;    // the largest mean still to come
  CurveFacts facts;    // of the mean
};
// By the formula where the table is sinusoidal, for distances below n and as many as `most_cosines`
// of its terms allow; of others over the kept rows, at least one.
ProductDecay product_decay(const PositionTable& table, double most_cosines);

}  // namespace core
