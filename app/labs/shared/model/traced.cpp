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

void append_heads(const Matrix& rows, Index heads, std::vector<float>& out) {
  const Index width = rows.cols() / heads;
  for (Index head = 0; head < heads; ++head) {
    const Matrix part = rows.middleCols(head * width, width);
    out.insert(out.end(), part.data(), part.data() + part.size());
  }
}

}  // namespace lab
