#include "core/attention/streaming/online_softmax.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/attention/softmax.h"

namespace online_softmax_test {

namespace {

using core::Index;
using core::VectorD;
using Online = core::OnlineSoftmax<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Online pushed(const VectorD& x, Index block) {
  Online state;
  for (Index i = 0; i < x.size(); i += block)
    state.push(x.segment(i, std::min(block, x.size() - i)));
  return state;
}

}  // namespace

TEST_CASE("online softmax by hand") {
  Online state;
  state.push(VectorD::Zero(2));
  CHECK(state.max() == 0.0);
  CHECK(state.sum() == 2.0);
  state.push(VectorD::Constant(1, std::log(4)));  // the old sum is worth 2/4 now
  CHECK(state.max() == std::log(4));
  CHECK(state.sum() == doctest::Approx(1.5).epsilon(1e-15));
  CHECK(state.weight(0) == doctest::Approx(1.0 / 6).epsilon(1e-15));
}

TEST_CASE("any blocks, in one go or merged, give softmax itself") {
  const VectorD x = VectorD::Random(37) * 30;
  const VectorD want = core::softmax(x);
  for (const Index block : {1, 2, 5, 36, 37, 100}) {
    CAPTURE(block);
    const Online state = pushed(x, block);
    // A rescaling a block costs at most an ulp of the sum each.
    CHECK((state.weights(x) - want).cwiseAbs().maxCoeff() <= 37 * 2.3e-16);
    CHECK(state.logsumexp() == doctest::Approx(core::logsumexp(x)).epsilon(1e-14));
  }
  Online left = pushed(x.head(20), 3), right = pushed(x.tail(17), 4);
  left.merge(right);
  CHECK((left.weights(x) - want).cwiseAbs().maxCoeff() <= 37 * 2.3e-16);
}

TEST_CASE("online softmax of nothing, minus infinity, infinity and NaN") {
  Online state;
  CHECK(state.weight(3) == 0.0);
  CHECK(state.logsumexp() == -kInf);
  state.push(VectorD());
  state.push(VectorD::Constant(3, -kInf));
  state.merge(Online());
  CHECK(state.sum() == 0.0);
  CHECK(state.weight(-kInf) == 0.0);
  state.push(VectorD::Zero(1));
  CHECK(state.weight(0) == 1.0);
  CHECK(state.weight(-kInf) == 0.0);
  Online infinite = state;
  infinite.push(VectorD::Constant(1, kInf));
  CHECK(std::isnan(infinite.weight(0)) ==
        std::isnan(core::softmax<double>(VectorD::Constant(1, kInf))(0)));
  state.push(VectorD::Constant(2, kNaN));
  state.push(VectorD::Zero(1));
  CHECK(std::isnan(state.weight(0)));
  CHECK(std::isnan(state.logsumexp()));
}

}  // namespace online_softmax_test
