#include "core/attention/streaming/streaming.h"

#include <doctest/doctest.h>

#include <limits>
#include <thread>

#include "attention/naive.h"
#include "core/attention/fast/weight_tile.h"
#include "eventually.h"

namespace streaming_test {

using core::AttentionOptions;
using core::AttentionShape;
using core::Index;
using core::Mask;
using core::Matrix;
using core::TileKind;
using core::TileRequest;
using naive::Inputs;

namespace {

AttentionOptions options_for(const AttentionShape& shape, core::Isa isa) {
  AttentionOptions options;
  options.heads = shape.heads;
  options.scale = 1 / std::sqrt(static_cast<float>(shape.d_k));
  options.isa = isa;
  return options;
}

// Pools allowed cells of `matrix` in double; what the tiles and overviews answer to.
struct Pooled {
  core::MatrixD max, mean;
  core::BoolMatrix any;
};

Pooled pool(const core::MatrixD& matrix, const std::optional<Mask>& mask, const TileRequest& part) {
  const Index cell = Index{1} << part.level;
  const Index rows = (part.r1 - part.r0 + cell - 1) / cell,
              cols = (part.c1 - part.c0 + cell - 1) / cell;
  Pooled pooled;
  pooled.mean = core::MatrixD::Zero(rows, cols);
  pooled.max = core::MatrixD::Zero(rows, cols);  // by size
  core::MatrixD count = pooled.mean;
  for (Index i = part.r0; i < part.r1; ++i) {
    for (Index j = part.c0; j < part.c1; ++j) {
      if (!naive::allowed(mask, i, j)) continue;
      const Index a = (i - part.r0) / cell, b = (j - part.c0) / cell;
      const double value = matrix(i, j);
      pooled.mean(a, b) += value;
      double& max = pooled.max(a, b);
      if (!std::isnan(max) && !(std::abs(value) <= std::abs(max))) max = value;
      ++count(a, b);
    }
  }
  pooled.any = count.array() > 0;
  pooled.mean.array() /= count.array();
  return pooled;
}

// Cells agree within absolute + relative * |expected|; masked ones are marked, and only those.
bool same(const Matrix& got, const core::MatrixD& expected, const core::BoolMatrix& any,
          double relative, double absolute) {
  if (got.rows() != expected.rows() || got.cols() != expected.cols()) return false;
  for (Index i = 0; i < got.size(); ++i) {
    const float cell = got.data()[i];
    const double value = expected.data()[i];
    if (core::is_masked(cell) == any.data()[i]) return false;
    if (!any.data()[i]) continue;
    const double tolerance = absolute + relative * std::abs(value);
    if (!naive::agree(static_cast<double>(cell), value, tolerance)) return false;
  }
  return true;
}

// Relative differences between ways to compute the same weight in float: exp twice (1 ulp each, its
// argument rounded at up to 88), rescaling, sums in another order (m <= 2100 terms in 4 to 32
// lanes), pooling up to 2^10 cells: below 300 ulp in all.
constexpr double kRounding = 300 * naive::kUlp;

void check_streamed(const Inputs& in, const AttentionOptions& options, Index limit) {
  const core::Attention kept = core::attend_fast(in.Q, in.K, in.V, options);
  const core::StreamedAttention streamed = core::stream_attention(in.Q, in.K, in.V, options, limit);
  const AttentionShape& shape = kept.shape;
  const Index cell = Index{1} << streamed.level;
  REQUIRE((shape.n + cell - 1) / cell <= limit);
  core::Attention as_kept;
  as_kept.output = streamed.output;
  as_kept.row_max = streamed.row_max;
  as_kept.row_sum = streamed.row_sum;
  as_kept.entropy = streamed.entropy;
  CHECK(naive::difference(as_kept, in, options) == "");
  for (std::size_t h = 0; h < kept.weights.size(); ++h) {
    const TileRequest all{.r1 = shape.n, .c1 = shape.m, .level = streamed.level};
    const Pooled pooled = pool(kept.weights[h].matrix().cast<double>(), options.mask, all);
    CHECK(same(streamed.overview_max[h], pooled.max, pooled.any, kRounding, 1e-37));
    CHECK(same(streamed.overview_mean[h], pooled.mean, pooled.any, kRounding, 1e-37));
  }
}

}  // namespace

TEST_CASE("the masked mark is a NaN that is told from others") {
  CHECK(core::is_masked(core::kMasked));
  CHECK(std::isnan(core::kMasked));
  CHECK_FALSE(core::is_masked(std::numeric_limits<float>::quiet_NaN()));
  CHECK_FALSE(core::is_masked(0));
  CHECK(core::overview_level(512, 512, 512) == 0);
  CHECK(core::overview_level(513, 1, 512) == 1);
  CHECK(core::overview_level(16384, 16384, 512) == 5);
  CHECK(core::overview_level(0, 0, 1) == 0);
  CHECK_THROWS_AS(core::overview_level(4, 4, 0), core::InputError);
}

TEST_CASE("streamed attention equals the kept one: every mask, every kernel, every level" *
          doctest::test_suite("long")) {
  const AttentionShape shapes[] = {{1, 1, 1, 1, 1},      {0, 3, 1, 2, 2},      {3, 0, 2, 2, 2},
                                   {65, 130, 2, 7, 20},  {130, 65, 1, 64, 64}, {77, 1100, 2, 5, 3},
                                   {200, 600, 1, 17, 65}};
  unsigned seed = 40;
  for (const AttentionShape& shape : shapes) {
    const Inputs in = naive::random_inputs(shape, ++seed);
    int kind = 0;
    for (const Mask& mask : naive::masks(shape.n, shape.m)) {
      for (const core::Isa isa : core::available_isas()) {
        CAPTURE(shape.n);
        CAPTURE(shape.m);
        CAPTURE(kind);
        CAPTURE(static_cast<int>(isa));
        AttentionOptions options = options_for(shape, isa);
        options.mask = mask;
        options.threads = 1 + kind % 3;
        const Index limits[] = {5, 40, 2000};
        check_streamed(in, options, limits[kind % 3]);
      }
      ++kind;
    }
  }
}

TEST_CASE("streamed attention with a bias, with rows that grow, with NaN and infinity" *
          doctest::test_suite("long")) {
  const AttentionShape shape{70, 1500, 1, 8, 4};
  const Inputs clean = naive::random_inputs(shape);
  // Later keys win: the running maximum rises in every chunk.
  Matrix bias = naive::random_matrix(shape.n, shape.m, 9);
  for (Index j = 0; j < shape.m; ++j) bias.col(j).array() += static_cast<float>(j) / 10;
  bias.row(5).head(600).setConstant(-std::numeric_limits<float>::infinity());
  for (const core::Isa isa : core::available_isas()) {
    AttentionOptions options = options_for(shape, isa);
    options.bias = {naive::shared(bias)};
    check_streamed(clean, options, 100);
    options.bias.clear();
    for (const Mask& mask : naive::masks(shape.n, shape.m)) {
      for (const float bad :
           {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        options.mask = mask;
        Inputs in = clean;
        in.Q(3, 1) = bad;
        check_streamed(in, options, 50);
        in = clean;
        in.K(10, 1) = bad;
        in.V(11, 1) = bad;
        check_streamed(in, options, 50);
      }
    }
  }
}

TEST_CASE("tiles equal the pooled matrix: any corner, level, kind, mask and kernel" *
          doctest::test_suite("long")) {
  const AttentionShape shape{150, 1300, 2, 9, 3};
  const Inputs in = naive::random_inputs(shape);
  const Matrix bias = naive::random_matrix(shape.n, shape.m, 5);
  const TileRequest parts[] = {{.head = 1, .r0 = 0, .r1 = 150, .c0 = 0, .c1 = 1300, .level = 0},
                               {.head = 0, .r0 = 7, .r1 = 8, .c0 = 11, .c1 = 12, .level = 0},
                               {.head = 1, .r0 = 3, .r1 = 140, .c0 = 5, .c1 = 1290, .level = 2},
                               {.head = 0, .r0 = 1, .r1 = 150, .c0 = 100, .c1 = 1300, .level = 6},
                               {.head = 0, .r0 = 0, .r1 = 150, .c0 = 0, .c1 = 1300, .level = 30},
                               {.head = 0, .r0 = 9, .r1 = 9, .c0 = 9, .c1 = 20, .level = 1}};
  int kind = 0;
  for (const Mask& mask : naive::masks(shape.n, shape.m)) {
    for (const core::Isa isa : core::available_isas()) {
      AttentionOptions options = options_for(shape, isa);
      options.mask = mask;
      options.threads = 1 + kind % 3;
      if (kind % 2 == 1) options.bias = {naive::shared(bias)};
      const core::Attention kept = core::attend_fast(in.Q, in.K, in.V, options);
      for (TileRequest part : parts) {
        CAPTURE(kind);
        CAPTURE(part.level);
        const auto h = static_cast<std::size_t>(part.head);
        const naive::Head head = naive::attention(in, options, part.head);
        AttentionOptions raw = options;
        raw.scale = 1;
        raw.bias.clear();
        const core::MatrixD scores = naive::attention(in, raw, part.head).scores;
        for (const core::Pool pooling : {core::Pool::max, core::Pool::mean}) {
          part.pooling = pooling;
          const auto tile = [&](TileKind what) {
            part.kind = what;
            return weight_tile(in.Q, in.K, options, kept.row_max, kept.row_sum, part);
          };
          const auto chosen = [&](const Pooled& pooled) {
            return pooling == core::Pool::max ? pooled.max : pooled.mean;
          };
          const Pooled weights = pool(kept.weights[h].matrix().cast<double>(), mask, part);
          CHECK(same(tile(TileKind::weight), chosen(weights), weights.any, kRounding, 1e-37));
          const Pooled raws = pool(scores, mask, part), scaled = pool(head.scores, mask, part);
          for (const auto& [what, pooled] :
               {std::pair{TileKind::score, &raws}, {TileKind::scaled, &scaled}}) {
            const Matrix got = tile(what);
            const core::MatrixD expected = chosen(*pooled);
            // Scores may cancel: their error is relative to sum |q k|, here below 100.
            CHECK(same(got, expected, pooled->any, 0, 100 * naive::kUlp));
          }
        }
      }
    }
    ++kind;
  }
}

TEST_CASE("a tile of a row with a NaN is NaN where it is allowed") {
  const AttentionShape shape{40, 90, 1, 4, 4};
  Inputs in = naive::random_inputs(shape);
  in.Q(20, 0) = std::numeric_limits<float>::quiet_NaN();
  AttentionOptions options = options_for(shape, core::Isa::best);
  options.mask = Mask::causal(shape.n, shape.m);
  const core::StreamedAttention known = core::stream_attention(in.Q, in.K, in.V, options);
  for (const TileKind kind : {TileKind::score, TileKind::weight}) {
    for (const core::Pool pooling : {core::Pool::max, core::Pool::mean}) {
      const Matrix tile = weight_tile(
          in.Q, in.K, options, known.row_max, known.row_sum,
          {.r0 = 16, .r1 = 32, .c0 = 0, .c1 = 90, .level = 3, .kind = kind, .pooling = pooling});
      CHECK(std::isnan(tile(0, 2)));  // rows 16 to 23 and columns 16 to 23
      CHECK_FALSE(core::is_masked(tile(0, 2)));
      CHECK(std::isfinite(tile(1, 2)));
    }
  }
}

TEST_CASE("streaming and tiles can be cancelled, and refuse what does not fit") {
  const AttentionShape shape{3000, 3000, 2, 16, 16};
  const Inputs in = naive::random_inputs(shape);
  const AttentionOptions options = options_for(shape, core::Isa::best);
  std::stop_source source;
  std::atomic<float> progress{0};
  const core::Cancel cancel(source.get_token(), &progress);
  std::jthread stopper([&] {
    CHECK(eventually([&] { return progress.load() > 0; }));
    source.request_stop();
  });
  CHECK_THROWS_AS(for (int i = 0; i < 100; ++i)
                      stream_attention(in.Q, in.K, in.V, options, 512, cancel),
                  core::Cancelled);
  stopper.join();
  const Matrix rows = Matrix::Ones(2, 3000);
  const auto tile = [&](const TileRequest& request, const Matrix& sums) {
    return weight_tile(in.Q, in.K, options, rows, sums, request);
  };
  CHECK_THROWS_AS(weight_tile(in.Q, in.K, options, rows, rows, {.r1 = 9, .c1 = 9}, cancel),
                  core::Cancelled);
  CHECK_NOTHROW(tile({.r1 = 9, .c1 = 9}, rows));
  CHECK_NOTHROW(tile({.r1 = 9, .c1 = 9, .kind = TileKind::score}, Matrix()));
  CHECK_THROWS_AS(tile({.r1 = 9, .c1 = 9}, Matrix()), core::InputError);
  CHECK_THROWS_AS(tile({.head = 2, .r1 = 9, .c1 = 9}, rows), core::InputError);
  CHECK_THROWS_AS(tile({.r0 = 10, .r1 = 9, .c1 = 9}, rows), core::InputError);
  CHECK_THROWS_AS(tile({.r1 = 9, .c1 = 3001}, rows), core::InputError);
  CHECK_THROWS_AS(tile({.r1 = 9, .c1 = 9, .level = 31}, rows), core::InputError);
}

}  // namespace streaming_test
