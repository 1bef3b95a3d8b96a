#include "app/labs/extrapolation/model.h"

#include "app/labs/shared/drawing/long_table.h"
#include "core/enum_array.h"
#include "core/parallel.h"
#include "core/position/relative/alibi_tile.h"
#include "core/random.h"

namespace lab::extrapolation {
namespace {

constexpr Index kStretches = 360;  // points of a curve

enum : std::uint64_t { kQueryStream = 201, kKeyStream = 202 };

Rotation rotation_of(const Parameters& p, const Model& model, double base, VectorD theta) {
  Rotation rotation{base, std::move(theta), {}, 0};
  rotation.turns = core::turns_within(rotation.theta, p.length);
  for (Index i = 0; i < rotation.turns.size(); ++i) {
    rotation.unseen += reaches_unseen(rotation.turns(i), model.trained_turns(i));
  }
  return rotation;
}

void make_rotations(const Parameters& p, Model& model) {
  const core::RotaryScaling scaling = scaling_of(
      p, {.d = p.d, .base = p.base, .trained_length = to_double(p.trained), .s = model.s});
  const core::YarnPaper paper = core::yarn_paper(scaling);
  const core::YarnCode code = core::yarn_code(scaling);
  const bool as_paper = p.yarn == YarnForm::paper;
  model.ramp = as_paper ? paper.ramp : code.ramp;
  model.other_ramp = as_paper ? code.ramp : paper.ramp;
  const double ntk = core::ntk_aware_base(p.d, p.base, model.s);
  const double dynamic =
      core::dynamic_ntk_base(p.d, p.base, model.s, p.trained, p.length, p.dynamic);
  const auto put = [&](Method method, double base, VectorD theta) {
    model.rotations[to_size(method)] = rotation_of(p, model, base, std::move(theta));
  };
  put(Method::none, p.base, model.theta);
  put(Method::interpolation, p.base, core::interpolated_frequencies(p.d, p.base, model.s));
  put(Method::ntk, ntk, core::frequencies(p.d, ntk));
  put(Method::dynamic, dynamic, core::frequencies(p.d, dynamic));
  put(Method::yarn, p.base, as_paper ? paper.frequencies : code.frequencies);
}

std::pair<VectorD, VectorD> query_and_key(const VectorKnobs& p, int d) {
  if (p.vectors == Vectors::ones) return {VectorD::Ones(d), VectorD::Ones(d)};
  const auto drawn = [&](std::uint64_t stream) {
    core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), stream));
    return VectorD::NullaryExpr(d, [&](Index) { return random.gaussian(); }).eval();
  };
  const VectorD q = drawn(kQueryStream);
  return {q, p.likeness * q + std::sqrt(1 - p.likeness * p.likeness) * drawn(kKeyStream)};
}

// Consecutive distances that share a point.
struct Stretched {
  Index first, count;
  double x;
};

std::vector<Stretched> stretches_of(Index length, bool log) {
  std::vector<Stretched> all;
  for (Index k = 0, first = log ? 1 : 0; k < kStretches && first < length; ++k) {
    const double share = to_double(k + 1) / kStretches, end = to_double(length);
    const double bound = log ? std::pow(end, share) : share * end;
    const Index next = std::min<Index>(length, std::llround(bound));
    if (next <= first) continue;
    const double last = to_double(next - 1), a = to_double(first);
    all.push_back({first, next - first, log ? std::sqrt(a * last) : (a + last) / 2});
    first = next;
  }
  return all;
}

// `range(first, count)` gives the extremes over so many distances.
template <class Range>
Curve curve_of(Index length, bool log, const Run& run, const Range& range) {
  const std::vector<Stretched> all = stretches_of(length, log);
  Curve curve;
  curve.x.resize(all.size()), curve.lo.resize(all.size()), curve.hi.resize(all.size());
  for (const Stretched& one : all) curve.longest = std::max(curve.longest, one.count);
  // The longest first, so that no thread is left with one at the end.
  core::parallel_for(to_index(all.size()), run.threads, [&](Index index, int) {
    run.cancel.poll();
    const std::size_t k = all.size() - 1 - to_size(index);
    const core::ScoreRange extremes = range(all[k].first, all[k].count);
    curve.x[k] = all[k].x;
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
  for (auto* values : {&result.lo, &result.hi})
    for (double& value : *values) value *= factor;
  return std::make_shared<const Curve>(std::move(result));
}

// Logits without an attention factor.
core::RotaryScores plain_scores(const VectorD& q, const VectorD& k, const VectorD& theta) {
  return times(core::rotary_scores(q, k, theta), 1 / std::sqrt(to_double(q.size())));
}

// VectorD knows no == of different sizes.
using Numbers = std::vector<double>;
Numbers numbers(const VectorD& values) { return {values.begin(), values.end()}; }
VectorD vector_of(const Numbers& values) {
  return VectorD::Map(values.data(), to_index(values.size()));
}

Curve make_curve(const Numbers& theta, const VectorKnobs& vectors, Index length, bool log,
                 const Run& run) {
  const auto [q, k] = query_and_key(vectors, 2 * to_int(theta.size()));
  const core::RotaryScores scores = plain_scores(q, k, vector_of(theta));
  return curve_of(length, log, run, [&](Index first, Index count) {
    return core::score_range(scores, first, count);
  });
}

void make_scores(const Parameters& p, Model& model, const Context& context) {
  const VectorKnobs vectors = p.vectors == Vectors::random ? VectorKnobs(p) : VectorKnobs{};
  std::tie(model.q, model.k) = query_and_key(vectors, p.d);
  model.content = model.q.dot(model.k) / std::sqrt(to_double(p.d));
  for (std::size_t m = 0; m < kRotating; ++m) {
    const auto method = static_cast<Method>(m);
    const VectorD& theta = model.rotations[m].theta;
    const double root = method == Method::yarn ? model.attention_factor : 1;
    model.curves[m] = scaled(context.stage(std::string(method_id(method)), make_curve,
                                           numbers(theta), vectors, to_index(p.length), p.on_log()),
                             root * root);
    model.scores[m] = times(plain_scores(model.q, model.k, theta), root * root);
    context.cancel.poll();
  }
  const double slope = model.slope(p);
  model.curves[kRotating] = std::make_shared<const Curve>(
      curve_of(p.length, p.on_log(), {context.cancel, context.threads},
               [&](Index first, Index count) -> core::ScoreRange {
                 return {model.content - slope * to_double(first + count - 1),
                         model.content - slope * to_double(first)};
               }));
}

using Cells = std::shared_ptr<const TileSource>;

Cells make_rotary_cells(const Numbers& theta, const Numbers& trained_turns, Index n,
                        core::AngleQuantity quantity, const Run& run) {
  const core::RotaryAngles angles{vector_of(theta), vector_of(trained_turns)};
  LongTable table;
  table.rows = n, table.cols = angles.theta.size();
  table.value = [=](Index row, Index col) {
    return to_float(core::rotary_angle_value(angles, quantity, row, col));
  };
  table.pooled = [=, threads = run.threads](int row_level, int col_level,
                                            const figure::Region& region, figure::Pool pool,
                                            const core::Cancel& cancel) {
    return core::rotary_angle_tile(angles, {n, row_level, col_level, region, pool, quantity},
                                   threads, cancel);
  };
  table.cost = [](int row_level, int col_level) { return std::ldexp(6.0, row_level + col_level); };
  return std::make_shared<LongTableSource>(std::make_shared<const LongTable>(std::move(table)));
}

Cells make_alibi_cells(const Numbers& of_heads, Index n, const Run& /*run*/) {
  const VectorD slopes = vector_of(of_heads);
  LongTable table;
  table.rows = n, table.cols = slopes.size();
  table.value = [=](Index row, Index col) {
    return to_float(std::exp(-slopes(col) * to_double(row)));
  };
  table.pooled = [=](int row_level, int col_level, const figure::Region& region, figure::Pool pool,
                     const core::Cancel& cancel) {
    return core::alibi_factor_tile(slopes, {n, row_level, col_level, region, pool}, cancel);
  };
  table.cost = [](int, int col_level) { return std::ldexp(8.0, col_level); };
  return std::make_shared<LongTableSource>(std::make_shared<const LongTable>(std::move(table)));
}

}  // namespace

std::string_view method_id(Method method) {
  static constexpr core::EnumArray<Method> kIds{
      {"none", "interpolation", "ntk", "dynamic", "yarn", "alibi"}};
  return kIds[method];
}

bool reaches_unseen(double turns, double trained_turns) {
  // n theta / s and L theta are one number that was rounded in two ways.
  constexpr double kRounding = 1 + 1e-9;
  return trained_turns < 1 && turns > trained_turns * kRounding;
}

double attention_factor_of(const Parameters& p, double s) {
  if (p.attention == Attention::off) return 1;
  return p.attention == Attention::fixed ? p.attention_factor : core::yarn_attention_factor(s);
}

core::RotaryScaling scaling_of(const Parameters& p, const core::RotaryScaling& rotary) {
  core::RotaryScaling scaling = rotary;
  scaling.slow = p.alpha;
  scaling.fast = p.beta;
  return scaling;
}

double Model::logit(const Parameters& p, Method method, double distance) const {
  if (method == Method::alibi) return content - slope(p) * distance;
  return core::score_at(scores[to_size(method)], distance);
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  const double longer = to_double(p.length) / p.trained;
  model.s = p.stretch == Stretch::fixed ? p.s : std::max(1.0, longer);
  model.theta = core::frequencies(p.d, p.base);
  model.trained_turns = core::turns_within(model.theta, p.trained);
  make_rotations(p, model);
  model.attention_factor = attention_factor_of(p, model.s);
  model.slopes = core::alibi_slopes(p.heads, p.slopes);
  make_scores(p, model, context);
  // Painters keep what they have drawn of a source by its address: the same one for the same cells.
  const Index n = p.length;
  model.cells =
      p.method == Method::alibi
          ? *context.stage("cells", make_alibi_cells, numbers(model.slopes), n)
          : *context.stage("cells", make_rotary_cells, numbers(model.rotation(p.method).theta),
                           numbers(model.trained_turns), n, p.cells);
  return model;
}

}  // namespace lab::extrapolation
