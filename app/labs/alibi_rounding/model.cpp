#include "app/labs/alibi_rounding/model.h"

#include "app/labs/shared/drawing/stairs.h"
#include "app/labs/shared/parts.h"
#include "core/parallel.h"
#include "core/random.h"

namespace lab::alibi_rounding {
namespace {

using core::AlibiRounder;

// Two lengths an octave.
std::vector<Index> curve_lengths() {
  std::vector<Index> lengths;
  for (int k = 8; k <= 40; ++k) {
    lengths.push_back(to_index(std::llround(std::exp2(k / 2.0))));
  }
  return lengths;
}

// Every head's slope, and how biases are made of them.
struct Heads {
  int count = 1;
  core::AlibiSlopeRule slopes = {};
  BiasRounding rounding = {};
  bool operator==(const Heads&) const = default;
};

std::vector<std::vector<AlibiRoundingFacts>> facts_of(const Heads& heads,
                                                      const std::vector<Index>& lengths,
                                                      const Run& run) {
  const VectorD slopes = core::alibi_slopes(heads.count, heads.slopes);
  const core::AlibiRounding steps = heads.rounding.steps();
  std::vector<std::vector<AlibiRoundingFacts>> facts(to_size(heads.count));
  core::parallel_for(heads.count, run.threads, [&](Index head, int) {
    facts[to_size(head)] = core::alibi_rounding_facts(lengths, slopes(head), steps, run.cancel);
  });
  return facts;
}

Curves make_curves(const Heads& heads, const Run& run) {
  return {curve_lengths(), facts_of(heads, curve_lengths(), run)};
}

std::vector<AlibiRoundingFacts> make_context(const Heads& heads, Index n, const Run& run) {
  std::vector<AlibiRoundingFacts> context;
  for (const auto& head : facts_of(heads, {n}, run)) context.push_back(head.front());
  return context;
}

struct Drawn {
  int tokens = 1, d = 1;
  double spread = 1;
  int seed = 1;
  bool operator==(const Drawn&) const = default;
};

Content make_content(const Drawn& drawn, const Run&) {
  const auto draw = [&](std::uint64_t stream) {
    core::Random random(core::stream_seed(static_cast<std::uint64_t>(drawn.seed), stream));
    MatrixD x(drawn.tokens, drawn.d);
    for (Index k = 0; k < x.size(); ++k) x(k / drawn.d, k % drawn.d) = random.gaussian();
    return x;
  };
  Content content{drawn.spread * draw(1), draw(2), {}};
  content.scores = content.Q * content.K.transpose() / std::sqrt(to_double(drawn.d));
  return content;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Row i of the matrices is query start + i; what comes after it is masked.
Index distance_of(Index start, Index row, Index col) { return start + row - col; }

std::shared_ptr<const TileSource> cells(Index start, const MatrixD& x) {
  Matrix shown(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      shown(i, j) = distance_of(start, i, j) < 0 ? core::kMasked : to_float(x(i, j));
    }
  }
  return std::make_shared<const DenseSource>(std::move(shown));
}

double largest_finite(const MatrixD& x) {
  Extent extent;
  for (const double v : x.reshaped()) extent.add(std::abs(v));
  return extent.empty() ? 0 : extent.hi;
}

// Neighbouring keys of each row, as the exact and the rounded sums order them.
void compare_neighbors(Index start, Pairs& pairs) {
  for (Index i = 0; i < pairs.exact.rows(); ++i) {
    for (Index j = 1; j < pairs.exact.cols(); ++j) {
      if (distance_of(start, i, j) < 0) continue;
      ++pairs.neighbors;
      const double step = pairs.rounded(i, j) - pairs.rounded(i, j - 1);
      pairs.equal += same(pairs.rounded(i, j), pairs.rounded(i, j - 1));
      pairs.swapped += step * (pairs.exact(i, j) - pairs.exact(i, j - 1)) < 0;
    }
  }
}

Pairs make_pairs(const Adding& adding, double slope, const std::shared_ptr<const Content>& content,
                 Index start, const Run&) {
  const Adder add(adding, AlibiRounder(slope, adding.biases.steps()));
  const Index n = content->scores.rows();
  Pairs pairs;
  pairs.stored_scores.resize(n, n);
  pairs.exact = pairs.rounded = MatrixD::Constant(n, n, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index distance = distance_of(start, i, j);
      const Sum sum = add(content->scores(i, j), std::max<Index>(distance, 0));
      pairs.stored_scores(i, j) = sum.stored_score;
      if (distance < 0) continue;
      pairs.exact(i, j) = sum.score + sum.exact_bias;
      pairs.rounded(i, j) = sum.result;
    }
  }
  const MatrixD error = pairs.rounded - pairs.exact;
  pairs.largest_error = largest_finite(error);
  compare_neighbors(start, pairs);
  pairs.exact_cells = cells(start, pairs.exact);
  pairs.rounded_cells = cells(start, pairs.rounded);
  pairs.error_cells = cells(start, error);
  return pairs;
}

// Numbers runs of one value; what is not finite is absent.
class Runs {
 public:
  float next(double value) {
    if (!same(value, before_)) ++run_;
    before_ = value;
    return std::isfinite(value) ? to_float(run_ % kStepColors) : core::kMasked;
  }
  Index count() const { return run_; }

 private:
  double before_ = std::numeric_limits<double>::max();
  Index run_ = 0;
};

Strips make_strips(const Adding& adding, const Heads& of,
                   const std::shared_ptr<const Content>& content, Index start, Index query,
                   const Run&) {
  const VectorD slopes = core::alibi_slopes(of.count, of.slopes);
  const Index heads = of.count, n = content->scores.cols();
  Matrix sums = Matrix::Constant(heads, n, core::kMasked), biases = sums;
  Strips strips;
  for (Index h = 0; h < heads; ++h) {
    const Adder add(adding, AlibiRounder(slopes(h), adding.biases.steps()));
    Runs sum_runs, bias_runs;
    std::vector<double> values;
    for (Index j = 0; j < n; ++j) {
      const Index distance = distance_of(start, query, j);
      if (distance < 0) break;
      const Sum sum = add(content->scores(query, j), distance);
      sums(h, j) = sum_runs.next(sum.result);
      biases(h, j) = bias_runs.next(sum.bias);
      values.push_back(sum.result);
    }
    strips.keys = to_index(values.size());
    const auto key = [](double x) {
      return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
    };
    for (double& x : values) x = key(x);
    std::sort(values.begin(), values.end());
    strips.distinct.push_back(std::unique(values.begin(), values.end()) - values.begin());
  }
  strips.sums = std::make_shared<const DenseSource>(std::move(sums));
  strips.biases = std::make_shared<const DenseSource>(std::move(biases));
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
  const Adding adding = p.adding();
  const Heads heads{p.heads, p.slopes, adding.biases};
  const VectorD slopes = core::alibi_slopes(p.heads, p.slopes);
  const double slope = slopes(p.head - 1);
  Model model{slopes, slope, AlibiRounder(slope, adding.biases.steps())};
  model.curves = context.stage("curves", make_curves, heads);
  model.context = context.stage("counts", make_context, heads, Index{p.length});
  model.content =
      context.stage("content", make_content, Drawn{p.tokens, p.width_of_head, p.spread, p.seed});
  model.pairs = context.stage("pairs", make_pairs, adding, slope, model.content, Index{p.start});
  model.strips = context.stage("strips", make_strips, adding, heads, model.content, Index{p.start},
                               Index{p.query});
  return model;
}

}  // namespace lab::alibi_rounding
