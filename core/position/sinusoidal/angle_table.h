// Sines and cosines of p * theta_i for many consecutive positions p, without a library call for
// each.
#pragma once

#include "core/types.h"

namespace core {

// Where the results are written. Row p, counted from the first, and index i go to sine[p * stride +
// i * step] and cosine[p * stride + i * step]. step is 1 or 2; with 2, cosine is sine + 1, so that
// the two alternate.
struct AngleTarget {
  float* sine;
  float* cosine;
  Index stride;
  Index step;
};

// Positions first .. first + n - 1. Sines and cosines of 2^b theta_i come from the library; all
// others follow in double from
//   sin(a + b) = sin a cos b + cos a sin b,  cos(a + b) = cos a cos b - sin a sin b
// with at most one step per bit of p, and are rounded to float once. Each step adds an error of
// about 1e-16, beside the 1e-16 p theta_i by which the angle itself is rounded when it is formed in
// double. The result does not depend on the number of threads. n, first >= 0, first + n <= 2^52,
// step 1 or 2, else InputError.
void fill_angle_table(const VectorD& theta, Index first, Index n, const AngleTarget& target,
                      int threads = 0);

}  // namespace core
