#include "app/labs/shared/model/traced.h"

namespace lab {

Matrix head_matrix(const core::model::Traced<float>& traced, Index head) {
  const Index n = traced.shape[2], m = traced.shape[3];
  return Eigen::Map<const Matrix>(traced.values.data() + head * n * m, n, m);
}

Matrix row_matrix(const core::model::Traced<float>& traced) {
  const Index width = traced.shape.back();
  return Eigen::Map<const Matrix>(traced.values.data(), traced.size() / width, width);
}

}  // namespace lab
