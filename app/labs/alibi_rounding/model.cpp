#include "app/labs/alibi_rounding/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "app/figure/tile_source.h"
#include "core/parallel.h"
#include "core/random.h"

namespace lab::alibi_rounding {
namespace {

using core::AlibiRounder;

// Two lengths an octave.
std::vector<Index> curve_lengths() {
  std::vector<Index> lengths;
  for (int k = 8; k <= 40; ++k) {
    lengths.push_back(static_cast<Index>(std::llround(std::exp2(k / 2.0))));
  }
  return lengths;
}

Counts make_curves(const Parameters& p, const VectorD& slopes, const Context& context) {
  Counts counts;
  counts.lengths = curve_lengths();
  counts.curves.resize(static_cast<std::size_t>(slopes.size()));
  core::parallel_for(slopes.size(), context.threads, [&](Index head, int) {
    counts.curves[static_cast<std::size_t>(head)] =
        core::alibi_rounding_facts(counts.lengths, slopes(head), p.steps(), context.cancel);
  });
  return counts;
}

Counts make_counts(const Parameters& p, const VectorD& slopes, const Counts& curves,
                   const Context& context) {
  Counts counts = curves;
  counts.context.resize(static_cast<std::size_t>(slopes.size()));
  core::parallel_for(slopes.size(), context.threads, [&](Index head, int) {
    counts.context[static_cast<std::size_t>(head)] = core::alibi_rounding_facts(
        std::vector{Index{p.length}}, slopes(head), p.steps(), context.cancel)[0];
  });
  return counts;
}

Content make_content(const Parameters& p) {
  const Index n = p.tokens, d = p.width_of_head;
  const auto draw = [&](std::uint64_t stream) {
    core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), stream));
    MatrixD x(n, d);
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < d; ++c) x(i, c) = random.gaussian();
    }
    return x;
  };
  Content content{p.spread * draw(1), draw(2), {}};
  content.scores = content.Q * content.K.transpose() / std::sqrt(static_cast<double>(d));
  return content;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::shared_ptr<const figure::TileSource> cells(const Parameters& p, const MatrixD& x) {
  core::Matrix shown(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      shown(i, j) = p.pair_distance(i, j) < 0 ? core::kMasked : static_cast<float>(x(i, j));
    }
  }
  return std::make_shared<const figure::DenseSource>(std::move(shown));
}

double largest_finite(const MatrixD& x) {
  double largest = 0;
  for (const double v : x.reshaped()) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

// Neighbouring keys of each row, as the exact and the rounded sums order them.
void compare_neighbours(const Parameters& p, Pairs& pairs) {
  for (Index i = 0; i < pairs.exact.rows(); ++i) {
    for (Index j = 1; j < pairs.exact.cols(); ++j) {
      if (p.pair_distance(i, j) < 0) continue;
      ++pairs.neighbours;
      const double step = pairs.rounded(i, j) - pairs.rounded(i, j - 1);
      pairs.equal += same(pairs.rounded(i, j), pairs.rounded(i, j - 1));
      pairs.swapped += step * (pairs.exact(i, j) - pairs.exact(i, j - 1)) < 0;
    }
  }
}

Pairs make_pairs(const Parameters& p, const AlibiRounder& rounder, const Content& content) {
  const Index n = p.tokens;
  const Adder add(p, rounder);
  Pairs pairs;
  pairs.stored_scores.resize(n, n);
  pairs.exact = pairs.rounded = MatrixD::Constant(n, n, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index distance = p.pair_distance(i, j);
      const Sum sum = add(content.scores(i, j), std::max<Index>(distance, 0));
      pairs.stored_scores(i, j) = sum.stored_score;
      if (distance < 0) continue;
      pairs.exact(i, j) = sum.score + sum.exact_bias;
      pairs.rounded(i, j) = sum.result;
    }
  }
  const MatrixD error = pairs.rounded - pairs.exact;
  pairs.largest = std::max(largest_finite(pairs.exact), largest_finite(pairs.rounded));
  pairs.largest_error = largest_finite(error);
  compare_neighbours(p, pairs);
  pairs.exact_cells = cells(p, pairs.exact);
  pairs.rounded_cells = cells(p, pairs.rounded);
  pairs.error_cells = cells(p, error);
  return pairs;
}

// Numbers runs of one value; what is not finite is absent.
class Runs {
 public:
  float next(double value) {
    if (!same(value, before_)) ++run_;
    before_ = value;
    return std::isfinite(value) ? static_cast<float>(run_ % kGroupColors) : core::kMasked;
  }
  Index count() const { return run_; }

 private:
  double before_ = std::numeric_limits<double>::max();
  Index run_ = 0;
};

Strips make_strips(const Parameters& p, const VectorD& slopes, const Content& content) {
  const Index heads = slopes.size(), n = p.tokens;
  core::Matrix sums = core::Matrix::Constant(heads, n, core::kMasked), biases = sums;
  Strips strips;
  for (Index h = 0; h < heads; ++h) {
    const Adder add(p, AlibiRounder(slopes(h), p.steps()));
    Runs sum_runs, bias_runs;
    std::vector<double> values;
    for (Index j = 0; j < n; ++j) {
      const Index distance = p.pair_distance(p.query, j);
      if (distance < 0) break;
      const Sum sum = add(content.scores(p.query, j), distance);
      sums(h, j) = sum_runs.next(sum.result);
      biases(h, j) = bias_runs.next(sum.bias);
      values.push_back(sum.result);
    }
    strips.keys = static_cast<Index>(values.size());
    const auto key = [](double x) {
      return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
    };
    for (double& x : values) x = key(x);
    std::sort(values.begin(), values.end());
    strips.distinct.push_back(std::unique(values.begin(), values.end()) - values.begin());
  }
  strips.sums = std::make_shared<const figure::DenseSource>(std::move(sums));
  strips.biases = std::make_shared<const figure::DenseSource>(std::move(biases));
  return strips;
}

}  // namespace

Sum Adder::operator()(double score, Index distance) const {
  Sum sum{};
  sum.score = score;
  sum.stored_score = step_(score, round_score_);
  sum.exact_bias = rounder_.exact(distance);
  sum.bias = rounder_.bias(distance);
  sum.before = sum.stored_score + sum.bias;
  sum.result = step_(sum.before, round_sum_);
  return sum;
}

Model make_model(const Parameters& p, const Context& context) {
  const VectorD slopes = core::alibi_slopes(p.heads, p.slopes);
  const double slope = slopes(p.head - 1);
  Model model{slopes, slope, AlibiRounder(slope, p.steps()), {}, {}, {}, {}};
  const auto number =
      std::tuple{p.format, p.rounding, p.overflow, p.round_slope, p.round_distance, p.round_bias};
  const auto heads = std::tuple{number, p.heads, p.slopes};
  const auto curves =
      context.memo.get("curves", heads, [&] { return make_curves(p, slopes, context); });
  model.counts = context.memo.get("counts", std::tuple{heads, p.length},
                                  [&] { return make_counts(p, slopes, *curves, context); });
  const auto drawn = std::tuple{p.tokens, p.width_of_head, p.spread, p.seed};
  model.content = context.memo.get("content", drawn, [&] { return make_content(p); });
  context.cancel.poll();
  const auto sums = std::tuple{heads, drawn, p.start, p.round_score, p.round_sum};
  model.pairs = context.memo.get("pairs", std::tuple{sums, p.head},
                                 [&] { return make_pairs(p, model.rounder, *model.content); });
  model.strips = context.memo.get("strips", std::tuple{sums, p.query},
                                  [&] { return make_strips(p, slopes, *model.content); });
  return model;
}

}  // namespace lab::alibi_rounding
