#include "core/position/sinusoidal/angle_table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace angle_table_test {

using core::Index;
using core::VectorD;

TEST_CASE("Angle table: by hand, and only the cells it is given are written") {
  const VectorD theta = VectorD::Constant(1, 0.5);
  std::vector<float> cells(3 * 4, -7);
  core::fill_angle_table(
      theta, 2, 3, {.sine = cells.data(), .cosine = cells.data() + 2, .stride = 4, .step = 1}, 1);
  for (size_t p = 0; p < 3; ++p) {
    const double angle = 0.5 * static_cast<double>(p + 2);
    CHECK(cells[4 * p] == doctest::Approx(std::sin(angle)).epsilon(1e-7));
    CHECK(cells[4 * p + 1] == -7);
    CHECK(cells[4 * p + 2] == doctest::Approx(std::cos(angle)).epsilon(1e-7));
    CHECK(cells[4 * p + 3] == -7);
  }
}

TEST_CASE("Angle table: a row does not depend on where the table begins") {
  const VectorD theta = VectorD::LinSpaced(5, 0.1, 1);
  std::vector<float> long_table(200 * 10), part(60 * 10);
  const auto fill = [&](std::vector<float>& cells, Index first, Index n) {
    core::fill_angle_table(
        theta, first, n,
        {.sine = cells.data(), .cosine = cells.data() + 1, .stride = 10, .step = 2});
  };
  fill(long_table, 0, 200);
  fill(part, 77, 60);
  for (size_t k = 0; k < part.size(); ++k) CHECK(part[k] == long_table[770 + k]);
}

TEST_CASE("Angle table refuses nonsense in a sentence") {
  float cell = 0;
  const VectorD theta = VectorD::Ones(1);
  const core::AngleTarget target{&cell, &cell, 1, 1};
  CHECK_THROWS_AS(core::fill_angle_table(theta, -1, 1, target), core::InputError);
  CHECK_THROWS_AS(core::fill_angle_table(theta, 0, -1, target), core::InputError);
  CHECK_THROWS_AS(core::fill_angle_table(theta, Index{1} << 53, 1, target), core::InputError);
  CHECK_THROWS_WITH_AS(core::fill_angle_table(theta, 0, 1, {&cell, &cell, 1, 3}),
                       "fill_angle_table: expected a step of 1 or 2, got 3", core::InputError);
}

}  // namespace angle_table_test
