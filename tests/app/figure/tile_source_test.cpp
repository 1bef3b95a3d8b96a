#include "app/figure/tile_source.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

namespace tile_source_test {

using namespace figure;
using core::Mask;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

core::Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  return core::Matrix::NullaryExpr(rows, cols, [&] { return normal(random); });
}

// What the header says, cell by cell.
float naive(const TileSource& source, int level, Index row, Index col, Pool pool) {
  float greatest = 0;
  double sum = 0;
  int count = 0;
  bool nan = false;
  const Index size = Index{1} << level;
  for (Index i = row * size; i < std::min(source.rows(), (row + 1) * size); ++i) {
    for (Index j = col * size; j < std::min(source.cols(), (col + 1) * size); ++j) {
      const float v = source.value(i, j);
      if (core::is_masked(v)) continue;
      nan = nan || std::isnan(v);
      const bool greater =
          std::abs(v) > std::abs(greatest) || (std::abs(v) == std::abs(greatest) && v > greatest);
      if (count == 0 || greater) greatest = v;
      sum += static_cast<double>(v);
      ++count;
    }
  }
  if (count == 0) return core::kMasked;
  if (nan) return kNaN;
  return pool == Pool::max ? greatest : static_cast<float>(sum / count);
}

bool same(float got, float wanted, Pool pool) {
  if (std::isnan(wanted)) {
    return std::isnan(got) && core::is_masked(got) == core::is_masked(wanted);
  }
  // The mean sums in double, in another order: it may differ by one rounding of the float.
  if (pool == Pool::mean && std::isfinite(wanted)) {
    return std::abs(got - wanted) <= 2e-7f * (1 + std::abs(wanted));
  }
  return got == wanted;
}

void check_all_levels(const DenseSource& source) {
  for (int level = 0; level <= 11; ++level) {
    const Region whole{0, 0, pooled_size(source.rows(), level), pooled_size(source.cols(), level)};
    const Region inner{whole.rows / 3, whole.cols / 4, whole.rows - whole.rows / 3,
                       (whole.cols - whole.cols / 4 + 1) / 2};
    for (const Pool pool : {Pool::max, Pool::mean}) {
      for (const Region& region : {whole, inner}) {
        std::vector<float> out(static_cast<std::size_t>(region.rows * region.cols), 7e7f);
        source.pooled(level, region, pool, out.data(), {});
        int wrong = 0;
        for (Index i = 0; i < region.rows; ++i) {
          for (Index j = 0; j < region.cols; ++j) {
            const float got = out[static_cast<std::size_t>(i * region.cols + j)];
            wrong += !same(got, naive(source, level, region.row + i, region.col + j, pool), pool);
          }
        }
        CHECK_MESSAGE(wrong == 0, "level " << level << " of " << source.rows() << " by "
                                           << source.cols() << ", pool " << static_cast<int>(pool));
      }
    }
  }
}

std::shared_ptr<const Mask> shared(Mask mask) { return std::make_shared<const Mask>(mask); }

}  // namespace

TEST_CASE("pooled cells are what the naive sums say, at every level and shape") {
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{64, 64}, {1, 700}, {37, 1029}, {65, 3}}) {
    check_all_levels(DenseSource(random_matrix(rows, cols, 1)));
    check_all_levels(DenseSource(random_matrix(rows, cols, 2), shared(Mask::causal(rows, cols))));
    check_all_levels(DenseSource(random_matrix(rows, cols, 3), shared(Mask::local(rows, cols, 5))));
    core::BoolMatrix bits = random_matrix(rows, cols, 4).array() > 0.8f;
    check_all_levels(DenseSource(random_matrix(rows, cols, 5), shared(Mask::dense(bits))));
  }
}

TEST_CASE("one NaN makes its block NaN; infinities and masked cells in the data keep their sense") {
  core::Matrix m = random_matrix(40, 530, 6);
  m(3, 4) = kNaN;
  m(39, 529) = -kNaN;
  m(20, 20) = std::numeric_limits<float>::infinity();
  m(30, 300) = -std::numeric_limits<float>::infinity();
  m.block(8, 8, 8, 8).setConstant(core::kMasked);
  m(0, 100) = 0.0f;
  const DenseSource source(m);
  check_all_levels(source);
  float cell = 0;
  source.pooled(3, {1, 1, 1, 1}, Pool::mean, &cell, {});
  CHECK(core::is_masked(cell));
  source.pooled(3, {0, 0, 1, 1}, Pool::max, &cell, {});
  CHECK(std::isnan(cell));
  CHECK_FALSE(core::is_masked(cell));
}

TEST_CASE("the pooled maximum keeps its sign; of two equal magnitudes the positive one") {
  core::Matrix m(2, 4);
  m << 1, -3, 2, -2, 2, 0, -2, 1;
  const DenseSource source(m);
  float cells[2];
  source.pooled(1, {0, 0, 1, 2}, Pool::max, cells, {});
  CHECK(cells[0] == -3);
  CHECK(cells[1] == 2);
}

TEST_CASE("level 0 is a copy with the masks put in") {
  const core::Matrix m = random_matrix(5, 7, 7);
  const DenseSource source(m, shared(Mask::causal(5, 7)));
  std::vector<float> out(35);
  source.pooled(0, {0, 0, 5, 7}, Pool::max, out.data(), {});
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 7; ++j) {
      const float got = out[static_cast<std::size_t>(i * 7 + j)];
      if (j <= i + 2) {
        CHECK(got == m(i, j));
      } else {
        CHECK(core::is_masked(got));
      }
    }
  }
}

TEST_CASE("what lies outside is refused") {
  const DenseSource source(random_matrix(5, 7, 8));
  float cell;
  const auto get = [&](int level, Region region) {
    source.pooled(level, region, Pool::max, &cell, {});
  };
  CHECK_THROWS_AS(get(0, {5, 0, 1, 1}), core::InputError);
  CHECK_THROWS_AS(get(0, {0, -1, 1, 1}), core::InputError);
  CHECK_THROWS_AS(get(1, {0, 4, 1, 1}), core::InputError);
  CHECK_THROWS_AS(get(-1, {0, 0, 1, 1}), core::InputError);
  CHECK_THROWS_AS(get(99, {0, 0, 1, 1}), core::InputError);
  CHECK_THROWS_AS(source.value(5, 0), core::InputError);
  CHECK_THROWS_AS(DenseSource(random_matrix(5, 7, 8), shared(Mask::none(7, 5))), core::InputError);
  CHECK_NOTHROW(DenseSource(core::Matrix(0, 0)).pooled(3, {}, Pool::max, &cell, {}));
}

TEST_CASE("a cancelled build leaves nothing half made") {
  const DenseSource source(random_matrix(64, 64, 9));
  std::stop_source stop;
  stop.request_stop();
  float cell = 0;
  CHECK_THROWS_AS(source.pooled(6, {0, 0, 1, 1}, Pool::max, &cell, core::Cancel(stop.get_token())),
                  core::Cancelled);
  source.pooled(6, {0, 0, 1, 1}, Pool::max, &cell, {});
  CHECK(same(cell, naive(source, 6, 0, 0, Pool::max), Pool::max));
}

TEST_CASE("many threads may ask at once; a level that is made costs only its cells") {
  const DenseSource source(random_matrix(300, 300, 10));
  CHECK(source.cost(2, {0, 0, 1, 1}, Pool::mean) == doctest::Approx(300 * 300 / 4.0));
  std::vector<std::vector<float>> got(8, std::vector<float>(75 * 75));
  {
    std::vector<std::jthread> threads;
    for (auto& out : got) {
      threads.emplace_back([&] { source.pooled(2, {0, 0, 75, 75}, Pool::mean, out.data(), {}); });
    }
  }
  for (const auto& out : got) CHECK(out == got[0]);
  CHECK(source.cost(2, {0, 0, 2, 2}, Pool::mean) == 1);
  CHECK(source.cost(2, {0, 0, 2, 2}, Pool::max) == doctest::Approx(300 * 300 / 4.0));
}

TEST_CASE("the level at which cells fit into pixels") {
  CHECK(level_for(14, 200) == 0);
  CHECK(level_for(200, 200) == 0);
  CHECK(level_for(201, 200) == 1);
  CHECK(level_for(4096, 256) == 4);
  CHECK(level_for(4096, 0) == 12);
  CHECK(pooled_size(5, 1) == 3);
  CHECK(pooled_size(0, 3) == 0);
}

}  // namespace tile_source_test
