#include "app/labs/absolute/model.h"

#include "app/labs/shared/drawing/stairs.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/position_cells.h"
#include "core/random_matrix.h"

namespace lab::absolute {
namespace {

constexpr double kDecayTerms = 4e6;      // cosines that a curve over distance may cost
constexpr Index kDrawnDistances = 4096;  // of the curve of distances
constexpr Index kMostPoints = 4000;      // of one curve

Shift make_shift(const TablePointer& table, int offset, const Run& /*run*/) {
  Shift shift{core::shift_positions(*table, offset), {}};
  shift.cells = cells_of(shift.map);
  return shift;
}

Source make_products(const TablePointer& table, const Run& /*run*/) {
  return cells_of(table->P * table->P.transpose());
}

core::ProductDecay make_decay(const TablePointer& table, const Run& /*run*/) {
  return core::product_decay(*table, kDecayTerms);
}

Collisions make_collisions(const TablePointer& table, double threshold, const Run& run) {
  Collisions c{core::separation(*table, threshold, kDrawnDistances, run.cancel), {}};
  c.sizes = core::compare_sizes(*table, table->made_of.base, threshold, c.last, run.cancel);
  return c;
}

// --- words

MatrixD drawn(int seed, Index rows, Index cols, std::uint64_t stream) {
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(seed), stream));
  return core::gaussian_matrix(rows, cols, 1 / std::sqrt(to_double(rows)), random);
}

Pairs make_pairs(const TablePointer& table, const Mix& mix, const Run& /*run*/) {
  const Encoding& e = table->made_of;
  const auto room = to_int(std::min<Index>(kMostTokens, table->filled));
  const Tokens tokens = text_tokens(e.text, core::Unit::words, room, e.width, e.seed);
  const Index n = tokens.X.rows(), d = e.width;
  if (n == 0) return {};
  const Index d_in = mix.combine == Joining::concatenated ? 2 * d : d;
  MatrixD W_q = MatrixD::Identity(d_in, d_in), W_k = W_q;
  if (mix.projection != Projection::identity) {
    W_k = W_q = drawn(e.seed, d_in, d, 201);
    if (mix.projection == Projection::random) W_k = drawn(e.seed, d_in, d, 202);
  }
  return {core::absolute_scores(tokens.X.cast<double>(), mix.position_scale * table->P.topRows(n),
                                std::move(W_q), std::move(W_k), mix.combine),
          tokens.labels, tokens.cut};
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
  const Index wide = table->grid->width, count = along_x ? wide : table->grid->height;
  const auto places = Eigen::seqN(along_x ? at * wide : Index{at}, count, along_x ? 1 : wide);
  const MatrixD rows = table->P(places, Eigen::seqN(0, table->P.cols()));
  return kept_cells(rows.cast<float>(), count);
}

void compare_words(const Parameters& p, const Context& context, Model& model) {
  const auto pairs = context.stage("pairs", make_pairs, model.table, static_cast<const Mix&>(p));
  if (pairs->n() == 0) return;
  model.pairs = pairs;
  model.query = std::min<Index>(p.query, pairs->n() - 1);
  model.key = std::min<Index>(p.key, pairs->n() - 1);
  if (p.show != Show::order) return;
  model.order = core::move_tokens(*pairs,
                                  core::token_order(p.permutation, pairs->n(), model.query,
                                                    model.key, static_cast<std::uint64_t>(p.seed)),
                                  p.with_position);
}

}  // namespace

Line curve_of(const VectorD& y, Index first) {
  const auto height = [&](Index at) { return y(at - first); };
  return thinned({.begin = first, .end = first + y.size(), .value = {}, .height = height},
                 kMostPoints, kMostPoints / 2);
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
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
