// The table of each scheme.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "app/labs/absolute/model.h"
#include "core/random.h"
#include "core/text/tokenize.h"

namespace lab::absolute {
namespace {

// Streams of random numbers, so that one does not follow from another.
enum Stream : std::uint64_t { kLearned = 101, kNetwork, kAmplitude, kFrequency, kPhase };

core::Random random_of(const Parameters& p, Stream stream, std::uint64_t part = 0) {
  return core::Random(core::stream_seed(static_cast<std::uint64_t>(p.seed), stream + 1000 * part));
}

void keep(Table& table, MatrixD rows) {
  table.filled = rows.rows();
  core::Matrix cells = core::Matrix::Zero(table.n, table.d);
  cells.topRows(rows.rows()) = rows.cast<float>();
  table.source = std::make_shared<TableSource>(kept_cells(std::move(cells), rows.rows()));
  table.P = std::move(rows);
}

Table sinusoidal_table(const Parameters& p) {
  Table table{.n = p.length, .filled = p.length, .d = p.width};
  table.options = {.base = p.base, .layout = p.layout, .rule = p.rule};
  table.theta = core::frequencies(p.width, p.base, p.rule);
  table.sinusoidal = true;
  table.P = core::sinusoidal_table(std::min(p.length, kMostRows), p.width, table.options);
  table.source = std::make_shared<TableSource>(formula_cells(p.length, p.width, table.options));
  return table;
}

Table grid_table(const Parameters& p) {
  Table table{.n = position_count(p), .d = p.width};
  const Index width = p.exponent == core::AxisExponent::half_width ? p.width / 2 : p.width;
  table.theta = core::frequencies(width, p.base).head(p.width / 4);
  keep(table, core::sinusoidal_2d(p.grid_height, p.grid_width, p.width,
                                  {.base = p.base, .order = p.axis_order, .exponent = p.exponent}));
  return table;
}

Learned learn(const Parameters& p, const core::Cancel& cancel) {
  Learned learned;
  core::Random random = random_of(p, kLearned);
  learned.initial = MatrixD::NullaryExpr(p.rows, p.width, [&] { return random.gaussian(); });
  const MatrixD target = MatrixD::NullaryExpr(p.seen, p.seen, [&](Index i, Index j) {
    return std::exp(-std::abs(static_cast<double>(i - j)) / p.reach);
  });
  // A quarter of the step at which the steepest direction would begin to swing: curvatures are
  // about the eigenvalues of P P^T / d, at first those of a random matrix, at last the target's.
  const auto seen = static_cast<double>(p.seen);
  const double random_edge = 1 + std::sqrt(seen / p.width);
  const double steepest = std::max(random_edge * random_edge, std::min(seen, 2 * p.reach + 1));
  const double rate = seen / (8 * steepest);
  learned.fit = core::fit_positions(learned.initial, target, p.steps, rate, cancel);
  return learned;
}

Table learned_table(const Parameters& p, const Context& context) {
  Table table{.n = p.length, .d = p.width};
  table.learned =
      context.memo.get("learned", std::tuple(p.rows, p.width, p.seen, p.steps, p.reach, p.seed),
                       [&] { return learn(p, context.cancel); });
  const bool refuse = p.beyond == core::BeyondTable::refuse;
  std::vector<Index> positions(
      static_cast<std::size_t>(refuse ? std::min(p.length, p.rows) : p.length));
  for (std::size_t k = 0; k < positions.size(); ++k) positions[k] = static_cast<Index>(k);
  keep(table, core::learned_positions(table.learned->fit.table, positions, p.beyond));
  return table;
}

// A network whose course neither dies nor runs away: h = J D grad H with H the sum of log cosh of
// its hidden units, J turning each pair of columns and D the pairs' frequencies, so that H is kept.
// The weights are drawn, not trained.
core::FloaterMlp network(const Parameters& p) {
  const Index d = p.width;
  const VectorD theta = core::frequencies(d, p.base);
  core::Random random = random_of(p, kNetwork);
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  core::FloaterMlp mlp;
  mlp.W1 = MatrixD::NullaryExpr(d + 1, d, [&] { return scale * random.gaussian(); });
  mlp.W1.row(d).setZero();  // the field stands still: it does not depend on tau
  mlp.b1 = VectorD::NullaryExpr(d, [&] { return scale * random.gaussian(); });
  mlp.W2.resize(d, d);
  for (Index i = 0; i < d / 2; ++i) {
    mlp.W2.col(2 * i) = theta(i) * mlp.W1.row(2 * i + 1).transpose();
    mlp.W2.col(2 * i + 1) = -theta(i) * mlp.W1.row(2 * i).transpose();
  }
  mlp.b2 = VectorD::Zero(d);
  return mlp;
}

Flow make_flow(const Parameters& p, const core::Cancel& cancel) {
  Flow flow;
  if (p.course == Course::sinusoidal) {
    flow.h = core::sinusoidal_dynamics(p.width, 1 / p.base, p.factor);
  } else {
    flow.h = [mlp = network(p)](double tau, const VectorD& y) { return mlp(tau, y); };
  }
  const VectorD start = VectorD::NullaryExpr(
      p.width, [](Index j) { return static_cast<double>(j % 2); });  // sin 0, cos 0
  flow.rows = core::integrate(flow.h, p.integrator, start,
                              {.intervals = p.length - 1, .substeps = p.substeps}, cancel);
  const Index finer = p.integrator == core::Integrator::rk4 && p.substeps > 16 ? 16 : 8;
  flow.fine = core::integrate(
      flow.h, core::Integrator::rk4, start,
      {.intervals = kFine * (p.length - 1), .delta_t = 1.0 / kFine, .substeps = finer}, cancel);
  for (Index k = 0; k < p.length; ++k) {
    flow.largest_error = std::max(
        flow.largest_error, (flow.rows.row(k) - flow.fine.row(kFine * k)).cwiseAbs().maxCoeff());
  }
  return flow;
}

Table floater_table(const Parameters& p, const Context& context) {
  Table table{.n = p.length, .d = p.width};
  table.flow = context.memo.get(
      "flow",
      std::tuple(p.length, p.width, p.base, p.course, p.integrator, p.substeps, p.factor, p.seed),
      [&] { return make_flow(p, context.cancel); });
  if (p.course == Course::sinusoidal && p.factor == core::DerivativeFactor::frequency) {
    table.theta = core::frequencies(p.width, p.base);
  }
  keep(table, table.flow->rows);
  return table;
}

// Each different word's amplitudes, frequencies and phases.
core::ComplexOrderTable draw_words(const Parameters& p, Index words) {
  const VectorD theta = core::frequencies(p.width, p.base);
  core::ComplexOrderTable table;
  table.amplitude = table.frequency = table.phase = MatrixD(words, theta.size());
  core::Random amplitude = random_of(p, kAmplitude), frequency = random_of(p, kFrequency),
               phase = random_of(p, kPhase);
  for (Index word = 0; word < words; ++word) {
    for (Index i = 0; i < theta.size(); ++i) {
      table.amplitude(word, i) = 1 + p.amplitude_spread * (2 * amplitude.uniform() - 1);
      table.frequency(word, i) =
          theta(i) * (1 + p.frequency_spread * (2 * frequency.uniform() - 1));
      table.phase(word, i) = p.phase_spread * std::numbers::pi * (2 * phase.uniform() - 1);
    }
  }
  return table;
}

Turned turn_words(const Parameters& p) {
  Turned turned;
  std::vector<std::string> tokens;
  for (const core::Token& token : core::tokenize(p.text, core::Unit::words, p.length)) {
    tokens.push_back(token.label);
  }
  if (tokens.empty()) tokens.emplace_back("·");
  std::map<std::string, Index> known;
  for (Index k = 0; k < p.length; ++k) {
    const std::string& token = tokens[static_cast<std::size_t>(k) % tokens.size()];
    const auto [at, fresh] = known.emplace(token, static_cast<Index>(known.size()));
    if (fresh) turned.names.push_back(token);
    turned.ids.push_back(at->second);
  }
  turned.cycled = static_cast<Index>(tokens.size()) < p.length;
  turned.table = draw_words(p, static_cast<Index>(turned.names.size()));
  return turned;
}

Table complex_table(const Parameters& p) {
  Table table{.n = p.length, .d = p.width};
  const auto turned = std::make_shared<const Turned>(turn_words(p));
  const VectorD places =
      VectorD::NullaryExpr(p.length, [](Index k) { return static_cast<double>(k); });
  keep(table,
       core::interleaved_parts(core::complex_order_embedding(turned->table, turned->ids, places)));
  const bool plain = p.amplitude_spread == 0 && p.frequency_spread == 0 && p.phase_spread == 0;
  if (plain) table.theta = core::frequencies(p.width, p.base);
  table.turned = turned;
  return table;
}

Table table_of(const Parameters& p, const Context& context) {
  switch (p.scheme) {
    case Scheme::grid:
      return grid_table(p);
    case Scheme::learned:
      return learned_table(p, context);
    case Scheme::floater:
      return floater_table(p, context);
    case Scheme::complex:
      return complex_table(p);
    case Scheme::sinusoidal:
      break;
  }
  return sinusoidal_table(p);
}

}  // namespace

VectorD Table::row(Index position) const {
  if (!sinusoidal || (position >= 0 && position < P.rows())) return P.row(position).transpose();
  return core::sinusoidal_rows(VectorD::Constant(1, static_cast<double>(position)), d, options)
      .row(0)
      .transpose();
}

std::shared_ptr<const Table> make_table(const Parameters& p, const Context& context) {
  const auto one = std::tuple(p.scheme, position_count(p), p.width, p.base, p.layout, p.rule,
                              p.grid_height, p.grid_width, p.axis_order, p.exponent);
  const auto two = std::tuple(p.rows, p.seen, p.steps, p.reach, p.beyond, p.course, p.integrator,
                              p.substeps, p.factor);
  const auto three =
      std::tuple(p.amplitude_spread, p.frequency_spread, p.phase_spread, p.seed, p.text);
  return context.memo.get("table", std::tuple(one, two, three),
                          [&] { return table_of(p, context); });
}

Column column_of(const Parameters& p, Index column) {
  const Index d = p.width;
  if (p.scheme == Scheme::sinusoidal && p.layout == core::SinusoidalLayout::concatenated) {
    return {column % (d / 2), column < d / 2, false};
  }
  if (p.grid()) return {column % (d / 2) / 2, column % 2 == 0, column >= d / 2};
  return {column / 2, column % 2 == 0, false};
}

Index column_at(const Parameters& p, Index i, bool sine) {
  const auto layout =
      p.scheme == Scheme::sinusoidal ? p.layout : core::SinusoidalLayout::interleaved;
  return sine ? core::sine_column(i, p.width, layout) : core::cosine_column(i, p.width, layout);
}

}  // namespace lab::absolute
