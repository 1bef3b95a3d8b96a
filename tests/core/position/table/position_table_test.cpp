#include "core/position/table/position_table.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/position/table/row_pairs.h"
#include "core/position/table/separation.h"
#include "position/draw.h"

namespace position_table_test {

using core::Index;
using core::MatrixD;
using core::PositionTable;
using core::VectorD;

TEST_CASE("A sinusoidal table keeps its first rows and knows all others") {
  const core::SinusoidalOptions options{.base = 50, .rule = core::FrequencyRule::tensor2tensor};
  const PositionTable table = core::sinusoidal_positions(100, 6, options, 10);
  CHECK(table.P.rows() == 10);
  CHECK(table.filled == 100);
  CHECK(table.has(-3));
  CHECK(table.has(1000000));
  for (const Index p : {0, 9, 10, 5000}) {
    CHECK(table.row(p).isApprox(core::sinusoidal_table(1, 6, options, p).row(0).transpose()));
  }
  CHECK(table.frequencies(6, 50) == table.theta);
  CHECK(table.frequencies(4, 9) == core::frequencies(4, 9, options.rule));
  CHECK(core::shift_positions(table, 7).error < 1e-12);
  CHECK(core::shift_positions(table, -7).error < 1e-12);
}

TEST_CASE("A grid's table shifts along x, and its frequencies are those of an axis") {
  const core::PositionGrid grid{3, 5, {.base = 20, .exponent = core::AxisExponent::whole_width}};
  const PositionTable table = core::grid_positions(grid, 8);
  CHECK(table.n == 15);
  CHECK(table.P == core::sinusoidal_2d(3, 5, 8, grid.options));
  CHECK_FALSE(table.has(15));
  CHECK_FALSE(table.has(-1));
  CHECK(table.theta == core::axis_frequencies(8, grid.options));
  CHECK(table.frequencies(8, 20) == table.theta);
  const core::TableShift shift = core::shift_positions(table, -2);
  CHECK_FALSE(shift.fit.has_value());
  CHECK(shift.error < 1e-12);
  CHECK((shift.map * table.row(9) - table.row(7)).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("Columns know their frequency and their half") {
  for (const auto layout :
       {core::SinusoidalLayout::interleaved, core::SinusoidalLayout::concatenated}) {
    const PositionTable table = core::sinusoidal_positions(9, 6, {.layout = layout}, 9);
    for (Index c = 0; c < 6; ++c) {
      const core::TableColumn column = table.column(c);
      CHECK(table.column_at(column.i, column.sine) == c);
      const double angle = 5 * table.theta(column.i);
      CHECK(table.row(5)(c) == (column.sine ? std::sin(angle) : std::cos(angle)));
      CHECK_FALSE(table.follows_x(column));
    }
  }
  for (const auto order : {core::AxisOrder::height_first, core::AxisOrder::width_first}) {
    const PositionTable table = core::grid_positions({3, 5, {.order = order}}, 8);
    for (Index c = 0; c < 8; ++c) {
      const core::TableColumn column = table.column(c);
      const double place = table.follows_x(column) ? 4 : 2;  // (y 2, x 4)
      const double angle = place * table.theta(column.i);
      CHECK(table.row(14)(c) == (column.sine ? std::sin(angle) : std::cos(angle)));
    }
  }
}

TEST_CASE("Kept rows shift by the formula of their base, or by least squares") {
  const MatrixD rows = core::sinusoidal_table(12, 4, {.base = 30});
  const core::TableShift waves = core::shift_positions(core::kept_positions(rows, 20, 30.0), 3);
  CHECK_FALSE(waves.fit.has_value());
  CHECK(waves.error < 1e-12);
  const PositionTable drawn = core::kept_positions(draw::matrix(12, 4, 3), 20);
  CHECK(drawn.theta.size() == 0);
  CHECK_FALSE(drawn.has(12));
  const core::TableShift fitted = core::shift_positions(drawn, 3);
  REQUIRE(fitted.fit.has_value());
  CHECK(fitted.map == core::fit_shift(drawn.P, 3).map);
  CHECK(fitted.error > 0.1);
  // Beyond the table: that of the farthest pair there is.
  CHECK(core::shift_positions(drawn, 50).map == core::fit_shift(drawn.P, 11).map);
}

TEST_CASE("Products and distances of rows by distance, by hand") {
  MatrixD P(3, 2);
  P << 1, 0, 0, 2, 3, 1;
  const core::ByDistance products = core::products_by_distance(P);
  CHECK(products.mean.isApprox(VectorD{{5, 1, 3}}));  // (1 + 4 + 10) / 3, (0 + 2) / 2, 3
  CHECK(products.least.isApprox(VectorD{{1, 0, 3}}));
  CHECK(products.largest.isApprox(VectorD{{10, 2, 3}}));
  const core::ByDistance distances = core::distances_by_distance(P);
  CHECK(distances.least.isApprox(VectorD{{0, std::sqrt(5.0), std::sqrt(5.0)}}));
  CHECK(distances.largest(1) == doctest::Approx(std::sqrt(10.0)));
  const core::ProductDecay decay = core::product_decay(core::kept_positions(P, 3), 1e6);
  CHECK_FALSE(decay.exact);
  CHECK(decay.envelope.isApprox(VectorD{{5, 3, 3}}));
  CHECK(decay.facts.first_rise == 2);
}

TEST_CASE("Products of a sinusoidal table are the same for every pair, as far as is affordable") {
  const PositionTable table = core::sinusoidal_positions(40, 8, {}, 40);
  const core::ProductDecay decay = core::product_decay(table, 1e6);
  CHECK(decay.exact);
  CHECK(decay.mean.isApprox(core::products_by_distance(table.P).mean, 1e-12));
  CHECK(decay.facts.first_rise == 4);  // sinusoidal_similarity.h
  CHECK(core::product_decay(table, 4 * 10).mean.size() == 11);
}

TEST_CASE("How near the nearest two rows are, by the formula and by all pairs") {
  const PositionTable waves = core::sinusoidal_positions(60, 2, {}, 60);
  const core::Separation by_formula = core::separation(waves, 0.05, 30);
  // One frequency of 1: 44 is near 7 turns, |PE(p+44) - PE(p)| = 2 sin(0.0089).
  REQUIRE(by_formula.first.has_value());
  CHECK(by_formula.first->lag == 44);
  CHECK(by_formula.distance.size() == 30);
  CHECK(by_formula.last == 59);
  const core::Separation by_pairs = core::separation(core::kept_positions(waves.P, 60), 0.05, 30);
  REQUIRE(by_pairs.records.size() == by_formula.records.size());
  for (std::size_t k = 0; k < by_pairs.records.size(); ++k) {
    CHECK(by_pairs.records[k].lag == by_formula.records[k].lag);
    CHECK(by_pairs.records[k].distance ==
          doctest::Approx(by_formula.records[k].distance).epsilon(1e-9));
  }
  CHECK(by_pairs.first->lag == 44);
  const core::PositionGrid grid{3, 9, {}};
  CHECK(core::separation(core::grid_positions(grid, 8), 0.05, 30).last == 8);
  CHECK(core::separation(core::kept_positions(waves.P.topRows(1), 5), 0.05, 30).records.empty());
  CHECK_THROWS_AS(core::separation(waves, 0, 30), core::InputError);
}

TEST_CASE("Records fall, and the first below a threshold is found, by hand") {
  const VectorD distance{{3, 5, 2, 2, 1}};
  const auto records = core::falling_records(distance);
  REQUIRE(records.size() == 3);
  CHECK(records[1].lag == 3);
  CHECK(records[2].distance == 1);
  CHECK(core::first_below(distance, 2.5)->lag == 3);
  CHECK_FALSE(core::first_below(distance, 1).has_value());
}

TEST_CASE("Other widths and bases of the same scheme") {
  const PositionTable table = core::sinusoidal_positions(60, 2, {}, 60);
  const core::SizesCompared sizes = core::compare_sizes(table, 10000, 0.05, 59);
  CHECK(sizes.widths == std::vector<int>{2, 4, 8, 16, 32, 64});
  CHECK(sizes.width_lengths[0] == 44);
  CHECK(sizes.width_records.size() == 4);
  CHECK(std::isnan(sizes.width_lengths[5]));
  CHECK(sizes.bases.size() == sizes.base_lengths.size());
  for (const double length : sizes.base_lengths) CHECK(length == 44);  // of one wave, any base
  const auto grid = core::grid_positions({3, 9, {}}, 8);
  CHECK(core::compare_sizes(grid, 10000, 0.05, 8).widths.front() == 4);
  CHECK(core::compare_sizes(core::kept_positions(table.P, 60), 1, 0.05, 59).widths.empty());
}

}  // namespace position_table_test
