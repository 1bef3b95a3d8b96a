#include "app/labs/absolute/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/attention/softmax.h"
#include "core/position/sinusoidal_shift.h"
#include "core/random.h"

namespace lab::absolute {
namespace {

constexpr double kDecayTerms = 4e6;      // cosines that a curve over distance may cost
constexpr Index kSearched = 100000;      // distances searched when lengths are compared
constexpr Index kDrawnDistances = 4096;  // of the curve of distances
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// On a grid the half that encodes x turns, the other stays.
MatrixD grid_shift(const Parameters& p) {
  const Index half = p.width / 2;
  const bool half_width = p.exponent == core::AxisExponent::half_width;
  const MatrixD turn =
      core::sinusoidal_shift(p.offset, half_width ? half : p.width, {.base = p.base})
          .topLeftCorner(half, half);
  MatrixD map = MatrixD::Identity(p.width, p.width);
  const Index at = p.axis_order == core::AxisOrder::width_first ? 0 : half;
  map.block(at, at, half, half) = turn;
  return map;
}

double shift_error(const Parameters& p, const Table& table, const MatrixD& map) {
  double error = 0;
  const MatrixD moved = table.P * map.transpose();
  for (Index k = 0; k < table.P.rows(); ++k) {
    const Index x = k % p.grid_width + p.offset;
    if (p.grid() && (x < 0 || x >= p.grid_width)) continue;
    if (!table.has(k + p.offset)) continue;
    error =
        std::max(error, (moved.row(k).transpose() - table.row(k + p.offset)).cwiseAbs().maxCoeff());
  }
  return error;
}

VectorD envelope_of(const VectorD& curve) {
  VectorD envelope = curve;
  for (Index t = curve.size() - 1; t-- > 0;) envelope(t) = std::max(curve(t), envelope(t + 1));
  return envelope;
}

// For each distance what `measure` says of every pair of kept rows: mean, least, largest.
template <class Measure>
Decay over_pairs(const MatrixD& P, Measure measure) {
  const Index n = P.rows();
  Decay decay;
  decay.mean = decay.least = decay.largest = VectorD::Zero(n);
  for (Index t = 0; t < n; ++t) {
    double sum = 0, least = std::numeric_limits<double>::infinity(), largest = -least;
    for (Index k = 0; k + t < n; ++k) {
      const double value = measure(k, k + t);
      sum += value;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    decay.mean(t) = sum / static_cast<double>(n - t);
    decay.least(t) = least;
    decay.largest(t) = largest;
  }
  return decay;
}

std::vector<core::Lag> records_of(const VectorD& distance) {
  std::vector<core::Lag> records;
  for (Index k = 0; k < distance.size(); ++k) {
    if (records.empty() || distance(k) < records.back().distance) {
      records.push_back({k + 1, distance(k)});
    }
  }
  return records;
}

double first_length(const VectorD& theta, double threshold, Index searched) {
  const auto lag = core::first_closer(theta, threshold, searched);
  return lag ? static_cast<double>(lag->lag) : kNone;
}

// The same scheme with another width or base.
VectorD frequencies_of(const Parameters& p, Index width, double base) {
  if (!p.grid()) {
    return core::frequencies(width, base,
                             p.scheme == Scheme::sinusoidal ? p.rule : core::FrequencyRule::paper);
  }
  const bool half = p.exponent == core::AxisExponent::half_width;
  return core::frequencies(half ? width / 2 : width, base).head(width / 4);
}

void compare_widths_and_bases(const Parameters& p, Index last, Collisions& c,
                              const core::Cancel& cancel) {
  c.searched = std::max(last, kSearched);
  for (int width = p.grid() ? 4 : 2; width <= 64; width *= 2) {
    cancel.poll();
    const VectorD theta = frequencies_of(p, width, p.base);
    c.widths.push_back(width);
    c.width_lengths.push_back(first_length(theta, p.threshold, c.searched));
    if (width <= 16) c.width_records.push_back(core::closest_so_far(theta, last, cancel));
  }
  for (const double base :
       {1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 1e6, 1e7}) {
    cancel.poll();
    c.bases.push_back(base);
    c.base_lengths.push_back(
        first_length(frequencies_of(p, p.width, base), p.threshold, c.searched));
  }
}

MatrixD drawn(const Parameters& p, Index rows, Index cols, std::uint64_t stream) {
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), stream));
  const double scale = 1 / std::sqrt(static_cast<double>(rows));
  return MatrixD::NullaryExpr(rows, cols, [&] { return scale * random.gaussian(); });
}

MatrixD softmax(const MatrixD& scores) { return core::softmax_rows<double>(scores); }

std::vector<Index> new_order(const Parameters& p, Index n, Index query, Index key) {
  std::vector<Index> moved(static_cast<std::size_t>(n));
  std::iota(moved.begin(), moved.end(), Index{0});
  const auto at = [&](Index k) -> Index& { return moved[static_cast<std::size_t>(k)]; };
  switch (p.permutation) {
    case Permutation::reverse:
      std::reverse(moved.begin(), moved.end());
      break;
    case Permutation::swap:
      std::swap(at(query), at(key));
      break;
    case Permutation::rotate:
      std::rotate(moved.begin(), moved.end() - 1, moved.end());
      break;
    case Permutation::shuffle: {
      core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), 77));
      for (Index k = n - 1; k > 0; --k) {
        std::swap(at(k), at(static_cast<Index>(random.below(static_cast<std::uint32_t>(k + 1)))));
      }
    }
  }
  return moved;
}

MatrixD scores_of(const Pairs& pairs, const MatrixD& x, const MatrixD& p) {
  const MatrixD input = pairs.input(x, p);
  return score_scale(pairs) * (input * pairs.W_q) * (input * pairs.W_k).transpose();
}

}  // namespace

Shift make_shift(const Parameters& p, const Table& table) {
  Shift shift;
  if (p.grid()) {
    shift.map = grid_shift(p);
  } else if (table.theta.size() > 0) {
    shift.map = core::sinusoidal_shift(
        p.offset, p.width,
        table.sinusoidal ? table.options : core::SinusoidalOptions{.base = p.base});
  } else {
    const Index most = table.filled - 1;
    shift.fit = core::fit_shift(table.P, std::clamp<Index>(p.offset, -most, most));
    shift.map = shift.fit->map;
  }
  shift.error = shift_error(p, table, shift.map);
  return shift;
}

Decay make_decay(const Table& table) {
  Decay decay;
  if (table.sinusoidal) {
    const auto affordable = static_cast<Index>(kDecayTerms / static_cast<double>(table.d / 2));
    decay.mean = core::dot_product_curve(table.theta, std::min(table.n - 1, affordable));
    decay.exact = true;
  } else {
    const MatrixD products = table.P * table.P.transpose();
    decay = over_pairs(table.P, [&](Index i, Index j) { return products(i, j); });
  }
  decay.envelope = envelope_of(decay.mean);
  decay.facts = core::curve_facts(decay.mean);
  return decay;
}

Collisions make_collisions(const Parameters& p, const Table& table, const Context& context) {
  Collisions c;
  const bool formula = table.sinusoidal || p.grid();
  // On a grid the nearest places share one coordinate, so distances run along one axis.
  const Index last =
      p.grid() ? std::max(p.grid_height, p.grid_width) - 1 : std::max<Index>(table.filled - 1, 1);
  if (formula) {
    c.distance = VectorD::NullaryExpr(std::min(last, kDrawnDistances), [&](Index k) {
      return core::encoding_distance(table.theta, static_cast<double>(k + 1));
    });
    c.records = core::closest_so_far(table.theta, last, context.cancel);
    c.first = core::first_closer(table.theta, p.threshold, last);
  } else {
    if (table.filled < 2) return c;
    const Decay pairs = over_pairs(
        table.P, [&](Index i, Index j) { return (table.P.row(i) - table.P.row(j)).norm(); });
    c.distance = pairs.least.tail(pairs.least.size() - 1);
    c.records = records_of(c.distance);
    for (Index k = 0; k < c.distance.size() && !c.first; ++k) {
      if (c.distance(k) < p.threshold) c.first = core::Lag{k + 1, c.distance(k)};
    }
  }
  if (table.theta.size() > 0) compare_widths_and_bases(p, last, c, context.cancel);
  return c;
}

MatrixD Pairs::input(const MatrixD& x, const MatrixD& position) const {
  if (!concatenated) return x + position;
  MatrixD both(x.rows(), 2 * x.cols());
  both << x, position;
  return both;
}

double score_scale(const Pairs& pairs) { return 1 / std::sqrt(static_cast<double>(pairs.d_k)); }

Pairs make_pairs(const Parameters& p, const Table& table) {
  const auto room = static_cast<int>(std::min<Index>(kMostTokens, table.filled));
  const Tokens tokens = text_tokens(p.text, core::Unit::words, room, p.width, p.seed);
  Pairs pairs;
  pairs.labels = tokens.labels;
  pairs.cut = tokens.cut;
  pairs.X = tokens.X.cast<double>();
  const Index n = pairs.X.rows(), d = p.width;
  if (n == 0) return pairs;
  pairs.P = p.position_scale * table.P.topRows(n);
  pairs.concatenated = p.combine == Combine::concatenated;
  const Index d_in = pairs.concatenated ? 2 * d : d;
  if (p.projection == Projection::identity) {
    pairs.W_q = pairs.W_k = MatrixD::Identity(d_in, d_in);
  } else {
    pairs.W_q = drawn(p, d_in, d, 201);
    pairs.W_k = p.projection == Projection::tied ? pairs.W_q : drawn(p, d_in, d, 202);
  }
  pairs.d_k = pairs.W_q.cols();
  const MatrixD nothing = MatrixD::Zero(n, d);
  pairs.terms = pairs.concatenated
                    ? core::absolute_terms(pairs.input(pairs.X, nothing),
                                           pairs.input(nothing, pairs.P), pairs.W_q, pairs.W_k)
                    : core::absolute_terms(pairs.X, pairs.P, pairs.W_q, pairs.W_k);
  pairs.scores = score_scale(pairs) * pairs.terms.sum();
  pairs.weights = softmax(pairs.scores);
  pairs.content_weights = softmax(score_scale(pairs) * pairs.terms.content_content);
  return pairs;
}

Order make_order(const Parameters& p, const Pairs& pairs) {
  const Index n = pairs.n();
  Order order;
  order.moved = new_order(p, n, std::min<Index>(p.query, n - 1), std::min<Index>(p.key, n - 1));
  MatrixD moved_words(n, pairs.X.cols());
  for (Index k = 0; k < n; ++k) {
    moved_words.row(k) = pairs.X.row(order.moved[static_cast<std::size_t>(k)]);
  }
  const MatrixD places = p.with_position ? pairs.P : MatrixD::Zero(n, pairs.P.cols());
  order.before = softmax(scores_of(pairs, pairs.X, places));
  order.after = softmax(scores_of(pairs, moved_words, places));
  // The values are the words alone, so that every change comes through the weights.
  order.output_before = order.before * pairs.X;
  const MatrixD output_after = order.after * moved_words;
  order.after_at_home = order.before;
  order.output_after = output_after;
  for (Index i = 0; i < n; ++i) {
    const Index home = order.moved[static_cast<std::size_t>(i)];
    order.output_after.row(home) = output_after.row(i);
    for (Index j = 0; j < n; ++j) {
      order.after_at_home(home, order.moved[static_cast<std::size_t>(j)]) = order.after(i, j);
    }
  }
  order.weight_change = (order.after_at_home - order.before).cwiseAbs().maxCoeff();
  order.output_change = (order.output_after - order.output_before).cwiseAbs().maxCoeff();
  order.pooled_change = (order.output_after.colwise().mean() - order.output_before.colwise().mean())
                            .cwiseAbs()
                            .maxCoeff();
  return order;
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  context.cancel.poll();
  model.table = make_table(p, context);
  context.cancel.poll();
  const Table& table = *model.table;
  model.position = p.grid() ? Index{p.grid_y} * p.grid_width + p.grid_x : p.position;
  switch (p.show) {
    case Show::curves:
      break;
    case Show::shift:
      model.shift = context.memo.get("shift", std::tuple(model.table, p.offset),
                                     [&] { return make_shift(p, table); });
      break;
    case Show::similarity:
      if (p.grid()) break;  // places have no distance, but two coordinates
      model.decay = context.memo.get("decay", model.table, [&] { return make_decay(table); });
      break;
    case Show::collisions:
      model.collisions = context.memo.get("collisions", std::tuple(model.table, p.threshold),
                                          [&] { return make_collisions(p, table, context); });
      break;
    case Show::scores:
    case Show::order: {
      const auto pairs = context.memo.get(
          "pairs",
          std::tuple(model.table, p.text, p.seed, p.combine, p.projection, p.position_scale),
          [&] { return make_pairs(p, table); });
      if (pairs->n() == 0) break;
      model.pairs = pairs;
      model.query = std::min<Index>(p.query, pairs->n() - 1);
      model.key = std::min<Index>(p.key, pairs->n() - 1);
      if (p.show == Show::order) model.order = std::make_shared<Order>(make_order(p, *pairs));
    }
  }
  return model;
}

}  // namespace lab::absolute
