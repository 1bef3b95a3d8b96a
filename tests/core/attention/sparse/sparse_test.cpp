#include "core/attention/sparse/sparse.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "attention/naive.h"
#include "attention/sparse_masks.h"
#include "eventually.h"

namespace sparse_test {

using core::AttentionOptions;
using core::AttentionShape;
using core::Index;
using core::Isa;
using core::KeyRun;
using core::Mask;
using core::Matrix;
using core::SparseMask;
using naive::Inputs;
using patterns::build;
using patterns::masks;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

AttentionOptions options_for(const AttentionShape& shape, Isa isa, int threads = 1) {
  AttentionOptions options;
  options.heads = shape.heads;
  options.scale = 1 / std::sqrt(static_cast<float>(std::max<Index>(1, shape.d_k)));
  options.keep_weights = true;
  options.isa = isa;
  options.threads = threads;
  return options;
}

// One head's weights as the n x m matrix that attend_fast keeps; 0 where nothing is kept.
core::HeadWeights spread(const core::SparseAttention& result, const SparseMask& mask, Index head) {
  core::HeadWeights weights;
  weights.resize(mask.rows(), mask.cols());
  std::fill_n(weights.data(), mask.rows() * mask.cols(), 0.F);
  for (Index i = 0; i < mask.rows(); ++i) {
    const std::span<const float> row = result.row_weights(head, i);
    std::size_t at = 0;
    for (const KeyRun& run : mask.row(i)) {
      for (std::int32_t t = 0; t < run.count; ++t) {
        weights.data()[i * mask.cols() + run.begin + Index{t} * run.step] = row[at++];
      }
    }
    REQUIRE(at == row.size());
  }
  return weights;
}

// Against the double loop under the dense mask.
std::string difference(const core::SparseAttention& result, const Inputs& in,
                       const SparseMask& mask, const AttentionOptions& options) {
  core::Attention dense;
  dense.shape = result.shape;
  for (Index head = 0; head < options.head_count() && options.keep_weights; ++head) {
    dense.weights.push_back(spread(result, mask, head));
  }
  dense.output = result.output;
  dense.row_max = result.row_max;
  dense.row_sum = result.row_sum;
  dense.entropy = result.entropy;
  core::AttentionOptions plain;
  plain.heads = options.heads;
  plain.scale = options.scale;
  plain.mask = Mask::dense(mask.dense());
  return naive::difference(dense, in, plain);
}

void check(const Inputs& in, const SparseMask& mask, const AttentionOptions& options) {
  const core::SparseAttention result = core::attend_sparse(in.Q, in.K, in.V, mask, options);
  CHECK(difference(result, in, mask, options) == "");
}

}  // namespace

TEST_CASE("sparse attention by hand: keys 1 and 3 of 4, scores 0 and ln 3") {
  for (const Isa isa : core::available_isas()) {
    Matrix Q(2, 1), K(4, 1), V(4, 1);
    Q << 1, 1;
    K << 50, 0, 60, std::log(3.F);
    V << kNan, 4, kInfinity, 8;
    const SparseMask mask = build(2, 4, [](Index i, std::vector<KeyRun>& runs) {
      if (i == 0) runs.push_back({1, 2, 2});  // the second row keeps nothing
    });
    const core::SparseAttention result =
        core::attend_sparse(Q, K, V, mask, {.keep_weights = true, .isa = isa});
    REQUIRE(result.row_weights(0, 0).size() == 2);
    CHECK(result.row_weights(0, 0)[0] == doctest::Approx(0.25));
    CHECK(result.row_weights(0, 0)[1] == doctest::Approx(0.75));
    CHECK(result.output(0, 0) == doctest::Approx(7));
    CHECK(result.row_max(0, 0) == std::log(3.F));
    CHECK(result.row_sum(0, 0) == doctest::Approx(4.0 / 3));
    CHECK(result.entropy(0, 0) == doctest::Approx(std::log(4.0) - 0.75 * std::log(3.0)));
    CHECK(result.row_weights(0, 1).empty());
    CHECK(result.output(1, 0) == 0);
    CHECK(result.row_max(0, 1) == -kInfinity);
    CHECK(result.row_sum(0, 1) == 0);
    CHECK(result.entropy(0, 1) == 0);
  }
}

TEST_CASE("sparse attention equals the dense one: every structure, every kernel, ragged sizes" *
          doctest::test_suite("long")) {
  const AttentionShape shapes[] = {{1, 1, 1, 1, 1},     {2, 3, 1, 2, 5},       {17, 5, 3, 5, 1},
                                   {64, 65, 1, 17, 65}, {100, 257, 1, 64, 64}, {257, 100, 2, 5, 2},
                                   {130, 130, 2, 7, 33}};
  unsigned seed = 1;
  for (const AttentionShape& shape : shapes) {
    const Inputs in = naive::random_inputs(shape, ++seed);
    int kind = 0;
    for (const SparseMask& mask : masks(shape.n, shape.m)) {
      REQUIRE(mask.is_sound());
      for (const Isa isa : core::available_isas()) {
        CAPTURE(shape.n);
        CAPTURE(shape.m);
        CAPTURE(kind);
        CAPTURE(static_cast<int>(isa));
        check(in, mask, options_for(shape, isa, 1 + kind % 3));
      }
      ++kind;
    }
  }
}

TEST_CASE("sparse attention of nothing is empty, and of no keys is zero") {
  for (const AttentionShape& shape :
       {AttentionShape{0, 0, 1, 2, 3}, AttentionShape{0, 5, 2, 2, 3}, AttentionShape{5, 0, 2, 2, 3},
        AttentionShape{5, 4, 2, 2, 0}, AttentionShape{5, 4, 2, 0, 3}}) {
    for (const Isa isa : core::available_isas()) {
      const Inputs in = naive::random_inputs(shape);
      for (const SparseMask& mask : masks(shape.n, shape.m)) {
        check(in, mask, options_for(shape, isa));
      }
    }
  }
}

TEST_CASE("kept weights of a row sum to 1") {
  const AttentionShape shape{150, 333, 2, 16, 8};
  const Inputs in = naive::random_inputs(shape);
  for (const SparseMask& mask : masks(shape.n, shape.m)) {
    for (const Isa isa : core::available_isas()) {
      const core::SparseAttention result =
          core::attend_sparse(in.Q, in.K, in.V, mask, options_for(shape, isa));
      for (Index i = 0; i < shape.n; ++i) {
        double sum = 0;
        for (const float weight : result.row_weights(1, i)) sum += static_cast<double>(weight);
        // The normaliser rounds once a term at most, 1 / sum and the product once each.
        const double tolerance = (static_cast<double>(mask.kept(i)) + 7) * naive::kUlp;
        CHECK(std::abs(sum - (mask.kept(i) == 0 ? 0 : 1)) <= tolerance);
      }
    }
  }
}

TEST_CASE("sparse attention: NaN and infinity stay in the rows that see them" *
          doctest::test_suite("long")) {
  const AttentionShape shape{30, 80, 2, 8, 20};
  const Inputs clean = naive::random_inputs(shape);
  for (const Isa isa : core::available_isas()) {
    for (const float bad : {kNan, kInfinity, -kInfinity}) {
      int kind = 0;
      for (const SparseMask& mask : masks(shape.n, shape.m)) {
        CAPTURE(kind++);
        const AttentionOptions options = options_for(shape, isa);
        Inputs in = clean;
        in.Q(3, 1) = bad;
        check(in, mask, options);
        in = clean;
        in.K(27, 1) = bad;
        check(in, mask, options);
        in = clean;
        in.V(27, 21) = bad;
        check(in, mask, options);
      }
    }
  }
}

TEST_CASE("sparse attention: large scores neither overflow nor vanish") {
  const AttentionShape shape{40, 50, 1, 4, 4};
  Inputs in = naive::random_inputs(shape);
  in.Q *= 100;
  in.K *= 100;  // scores of +-1e4 and more
  for (const Isa isa : core::available_isas()) {
    for (const SparseMask& mask : masks(shape.n, shape.m)) {
      AttentionOptions options = options_for(shape, isa);
      options.scale = -1;
      check(in, mask, options);
    }
  }
}

TEST_CASE("sparse attention: the number of threads changes no bit, and buffers are used again") {
  const AttentionShape shape{700, 700, 3, 12, 10};
  const Inputs in = naive::random_inputs(shape);
  for (const SparseMask& mask : {patterns::strided(700, 700, 9), patterns::global(700, 700, 3),
                                 patterns::blocks(700, 700, 32)}) {
    AttentionOptions options = options_for(shape, Isa::best, 1);
    const core::SparseAttention one = core::attend_sparse(in.Q, in.K, in.V, mask, options);
    core::SparseAttention again = one;
    const float* memory = again.weights[2].data();
    for (const int threads : {2, 3, 0}) {
      options.threads = threads;
      core::attend_sparse_into(in.Q, in.K, in.V, mask, options, again);
      CHECK(again.weights[2].data() == memory);
      for (Index i = 0; i < shape.n; ++i) {
        REQUIRE(std::ranges::equal(again.row_weights(2, i), one.row_weights(2, i)));
      }
      CHECK(again.row_max == one.row_max);
      CHECK(again.row_sum == one.row_sum);
      CHECK(again.entropy == one.entropy);
      CHECK(again.output == one.output);
    }
    options.keep_weights = false;
    core::attend_sparse_into(in.Q, in.K, in.V, mask, options, again);
    CHECK(again.weights.empty());
    CHECK(again.output == one.output);
  }
}

// Packed keys and values of a quarter of a million are more than is packed at once.
TEST_CASE("sparse attention of many keys goes head by head") {
  const AttentionShape shape{250'000, 250'000, 2, 1, 1};
  const Inputs in = naive::random_inputs(shape);
  const SparseMask mask = patterns::window(shape.n, shape.m, 8);
  AttentionOptions options = options_for(shape, Isa::best, 0);
  options.keep_weights = false;
  const core::SparseAttention result = core::attend_sparse(in.Q, in.K, in.V, mask, options);
  for (Index i = 0; i < shape.n; i += 977) {
    for (Index head = 0; head < 2; ++head) {
      double sum = 0, weighted = 0;
      for (Index j = std::max<Index>(0, i - 8); j < std::min(shape.m, i + 9); ++j) {
        const double e = std::exp(static_cast<double>(in.Q(i, head) * in.K(j, head)));
        sum += e;
        weighted += e * static_cast<double>(in.V(j, head));
      }
      // 17 values of size 1 to 5, rounded about three times each.
      REQUIRE(std::abs(static_cast<double>(result.output(i, head)) - weighted / sum) < 1e-5);
    }
  }
}

TEST_CASE("cancelled sparse attention throws, reports progress and can be started again") {
  const AttentionShape shape{3000, 3000, 2, 16, 16};
  const Inputs in = naive::random_inputs(shape);
  const SparseMask mask = patterns::window(shape.n, shape.m, 64);
  AttentionOptions options = options_for(shape, Isa::best, 2);
  core::SparseAttention result;
  std::stop_source source;
  std::atomic<float> progress{0};
  const core::Cancel cancel(source.get_token(), &progress);
  std::jthread stopper([&] {
    CHECK(eventually([&] { return progress.load() > 0; }));
    source.request_stop();
  });
  CHECK_THROWS_AS(for (int i = 0; i < 1000; ++i)
                      core::attend_sparse_into(in.Q, in.K, in.V, mask, options, result, cancel),
                  core::Cancelled);
  stopper.join();
  CHECK(progress.load() > 0);
  core::attend_sparse_into(in.Q, in.K, in.V, mask, options, result);
  core::AttentionOptions plain;
  plain.heads = shape.heads;
  plain.scale = options.scale;
  plain.mask = Mask::local(shape.n, shape.m, 64);
  const core::Attention dense = core::attend_fast(in.Q, in.K, in.V, plain);
  // Both round differently: weights of at most 129 terms, each within some ulp (see naive.h).
  CHECK((dense.output - result.output).cwiseAbs().maxCoeff() < 2e-6F);
}

TEST_CASE("sparse attention refuses what does not fit, with a sentence") {
  const Matrix a = Matrix::Zero(3, 4), b = Matrix::Zero(5, 4), c = Matrix::Zero(5, 6);
  AttentionOptions options;
  options.heads = 2;
  CHECK_NOTHROW(core::attend_sparse(a, b, c, SparseMask(3, 5), options));
  CHECK_THROWS_WITH_AS(core::attend_sparse(a, b, c, SparseMask(3, 4), options),
                       "attention: expected a mask of 3 by 5, got 3 by 4", core::InputError);
  CHECK_THROWS_WITH_AS(core::attend_sparse(a, c, c, SparseMask(3, 5), options),
                       "attention: expected as many columns in K as in Q, got 6 and 4",
                       core::InputError);
  options.threads = -1;
  CHECK_THROWS_AS(core::attend_sparse(a, b, c, SparseMask(3, 5), options), core::InputError);
}

}  // namespace sparse_test
