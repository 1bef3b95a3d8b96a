#include "app/labs/extrapolation/model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/labs/shared/long_table.h"
#include "core/parallel.h"
#include "core/position/alibi_tile.h"
#include "core/position/frequency.h"
#include "core/random.h"

namespace lab::extrapolation {
namespace {

constexpr Index kStretches = 360;  // points of a curve

enum : std::uint64_t { kQueryStream = 201, kKeyStream = 202 };

core::RotaryScaling scaling_of(const Parameters& p, double s) {
  return {.d = p.d,
          .base = p.base,
          .trained_length = static_cast<double>(p.trained),
          .s = s,
          .slow = p.alpha,
          .fast = p.beta};
}

Rotation rotation_of(const Parameters& p, const Model& model, double base, VectorD theta) {
  Rotation rotation{base, std::move(theta), {}, 0};
  rotation.turns = core::turns_within(rotation.theta, p.length);
  for (Index i = 0; i < rotation.turns.size(); ++i) {
    rotation.unseen += reaches_unseen(rotation.turns(i), model.trained_turns(i));
  }
  return rotation;
}

void make_rotations(const Parameters& p, Model& model) {
  const core::RotaryScaling scaling = scaling_of(p, model.s);
  const core::YarnPaper paper = core::yarn_paper(scaling);
  const core::YarnCode code = core::yarn_code(scaling);
  const bool as_paper = p.yarn == YarnForm::paper;
  model.ramp = as_paper ? paper.ramp : code.ramp;
  model.other_ramp = as_paper ? code.ramp : paper.ramp;
  const double ntk = core::ntk_aware_base(p.d, p.base, model.s);
  const double dynamic =
      core::dynamic_ntk_base(p.d, p.base, model.s, p.trained, p.length, p.dynamic);
  const auto put = [&](Method method, double base, VectorD theta) {
    model.rotations[static_cast<std::size_t>(method)] =
        rotation_of(p, model, base, std::move(theta));
  };
  put(Method::none, p.base, model.theta);
  put(Method::interpolation, p.base, core::interpolated_frequencies(p.d, p.base, model.s));
  put(Method::ntk, ntk, core::frequencies(p.d, ntk));
  put(Method::dynamic, dynamic, core::frequencies(p.d, dynamic));
  put(Method::yarn, p.base, as_paper ? paper.frequencies : code.frequencies);
}

double attention_factor_of(const Parameters& p, double s) {
  if (p.attention == Attention::off) return 1;
  return p.attention == Attention::fixed ? p.attention_factor : core::yarn_attention_factor(s);
}

void make_vectors(const Parameters& p, Model& model) {
  model.q = model.k = VectorD::Ones(p.d);
  if (p.vectors == Vectors::ones) return;
  const auto drawn = [&](std::uint64_t stream) {
    core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), stream));
    return VectorD::NullaryExpr(p.d, [&](Index) { return random.gaussian(); }).eval();
  };
  model.q = drawn(kQueryStream);
  model.k = p.likeness * model.q + std::sqrt(1 - p.likeness * p.likeness) * drawn(kKeyStream);
}

// Consecutive distances that share a point.
struct Run {
  Index first, count;
  double x;
};

std::vector<Run> runs_of(const Parameters& p) {
  const bool log = p.distance_axis == DistanceAxis::log;
  const Index begin = log ? 1 : 0, end = p.length;
  std::vector<Run> runs;
  for (Index k = 0, first = begin; k < kStretches && first < end; ++k) {
    const double share = static_cast<double>(k + 1) / kStretches;
    const double bound =
        log ? std::pow(static_cast<double>(end), share) : share * static_cast<double>(end);
    const Index next = std::min<Index>(end, std::llround(bound));
    if (next <= first) continue;
    const auto last = static_cast<double>(next - 1), a = static_cast<double>(first);
    runs.push_back({first, next - first, log ? std::sqrt(a * last) : (a + last) / 2});
    first = next;
  }
  return runs;
}

// `range(first, count)` gives the extremes over so many distances.
template <class Range>
Curve make_curve(const Parameters& p, const Context& context, Range&& range) {
  const std::vector<Run> runs = runs_of(p);
  Curve curve;
  curve.x.resize(runs.size()), curve.lo.resize(runs.size()), curve.hi.resize(runs.size());
  for (const Run& run : runs) curve.longest = std::max(curve.longest, run.count);
  // The longest runs first, so that no thread is left with one at the end.
  core::parallel_for(static_cast<Index>(runs.size()), context.threads, [&](Index index, int) {
    context.cancel.poll();
    const std::size_t k = runs.size() - 1 - static_cast<std::size_t>(index);
    const core::ScoreRange extremes = range(runs[k].first, runs[k].count);
    curve.x[k] = runs[k].x;
    curve.lo[k] = extremes.lo;
    curve.hi[k] = extremes.hi;
  });
  return curve;
}

// Multiplies all that a score is made of.
core::RotaryScores times(core::RotaryScores scores, double factor) {
  scores.re *= factor;
  scores.im *= factor;
  return scores;
}

std::shared_ptr<const Curve> scaled(std::shared_ptr<const Curve> curve, double factor) {
  if (factor == 1) return curve;
  Curve result = *curve;
  for (auto* values : {&result.lo, &result.hi}) {
    for (double& value : *values) value *= factor;
  }
  return std::make_shared<const Curve>(std::move(result));
}

void make_scores(const Parameters& p, Model& model, const Context& context) {
  static constexpr const char* kStages[kRotating] = {"none", "interpolation", "ntk", "dynamic",
                                                     "yarn"};
  const double root = std::sqrt(static_cast<double>(p.d));
  model.content = model.q.dot(model.k) / root;
  for (std::size_t m = 0; m < kRotating; ++m) {
    const VectorD& theta = model.rotations[m].theta;
    const core::RotaryScores plain = times(core::rotary_scores(model.q, model.k, theta), 1 / root);
    const std::vector<double> key(theta.begin(), theta.end());
    const bool random = p.vectors == Vectors::random;
    const auto curve =
        context.memo.get(kStages[m],
                         std::tuple(key, random, random ? p.likeness : 0.0, random ? p.seed : 0,
                                    p.length, p.distance_axis),
                         [&] {
                           return make_curve(p, context, [&](Index first, Index count) {
                             return core::score_range(plain, first, count);
                           });
                         });
    const bool yarn = static_cast<Method>(m) == Method::yarn;
    const double factor = yarn ? model.attention_factor * model.attention_factor : 1;
    model.curves[m] = scaled(curve, factor);
    model.scores[m] = times(plain, factor);
    context.cancel.poll();
  }
  model.curves[static_cast<std::size_t>(Method::alibi)] =
      std::make_shared<const Curve>(make_curve(p, context, [&](Index first, Index count) {
        const double slope = model.slope(p);
        return core::ScoreRange{model.content - slope * static_cast<double>(first + count - 1),
                                model.content - slope * static_cast<double>(first)};
      }));
}

std::shared_ptr<const figure::TileSource> rotary_cells(const Parameters& p, const Model& model,
                                                       int threads) {
  const core::RotaryAngles angles{model.rotation(p.method).theta, model.trained_turns};
  const core::AngleQuantity quantity = p.cells;
  LongTable table;
  const Index n = table.rows = p.length;
  table.cols = angles.theta.size();
  table.value = [=](Index row, Index col) {
    return static_cast<float>(core::rotary_angle_value(angles, quantity, row, col));
  };
  table.pooled = [=](int row_level, int col_level, const figure::Region& region, figure::Pool pool,
                     const core::Cancel& cancel) {
    return core::rotary_angle_tile(angles, {n, row_level, col_level, region, pool, quantity},
                                   threads, cancel);
  };
  table.cost = [](int row_level, int col_level) { return std::ldexp(6.0, row_level + col_level); };
  return std::make_shared<LongTableSource>(std::make_shared<const LongTable>(std::move(table)));
}

std::shared_ptr<const figure::TileSource> alibi_cells(const Parameters& p, const VectorD& slopes) {
  LongTable table;
  const Index n = table.rows = p.length;
  table.cols = slopes.size();
  table.value = [=](Index row, Index col) {
    return static_cast<float>(std::exp(-slopes(col) * static_cast<double>(row)));
  };
  table.pooled = [=](int row_level, int col_level, const figure::Region& region, figure::Pool pool,
                     const core::Cancel& cancel) {
    return core::alibi_factor_tile(slopes, {n, row_level, col_level, region, pool}, cancel);
  };
  table.cost = [](int, int col_level) { return std::ldexp(8.0, col_level); };
  return std::make_shared<LongTableSource>(std::make_shared<const LongTable>(std::move(table)));
}

}  // namespace

bool reaches_unseen(double turns, double trained_turns) {
  // n theta / s and L theta are one number that was rounded in two ways.
  constexpr double kRounding = 1 + 1e-9;
  return trained_turns < 1 && turns > trained_turns * kRounding;
}

double Model::logit(const Parameters& p, Method method, double distance) const {
  if (method == Method::alibi) return content - slope(p) * distance;
  return core::score_at(scores[static_cast<std::size_t>(method)], distance);
}

Model make_model(const Parameters& p, const Context& context) {
  context.cancel.poll();
  Model model;
  const double longer = static_cast<double>(p.length) / p.trained;
  model.s = p.stretch == Stretch::fixed ? p.s : std::max(1.0, longer);
  model.theta = core::frequencies(p.d, p.base);
  model.trained_turns = core::turns_within(model.theta, p.trained);
  make_rotations(p, model);
  model.attention_factor = attention_factor_of(p, model.s);
  model.slopes = core::alibi_slopes(p.heads, p.slopes);
  make_vectors(p, model);
  make_scores(p, model, context);
  // Painters keep what they have drawn of a source by its address: the same one for the same cells.
  const VectorD& theta = model.rotation(std::min(p.method, Method::yarn)).theta;
  const bool alibi = p.method == Method::alibi;
  model.cells = *context.memo.get(
      "cells",
      std::tuple(alibi, std::vector<double>(theta.begin(), theta.end()),
                 alibi
                     ? std::vector<double>(model.slopes.begin(), model.slopes.end())
                     : std::vector<double>(model.trained_turns.begin(), model.trained_turns.end()),
                 p.length, p.cells),
      [&] {
        return alibi ? alibi_cells(p, model.slopes) : rotary_cells(p, model, context.threads);
      });
  return model;
}

}  // namespace lab::extrapolation
