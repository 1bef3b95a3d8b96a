#include "core/attention/multi_head.h"

#include <doctest/doctest.h>

#include <memory>

namespace multi_head_test {

namespace {

using core::Index;
using core::Mask;
using core::MatrixD;
using core::VectorD;
using Weights = core::MultiHeadWeightsD;
using Options = core::AttentionOptionsD;

// Three heads of d_k = 2 and d_v = 5, inputs of three widths, an output of a fourth.
Weights sample() {
  return {3,
          MatrixD::Random(4, 6),
          MatrixD::Random(7, 6),
          MatrixD::Random(3, 15),
          MatrixD::Random(15, 8),
          VectorD::Random(6),
          VectorD::Random(6),
          VectorD::Random(15),
          VectorD::Random(8)};
}

core::SharedMatrixOf<double> random_bias(Index n, Index m) {
  return std::make_shared<const MatrixD>(MatrixD::Random(n, m));
}

}  // namespace

TEST_CASE("multi-head attention by hand") {
  // Heads that copy one column each of two equal rows: weights 1/2, and concat is the input.
  Weights weights{2,
                  MatrixD::Identity(2, 2),
                  MatrixD::Identity(2, 2),
                  MatrixD::Identity(2, 2),
                  2 * MatrixD::Identity(2, 2),
                  {},
                  {},
                  {},
                  VectorD::Ones(2)};
  MatrixD x(2, 2);
  x << 3, 5, 3, 5;
  const auto got = core::multi_head(x, weights);
  REQUIRE(got.heads.size() == 2);
  CHECK(got.heads[1].Q == MatrixD::Constant(2, 1, 5));
  CHECK(got.heads[1].attended.scores == MatrixD::Constant(2, 2, 25));
  CHECK(got.heads[0].attended.weights == MatrixD::Constant(2, 2, 0.5));
  CHECK(got.concat == x);
  CHECK(got.output == MatrixD((2 * x).array() + 1));
}

TEST_CASE("each head is one attention of its own columns") {
  const Weights w = sample();
  const MatrixD q = MatrixD::Random(4, 4), k = MatrixD::Random(6, 7), v = MatrixD::Random(6, 3);
  Options options;
  options.mask = Mask::causal(4, 6);
  options.bias = {random_bias(4, 6), random_bias(4, 6), random_bias(4, 6)};
  const auto got = core::multi_head(q, k, v, w, options);
  const MatrixD Q = (q * w.W_q).rowwise() + w.b_q->transpose();
  const MatrixD K = (k * w.W_k).rowwise() + w.b_k->transpose();
  const MatrixD V = (v * w.W_v).rowwise() + w.b_v->transpose();
  for (Index i = 0; i < 3; ++i) {
    core::AttentionOptionsD one;
    one.mask = options.mask;
    one.bias = {options.bias[static_cast<size_t>(i)]};
    const auto want = core::attend<double>(Q.middleCols(2 * i, 2), K.middleCols(2 * i, 2),
                                           V.middleCols(5 * i, 5), one);
    const auto& head = got.heads[static_cast<size_t>(i)].attended;
    CHECK(head.weights.isApprox(want.weights, 1e-14));
    CHECK(got.concat.middleCols(5 * i, 5).isApprox(want.output, 1e-13));
    CHECK(head.weights.rowwise().sum().isApprox(VectorD::Ones(4), 1e-14));
    CHECK(head.weights(0, 3) == 0.0);
  }
  CHECK(got.output.cols() == 8);
  CHECK(got.mean_weights().rowwise().sum().isApprox(VectorD::Ones(4), 1e-14));
}

TEST_CASE("self-attention is equivariant under permutation, and one bias serves all heads") {
  const Weights w{2,
                  MatrixD::Random(4, 4),
                  MatrixD::Random(4, 4),
                  MatrixD::Random(4, 4),
                  MatrixD::Random(4, 4),
                  {},
                  {},
                  {},
                  {}};
  const MatrixD x = MatrixD::Random(5, 4), reversed = x.colwise().reverse();
  CHECK(core::multi_head(reversed, w)
            .output.isApprox(core::multi_head(x, w).output.colwise().reverse(), 1e-13));
  const auto bias = random_bias(5, 5);
  Options shared, each;
  shared.bias = {bias};
  each.bias = {bias, bias};
  CHECK(core::multi_head(x, w, shared).output == core::multi_head(x, w, each).output);
}

TEST_CASE("a query that sees no key gives the output bias") {
  const Weights w = sample();
  Options options;
  options.mask = Mask::query_padding(3, 2, 1);
  const auto got = core::multi_head<double>(MatrixD::Random(3, 4), MatrixD::Random(2, 7),
                                            MatrixD::Random(2, 3), w, options);
  CHECK((got.concat.bottomRows(2).array() == 0).all());
  CHECK(got.output.row(2) == w.b_o->transpose());
}

TEST_CASE("multi-head attention refuses what does not fit, and takes empty inputs") {
  const MatrixD q = MatrixD::Random(2, 4), k = MatrixD::Random(3, 7), v = MatrixD::Random(3, 3);
  const auto refused = [&](auto change) {
    Weights w = sample();
    Options options;
    change(w, options);
    CHECK_THROWS_AS(core::multi_head(q, k, v, w, options), core::InputError);
  };
  refused([](Weights& w, Options&) { w.heads = 0; });
  refused([](Weights& w, Options&) { w.heads = -3; });
  refused([](Weights& w, Options&) { w.heads = 2; });  // does not divide 15
  refused([](Weights& w, Options&) { w.W_q = MatrixD::Zero(5, 6); });
  refused([](Weights& w, Options&) { w.W_k = MatrixD::Zero(7, 9); });
  refused([](Weights& w, Options&) { w.W_o = MatrixD::Zero(14, 8); });
  refused([](Weights& w, Options&) { w.b_v = VectorD::Zero(6); });
  refused([](Weights&, Options& o) { o.mask = Mask::none(3, 2); });
  refused([](Weights&, Options& o) { o.bias = {random_bias(2, 3), random_bias(2, 3)}; });
  refused([](Weights&, Options& o) { o.bias = {random_bias(3, 3)}; });
  refused([](Weights&, Options& o) { o.bias = {nullptr}; });
  refused([](Weights&, Options& o) { o.heads = 2; });
  CHECK_THROWS_WITH(core::multi_head(k, k, v, sample()),
                    "multi_head: expected W_q with 7 rows, the input's width, got 4 by 6");
  CHECK(core::multi_head(MatrixD(0, 4), k, v, sample()).output.rows() == 0);
}

}  // namespace multi_head_test
