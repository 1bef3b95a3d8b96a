#include "app/labs/rotary/model.h"

#include "app/labs/shared/drawing/square_cells.h"

#include "core/parallel.h"
#include "core/position/rotary/rotary_decay.h"
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
  return VectorD::NullaryExpr(n, [](Index p) { return to_double(p); });
}

TextModel make_text(const TextKnobs& p, const RotationKnobs& r, const XposKnobs& xpos,
                    const Run& run) {
  TextModel text;
  const Tokens tokens = text_tokens(p.text, p.unit, kMostTokens, kModelWidth, r.seed);
  text.labels = tokens.labels;
  text.cut = tokens.cut;
  const Matrix W = random_projection(kModelWidth, kHeads, r.d, r.seed, Stream::query);
  text.Q = text.K = (tokens.X * W.middleCols((p.head - 1) * r.d, r.d)).cast<double>();
  run.cancel.poll();
  const VectorD theta = core::frequencies(r.rotated_width(), r.base), at = positions(text.n());
  if (p.text_variant == Variant::xpos) {
    const core::XposTables tables = core::xpos_tables(at, theta, xpos.options());
    text.rotated_Q = core::rotated(text.Q, tables.query, r.pairing);
    text.rotated_K = core::rotated(text.K, tables.key, r.pairing);
  } else {
    const core::RotaryTableD table = core::rotary_angles(at, theta);
    text.rotated_Q = text.rotated_K = core::rotated(text.Q, table, r.pairing);
  }
  core::AttentionOptionsD options;
  if (p.causal) options.mask = Mask::causal(text.n(), text.n());
  const MatrixD no_values(text.n(), 0);
  text.none = core::attend<double>(text.Q, text.K, no_values, options);
  text.rotated = core::attend<double>(text.rotated_Q, text.rotated_K, no_values, options);
  return text;
}

std::vector<Pair> make_pairs(const RotationKnobs& p, const RotatedVectors& model) {
  const Index rotating = model.theta.size();
  const bool neighbors = p.pairing == core::RotaryPairing::neighbors;
  std::vector<Pair> pairs;
  for (Index i = 0; i < p.d / 2; ++i) {
    Pair pair;
    pair.rotates = i < rotating;
    // Columns that do not turn have no partner; neighbours are drawn together.
    pair.a = neighbors || !pair.rotates ? 2 * i : i;
    pair.b = neighbors || !pair.rotates ? 2 * i + 1 : i + rotating;
    if (pair.rotates) pair.theta = model.theta(i);
    pair.q_a = model.q(pair.a), pair.q_b = model.q(pair.b);
    pair.k_a = model.k(pair.a), pair.k_b = model.k(pair.b);
    pair.q_size = std::hypot(pair.q_a, pair.q_b), pair.k_size = std::hypot(pair.k_a, pair.k_b);
    pair.q_angle = std::atan2(pair.q_b, pair.q_a), pair.k_angle = std::atan2(pair.k_b, pair.k_a);
    pairs.push_back(pair);
  }
  return pairs;
}

// The tokens whose query and key q and k are; only of a text.
struct TokenPair {
  Index query = 0, key = 0;
  bool operator==(const TokenPair&) const = default;
};

// Vectors of the text, when there is one.
RotatedVectors make_rotated(const RotationKnobs& p, bool equal,
                            const std::shared_ptr<const TextModel>& text, const TokenPair& at,
                            const Run& /*run*/) {
  RotatedVectors made;
  made.theta = core::frequencies(p.rotated_width(), p.base);
  if (text) {
    made.q = text->Q.row(at.query).transpose();
    made.k = text->K.row(at.key).transpose();
  } else {
    made.q = random_vector(p.d, p.seed, kQueryStream);
    made.k = equal ? made.q : random_vector(p.d, p.seed, kKeyStream);
  }
  made.scores = core::rotary_scores(made.q, made.k, made.theta, p.pairing);
  made.pairs = make_pairs(p, made);
  return made;
}

// Over n - m instead of m - n.
core::RotaryScores mirrored(core::RotaryScores scores) {
  scores.im *= -1;
  return scores;
}

Curve make_curve(const std::shared_ptr<const RotatedVectors>& of, Index reach, const Run& task) {
  const core::RotaryScores scores = mirrored(of->scores);
  Curve curve;
  const Index count = 2 * reach + 1;
  if (count > kMostPoints) curve.stretch = (count + kStretches - 1) / kStretches;
  const Index points = (count + curve.stretch - 1) / curve.stretch;
  const auto size = to_size(points);
  curve.x.resize(size), curve.lo.resize(size), curve.hi.resize(size);
  // Stretches of one distance share a walk of many.
  const Index run = curve.stretch == 1 ? 512 : 1;
  core::parallel_for((points + run - 1) / run, task.threads, [&](Index block, int) {
    task.cancel.poll();
    const Index begin = block * run, end = std::min(points, begin + run);
    if (curve.stretch == 1) {
      const VectorD values = core::score_run(scores, begin - reach, end - begin);
      for (Index k = begin; k < end; ++k) {
        const auto at = to_size(k);
        curve.x[at] = to_double(k - reach);
        curve.lo[at] = curve.hi[at] = values(k - begin);
      }
      return;
    }
    const Index first = begin * curve.stretch - reach;
    const Index length = std::min(curve.stretch, reach - first + 1);
    const core::ScoreRange range = core::score_range(scores, first, length);
    const auto at = to_size(begin);
    curve.x[at] = to_double(first) + to_double(length - 1) / 2;
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
  return largest * to_double(s.theta.size());
}

// What turns, without the columns that stand still.
core::RotaryScores rotating_part(core::RotaryScores scores) {
  scores.still = 0;
  return scores;
}

VectorD shares(const core::RotaryScores& scores, Index count) {
  const double factor = bound_factor(scores);
  const VectorD sizes = core::score_run(rotating_part(scores), 0, count).cwiseAbs();
  return factor > 0 ? VectorD(sizes / factor) : sizes;
}

Decay make_decay(const std::shared_ptr<const RotatedVectors>& of, Index last, int draws, int seed,
                 bool ahead, const Run& run) {
  Decay decay;
  decay.bound = core::mean_partial_sum_curve(of->theta, last);
  decay.own = shares(ahead ? mirrored(of->scores) : of->scores, last + 1);
  decay.factor = bound_factor(of->scores);
  const Index width = 2 * of->theta.size();
  MatrixD sizes(draws, last + 1);
  core::parallel_for(draws, run.threads, [&](Index draw, int) {
    run.cancel.poll();
    const auto stream = kDrawStream + 2 * static_cast<std::uint64_t>(draw);
    const auto drawn = [&](std::uint64_t which) {
      return random_vector(width, seed, stream + which);
    };
    sizes.row(draw) =
        shares(core::rotary_scores(drawn(0), drawn(1), of->theta), last + 1).transpose();
  });
  decay.mean = sizes.array().square().colwise().mean().sqrt().transpose();
  decay.largest = sizes.colwise().maxCoeff().transpose();
  return decay;
}

XposCurves make_xpos(const std::shared_ptr<const RotatedVectors>& of, Index last,
                     const XposKnobs& xpos, const Run& /*run*/) {
  return {core::score_run(of->scores, 0, last + 1),
          core::score_run(core::with_xpos(of->scores, xpos.options()), 0, last + 1),
          core::xpos_decay(of->theta.size(), xpos.gamma)};
}

// What the heatmap of every pair of places draws: scores that are computed when they are looked at.
// Row m, column n.
std::shared_ptr<const TileSource> make_every(const std::shared_ptr<const RotatedVectors>& of,
                                             Index last, const Run& run) {
  Cells cells = square_cells(
      last + 1, false,
      [of](Index row, Index col) {
        return to_float(core::score_at(of->scores, to_double(row - col)));
      },
      [of, threads = run.threads](const core::SquareTile& tile, const core::Cancel& cancel) {
        return core::rotary_score_tile(
            of->scores,
            {.n = tile.n, .level = tile.level, .region = tile.region, .pool = tile.pool}, threads,
            cancel);
      });
  // Every diagonal looks at about 2^(level + 1) distances.
  cells.cost = [of](int level, const core::Region& region) {
    const double diagonals = to_double(region.rows + region.cols);
    return std::ldexp(diagonals * to_double(of->theta.size()), level + 3) +
           to_double(region.rows * region.cols);
  };
  return cell_source(std::move(cells));
}

// The score of the pair when its earlier member stands at `place`, from turned vectors.
double score_at(const Parameters& p, const Model& model, Index place) {
  const Index shift = place - model.earlier;
  const VectorD at{{to_double(p.m + shift), to_double(p.n + shift)}};
  MatrixD both(2, p.d);
  both << model.q.transpose(), model.k.transpose();
  const MatrixD rotated = core::rotated(both, core::rotary_angles(at, model.theta), p.pairing);
  return rotated.row(0).dot(rotated.row(1));
}

double float_score_at(const Parameters& p, const Model& model, Index place) {
  const Index shift = place - model.earlier;
  const auto rotated = [&](const VectorD& x, Index at) {
    const Matrix row = x.transpose().cast<float>();
    return core::rotated(row, core::rotary_table(1, model.theta, at, 1), p.pairing);
  };
  const Matrix q = rotated(model.q, p.m + shift), k = rotated(model.k, p.n + shift);
  return to_double(q.row(0).dot(k.row(0)));
}

Moved make_moved(const Parameters& p, const Model& model) {
  Moved moved;
  std::vector<Index> all(std::begin(kPlaces), std::end(kPlaces));
  moved.own_place = p.moved_to > 0 ? p.moved_to : std::max<Index>(model.earlier, 1);
  all.push_back(moved.own_place);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const Index place : all) {
    const double score = score_at(p, model, place);
    moved.places.push_back(to_double(place));
    moved.scores.push_back(score);
    moved.deviation = std::max(moved.deviation, std::abs(score - model.score));
    moved.float_deviation =
        std::max(moved.float_deviation, std::abs(float_score_at(p, model, place) - model.score));
    if (place == moved.own_place) moved.own = score;
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

void make_curves(const Parameters& p, const std::shared_ptr<const RotatedVectors>& rotating,
                 Model& model, const Context& context) {
  model.curve = context.stage("curve", make_curve, rotating, model.distances);
  const auto wide = model.places == model.distances
                        ? model.curve
                        : context.stage("places", make_curve, rotating, model.places);
  model.every_largest = std::max(wide->highest, -wide->lowest);
  model.every = *context.stage("every", make_every, rotating, model.places);
  const Index last = std::min(model.distances, kMostDecay);
  const XposKnobs& xpos = p;
  model.decay = context.stage("decay", make_decay, rotating, last, p.draws, p.seed, model.ahead());
  model.xpos_curves = context.stage("xpos", make_xpos, rotating, last, xpos);
}

}  // namespace

double Pair::term(double distance) const {
  return q_size * k_size * std::cos(k_angle - q_angle + distance * theta);
}

Model make_model(const Parameters& p, const Context& context) {
  const RotationKnobs& rotation = p;
  const TextKnobs& knobs = p;
  const bool of_text = p.vectors == Vectors::text;
  const XposKnobs xpos = p.text_variant == Variant::xpos ? XposKnobs(p) : XposKnobs{};
  const auto text = context.stage("text", make_text, knobs, rotation, xpos);
  const Index last = text->n() - 1;
  const bool taken = of_text && last >= 0;
  const auto rotating = context.stage(
      "turning", make_rotated, rotation, p.vectors == Vectors::equal, taken ? text : nullptr,
      taken ? TokenPair{std::min<Index>(p.query, last), std::min<Index>(p.key, last)}
            : TokenPair{});
  Model model;
  static_cast<RotatedVectors&>(model) = *rotating;
  model.text = text;
  model.no_text = of_text && !taken;
  model.xpos = core::with_xpos(model.scores, p.options());
  const auto other = p.pairing == core::RotaryPairing::halves ? core::RotaryPairing::neighbors
                                                              : core::RotaryPairing::halves;
  model.distance = p.n - p.m;
  model.earlier = std::min(p.m, p.n);
  model.score = model.score_at(model.distance);
  model.rotated = score_at(p, model, model.earlier);
  model.other_pairing = core::score_at(core::rotary_scores(model.q, model.k, model.theta, other),
                                       -to_double(model.distance));
  choose_ranges(p, model);
  context.cancel.poll();
  model.moved = make_moved(p, model);
  make_curves(p, rotating, model, context);
  return model;
}

}  // namespace lab::rotary
