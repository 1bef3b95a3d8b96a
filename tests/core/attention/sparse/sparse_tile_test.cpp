#include "core/attention/sparse/sparse_tile.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "attention/naive.h"
#include "attention/sparse_masks.h"

namespace sparse_tile_test {

using core::AttentionOptions;
using core::AttentionShape;
using core::Index;
using core::Isa;
using core::KeyRun;
using core::Matrix;
using core::MatrixD;
using core::SparseMask;
using core::TileKind;
using core::TileRequest;

namespace {

AttentionOptions options_for(const AttentionShape& shape, Isa isa, int threads = 1) {
  AttentionOptions options;
  options.heads = shape.heads;
  options.scale = 1 / std::sqrt(static_cast<float>(shape.d_k));
  options.isa = isa;
  options.threads = threads;
  return options;
}

// The scores, scaled scores or weights of one head, whole, in double, from the double loop.
MatrixD whole(const naive::Inputs& in, const SparseMask& mask, const AttentionOptions& options,
              const TileRequest& request) {
  core::AttentionOptions plain;
  plain.heads = options.heads;
  plain.scale = request.kind == TileKind::score ? 1 : options.scale;
  plain.mask = core::Mask::dense(mask.dense());
  const naive::Head head = naive::attention(in, plain, request.head);
  return request.kind == TileKind::weight ? head.weights : head.scores;
}

// What is wrong with `tile`, or nothing.
std::string difference(const Matrix& tile, const MatrixD& all, const SparseMask& mask,
                       const TileRequest& request) {
  const Index cell = Index{1} << request.level;
  const core::BoolMatrix kept = mask.dense();
  for (Index a = 0; a < tile.rows(); ++a) {
    for (Index b = 0; b < tile.cols(); ++b) {
      double sum = 0, max = 0, count = 0, size = 0;
      for (Index i = request.r0 + a * cell; i < std::min(request.r1, request.r0 + (a + 1) * cell);
           ++i) {
        for (Index j = request.c0 + b * cell; j < std::min(request.c1, request.c0 + (b + 1) * cell);
             ++j) {
          if (!kept(i, j)) continue;
          ++count;
          sum += all(i, j);
          size = std::max(size, std::abs(all(i, j)));
          if (!std::isnan(max) && !(std::abs(all(i, j)) <= std::abs(max))) max = all(i, j);
        }
      }
      const double expected = request.pooling == core::Pool::max ? max : sum / count;
      const double got = static_cast<double>(tile(a, b));
      // Scores of d <= 33 terms of size 1 to 10 and weights below 1 in float: some 40 roundings.
      const double tolerance = 40 * naive::kUlp * std::max(size, 4.0);
      if (core::is_masked(tile(a, b)) ? count == 0
                                      : count > 0 && naive::agree(got, expected, tolerance)) {
        continue;
      }
      return "cell " + std::to_string(a) + ", " + std::to_string(b) + ": got " +
             std::to_string(got) + ", expected " + std::to_string(expected) + " of " +
             std::to_string(count);
    }
  }
  return "";
}

void check(const naive::Inputs& in, const SparseMask& mask, const AttentionOptions& options,
           const TileRequest& request) {
  const core::SparseAttention kept = core::attend_sparse(in.Q, in.K, in.V, mask, options);
  const Matrix tile =
      core::sparse_tile(in.Q, in.K, mask, options, kept.row_max, kept.row_sum, request);
  const Index cell = Index{1} << request.level;
  CHECK(tile.rows() == (request.r1 - request.r0 + cell - 1) / cell);
  CHECK(tile.cols() == (request.c1 - request.c0 + cell - 1) / cell);
  CHECK(difference(tile, whole(in, mask, options, request), mask, request) == "");
}

}  // namespace

TEST_CASE("a sparse tile by hand: four weights pooled into one cell, an empty cell beside it") {
  Matrix Q(2, 1), K(4, 1), row_max(1, 2), row_sum(1, 2);
  Q << 1, 2;
  K << 0, std::log(3.F), 0, 0;
  // Row 0 keeps keys 0 and 1: weights 1/4 and 3/4. Row 1 keeps them too: 1/10 and 9/10.
  const SparseMask mask = patterns::build(2, 4, [](Index, std::vector<KeyRun>& runs) {
    runs.push_back({0, 2, 1});
  });
  const core::SparseAttention kept = core::attend_sparse(Q, K, K, mask, {});
  TileRequest request{.r1 = 2, .c1 = 4, .level = 1};
  const auto tile = [&] {
    return core::sparse_tile(Q, K, mask, {}, kept.row_max, kept.row_sum, request);
  };
  CHECK(tile()(0, 0) == doctest::Approx(0.9));
  CHECK(core::is_masked(tile()(0, 1)));
  request.pooling = core::Pool::mean;
  CHECK(tile()(0, 0) == doctest::Approx(0.5));
  request.kind = TileKind::score;
  CHECK(tile()(0, 0) == doctest::Approx(0.75 * std::log(3.0)));
}

TEST_CASE("sparse tiles equal pooled weights: every structure, kernel, kind, level and part" *
          doctest::test_suite("long")) {
  const AttentionShape shape{150, 170, 2, 33, 4};
  const naive::Inputs in = naive::random_inputs(shape, 3);
  const TileRequest parts[] = {{.head = 1, .r0 = 0, .r1 = 150, .c0 = 0, .c1 = 170},
                               {.head = 0, .r0 = 37, .r1 = 101, .c0 = 13, .c1 = 160},
                               {.head = 1, .r0 = 149, .r1 = 150, .c0 = 140, .c1 = 141},
                               {.head = 1, .r0 = 20, .r1 = 20, .c0 = 3, .c1 = 9}};
  int rotate = 0;
  for (const SparseMask& mask : patterns::masks(shape.n, shape.m)) {
    for (const Isa isa : core::available_isas()) {
      for (TileRequest request : parts) {
        for (const int level : {0, 3, 9}) {
          request.level = level;
          request.kind = static_cast<TileKind>(rotate % 3);
          request.pooling = rotate % 2 == 0 ? core::Pool::max : core::Pool::mean;
          CAPTURE(rotate++);
          CAPTURE(static_cast<int>(isa));
          check(in, mask, options_for(shape, isa, 1 + rotate % 3), request);
        }
      }
    }
  }
}

TEST_CASE("a NaN makes its cells of a sparse tile NaN, and no others" *
          doctest::test_suite("long")) {
  const AttentionShape shape{90, 110, 1, 6, 4};
  naive::Inputs in = naive::random_inputs(shape, 8);
  in.Q(40, 2) = std::numeric_limits<float>::quiet_NaN();
  in.K(70, 1) = std::numeric_limits<float>::infinity();
  for (const SparseMask& mask : patterns::masks(shape.n, shape.m)) {
    for (const Isa isa : core::available_isas()) {
      for (const int level : {0, 2, 5}) {
        for (const core::Pool pooling : {core::Pool::max, core::Pool::mean}) {
          check(in, mask, options_for(shape, isa),
                {.r1 = 90, .c1 = 110, .level = level, .pooling = pooling});
        }
      }
    }
  }
}

TEST_CASE("sparse tiles do not depend on the number of threads") {
  const AttentionShape shape{1500, 1500, 1, 8, 8};
  const naive::Inputs in = naive::random_inputs(shape);
  const SparseMask mask = patterns::global(shape.n, shape.m, 2);
  AttentionOptions options = options_for(shape, Isa::best);
  const core::SparseAttention kept = core::attend_sparse(in.Q, in.K, in.V, mask, options);
  const TileRequest request{.r1 = 1500, .c1 = 1500, .level = 4, .pooling = core::Pool::mean};
  const auto bits = [&](int threads) {
    options.threads = threads;
    const Matrix tile =
        core::sparse_tile(in.Q, in.K, mask, options, kept.row_max, kept.row_sum, request);
    std::vector<std::uint32_t> all;
    for (const float x : tile.reshaped()) all.push_back(std::bit_cast<std::uint32_t>(x));
    return all;
  };
  CHECK(bits(1) == bits(2));
  CHECK(bits(1) == bits(3));
}

TEST_CASE("sparse tiles refuse what does not fit, and stop when they are cancelled") {
  const Matrix Q = Matrix::Zero(3, 4), K = Matrix::Zero(5, 4), rows = Matrix::Ones(1, 3);
  const SparseMask mask(3, 5);
  CHECK_NOTHROW(core::sparse_tile(Q, K, mask, {}, rows, rows, {.r1 = 3, .c1 = 5}));
  CHECK_THROWS_WITH_AS(core::sparse_tile(Q, K, SparseMask(3, 4), {}, rows, rows, {}),
                       "tile: expected a mask of 3 by 5, got 3 by 4", core::InputError);
  CHECK_THROWS_WITH_AS(
      core::sparse_tile(Q, K, mask, {}, rows, rows, {.r1 = 4, .c1 = 5}),
      "tile: expected rows within 0 to 3 and columns within 0 to 5, got 0 to 4 and 0 to 5",
      core::InputError);
  CHECK_THROWS_AS(core::sparse_tile(Q, K, mask, {}, Q, rows, {.r1 = 3, .c1 = 5}), core::InputError);
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(core::sparse_tile(Q, K, mask, {}, rows, rows, {.r1 = 3, .c1 = 5},
                                    core::Cancel(source.get_token())),
                  core::Cancelled);
}

}  // namespace sparse_tile_test
