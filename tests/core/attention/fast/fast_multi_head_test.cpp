#include "core/attention/fast/fast_multi_head.h"

#include <doctest/doctest.h>

#include "attention/naive.h"

namespace fast_multi_head_test {

using core::Index;
using core::Matrix;

namespace {

core::MultiHeadWeights random_weights(Index d_model, Index heads, Index d_k, Index d_v,
                                      Index d_out) {
  const float size = 1 / std::sqrt(static_cast<float>(d_model));
  core::MultiHeadWeights weights;
  weights.heads = heads;
  weights.W_q = naive::random_matrix(d_model, heads * d_k, 1, size);
  weights.W_k = naive::random_matrix(d_model, heads * d_k, 2, size);
  weights.W_v = naive::random_matrix(d_model, heads * d_v, 3, size);
  weights.W_o = naive::random_matrix(heads * d_v, d_out, 4, size);
  return weights;
}

// The largest difference between the layer and the same in double, Eigen's products throughout.
double layer_error(const Matrix& X_q, const Matrix& X_kv, const core::MultiHeadWeights& weights,
                   const core::AttentionOptions& options, const core::FastMultiHead& result) {
  const auto project = [](const core::MatrixD& X, const Matrix& W,
                          const std::optional<core::Vector>& b) {
    core::MatrixD Y = X * W.cast<double>();
    if (b) Y.rowwise() += b->cast<double>().transpose();
    return Y;
  };
  const core::MatrixD q = X_q.cast<double>(), kv = X_kv.cast<double>();
  const naive::Inputs in{project(q, weights.W_q, weights.b_q).cast<float>(),
                         project(kv, weights.W_k, weights.b_k).cast<float>(),
                         project(kv, weights.W_v, weights.b_v).cast<float>()};
  core::MatrixD heads(X_q.rows(), in.V.cols());
  for (Index h = 0; h < weights.heads; ++h) {
    const naive::Head head = naive::attention(in, options, h);
    heads.middleCols(h * head.output.cols(), head.output.cols()) = head.output;
  }
  const core::MatrixD output = project(heads, weights.W_o, weights.b_o);
  return (result.output.cast<double>() - output).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("a multi-head layer equals the same in double, for itself and across, all kernels") {
  const Matrix X = naive::random_matrix(37, 24, 5), Y = naive::random_matrix(50, 24, 6);
  core::MultiHeadWeights weights = random_weights(24, 3, 5, 7, 11);
  core::AttentionOptions options;
  options.heads = 3;
  options.scale = 1 / std::sqrt(5.F);
  for (const core::Isa isa : core::available_isas()) {
    options.isa = isa;
    // All sums are of at most 50 terms of size around 1, each rounded a few times: 1e-5 is 80 ulp.
    CHECK(layer_error(X, X, weights, options, multi_head_forward(X, X, weights, options)) < 1e-5);
    CHECK(layer_error(X, Y, weights, options, multi_head_forward(X, Y, weights, options)) < 1e-5);
  }
  weights.b_q = naive::random_matrix(15, 1, 7);
  weights.b_o = naive::random_matrix(11, 1, 8);
  core::FastMultiHead result = multi_head_forward(X, Y, weights, options);
  CHECK(layer_error(X, Y, weights, options, result) < 1e-5);
  const float* memory = result.attention.weights[1].data();
  core::AttentionOptions unscaled = options;
  unscaled.scale.reset();
  multi_head_forward_into(X, Y, weights, unscaled, result);
  CHECK(layer_error(X, Y, weights, options, result) < 1e-5);
  CHECK(result.attention.weights[1].data() == memory);
}

TEST_CASE("packed weights give the same to the last bit, and fit one kind of kernels") {
  const Matrix X = naive::random_matrix(37, 300, 5), Y = naive::random_matrix(50, 300, 6);
  core::MultiHeadWeights weights = random_weights(300, 3, 23, 30, 70);
  weights.b_k = naive::random_matrix(69, 1, 7);
  core::AttentionOptions options;
  for (const core::Isa isa : core::available_isas()) {
    options.isa = isa;
    const core::PackedMultiHeadWeights packed(weights, 1, isa);
    core::FastMultiHead result;
    multi_head_forward_into(X, Y, packed, options, result);
    CHECK(result.output == multi_head_forward(X, Y, weights, options).output);
    for (const core::Isa other : core::available_isas()) {
      options.isa = other;
      if (other == isa) continue;
      CHECK_THROWS_WITH_AS(multi_head_forward_into(X, Y, packed, options, result),
                           "multiply: expected a matrix packed for the kernels that multiply, got "
                           "one for others",
                           core::InputError);
    }
  }
}

TEST_CASE("a multi-head layer refuses matrices that do not fit") {
  const Matrix X = naive::random_matrix(4, 6, 1);
  core::MultiHeadWeights weights = random_weights(6, 2, 3, 3, 6);
  weights.W_o.resize(5, 6);
  CHECK_THROWS_AS(multi_head_forward(X, X, weights, {}), core::InputError);
  weights = random_weights(6, 2, 3, 3, 6);
  weights.heads = 4;
  CHECK_THROWS_AS(multi_head_forward(X, X, weights, {}), core::InputError);
}

}  // namespace fast_multi_head_test
