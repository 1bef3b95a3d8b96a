#include "core/model/layer/norm_moments.h"

#include <cmath>

#include "core/refuse.h"

namespace core::model {

NormMoments norm_moments(const VectorD& values, bool centered, double epsilon) {
  if (values.size() == 0) refuse("norm_moments", "at least one value", "none");
  const double mean = centered ? values.mean() : 0;
  const double variance = (values.array() - mean).square().mean();
  return {mean, variance, std::sqrt(variance + epsilon)};
}

MatrixD row_moments(const MatrixD& x, double epsilon) {
  MatrixD moments(x.rows(), 2);
  moments.col(0) = x.rowwise().mean();
  moments.col(1) =
      ((x.colwise() - moments.col(0)).array().square().rowwise().mean() + epsilon).sqrt();
  return moments;
}

MatrixD gradient_by_row_moments(const MatrixD& x, const VectorD& gain, const MatrixD& dy,
                                double epsilon) {
  if (dy.rows() != x.rows() || dy.cols() != x.cols() || gain.size() != x.cols()) {
    refuse("gradient_by_row_moments", "a gain and gradients for " + shape_text(x) + " numbers",
           std::to_string(gain.size()) + " and " + shape_text(dy));
  }
  const MatrixD moments = row_moments(x, epsilon);
  MatrixD gradients(x.rows(), 2);
  for (Index i = 0; i < x.rows(); ++i) {
    const double mean = moments(i, 0), scale = moments(i, 1);
    const Eigen::RowVectorXd scaled = dy.row(i).cwiseProduct(gain.transpose()) / scale;
    const Eigen::RowVectorXd normed_row = (x.row(i).array() - mean) / scale;
    gradients.row(i) << -scaled.sum(), -scaled.dot(normed_row);
  }
  return gradients;
}

MatrixD normed(NormKind kind, const MatrixD& x, double epsilon) {
  Tape<double> tape;
  tape.begin(nullptr, nullptr, {.differentiates = false});
  const Tensor<double> in = tape.input(x), gain = tape.input(MatrixD::Ones(1, x.cols())),
                       shift = tape.input(MatrixD::Zero(1, x.cols()));
  switch (kind) {
    case NormKind::layer: return layer_norm(tape, in, gain, shift, epsilon).matrix();
    case NormKind::rms: return rms_norm(tape, in, gain, epsilon).matrix();
    case NormKind::batch: break;
  }
  return batch_norm(tape, in, gain, shift, epsilon).matrix();
}

}  // namespace core::model
