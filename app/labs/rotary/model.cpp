#include "app/labs/rotary/model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/labs/rotary/sources.h"
#include "core/parallel.h"
#include "core/position/rotary_decay.h"
#include "core/random.h"

namespace lab::rotary {
namespace {

// Up to so many distances every one is a point.
constexpr Index kMostPoints = 4096;
constexpr Index kStretches = 1024;
// Where the pair is put to compare its scores.
constexpr Index kPlaces[] = {1,     2,      5,      10,     20,           50,    100,
                             200,   500,    1000,   2000,   5000,         10000, 20000,
                             50000, 100000, 200000, 500000, kLastPosition};

enum : std::uint64_t { kQueryStream = 101, kKeyStream = 102, kDrawStream = 1000 };

VectorD random_vector(Index d, int seed, std::uint64_t stream) {
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(seed), stream));
  return VectorD::NullaryExpr(d, [&](Index) { return random.gaussian(); });
}

VectorD positions(Index n) {
  return VectorD::NullaryExpr(n, [](Index p) { return static_cast<double>(p); });
}

core::XposOptions xpos_options(const Parameters& p) {
  return {.gamma = p.gamma, .scale_base = p.scale_base};
}

TextModel make_text(const Parameters& p, const VectorD& theta, const core::Cancel& cancel) {
  TextModel text;
  const Tokens tokens = text_tokens(p.text, p.unit, kMostTokens, kModelWidth, p.seed);
  text.labels = tokens.labels;
  text.cut = tokens.cut;
  const core::Matrix W = random_projection(kModelWidth, kHeads, p.d, p.seed, Stream::query);
  text.Q = (tokens.X * W.middleCols((p.head - 1) * p.d, p.d)).cast<double>();
  text.K = text.Q;
  cancel.poll();
  const VectorD at = positions(text.n());
  if (p.text_scheme == TextScheme::xpos) {
    const core::XposTables tables = core::xpos_tables(at, theta, xpos_options(p));
    text.turned_Q = core::rotated(text.Q, tables.query, p.pairing);
    text.turned_K = core::rotated(text.K, tables.key, p.pairing);
  } else {
    const core::RotaryTableD table = core::rotary_angles(at, theta);
    text.turned_Q = core::rotated(text.Q, table, p.pairing);
    text.turned_K = core::rotated(text.K, table, p.pairing);
  }
  core::AttentionOptionsD options;
  if (p.causal) options.mask = core::Mask::causal(text.n(), text.n());
  const MatrixD no_values(text.n(), 0);
  text.none = core::attend<double>(text.Q, text.K, no_values, options);
  text.turned = core::attend<double>(text.turned_Q, text.turned_K, no_values, options);
  return text;
}

void make_vectors(const Parameters& p, Model& model) {
  const TextModel& text = *model.text;
  model.no_text = p.vectors == Vectors::text && text.n() == 0;
  if (p.vectors == Vectors::text && !model.no_text) {
    model.q = text.Q.row(std::min<Index>(p.query, text.n() - 1)).transpose();
    model.k = text.K.row(std::min<Index>(p.key, text.n() - 1)).transpose();
    return;
  }
  model.q = random_vector(p.d, p.seed, kQueryStream);
  model.k = p.vectors == Vectors::equal ? model.q : random_vector(p.d, p.seed, kKeyStream);
}

std::vector<Pair> make_pairs(const Parameters& p, const Model& model) {
  const Index turning = model.theta.size();
  const bool neighbours = p.pairing == core::RotaryPairing::neighbours;
  std::vector<Pair> pairs;
  for (Index i = 0; i < p.d / 2; ++i) {
    Pair pair;
    pair.turns = i < turning;
    // Columns that do not turn have no partner; neighbours are drawn together.
    pair.a = neighbours || !pair.turns ? 2 * i : i;
    pair.b = neighbours || !pair.turns ? 2 * i + 1 : i + turning;
    if (pair.turns) pair.theta = model.theta(i);
    pair.q_a = model.q(pair.a), pair.q_b = model.q(pair.b);
    pair.k_a = model.k(pair.a), pair.k_b = model.k(pair.b);
    pair.q_size = std::hypot(pair.q_a, pair.q_b), pair.k_size = std::hypot(pair.k_a, pair.k_b);
    pair.q_angle = std::atan2(pair.q_b, pair.q_a), pair.k_angle = std::atan2(pair.k_b, pair.k_a);
    pairs.push_back(pair);
  }
  return pairs;
}

Curve make_curve(const core::RotaryScores& scores, Index reach, const Context& context) {
  Curve curve;
  const Index count = 2 * reach + 1;
  if (count > kMostPoints) curve.stretch = (count + kStretches - 1) / kStretches;
  const Index points = (count + curve.stretch - 1) / curve.stretch;
  const auto size = static_cast<std::size_t>(points);
  curve.x.resize(size), curve.lo.resize(size), curve.hi.resize(size);
  // Stretches of one distance share a walk of many.
  const Index run = curve.stretch == 1 ? 512 : 1;
  core::parallel_for((points + run - 1) / run, context.threads, [&](Index block, int) {
    context.cancel.poll();
    const Index begin = block * run, end = std::min(points, begin + run);
    if (curve.stretch == 1) {
      const VectorD values = core::score_run(scores, begin - reach, end - begin);
      for (Index k = begin; k < end; ++k) {
        const auto at = static_cast<std::size_t>(k);
        curve.x[at] = static_cast<double>(k - reach);
        curve.lo[at] = curve.hi[at] = values(k - begin);
      }
      return;
    }
    const Index first = begin * curve.stretch - reach;
    const Index length = std::min(curve.stretch, reach - first + 1);
    const core::ScoreRange range = core::score_range(scores, first, length);
    const auto at = static_cast<std::size_t>(begin);
    curve.x[at] = static_cast<double>(first) + static_cast<double>(length - 1) / 2;
    curve.lo[at] = range.lo, curve.hi[at] = range.hi;
  });
  curve.lowest = *std::min_element(curve.lo.begin(), curve.lo.end());
  curve.highest = *std::max_element(curve.hi.begin(), curve.hi.end());
  return curve;
}

// max |h_{i+1} - h_i| with h_{r/2} = 0, times the number of pairs.
double bound_factor(const core::RotaryScores& s) {
  const Index last = s.theta.size() - 1;
  double largest = std::hypot(s.re(last), s.im(last));
  for (Index i = 0; i < last; ++i) {
    largest = std::max(largest, std::hypot(s.re(i + 1) - s.re(i), s.im(i + 1) - s.im(i)));
  }
  return largest * static_cast<double>(s.theta.size());
}

// What turns, without the columns that stand still.
core::RotaryScores turning_part(core::RotaryScores scores) {
  scores.still = 0;
  return scores;
}

VectorD shares(const core::RotaryScores& scores, Index count) {
  const double factor = bound_factor(scores);
  const VectorD sizes = core::score_run(turning_part(scores), 0, count).cwiseAbs();
  return factor > 0 ? VectorD(sizes / factor) : sizes;
}

Decay make_decay(const Parameters& p, const Model& model, const Context& context) {
  Decay decay;
  const Index last = std::min(model.distances, kMostDecay);
  decay.bound = core::mean_partial_sum_curve(model.theta, last);
  decay.own = shares(model.scores, last + 1);
  decay.factor = bound_factor(model.scores);
  const Index width = 2 * model.theta.size();
  MatrixD sizes(p.draws, last + 1);
  core::parallel_for(p.draws, context.threads, [&](Index draw, int) {
    context.cancel.poll();
    const auto stream = kDrawStream + 2 * static_cast<std::uint64_t>(draw);
    sizes.row(draw) =
        shares(core::rotary_scores(random_vector(width, p.seed, stream),
                                   random_vector(width, p.seed, stream + 1), model.theta),
               last + 1)
            .transpose();
  });
  decay.mean = sizes.array().square().colwise().mean().sqrt().transpose();
  decay.largest = sizes.colwise().maxCoeff().transpose();
  return decay;
}

// The score of the pair when its earlier member stands at `place`, from turned vectors.
double score_standing_at(const Parameters& p, const Model& model, Index place) {
  const Index shift = place - model.earlier;
  const VectorD at{{static_cast<double>(p.m + shift), static_cast<double>(p.n + shift)}};
  MatrixD both(2, p.d);
  both << model.q.transpose(), model.k.transpose();
  const MatrixD turned = core::rotated(both, core::rotary_angles(at, model.theta), p.pairing);
  return turned.row(0).dot(turned.row(1));
}

double float_score_standing_at(const Parameters& p, const Model& model, Index place) {
  const Index shift = place - model.earlier;
  const auto turned = [&](const VectorD& x, Index at) {
    const core::Matrix row = x.transpose().cast<float>();
    return core::rotated(row, core::rotary_table(1, model.theta, at, 1), p.pairing);
  };
  const core::Matrix q = turned(model.q, p.m + shift), k = turned(model.k, p.n + shift);
  return static_cast<double>(q.row(0).dot(k.row(0)));
}

Moved make_moved(const Parameters& p, const Model& model) {
  Moved moved;
  std::vector<Index> all(std::begin(kPlaces), std::end(kPlaces));
  all.push_back(p.moved_to);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const Index place : all) {
    const double score = score_standing_at(p, model, place);
    moved.places.push_back(static_cast<double>(place));
    moved.scores.push_back(score);
    moved.deviation = std::max(moved.deviation, std::abs(score - model.score));
    moved.float_deviation = std::max(
        moved.float_deviation, std::abs(float_score_standing_at(p, model, place) - model.score));
    if (place == p.moved_to) moved.own = score;
  }
  return moved;
}

// Places beyond the range show everything up to the last one: a line that grew and shrank with
// what is dragged along it would run away from the hand.
void choose_ranges(const Parameters& p, Model& model) {
  model.places = std::max(p.m, p.n) <= p.reach ? p.reach : kLastPosition;
  model.distances = p.reach;
  while (model.distances < model.size_of_distance()) model.distances *= 2;
  model.distances = std::min<Index>(model.distances, kLastPosition);
}

void make_curves(const Parameters& p, Model& model, const Context& context) {
  Memo& memo = context.memo;
  const auto key =
      std::tuple(p.vectors, p.vectors == Vectors::text ? model.text : nullptr,
                 p.vectors == Vectors::text ? p.query : 0, p.vectors == Vectors::text ? p.key : 0,
                 p.d, p.seed, p.base, p.pairing, rotated_width(p));
  model.curve = memo.get("curve", std::tuple(key, model.distances),
                         [&] { return make_curve(model.scores, model.distances, context); });
  context.cancel.poll();
  const auto wide = model.places == model.distances
                        ? model.curve
                        : memo.get("places", std::tuple(key, model.places),
                                   [&] { return make_curve(model.scores, model.places, context); });
  model.every_largest = std::max(wide->highest, -wide->lowest);
  model.every = *memo.get("every", std::tuple(key, model.places), [&] {
    return every_source(model.scores, model.places + 1, context.threads);
  });
  context.cancel.poll();
  model.decay = memo.get("decay", std::tuple(key, std::min(model.distances, kMostDecay), p.draws),
                         [&] { return make_decay(p, model, context); });
  model.xpos_curves = memo.get(
      "xpos", std::tuple(key, std::min(model.distances, kMostDecay), p.gamma, p.scale_base), [&] {
        const Index count = std::min(model.distances, kMostDecay) + 1;
        return XposCurves{core::score_run(model.scores, 0, count),
                          core::score_run(model.xpos, 0, count),
                          core::xpos_decay(model.theta.size(), p.gamma)};
      });
}

}  // namespace

double Pair::term(double t) const {
  return q_size * k_size * std::cos(q_angle - k_angle + t * theta);
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  context.cancel.poll();
  model.theta = core::frequencies(rotated_width(p), p.base);
  const bool xpos = p.text_scheme == TextScheme::xpos;
  model.text = context.memo.get(
      "text",
      std::tuple(p.text, p.unit, p.head, p.causal, p.text_scheme, p.d, p.seed, p.base, p.pairing,
                 rotated_width(p), xpos ? p.gamma : 0.0, xpos ? p.scale_base : 0.0),
      [&] { return make_text(p, model.theta, context.cancel); });
  make_vectors(p, model);
  model.scores = core::rotary_scores(model.q, model.k, model.theta, p.pairing);
  model.xpos = core::with_xpos(model.scores, xpos_options(p));
  const auto other = p.pairing == core::RotaryPairing::halves ? core::RotaryPairing::neighbours
                                                              : core::RotaryPairing::halves;
  model.distance = p.m - p.n;
  model.earlier = std::min(p.m, p.n);
  const auto t = static_cast<double>(model.distance);
  model.score = core::score_at(model.scores, t);
  model.other_pairing =
      core::score_at(core::rotary_scores(model.q, model.k, model.theta, other), t);
  model.pairs = make_pairs(p, model);
  choose_ranges(p, model);
  context.cancel.poll();
  model.moved = make_moved(p, model);
  make_curves(p, model, context);
  return model;
}

}  // namespace lab::rotary
