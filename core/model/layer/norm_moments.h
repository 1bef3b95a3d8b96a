// What norms measure, number by number: for people, who look at a norm from outside. Plain, in
// double; layers compute by norm.h.
#pragma once

#include "core/model/layer/norm.h"

namespace core::model {

inline constexpr double kNormEpsilon = 1e-5;  // with which LayerNorm and RmsNorm begin

// Mean and variance of the numbers that are normed together: of layer and RMS norm a row, of batch
// norm a column.
// Centred, y = (x - mean) / scale with scale = sqrt(variance + epsilon) (Ba, Kiros and Hinton 2016,
// equation 3); else mean is 0, variance the mean square (Zhang and Sennrich 2019, equation 4).
struct NormMoments {
  double mean = 0, variance = 0, scale = 0;
};
// At least one value, else InputError.
NormMoments norm_moments(const VectorD& values, bool centered = true,
                         double epsilon = kNormEpsilon);

// Mean and scale of layer norm of each row, (rows, 2).
MatrixD row_moments(const MatrixD& x, double epsilon = kNormEpsilon);
// The loss's gradient by each row's mean and scale, (rows, 2), where y = gain (x - mean) / scale +
// shift and x is held: -sum(dy gain) / scale, and -sum(dy gain (x - mean) / scale) / scale. dy, the
// gradient by y, is as large as x (rows, cols), gain is (cols); else InputError.
MatrixD gradient_by_row_moments(const MatrixD& x, const VectorD& gain, const MatrixD& dy,
                                double epsilon = kNormEpsilon);

// x (rows, cols) normed, as each begins: gain 1, shift 0.
enum class NormKind { layer, rms, batch };
MatrixD normed(NormKind kind, const MatrixD& x, double epsilon = kNormEpsilon);

}  // namespace core::model
