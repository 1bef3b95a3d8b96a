#include "core/attention/fast/fast.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <thread>

#include "attention/naive.h"
#include "eventually.h"

namespace fast_test {

using core::AttentionOptions;
using core::AttentionShape;
using core::Index;
using core::Isa;
using core::Mask;
using core::Matrix;
using naive::Inputs;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

AttentionOptions options_for(const AttentionShape& shape, Isa isa, int threads = 1) {
  AttentionOptions options;
  options.heads = shape.heads;
  options.scale = 1 / std::sqrt(static_cast<float>(shape.d_k));
  options.isa = isa;
  options.threads = threads;
  return options;
}

void check(const Inputs& in, const AttentionOptions& options) {
  const core::Attention result = core::attend_fast(in.Q, in.K, in.V, options);
  CHECK(naive::difference(result, in, options) == "");
}

}  // namespace

TEST_CASE("fast attention by hand: two keys, scores 0 and ln 3") {
  for (const Isa isa : core::available_isas()) {
    Matrix Q(1, 1), K(2, 1), V(2, 1);
    Q << 1;
    K << 0, std::log(3.F);
    V << 4, 8;
    AttentionOptions options;
    options.isa = isa;
    const core::Attention result = core::attend_fast(Q, K, V, options);
    CHECK(result.weights[0](0, 0) == doctest::Approx(0.25));
    CHECK(result.weights[0](0, 1) == doctest::Approx(0.75));
    CHECK(result.output(0, 0) == doctest::Approx(7));
    CHECK(result.row_max(0, 0) == std::log(3.F));
    CHECK(result.row_sum(0, 0) == doctest::Approx(4.0 / 3));
    CHECK(result.entropy(0, 0) == doctest::Approx(std::log(4.0) - 0.75 * std::log(3.0)));
  }
}

TEST_CASE("fast attention equals the double loop: ragged sizes, every mask, every kernel" *
          doctest::test_suite("long")) {
  const AttentionShape shapes[] = {{1, 1, 1, 1, 1},      {2, 3, 1, 2, 5},       {5, 2, 2, 3, 17},
                                   {17, 5, 3, 5, 1},     {3, 64, 2, 64, 64},    {64, 65, 1, 17, 65},
                                   {65, 64, 2, 65, 3},   {100, 257, 1, 64, 64}, {257, 100, 2, 5, 2},
                                   {7, 130, 1, 100, 257}};
  unsigned seed = 1;
  for (const AttentionShape& shape : shapes) {
    const Inputs in = naive::random_inputs(shape, ++seed);
    int kind = 0;
    for (const Mask& mask : naive::masks(shape.n, shape.m)) {
      for (const Isa isa : core::available_isas()) {
        CAPTURE(shape.n);
        CAPTURE(shape.m);
        CAPTURE(kind);
        CAPTURE(static_cast<int>(isa));
        AttentionOptions options = options_for(shape, isa, 1 + kind % 3);
        options.mask = mask;
        check(in, options);
      }
      ++kind;
    }
  }
}

TEST_CASE("fast attention of nothing is empty, and of no keys is zero") {
  for (const AttentionShape& shape :
       {AttentionShape{0, 0, 1, 2, 3}, AttentionShape{0, 5, 2, 2, 3}, AttentionShape{5, 0, 2, 2, 3},
        AttentionShape{5, 4, 2, 2, 0}, AttentionShape{5, 4, 2, 0, 3}}) {
    for (const Isa isa : core::available_isas()) {
      AttentionOptions options = options_for(shape, isa);
      options.scale = 1;
      const Inputs in = naive::random_inputs(shape);
      check(in, options);
      CHECK(core::attend_fast(in.Q, in.K, in.V, options).shape == shape);
    }
  }
}

TEST_CASE("fast attention adds a bias, one for all heads or one for each") {
  const AttentionShape shape{37, 70, 2, 9, 11};
  const Inputs in = naive::random_inputs(shape);
  const Matrix first = naive::random_matrix(shape.n, shape.m, 11);
  Matrix second = naive::random_matrix(shape.n, shape.m, 12);
  second(3, 4) = -kInfinity;  // a mask in the other convention: weight 0
  for (const Isa isa : core::available_isas()) {
    AttentionOptions options = options_for(shape, isa);
    options.mask = Mask::causal(shape.n, shape.m);
    options.bias = {naive::shared(first)};
    check(in, options);
    options.bias = {naive::shared(first), naive::shared(second)};
    check(in, options);
    CHECK(core::attend_fast(in.Q, in.K, in.V, options).weights[1](3, 4) == 0);
  }
}

TEST_CASE("masked weights are exactly 0, rows sum to 1, negative scales are scales") {
  const AttentionShape shape{90, 333, 2, 16, 8};
  const Inputs in = naive::random_inputs(shape);
  for (const Isa isa : core::available_isas()) {
    AttentionOptions options = options_for(shape, isa);
    options.scale = -1.5F;
    options.mask = Mask::dense(naive::random_bits(shape.n, shape.m, 3));
    check(in, options);
    const core::Attention result = core::attend_fast(in.Q, in.K, in.V, options);
    for (Index i = 0; i < shape.n; ++i) {
      double sum = 0;
      for (Index j = 0; j < shape.m; ++j) {
        const float weight = result.weights[1](i, j);
        if (!options.mask->allowed(i, j)) REQUIRE(weight == 0);
        sum += static_cast<double>(weight);
      }
      // The normaliser rounds m / 32 + 5 times, 1 / sum and the product once each.
      const double tolerance = (static_cast<double>(shape.m) / 32 + 7) * naive::kUlp;
      CHECK(std::abs(sum - (i == shape.n / 2 ? 0 : 1)) <= tolerance);
    }
  }
}

TEST_CASE("large scores neither overflow nor vanish") {
  const AttentionShape shape{20, 50, 1, 4, 4};
  Inputs in = naive::random_inputs(shape);
  in.Q *= 100;
  in.K *= 100;  // scores of +-1e4 and more
  for (const Isa isa : core::available_isas()) {
    AttentionOptions options = options_for(shape, isa);
    options.scale = 1;
    check(in, options);
  }
}

TEST_CASE("NaN and infinity stay in the rows that see them") {
  const AttentionShape shape{30, 80, 2, 8, 20};
  const Inputs clean = naive::random_inputs(shape);
  for (const Isa isa : core::available_isas()) {
    for (const float bad : {kNan, kInfinity, -kInfinity}) {
      for (const Mask& mask : naive::masks(shape.n, shape.m)) {
        AttentionOptions options = options_for(shape, isa);
        options.mask = mask;
        Inputs in = clean;
        in.Q(3, 1) = bad;
        check(in, options);
        in = clean;
        in.K(60, 1) = bad;
        check(in, options);
        in = clean;
        in.V(60, 21) = bad;
        check(in, options);
      }
    }
  }
}

TEST_CASE("the number of threads changes no bit, and buffers are used again") {
  const AttentionShape shape{130, 150, 3, 12, 10};
  const Inputs in = naive::random_inputs(shape);
  AttentionOptions options = options_for(shape, Isa::best, 1);
  options.mask = Mask::causal(shape.n, shape.m);
  const core::Attention one = core::attend_fast(in.Q, in.K, in.V, options);
  core::Attention again = one;
  const float* memory = again.weights[2].data();
  for (const int threads : {2, 3, 0}) {
    options.threads = threads;
    core::attend_fast_into(in.Q, in.K, in.V, options, again);
    CHECK(again.weights[2].data() == memory);
    CHECK(again.weights[2].matrix() == one.weights[2].matrix());
    CHECK(again.output == one.output);
    CHECK(again.entropy == one.entropy);
  }
  options.keep_weights = false;
  core::attend_fast_into(in.Q, in.K, in.V, options, again);
  CHECK(again.weights.empty());
  CHECK(again.output == one.output);
}

TEST_CASE("large results are written past the cache and are the same" *
          doctest::test_suite("long")) {
  const AttentionShape shape{1031, 2059, 2, 3, 2};  // odd, so that rows begin anywhere
  const Inputs in = naive::random_inputs(shape);
  for (const Isa isa : core::available_isas()) {
    AttentionOptions options = options_for(shape, isa, 2);
    options.mask = Mask::local(shape.n, shape.m, 900);
    check(in, options);
  }
}

TEST_CASE("cancelled attention throws, reports progress and can be started again" *
          doctest::test_suite("long")) {
  const AttentionShape shape{600, 600, 4, 16, 16};
  const Inputs in = naive::random_inputs(shape);
  AttentionOptions options = options_for(shape, Isa::best, 2);
  core::Attention result;
  std::stop_source source;
  std::atomic<float> progress{0};
  const core::Cancel cancel(source.get_token(), &progress);
  std::jthread stopper([&] {
    CHECK(eventually([&] { return progress.load() > 0; }));
    source.request_stop();
  });
  CHECK_THROWS_AS(for (int i = 0; i < 1000; ++i)
                      core::attend_fast_into(in.Q, in.K, in.V, options, result, cancel),
                  core::Cancelled);
  stopper.join();
  CHECK(progress.load() > 0);
  core::attend_fast_into(in.Q, in.K, in.V, options, result);
  CHECK(naive::difference(result, in, options) == "");
}

TEST_CASE("fast attention refuses what does not fit, with a sentence") {
  const Matrix a = Matrix::Zero(3, 4), b = Matrix::Zero(5, 4), c = Matrix::Zero(5, 6);
  AttentionOptions options;
  options.heads = 2;
  CHECK_NOTHROW(core::attend_fast(a, b, c, options));
  CHECK_THROWS_WITH_AS(core::attend_fast(a, c, c, options),
                       "attention: expected as many columns in K as in Q, got 6 and 4",
                       core::InputError);
  CHECK_THROWS_AS(core::attend_fast(a, b, a, options), core::InputError);
  options.mask = Mask::none(3, 4);
  CHECK_THROWS_WITH_AS(core::attend_fast(a, b, c, options),
                       "attention: expected a mask of 3 by 5, got 3 by 4", core::InputError);
  options.mask.reset();
  options.bias = {naive::shared(a)};
  CHECK_THROWS_AS(core::attend_fast(a, b, c, options), core::InputError);
  options.bias.clear();
  options.heads = 3;
  CHECK_THROWS_AS(core::attend_fast(a, b, c, options), core::InputError);
  options.heads = 0;
  CHECK_THROWS_AS(core::attend_fast(a, b, c, options), core::InputError);
  options.heads = 2;
  options.threads = -1;
  CHECK_THROWS_AS(core::attend_fast(a, b, c, options), core::InputError);
}

}  // namespace fast_test
