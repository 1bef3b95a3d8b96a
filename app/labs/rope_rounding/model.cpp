#include "app/labs/rope_rounding/model.h"
#include "app/labs/shared/drawing/long_table.h"
#include "app/labs/shared/parts.h"
#include "core/parallel.h"
#include "core/precision/rope_rows.h"
#include "core/random.h"

namespace lab::rope_rounding {
namespace {

constexpr Index kCurvePoints = 384;  // stretches of the phase curves
constexpr Index kShortest = 8;
constexpr Index kCurvePairs = 5;
// Up to so many positions every one has its score; beyond, so many places of so many neighbours.
constexpr Index kMostScores = 4096, kSampledPositions = 256, kNeighbors = 16;

core::RotaryRounder rounder_of(const Parameters& p, const RoundedSteps& rounded_steps) {
  return {core::frequencies(p.d, p.base), rounding_of(p, rounded_steps)};
}

using SharedRounder = std::shared_ptr<const core::RotaryRounder>;

Rows make_rows(const SharedRounder& rounder, Index n, const Run& run) {
  Rows rows;
  rows.first = core::first_equal_rows(*rounder, n, run.threads, run.cancel);
  rows.distinct.resize(rows.first.size());
  std::int32_t count = 0;
  for (std::size_t p = 0; p < rows.first.size(); ++p) {
    count += rows.first[p] == static_cast<std::int32_t>(p);
    rows.distinct[p] = count;
  }
  return rows;
}

std::array<Alone, kAlone> make_alone(const Parameters& p, Index n, const Run& run) {
  std::array<Alone, kAlone> all{{{"id", {.id = true}, {}, {}},
                                 {"frequency", {.frequency = true}, {}, {}},
                                 {"product", {.product = true}, {}, {}},
                                 {"table", {.table = true}, {}, {}},
                                 {"all", {true, true, true, true}, {}, {}}}};
  for (Alone& alone : all) {
    const auto rounder =
        std::make_shared<const core::RotaryRounder>(rounder_of(p, alone.rounded_steps));
    alone.rows = make_rows(rounder, n, run);
    alone.errors = core::angle_errors(*rounder, n, run.threads, run.cancel);
  }
  return all;
}

// Positions from 1 to n in stretches that grow in proportion.
std::vector<Index> stretches(Index n) {
  std::vector<Index> begins;
  for (Index k = 0; k <= kCurvePoints; ++k) {
    const double share = to_double(k) / kCurvePoints;
    const auto at = to_index(std::llround(std::pow(to_double(n), share)));
    if (begins.empty() || at >= begins.back() + kShortest) begins.push_back(at);
  }
  if (begins.back() < n) begins.push_back(n);
  return begins;
}

std::vector<Index> curve_pairs(Index pairs, Index pair) {
  std::vector<Index> chosen{pair};
  for (Index k = 0; k < kCurvePairs; ++k) {
    chosen.push_back(pairs == 1 ? 0 : k * (pairs - 1) / (kCurvePairs - 1));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<PhaseCurve> make_curves(const SharedRounder& rounder, Index length,
                                    const std::vector<Index>& pairs, const Run& run) {
  const std::vector<Index> begins = stretches(length);
  std::vector<PhaseCurve> curves;
  for (const Index pair : pairs) {
    run.cancel.poll();
    PhaseCurve curve{pair, {}, {}};
    for (std::size_t k = 0; k + 1 < begins.size(); ++k) {
      const Index first = begins[k], count = begins[k + 1] - first;
      curve.x.push_back(to_double(first) + to_double(count - 1) / 2);
      curve.y.push_back(core::angle_errors(*rounder, pair, first, count).max());
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::shared_ptr<const TileSource> make_cells(const SharedRounder& rounder, Index n,
                                             const Run& run) {
  const int threads = run.threads;
  LongTable table;
  table.rows = n;
  table.cols = rounder->pairs();
  table.value = [rounder](Index row, Index col) {
    return to_float(std::abs(rounder->hand_error(to_double(row), col)));
  };
  table.pooled = [rounder, n, threads](int row_level, int col_level, const figure::Region& region,
                                       figure::Pool pool, const core::Cancel& cancel) {
    return core::rotary_error_tile(*rounder, {n, row_level, col_level, region, pool}, threads,
                                   cancel);
  };
  table.cost = [](int row_level, int col_level) { return std::ldexp(8.0, row_level + col_level); };
  return std::make_shared<LongTableSource>(std::make_shared<const LongTable>(std::move(table)));
}

// --- scores

// Cosines and sines of one row of the table.
struct Row {
  VectorD cosine, sine;
};

Row row_of(const core::RotaryRounder& rounder, double position) {
  Row row{VectorD(rounder.pairs()), VectorD(rounder.pairs())};
  for (Index i = 0; i < rounder.pairs(); ++i) {
    const double angle = rounder.angle(position, i);
    row.cosine(i) = rounder.cosine(angle, position, i);
    row.sine(i) = rounder.sine(angle, position, i);
  }
  return row;
}

// The product of the turned pairs: Re(h e^{i(a - b)}) with cosines and sines as the table has them.
VectorD terms_of(const core::RotaryScores& s, const Row& query, const Row& key) {
  const auto cosine = query.cosine.array() * key.cosine.array() +  //
                      query.sine.array() * key.sine.array();
  const auto sine = query.sine.array() * key.cosine.array() -  //
                    query.cosine.array() * key.sine.array();
  return s.re.array() * cosine - s.im.array() * sine;
}

void take(ScoreCurve& curve, double exact, double rounded, std::size_t k) {
  const double error = rounded - exact;
  if (!std::isfinite(error)) {
    curve.lo[k] = curve.hi[k] = error;
    return;
  }
  curve.lo[k] = std::min(curve.lo[k], error);
  curve.hi[k] = std::max(curve.hi[k], error);
}

void measure(ScoreCurve& curve) {
  for (std::size_t k = 0; k < curve.at.size(); ++k) {
    const double largest = std::max(std::abs(curve.lo[k]), std::abs(curve.hi[k]));
    if (std::isfinite(curve.lo[k] + curve.hi[k])) {
      curve.largest = std::max(curve.largest, largest);
    } else {
      ++curve.missing;
    }
  }
}

ScoreCurve empty_curve(std::vector<Index> at) {
  ScoreCurve curve;
  curve.at = std::move(at);
  const std::size_t size = curve.at.size();
  curve.exact.resize(size), curve.rounded.resize(size);
  curve.lo.assign(size, std::numeric_limits<double>::infinity());
  curve.hi.assign(size, -std::numeric_limits<double>::infinity());
  return curve;
}

// What scores of the picked pair are made of.
Model scored(const Parameters& p, const SharedRounder& rounder) {
  Model model;
  model.rounder = rounder;
  model.theta = core::frequencies(p.d, p.base);
  model.q = query_vector(p, p.query);
  model.k = key_vector(p, p.key);
  model.scores = core::rotary_scores(model.q, model.k, model.theta);
  model.scale = p.sharpness / std::sqrt(p.d);
  return model;
}

ScoreCurve make_by_distance(const Parameters& p, const SharedRounder& rounder, const Run& run) {
  const Model model = scored(p, rounder);
  std::vector<Index> at(to_size(std::min(p.reach, p.query)) + 1);
  for (std::size_t k = 0; k < at.size(); ++k) at[k] = to_index(k);
  ScoreCurve curve = empty_curve(std::move(at));
  const Row query = row_of(*model.rounder, p.query);
  const VectorD exact = core::score_run(model.scores, 0, std::ssize(curve.at));
  core::parallel_for(std::ssize(curve.at), run.threads, [&](Index t, int) {
    run.cancel.poll();
    const auto k = to_size(t);
    const Row key = row_of(*model.rounder, to_double(p.query - t));
    curve.exact[k] = model.scale * exact(t);
    curve.rounded[k] = model.scale * terms_of(model.scores, query, key).sum();
    take(curve, curve.exact[k], curve.rounded[k], k);
  });
  measure(curve);
  return curve;
}

ScoreCurve make_by_position(const Parameters& p, const SharedRounder& rounder, const Run& run) {
  const Model model = scored(p, rounder);
  const Index t = p.query - p.key, first = t, count = p.length - t;
  std::vector<Index> at;
  const bool sampled = count > kMostScores;
  if (sampled) {
    // Evenly on the logarithmic axis; each stands for itself and the next ones.
    for (Index k = 0; k < kSampledPositions; ++k) {
      const double share = to_double(k) / (kSampledPositions - 1);
      const double behind = std::pow(to_double(count - kNeighbors), share);
      const Index position = first + to_index(behind);
      if (at.empty() || position >= at.back() + kNeighbors) at.push_back(position);
    }
  } else {
    for (Index m = first; m < p.length; ++m) at.push_back(m);
  }
  ScoreCurve curve = empty_curve(std::move(at));
  curve.sampled = sampled;
  curve.neighbors = sampled ? kNeighbors : 1;
  const double exact = model.exact_score(to_double(t));
  core::parallel_for(std::ssize(curve.at), run.threads, [&](Index position, int) {
    run.cancel.poll();
    const auto k = to_size(position);
    curve.exact[k] = exact;
    for (Index next = 0; next < curve.neighbors; ++next) {
      const auto m = to_double(curve.at[k] + next);
      const double rounded = model.rounded_score(m, m - to_double(t));
      if (next == 0) curve.rounded[k] = rounded;
      take(curve, exact, rounded, k);
      if (!std::isfinite(rounded)) break;
    }
  });
  measure(curve);
  return curve;
}

using AllAlone = std::array<Alone, kAlone>;

std::array<double, kAlone> alone_changes(const Parameters& p,
                                         const std::shared_ptr<const AllAlone>& alone,
                                         const std::shared_ptr<const core::Attended<double>>& exact,
                                         const Run& run) {
  std::array<double, kAlone> all{};
  for (std::size_t k = 0; k < kAlone; ++k) {
    run.cancel.poll();
    const Window window = make_window(p, *exact, rounder_of(p, (*alone)[k].rounded_steps));
    all[k] = window.missing > 0 ? std::numeric_limits<double>::quiet_NaN() : window.largest;
  }
  return all;
}

// The fields that tables depend on, whichever of their steps are rounded.
Parameters table_of(const Parameters& p) {
  using P = Parameters;
  return only(p, &P::format, &P::rounding, &P::repair, &P::carrier, &P::d, &P::base);
}

void make_tables(const Parameters& p, Model& model, const Context& context) {
  Parameters table = table_of(p);
  const auto compared = std::min<Index>(p.length, kMostCompared);
  model.alone = context.stage("alone", make_alone, table, compared);
  table.rounded_steps = p.rounded_steps;
  model.rounder = context.stage(
      "rounder", [](const Parameters& q, const Run&) { return rounder_of(q, effective_steps(q)); },
      table);
  const Index n = p.length;
  model.rows = context.stage("rows", make_rows, model.rounder, n);
  model.errors = context.stage(
      "errors",
      [](const SharedRounder& rounder, Index length, const Run& run) {
        return core::angle_errors(*rounder, length, run.threads, run.cancel);
      },
      model.rounder, n);
  model.curves =
      context.stage("curves", make_curves, model.rounder, n, curve_pairs(p.d / 2, p.pair));
  model.cells = *context.stage("cells", make_cells, model.rounder, n);
  // The same for every choice of places, so that switching them shows what changes.
  const double longer = to_double(n) / to_double(compared);
  const double largest = model.alone->back().errors.largest * longer;
  model.top = std::pow(10, std::ceil(std::log10(std::max(largest, 10.0)) - 1e-9));
}

void make_scores(const Parameters& p, Model& model, const Context& context) {
  using P = Parameters;
  const Parameters vectors = only(p, &P::vectors, &P::seed, &P::sharpness, &P::d, &P::base,
                                  &P::query, &P::key, &P::length);
  Parameters reaching = vectors;
  reaching.reach = p.reach;
  model.by_distance = context.stage("by_distance", make_by_distance, reaching, model.rounder);
  model.by_position = context.stage("by_position", make_by_position, vectors, model.rounder);
  // The same for every query of one block.
  Parameters block =
      only(p, &P::vectors, &P::seed, &P::sharpness, &P::d, &P::base, &P::length, &P::window);
  block.query = to_int(window_start(p));
  const auto exact = context.stage(
      "exact window", [](const Parameters& q, const Run&) { return exact_attention(q); }, block);
  model.window = context.stage(
      "window",
      [](const Parameters& q, const std::shared_ptr<const core::Attended<double>>& attended,
         const SharedRounder& rounder, const Run&) { return make_window(q, *attended, *rounder); },
      block, exact, model.rounder);
  Parameters alone = table_of(p);
  alone.vectors = p.vectors, alone.seed = p.seed, alone.sharpness = p.sharpness;
  alone.length = p.length, alone.window = p.window, alone.query = block.query;
  model.alone_change = *context.stage("alone window", alone_changes, alone, model.alone, exact);
}

// Streams of random numbers: one vector for all, or one for each token.
enum : std::uint64_t { kEqual = 11, kQuery = 12, kKey = 13, kTokens = 1 << 22 };

VectorD random_vector(const Parameters& p, std::uint64_t stream) {
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), stream));
  return VectorD::NullaryExpr(p.d, [&](Index) { return random.gaussian(); });
}

VectorD vector_of(const Parameters& p, Index position, bool query) {
  switch (p.vectors) {
    case Vectors::pair: return random_vector(p, query ? kQuery : kKey);
    case Vectors::tokens:
      return random_vector(p, kTokens + 2 * static_cast<std::uint64_t>(position) + query);
    case Vectors::equal: break;
  }
  return random_vector(p, kEqual);
}

core::Attended<double> attention(const Parameters& p, const core::RotaryTableD& table) {
  const Index start = window_start(p), n = window_size(p);
  MatrixD Q(n, p.d), K(n, p.d);
  for (Index r = 0; r < n; ++r) {
    Q.row(r) = query_vector(p, start + r).transpose();
    K.row(r) = key_vector(p, start + r).transpose();
  }
  core::AttentionOptionsD options;
  options.mask = Mask::causal(n, n);
  options.scale = p.sharpness / std::sqrt(p.d);
  const MatrixD no_values(n, 0);
  return core::attend<double>(core::rotated(Q, table), core::rotated(K, table), no_values, options);
}

}  // namespace

VectorD Model::exact_terms(double distance) const {
  return scale * core::score_terms(scores, distance);
}

VectorD Model::rounded_terms(double query, double key) const {
  return scale * terms_of(scores, row_of(*rounder, query), row_of(*rounder, key));
}

Entry entry_of(const Model& model, Index position, Index pair) {
  const core::RotaryRounder& rounder = *model.rounder;
  const core::RotaryRounding& rounding = rounder.rounding();
  // A NaN, of an infinite angle, is the one of the table.
  const auto carried = [&](double x) {
    return std::isnan(x) ? std::numeric_limits<double>::quiet_NaN()
                         : core::round_to(rounding.carrier, x);
  };
  Entry e;
  e.position = to_double(position);
  e.theta = model.theta(pair);
  e.angle = e.position * e.theta;
  e.cosine = std::cos(e.angle), e.sine = std::sin(e.angle);
  e.r_position = rounder.id(e.position);
  e.r_theta = rounder.theta()(pair);
  e.carried_product = carried(e.r_position * e.r_theta);
  e.r_angle = rounder.angle(e.position, pair);
  e.carried_cosine = carried(std::cos(e.r_angle)), e.carried_sine = carried(std::sin(e.r_angle));
  e.r_cosine = rounder.cosine(e.r_angle, e.position, pair);
  e.r_sine = rounder.sine(e.r_angle, e.position, pair);
  e.r_hand = rounder.hand(e.r_angle, e.position, pair);
  return e;
}

Model make_model(const Parameters& p, const Context& context) {
  Model model = scored(p, nullptr);
  make_tables(p, model, context);
  model.entry = entry_of(model, p.query, p.pair);
  model.key_entry = entry_of(model, p.key, p.pair);
  make_scores(p, model, context);
  return model;
}

Index window_start(const Parameters& p) { return p.query / p.window * p.window; }

Index window_size(const Parameters& p) {
  return std::min<Index>(p.window, p.length - window_start(p));
}

VectorD query_vector(const Parameters& p, Index position) { return vector_of(p, position, true); }
VectorD key_vector(const Parameters& p, Index position) { return vector_of(p, position, false); }

core::Attended<double> exact_attention(const Parameters& p) {
  const Index start = window_start(p);
  const VectorD positions =
      VectorD::NullaryExpr(window_size(p), [&](Index r) { return to_double(start + r); });
  return attention(p, core::rotary_angles(positions, core::frequencies(p.d, p.base)));
}

Window make_window(const Parameters& p, const core::Attended<double>& exact,
                   const core::RotaryRounder& rounder) {
  Window window;
  window.start = window_start(p);
  window.n = window_size(p);
  window.exact = exact;
  core::RotaryTableD table;
  rounder.fill(table, window.start, window.n, 1);
  window.rounded = attention(p, table);
  for (Index r = 0; r < window.n; ++r) {
    for (Index c = 0; c <= r; ++c) {
      const double change = window.rounded.weights(r, c) - exact.weights(r, c);
      if (!std::isfinite(change)) {
        ++window.missing;
      } else if (std::abs(change) > window.largest) {
        window.largest = std::abs(change);
        window.row = r, window.col = c;
      }
    }
  }
  return window;
}

}  // namespace lab::rope_rounding
