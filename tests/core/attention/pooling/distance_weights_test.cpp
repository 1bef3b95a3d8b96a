#include "core/attention/pooling/distance_weights.h"

#include <doctest/doctest.h>

#include <cmath>

namespace distance_weights_test {

using core::VectorD;

TEST_CASE("heights of 175, 178 and 180 asked for 179, by hand") {
  const VectorD keys{{175, 178, 180}};
  // Distances 4, 1 and 1.
  CHECK(core::distance_share(179, keys).isApprox(VectorD{{4. / 6, 1. / 6, 1. / 6}}, 1e-15));
  CHECK(core::distance_share(179, keys).dot(VectorD{{70, 76, 81}}) ==
        doctest::Approx(72.833333333).epsilon(1e-9));
  CHECK(
      core::inverse_distance_weights(179, keys).isApprox(VectorD{{1. / 9, 4. / 9, 4. / 9}}, 1e-15));
}

TEST_CASE("a query at a key") {
  const VectorD keys{{175, 178, 178}};
  CHECK(core::inverse_distance_weights(178, keys) == VectorD{{0, 0.5, 0.5}});
  CHECK(core::distance_share(178, keys) == VectorD{{1, 0, 0}});
  CHECK(std::isnan(core::distance_share(178, VectorD{{178, 178}})(0)));
  CHECK(core::distance_share(1, VectorD()).size() == 0);
}

}  // namespace distance_weights_test
