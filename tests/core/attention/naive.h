// The double loop that the fast versions answer to: equation 1 as it is written, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/attention/fast/fast.h"

namespace naive {

using core::Index;
using core::Mask;
using core::Matrix;
using core::MatrixD;

constexpr double kUlp = std::numeric_limits<float>::epsilon();  // 2^-23: one ulp at most, relative

struct Inputs {
  Matrix Q, K, V;
};

inline Matrix random_matrix(Index rows, Index cols, unsigned seed, float size = 1) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, size);
  Matrix matrix(rows, cols);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = normal(generator);
  return matrix;
}

inline Inputs random_inputs(const core::AttentionShape& shape, unsigned seed = 1) {
  return {random_matrix(shape.n, shape.heads * shape.d_k, seed),
          random_matrix(shape.m, shape.heads * shape.d_k, seed + 1),
          random_matrix(shape.m, shape.heads * shape.d_v, seed + 2)};
}

// As options hold it.
inline std::shared_ptr<const Matrix> shared(const Matrix& matrix) {
  return std::make_shared<const Matrix>(matrix);
}

struct Head {
  MatrixD scores;               // scaled, bias included; masked ones too
  MatrixD weights;              // masked: 0
  MatrixD output, output_size;  // the second: sum of weight * |value|, for tolerances
  std::vector<double> row_max, row_sum, entropy;
  // How far a float score of that row may be from the true one: d_k + 3 roundings, each of half an
  // ulp of at most scale * sum |q k| + |bias|.
  std::vector<double> score_error;
};

inline bool allowed(const std::optional<Mask>& mask, Index i, Index j) {
  return !mask || mask->allowed(i, j);
}

inline void soften(const core::AttentionOptions& options, Index i, Head& head) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Index m = head.scores.cols();
  double max = -infinity, sum = 0, weighted = 0;
  bool any = false, nan = false;
  for (Index j = 0; j < m; ++j) {
    if (!allowed(options.mask, i, j)) continue;
    any = true;
    nan = nan || std::isnan(head.scores(i, j));
    max = std::max(max, head.scores(i, j));
  }
  if (any && (nan || std::isinf(max))) max = std::nan("");
  for (Index j = 0; j < m; ++j) {
    if (!allowed(options.mask, i, j)) continue;
    const double t = head.scores(i, j) - max;
    head.weights(i, j) = std::exp(t);
    sum += head.weights(i, j);
    if (t > -infinity || std::isnan(t)) weighted += head.weights(i, j) * t;
  }
  if (any)
    head.weights.row(i) = (head.weights.row(i).array() == 0).select(0, head.weights.row(i) / sum);
  head.row_max.push_back(max);
  head.row_sum.push_back(sum);
  head.entropy.push_back(any ? std::log(sum) - weighted / sum : 0);
}

inline Head attention(const Inputs& in, const core::AttentionOptions& options, Index head) {
  const core::AttentionShape shape = core::attention_shape(in.Q, in.K, in.V, options.head_count());
  Head result;
  result.scores = result.weights = MatrixD::Zero(shape.n, shape.m);
  result.output = result.output_size = MatrixD::Zero(shape.n, shape.d_v);
  const Matrix* bias = nullptr;
  if (!options.bias.empty()) {
    bias = options.bias[options.bias.size() == 1 ? 0 : static_cast<std::size_t>(head)].get();
  }
  const auto scale = static_cast<double>(options.scale_for(shape.d_k));
  for (Index i = 0; i < shape.n; ++i) {
    double size = 0;
    for (Index j = 0; j < shape.m; ++j) {
      double score = 0, terms = 0;
      for (Index k = head * shape.d_k; k < (head + 1) * shape.d_k; ++k) {
        const double term = static_cast<double>(in.Q(i, k)) * static_cast<double>(in.K(j, k));
        score += term;
        terms += std::abs(term);
      }
      const double added = bias ? static_cast<double>((*bias)(i, j)) : 0;
      result.scores(i, j) = score * scale + added;
      if (!allowed(options.mask, i, j) || !std::isfinite(score)) continue;
      size = std::max(size, terms * std::abs(scale) + std::abs(added));
    }
    result.score_error.push_back(static_cast<double>(shape.d_k + 3) * kUlp / 2 * size);
    soften(options, i, result);
    for (Index j = 0; j < shape.m; ++j) {
      if (!allowed(options.mask, i, j)) continue;
      for (Index c = 0; c < shape.d_v; ++c) {
        const double term =
            result.weights(i, j) * static_cast<double>(in.V(j, head * shape.d_v + c));
        result.output(i, c) += term;
        result.output_size(i, c) += std::abs(term);
      }
    }
  }
  return result;
}

// Two numbers agree: within `tolerance`, or both NaN, or the same infinity.
inline bool agree(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= tolerance;
}

// Relative error that a weight of row i may have: every score of the row is off by score_error at
// most (the weight's own, and those in the sum), exp is within 2 ulp, subtracting the maximum
// rounds by half an ulp of the difference (up to 88), the sum of m terms in 32 lanes rounds m / 32
// + 5 times.
inline double weight_error(const Head& head, Index i) {
  const double m = static_cast<double>(head.scores.cols());
  const double scores = std::expm1(2 * head.score_error[static_cast<std::size_t>(i)]);
  return scores + (2 + 88 + m / 32 + 8) * kUlp;
}

// Compares everything that `result` says of one head; returns the first difference, or nothing.
inline std::string difference(const core::Attention& result, const Head& head, Index h) {
  const auto say = [&](const char* what, Index i, Index j, double got, double expected) {
    return std::string(what) + " of head " + std::to_string(h) + " at " + std::to_string(i) + ", " +
           std::to_string(j) + ": got " + std::to_string(got) + ", expected " +
           std::to_string(expected);
  };
  const auto number = [](float x) { return static_cast<double>(x); };
  for (Index i = 0; i < head.scores.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double relative = weight_error(head, i), error = head.score_error[row] + kUlp;
    const double max = number(result.row_max(h, i)), sum = number(result.row_sum(h, i));
    if (!agree(max, head.row_max[row], error)) return say("row_max", i, 0, max, head.row_max[row]);
    if (!agree(sum, head.row_sum[row], relative * head.row_sum[row])) {
      return say("row_sum", i, 0, sum, head.row_sum[row]);
    }
    // Entropy moves by at most |t| dp with |t| <= 88, and ln(sum) rounds once more.
    const double entropy = number(result.entropy(h, i));
    if (!agree(entropy, head.entropy[row], 20 * relative)) {
      return say("entropy", i, 0, entropy, head.entropy[row]);
    }
    for (Index j = 0; !result.weights.empty() && j < head.scores.cols(); ++j) {
      const double got = number(result.weights[static_cast<std::size_t>(h)](i, j));
      const double expected = head.weights(i, j);
      // Below the smallest normal number exp gives 0.
      const double tolerance = relative * expected + number(std::numeric_limits<float>::min());
      if (!agree(got, expected, expected == 0 ? 0 : tolerance)) {
        return say("weight", i, j, got, expected);
      }
    }
    const Index d_v = head.output.cols();
    for (Index c = 0; c < d_v; ++c) {
      const double got = number(result.output(i, h * d_v + c)), expected = head.output(i, c);
      const double tolerance = (relative + 4 * kUlp) * head.output_size(i, c) +
                               number(std::numeric_limits<float>::min());
      if (!agree(got, expected, tolerance)) return say("output", i, c, got, expected);
    }
  }
  return "";
}

inline std::string difference(const core::Attention& result, const Inputs& in,
                              const core::AttentionOptions& options) {
  for (Index h = 0; h < options.head_count(); ++h) {
    std::string found = difference(result, attention(in, options, h), h);
    if (!found.empty()) return found;
  }
  return "";
}

inline core::BoolMatrix random_bits(Index n, Index m, unsigned seed) {
  std::mt19937 generator(seed);
  core::BoolMatrix bits(n, m);
  for (Index i = 0; i < bits.size(); ++i) bits.data()[i] = generator() % 3 == 0;
  if (n > 2) bits.row(n / 2).setConstant(false);
  return bits;
}

// Every kind of mask for one shape.
inline std::vector<Mask> masks(Index n, Index m) {
  return {Mask::none(n, m),
          Mask::causal(n, m),
          Mask::local(n, m, 3),
          Mask::local(n, m, 0) & Mask::causal(n, m),
          Mask::key_padding(n, m, m / 2),
          Mask::query_padding(n, m, n / 2),
          Mask::dense(random_bits(n, m, 7)),
          Mask::dense(random_bits(n, m, 8)) & Mask::causal(n, m)};
}

}  // namespace naive
