// Mean and scale of norms, number by number, for display: plain, in double. Layers compute with
// norm.h.
#pragma once

#include "core/model/layer/norm.h"

namespace core::model {

inline constexpr double kNormEpsilon = 1e-5;  // the default of LayerNorm and RmsNorm

// Mean and variance of the numbers that are normalized together: a row for layer and RMS norm, a
// column for batch norm. Centered, y = (x - mean) / scale with scale = sqrt(variance + epsilon)
// (Ba, Kiros and Hinton 2016, equation 3); else mean is 0 and variance the mean square (Zhang and
// Sennrich 2019, equation 4).
struct NormMoments {
  double mean = 0, variance = 0, scale = 0;
};
// At least one value, else InputError.
NormMoments norm_moments(const VectorD& values, bool centered = true,
                         double epsilon = kNormEpsilon);

// Mean and scale of layer norm of each row, (rows, 2).
MatrixD row_moments(const MatrixD& x, double epsilon = kNormEpsilon);
// Gradients of the loss with respect to each row's mean and scale, (rows, 2), with x held fixed in
// y = gain (x - mean) / scale + shift: -sum(dy gain) / scale and -sum(dy gain (x - mean) / scale) /
// scale. dy, the gradient with respect to y, has the shape of x (rows, cols), gain is (cols); else
// InputError.
MatrixD gradient_by_row_moments(const MatrixD& x, const VectorD& gain, const MatrixD& dy,
                                double epsilon = kNormEpsilon);

// x (rows, cols) normalized with the initial gain 1 and shift 0.
enum class NormKind { layer, rms, batch };
MatrixD normed(NormKind kind, const MatrixD& x, double epsilon = kNormEpsilon);

}  // namespace core::model
