#include "app/labs/absolute/model.h"

#include "app/labs/shared/drawing/stairs.h"
#include "app/labs/shared/parts.h"
#include "core/attention/softmax.h"
#include "core/position/sinusoidal/sinusoidal_shift.h"
#include "core/random.h"

namespace lab::absolute {
namespace {

constexpr double kDecayTerms = 4e6;      // cosines that a curve over distance may cost
constexpr Index kSearched = 100000;      // distances searched when lengths are compared
constexpr Index kDrawnDistances = 4096;  // of the curve of distances
constexpr Index kMostPoints = 4000;      // of one curve
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// --- the map that moves every position

// On a grid the half that encodes x turns, the other stays.
MatrixD grid_shift(const Encoding& e, int offset) {
  const Index half = e.width / 2;
  const bool half_width = e.exponent == core::AxisExponent::half_width;
  MatrixD map = MatrixD::Identity(e.width, e.width);
  const Index at = e.axis_order == core::AxisOrder::width_first ? 0 : half;
  map.block(at, at, half, half) =
      core::sinusoidal_shift(offset, half_width ? half : e.width, {.base = e.base})
          .topLeftCorner(half, half);
  return map;
}

double shift_error(const Table& table, const MatrixD& map, int offset) {
  const Encoding& e = table.made_of;
  const MatrixD moved = table.P * map.transpose();
  double error = 0;
  for (Index k = 0; k < table.P.rows(); ++k) {
    const Index x = k % e.grid_width + offset, to = k + offset;
    if ((e.grid() && (x < 0 || x >= e.grid_width)) || !table.has(to)) continue;
    error = std::max(error, (moved.row(k).transpose() - table.row(to)).cwiseAbs().maxCoeff());
  }
  return error;
}

Shift make_shift(const TablePointer& table, int offset, const Run& /*run*/) {
  const Encoding& e = table->made_of;
  Shift shift;
  if (e.grid()) {
    shift.map = grid_shift(e, offset);
  } else if (table->theta.size() > 0) {
    shift.map = core::sinusoidal_shift(
        offset, e.width,
        table->sinusoidal ? table->options : core::SinusoidalOptions{.base = e.base});
  } else {
    const Index most = table->filled - 1;
    shift.fit = core::fit_shift(table->P, std::clamp<Index>(offset, -most, most));
    shift.map = shift.fit->map;
  }
  shift.error = shift_error(*table, shift.map, offset);
  shift.cells = kept(shift.map);
  return shift;
}

// --- products and distances of rows

Source make_products(const TablePointer& table, const Run& /*run*/) {
  return kept(table->P * table->P.transpose());
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
    decay.mean(t) = sum / to_double(n - t);
    decay.least(t) = least;
    decay.largest(t) = largest;
  }
  return decay;
}

Decay make_decay(const TablePointer& table, const Run& /*run*/) {
  Decay decay;
  if (table->sinusoidal) {
    const auto affordable = to_index(kDecayTerms / to_double(table->d / 2));
    decay.mean = core::dot_product_curve(table->theta, std::min(table->n - 1, affordable));
    decay.exact = true;
  } else {
    const MatrixD products = table->P * table->P.transpose();
    decay = over_pairs(table->P, [&](Index i, Index j) { return products(i, j); });
  }
  decay.envelope = decay.mean;
  for (Index t = decay.mean.size() - 1; t-- > 0;) {
    decay.envelope(t) = std::max(decay.mean(t), decay.envelope(t + 1));
  }
  decay.facts = core::curve_facts(decay.mean);
  return decay;
}

// --- how long positions can be told apart

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
  return lag ? to_double(lag->lag) : kNone;
}

// The same scheme with another width or base.
VectorD frequencies_of(const Encoding& e, Index width, double base) {
  if (!e.grid()) {
    return core::frequencies(width, base,
                             e.scheme == Scheme::sinusoidal ? e.rule : core::FrequencyRule::paper);
  }
  const bool half = e.exponent == core::AxisExponent::half_width;
  return core::frequencies(half ? width / 2 : width, base).head(width / 4);
}

void compare_widths_and_bases(const Encoding& e, double threshold, Index last, Collisions& c,
                              const core::Cancel& cancel) {
  c.searched = std::max(last, kSearched);
  for (int width = e.grid() ? 4 : 2; width <= 64; width *= 2) {
    cancel.poll();
    const VectorD theta = frequencies_of(e, width, e.base);
    c.widths.push_back(width);
    c.width_lengths.push_back(first_length(theta, threshold, c.searched));
    if (width <= 16) c.width_records.push_back(core::closest_so_far(theta, last, cancel));
  }
  for (const double base :
       {1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 1e6, 1e7}) {
    cancel.poll();
    c.bases.push_back(base);
    c.base_lengths.push_back(first_length(frequencies_of(e, e.width, base), threshold, c.searched));
  }
}

Collisions make_collisions(const TablePointer& table, double threshold, const Run& run) {
  const Encoding& e = table->made_of;
  Collisions c;
  // On a grid the nearest places share one coordinate, so distances run along one axis.
  const Index last =
      e.grid() ? std::max(e.grid_height, e.grid_width) - 1 : std::max<Index>(table->filled - 1, 1);
  if (table->sinusoidal || e.grid()) {
    c.distance = VectorD::NullaryExpr(std::min(last, kDrawnDistances), [&](Index k) {
      return core::encoding_distance(table->theta, to_double(k + 1));
    });
    c.records = core::closest_so_far(table->theta, last, run.cancel);
    c.first = core::first_closer(table->theta, threshold, last);
  } else {
    if (table->filled < 2) return c;
    const MatrixD& P = table->P;
    const VectorD least =
        over_pairs(P, [&](Index i, Index j) { return (P.row(i) - P.row(j)).norm(); }).least;
    c.distance = least.tail(least.size() - 1);
    c.records = records_of(c.distance);
    for (Index k = 0; k < c.distance.size() && !c.first; ++k) {
      if (c.distance(k) < threshold) c.first = core::Lag{k + 1, c.distance(k)};
    }
  }
  if (table->theta.size() > 0) compare_widths_and_bases(e, threshold, last, c, run.cancel);
  return c;
}

// --- words

MatrixD softmax(const MatrixD& scores) { return core::softmax_rows<double>(scores); }

MatrixD drawn(int seed, Index rows, Index cols, std::uint64_t stream) {
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(seed), stream));
  const double scale = 1 / std::sqrt(to_double(rows));
  return MatrixD::NullaryExpr(rows, cols, [&] { return scale * random.gaussian(); });
}

Pairs make_pairs(const TablePointer& table, const Mix& mix, const Run& /*run*/) {
  const Encoding& e = table->made_of;
  const auto room = to_int(std::min<Index>(kMostTokens, table->filled));
  const Tokens tokens = text_tokens(e.text, core::Unit::words, room, e.width, e.seed);
  Pairs pairs;
  pairs.labels = tokens.labels;
  pairs.cut = tokens.cut;
  pairs.X = tokens.X.cast<double>();
  const Index n = pairs.n(), d = e.width;
  if (n == 0) return pairs;
  pairs.P = mix.position_scale * table->P.topRows(n);
  pairs.concatenated = mix.combine == Combine::concatenated;
  const Index d_in = pairs.concatenated ? 2 * d : d;
  if (mix.projection == Projection::identity) {
    pairs.W_q = pairs.W_k = MatrixD::Identity(d_in, d_in);
  } else {
    pairs.W_q = drawn(e.seed, d_in, d, 201);
    pairs.W_k = mix.projection == Projection::tied ? pairs.W_q : drawn(e.seed, d_in, d, 202);
  }
  pairs.d_k = pairs.W_q.cols();
  const MatrixD nothing = MatrixD::Zero(n, d);
  pairs.terms = core::absolute_terms(pairs.input(pairs.X, nothing), pairs.input(nothing, pairs.P),
                                     pairs.W_q, pairs.W_k);
  pairs.scores = pairs.scale() * pairs.terms.sum();
  pairs.weights = softmax(pairs.scores);
  pairs.content_weights = softmax(pairs.scale() * pairs.terms.content_content);
  return pairs;
}

std::vector<Index> new_order(const Parameters& p, Index n, Index query, Index key) {
  std::vector<Index> moved(to_size(n));
  std::iota(moved.begin(), moved.end(), Index{0});
  const auto at = [&](Index k) -> Index& { return moved[to_size(k)]; };
  switch (p.permutation) {
    case Permutation::reverse: std::reverse(moved.begin(), moved.end()); break;
    case Permutation::swap: std::swap(at(query), at(key)); break;
    case Permutation::rotate: std::rotate(moved.begin(), moved.end() - 1, moved.end()); break;
    case Permutation::shuffle: {
      core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), 77));
      for (Index k = n - 1; k > 0; --k) {
        std::swap(at(k), at(random.below(static_cast<std::uint32_t>(k + 1))));
      }
    }
  }
  return moved;
}

MatrixD weights_of(const Pairs& pairs, const MatrixD& x, const MatrixD& p) {
  const MatrixD input = pairs.input(x, p);
  return softmax(pairs.scale() * (input * pairs.W_q) * (input * pairs.W_k).transpose());
}

Order make_order(const Parameters& p, const Pairs& pairs, Index query, Index key) {
  Order order;
  order.moved = new_order(p, pairs.n(), query, key);
  const MatrixD moved_words = pairs.X(order.moved, Eigen::all);
  const MatrixD places = p.with_position ? pairs.P : MatrixD::Zero(pairs.n(), pairs.P.cols());
  order.before = weights_of(pairs, pairs.X, places);
  order.after = weights_of(pairs, moved_words, places);
  order.after_at_home = order.before;
  order.after_at_home(order.moved, order.moved) = order.after;
  // The values are the words alone, so that every change comes through the weights.
  order.output_before = order.before * pairs.X;
  order.output_after = order.output_before;
  order.output_after(order.moved, Eigen::all) = order.after * moved_words;
  const auto change = [](const MatrixD& after, const MatrixD& before) {
    return (after - before).cwiseAbs().maxCoeff();
  };
  order.weight_change = change(order.after_at_home, order.before);
  order.output_change = change(order.output_after, order.output_before);
  order.pooled_change =
      change(order.output_after.colwise().mean(), order.output_before.colwise().mean());
  return order;
}

// --- what curves of columns and of places draw

Stretch shown_stretch(const Parameters& p, const Table& table, Index position) {
  const Index last = table.sinusoidal ? table.n : std::max<Index>(table.filled, 1);
  const Index count = p.grid() ? last : std::min<Index>(p.window, last);
  return {std::clamp<Index>(position - count / 2, 0, last - count), count};
}

Line column_curve(const TablePointer& table, Index column, const Stretch& stretch,
                  const Run& /*run*/) {
  const auto [first, count] = stretch;
  if (!table->sinusoidal || first + count <= table->P.rows()) {
    return curve_of(table->P.col(column).segment(first, count), first);
  }
  VectorD values(count);
  for (Index k = 0; k < count; ++k) {
    values(k) = to_double(table->source->value(first + k, column));
  }
  return curve_of(values, first);
}

// Columns of an eighth and three eighths of the width, and the picked one.
std::vector<ColumnCurve> column_curves(const Parameters& p, const Model& model,
                                       const Context& context) {
  std::vector<Index> columns;
  for (const Index column : {0, p.width / 4 / 2 * 2, p.width / 2 / 2 * 2}) {
    if (column != p.column && std::find(columns.begin(), columns.end(), column) == columns.end()) {
      columns.push_back(column);
    }
  }
  columns.push_back(p.column);
  std::vector<ColumnCurve> curves;
  for (const Index column : columns) {
    const std::string slot = fmt::format("column {}", curves.size());
    curves.push_back(
        {column, context.stage(slot, column_curve, model.table, column, model.stretch)});
  }
  return curves;
}

// The rows of the places in row `at` of the grid, or in its column.
Source make_line(const TablePointer& table, bool along_x, int at, const Run& /*run*/) {
  const Encoding& e = table->made_of;
  const Index count = along_x ? e.grid_width : e.grid_height;
  Matrix rows(count, e.width);
  for (Index k = 0; k < count; ++k) {
    const Index y = along_x ? at : k, x = along_x ? k : at;
    rows.row(k) = table->P.row(y * e.grid_width + x).cast<float>();
  }
  return kept_cells(std::move(rows), count);
}

void compare_words(const Parameters& p, const Context& context, Model& model) {
  const auto pairs = context.stage("pairs", make_pairs, model.table, static_cast<const Mix&>(p));
  if (pairs->n() == 0) return;
  model.pairs = pairs;
  model.query = std::min<Index>(p.query, pairs->n() - 1);
  model.key = std::min<Index>(p.key, pairs->n() - 1);
  if (p.show == Show::order) model.order = make_order(p, *pairs, model.query, model.key);
}

}  // namespace

double Pairs::scale() const { return 1 / std::sqrt(to_double(d_k)); }

MatrixD Pairs::input(const MatrixD& x, const MatrixD& position) const {
  if (!concatenated) return x + position;
  MatrixD both(x.rows(), 2 * x.cols());
  both << x, position;
  return both;
}

Index Order::place(Index home) const {
  return std::find(moved.begin(), moved.end(), home) - moved.begin();
}

Line curve_of(const VectorD& y, Index first) {
  const auto height = [&](Index at) { return y(at - first); };
  return thinned({.begin = first, .end = first + y.size(), .value = {}, .height = height},
                 kMostPoints, kMostPoints / 2);
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  context.cancel.poll();
  model.table = table_of(p, context);
  context.cancel.poll();
  model.position = p.grid() ? Index{p.grid_y} * p.grid_width + p.grid_x : p.position;
  if (p.grid()) {
    model.along_x = *context.stage("along x", make_line, model.table, true, p.grid_y);
    model.along_y = *context.stage("along y", make_line, model.table, false, p.grid_x);
  }
  switch (p.show) {
    case Show::curves:
      model.stretch = shown_stretch(p, *model.table, model.position);
      model.columns = column_curves(p, model, context);
      break;
    case Show::shift:
      model.shift = context.stage("shift", make_shift, model.table, p.offset);
      break;
    case Show::similarity:
      if (p.grid()) break;  // places have no distance, but two coordinates
      model.products = *context.stage("products", make_products, model.table);
      model.decay = context.stage("decay", make_decay, model.table);
      break;
    case Show::collisions:
      model.collisions = context.stage("collisions", make_collisions, model.table, p.threshold);
      break;
    case Show::scores:
    case Show::order: compare_words(p, context, model);
  }
  return model;
}

}  // namespace lab::absolute
