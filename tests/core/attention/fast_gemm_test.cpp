#include <doctest/doctest.h>

#include "attention/naive.h"
#include "core/attention/fast/gemm.h"

namespace fast_gemm_test {

using core::Index;
using core::Matrix;
using core::Product;

TEST_CASE("products equal Eigen's in double: ragged sizes, every kernel, with and without a bias") {
  const Index sizes[] = {0, 1, 2, 3, 5, 17, 64, 65, 100, 257};
  unsigned seed = 0;
  for (const Index n : sizes) {
    for (const Index k : sizes) {
      const Index p = sizes[(n + 3 * k) % 10];
      const Matrix a = naive::random_matrix(n, k, ++seed), b = naive::random_matrix(k, p, ++seed);
      const core::Vector bias = naive::random_matrix(p, 1, ++seed);
      const core::MatrixD exact =
          (a.cast<double>() * b.cast<double>()).rowwise() + bias.cast<double>().transpose();
      const core::MatrixD size = a.cast<double>().cwiseAbs() * b.cast<double>().cwiseAbs();
      for (const core::Isa isa : core::available_isas()) {
        CAPTURE(n);
        CAPTURE(k);
        CAPTURE(p);
        Matrix c;
        const Product product{&a, &b, &bias, &c};
        core::multiply_into({&product, 1}, 1 + static_cast<int>(seed) % 3, {}, isa);
        REQUIRE(c.rows() == n);
        REQUIRE(c.cols() == p);
        // k + 1 roundings of half an ulp of a partial sum each.
        const double rounding = static_cast<double>(k + 1) * naive::kUlp / 2;
        const core::MatrixD bound = rounding * (size.array() + 10);
        const core::MatrixD error = (c.cast<double>() - exact).cwiseAbs();
        CHECK((error.array() <= bound.array()).all());
      }
      CHECK((core::multiply(a, b) - core::multiply(a, b, nullptr, 1)).isZero(0));
    }
  }
}

TEST_CASE("products refuse shapes that do not fit and can be cancelled") {
  const Matrix a = Matrix::Ones(3, 4), b = Matrix::Ones(5, 2);
  CHECK_THROWS_WITH_AS(core::multiply(a, b),
                       "multiply: expected as many columns on the left as rows on the right, got 3 "
                       "by 4 and 5 by 2",
                       core::InputError);
  const core::Vector bias = core::Vector::Ones(3);
  CHECK_THROWS_AS(core::multiply(b.transpose(), b, &bias), core::InputError);
  std::stop_source source;
  source.request_stop();
  Matrix c;
  const Product product{&a, &a, nullptr, &c};
  CHECK_THROWS_AS(core::multiply_into({&product, 1}, 1), core::InputError);
  const Matrix square = Matrix::Ones(4, 4);
  const Product good{&a, &square, nullptr, &c};
  CHECK_THROWS_AS(core::multiply_into({&good, 1}, 1, core::Cancel(source.get_token())),
                  core::Cancelled);
}

}  // namespace fast_gemm_test
