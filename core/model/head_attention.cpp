#include "core/model/head_attention.h"

#include <cmath>

namespace core::model {
namespace {

Eigen::Map<const Matrix> rows_of(const Traced<float>& traced) {
  const Index width = traced.shape.back();
  return {traced.values.data(), traced.size() / width, width};
}

}  // namespace

std::vector<double> HeadAttention::scores() const {
  const double root = std::sqrt(static_cast<double>(query.size()));
  std::vector<double> all;
  for (Index j = 0; j < keys.rows(); ++j) {
    double product = 0;
    for (Index d = 0; d < query.size(); ++d) product += query(d) * keys(j, d);
    all.push_back((scale ? product * *scale : product / root) + (added.size() > 0 ? added(j) : 0));
  }
  return all;
}

HeadAttention head_attention(const Matrix& queries, const Matrix& keys, const HeadOfMany& of,
                             Index token) {
  const Index width = queries.cols() / of.heads;
  const Index shared = of.head / (of.heads / of.key_heads);
  HeadAttention look;
  look.query = queries.row(token).segment(of.head * width, width).transpose().cast<double>();
  look.keys = keys.middleCols(shared * width, width).cast<double>();
  return look;
}

HeadAttention head_attention(const Trace<float>& trace, const std::string& attention,
                             const HeadOfMany& of, Index token) {
  HeadAttention look = head_attention(rows_of(trace.at(attention + "queries")),
                                      rows_of(trace.at(attention + "keys")), of, token);
  if (const Traced<float>* const bias = trace.find(attention + "bias")) {
    const Index n = bias->shape[1], m = bias->shape[2];
    const float* const row = bias->values.data() + (of.head * n + token) * m;
    look.added = Eigen::Map<const Vector>(row, m).cast<double>();
  }
  return look;
}

}  // namespace core::model
