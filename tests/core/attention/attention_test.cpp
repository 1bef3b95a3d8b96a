#include "core/attention/attention.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace attention_test {

namespace {

using core::EmptyRow;
using core::Index;
using core::Mask;
using core::MatrixD;
using Options = core::AttentionOptionsD;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Sample {
  MatrixD Q = MatrixD::Random(3, 4), K = MatrixD::Random(5, 4), V = MatrixD::Random(5, 2);
  MatrixD bias = MatrixD::Random(3, 5);
};

// Central differences of sum(grad_output * output) over the entries of x, which f reads.
template <class Loss>
void check_gradient(MatrixD& x, const MatrixD& grad, Loss loss) {
  constexpr double kStep = 1e-6;
  REQUIRE(grad.rows() == x.rows());
  REQUIRE(grad.cols() == x.cols());
  for (Index i = 0; i < x.size(); ++i) {
    const double kept = x.data()[i];
    x.data()[i] = kept + kStep;
    const double up = loss();
    x.data()[i] = kept - kStep;
    const double down = loss();
    x.data()[i] = kept;
    CAPTURE(i);
    // Error about step^2 plus rounding / step.
    CHECK(std::fabs(grad.data()[i] - (up - down) / (2 * kStep)) <= 1e-8);
  }
}

}  // namespace

TEST_CASE("attention by hand") {
  MatrixD Q(1, 4), K(2, 4), V(2, 2);
  Q << 2, 0, 0, 0;
  K << std::log(3), 0, 0, 0, 0, 1, 1, 1;
  V << 4, 0, 0, 8;
  const auto got = core::attend(Q, K, V);  // scores 2 log 3 and 0, scaled by 1/2
  CHECK(got.scores(0, 0) == doctest::Approx(2 * std::log(3)).epsilon(1e-15));
  CHECK(got.scaled(0, 0) == doctest::Approx(std::log(3)).epsilon(1e-15));
  CHECK(got.weights(0, 0) == doctest::Approx(0.75).epsilon(1e-15));
  CHECK(got.output(0, 0) == doctest::Approx(3).epsilon(1e-15));
  CHECK(got.output(0, 1) == doctest::Approx(2).epsilon(1e-15));
}

TEST_CASE("the order of the keys does not matter, that of the queries is kept") {
  const Sample s;
  const MatrixD Qr = s.Q.colwise().reverse(), Kr = s.K.colwise().reverse(),
                Vr = s.V.colwise().reverse();
  const MatrixD plain = core::attend(s.Q, s.K, s.V).output;
  CHECK(core::attend(s.Q, Kr, Vr).output.isApprox(plain, 1e-14));
  CHECK(core::attend(Qr, s.K, s.V).output == MatrixD(plain.colwise().reverse()));
}

TEST_CASE("what is masked does not reach the output, NaN included") {
  Sample s;
  Options options;
  options.mask = Mask::key_padding(3, 5, 4);
  const auto clean = core::attend(s.Q, s.K, s.V, options);
  s.K.row(4).setConstant(kNaN);
  s.V.row(4).setConstant(kNaN);
  const auto got = core::attend(s.Q, s.K, s.V, options);
  CHECK(got.output == clean.output);
  CHECK((got.weights.col(4).array() == 0).all());
  const auto grad =
      core::attend_backward<double>(s.Q, s.K, s.V, got.weights, MatrixD::Ones(3, 2), options);
  CHECK(grad.Q.allFinite());
  CHECK((grad.K.row(4).array() == 0).all());
  CHECK((grad.V.row(4).array() == 0).all());
}

TEST_CASE("a query that sees no key") {
  const Sample s;
  Options options;
  options.mask = Mask::query_padding(3, 5, 2);
  CHECK((core::attend(s.Q, s.K, s.V, options).output.row(2).array() == 0).all());
  options.empty_row = EmptyRow::nan;
  CHECK(core::attend(s.Q, s.K, s.V, options).output.row(2).array().isNaN().all());
  options.empty_row = EmptyRow::uniform;
  CHECK(core::attend(s.Q, s.K, s.V, options).output.row(2).isApprox(s.V.colwise().mean(), 1e-14));
}

TEST_CASE("the gradients equal finite differences") {
  Sample s;
  const MatrixD grad_output = MatrixD::Random(3, 2);
  Options options;
  // The very matrix that is varied below.
  options.bias = {std::shared_ptr<const MatrixD>(&s.bias, [](const MatrixD*) {})};
  for (const auto& mask : {Mask::none(3, 5), Mask::causal(3, 5), Mask::query_padding(3, 5, 1)}) {
    for (const auto scale : {std::optional<double>(), std::optional(-0.7)}) {
      options.mask = mask;
      options.scale = scale;
      const auto loss = [&] {
        return core::attend(s.Q, s.K, s.V, options).output.cwiseProduct(grad_output).sum();
      };
      const auto weights = core::attend(s.Q, s.K, s.V, options).weights;
      const auto grad = core::attend_backward(s.Q, s.K, s.V, weights, grad_output, options);
      check_gradient(s.Q, grad.Q, loss);
      check_gradient(s.K, grad.K, loss);
      check_gradient(s.V, grad.V, loss);
      check_gradient(s.bias, grad.scaled, loss);
    }
  }
}

TEST_CASE("attention of nothing, of one, and of shapes that do not fit") {
  const Sample s;
  CHECK(core::attend(MatrixD(0, 4), s.K, s.V).output.rows() == 0);
  const auto no_keys = core::attend(s.Q, MatrixD(0, 4), MatrixD(0, 2));
  CHECK(no_keys.output == MatrixD::Zero(3, 2));
  CHECK(core::attend<double>(s.Q, s.K.topRows(1), s.V.topRows(1)).weights == MatrixD::Ones(3, 1));
  CHECK_THROWS_AS(core::attend(MatrixD(2, 0), MatrixD(2, 0), MatrixD(2, 2)), core::InputError);
  CHECK_THROWS_AS(core::attend(s.Q, s.V, s.V), core::InputError);
  CHECK_THROWS_WITH(core::attend(s.Q, s.K, s.Q),
                    "attend: expected as many values as keys, 5, got 3");
  Options options;
  options.mask = Mask::none(5, 3);
  CHECK_THROWS_WITH(core::attend(s.Q, s.K, s.V, options),
                    "attend: expected a mask of 3 by 5, got 5 by 3");
  options.mask.reset();
  options.bias = {std::make_shared<const MatrixD>(s.V)};
  CHECK_THROWS_AS(core::attend(s.Q, s.K, s.V, options), core::InputError);
  options.bias = {nullptr};
  CHECK_THROWS_AS(core::attend(s.Q, s.K, s.V, options), core::InputError);
  options.bias.clear();
  options.heads = 2;
  CHECK_THROWS_AS(core::attend(s.Q, s.K, s.V, options), core::InputError);
  options.heads = 1;
  options.scale = kNaN;
  CHECK_THROWS_AS(core::attend(s.Q, s.K, s.V, options), core::InputError);
  CHECK_THROWS_AS(core::attend_backward(s.Q, s.K, s.V, s.V, s.V), core::InputError);
  CHECK_THROWS_AS(core::attend_backward(s.Q, s.K, s.V, s.bias, s.V), core::InputError);
}

}  // namespace attention_test
