// The table of each scheme.
#include <map>

#include "app/labs/absolute/model.h"
#include "app/labs/shared/parts.h"
#include "core/enum_array.h"
#include "core/position/sinusoidal/sinusoidal_tile.h"
#include "core/random.h"

namespace lab::absolute {
namespace {

using figure::Pool, figure::Region;

// Streams of random numbers, so that one does not follow from another.
enum Stream : std::uint64_t { kLearned = 101, kNetwork, kAmplitude, kFrequency, kPhase };

core::Random random_of(int seed, Stream stream) {
  return core::Random(core::stream_seed(static_cast<std::uint64_t>(seed), stream));
}

MatrixD gaussian(Index rows, Index cols, double scale, core::Random& random) {
  return MatrixD::NullaryExpr(rows, cols, [&] { return scale * random.gaussian(); });
}

void keep(Table& table, MatrixD rows) {
  table.filled = rows.rows();
  Matrix cells = Matrix::Zero(table.n, table.d);
  cells.topRows(rows.rows()) = rows.cast<float>();
  table.source = kept_cells(std::move(cells), rows.rows());
  table.P = std::move(rows);
}

void make_sinusoidal(const Encoding& e, Table& table) {
  table.filled = e.length;
  table.options = {.base = e.base, .layout = e.layout, .rule = e.rule};
  table.theta = core::frequencies(e.width, e.base, e.rule);
  table.sinusoidal = true;
  table.P = core::sinusoidal_table(std::min(e.length, kMostRows), e.width, table.options);
  table.source = formula_cells(e.length, e.width, table.options);
}

void make_grid(const Encoding& e, Table& table) {
  const Index width = e.exponent == core::AxisExponent::half_width ? e.width / 2 : e.width;
  table.theta = core::frequencies(width, e.base).head(e.width / 4);
  keep(table, core::sinusoidal_2d(e.grid_height, e.grid_width, e.width,
                                  {.base = e.base, .order = e.axis_order, .exponent = e.exponent}));
}

// Gradient descent on a table of positions, as the knobs describe it.
struct Descent {
  using State = core::PositionDescent;
  int rows = 0, seen = 0;
  double reach = 0;
  int width = 0, seed = 0;
  bool operator==(const Descent&) const = default;

  MatrixD drawn() const {
    core::Random random = random_of(seed, kLearned);
    return gaussian(rows, width, 1, random);
  }
  State begin(const Run&) const {
    const MatrixD target = MatrixD::NullaryExpr(seen, seen, [&](Index i, Index j) {
      return std::exp(-std::abs(to_double(i - j)) / reach);
    });
    // A quarter of the step at which the steepest direction would begin to swing: curvatures are
    // about the eigenvalues of P P^T / d, at first those of a random matrix, at last the target's.
    const double random_edge = 1 + std::sqrt(to_double(seen) / width);
    const double steepest =
        std::max(random_edge * random_edge, std::min(to_double(seen), 2 * reach + 1));
    return State(drawn(), target, seen / (8 * steepest));
  }
  void step(State& state, const Run& run) const {
    run.cancel.poll();
    state.step();
  }
  std::vector<double> scalars(const State& state) const { return {state.loss()}; }
  std::size_t bytes(const State& state) const { return state.bytes(); }
  core::Message fault(const State& state) const {
    return state.finite() ? core::Message() : core::Message(N_("the table is not finite"));
  }
};

Learned learned_at(const Descent& task, const std::shared_ptr<const Descent::State>& state,
                   const std::vector<double>& loss, const Run&) {
  return {task.drawn(), {state->table(), loss}};
}

void make_learned(const Encoding& e, Table& table) {
  const bool refuse = e.beyond == core::BeyondTable::refuse;
  std::vector<Index> positions(to_size(refuse ? std::min(e.length, e.rows) : e.length));
  std::iota(positions.begin(), positions.end(), Index{0});
  keep(table, core::learned_positions(table.learned->fit.table, positions, e.beyond));
}

// A network whose course neither dies nor runs away: h = J D grad H with H the sum of log cosh of
// its hidden units, J turning each pair of columns and D the pairs' frequencies, so that H is kept.
// The weights are drawn, not trained.
core::FloaterMlp network(Index d, double base, int seed) {
  const VectorD theta = core::frequencies(d, base);
  core::Random random = random_of(seed, kNetwork);
  const double scale = 1 / std::sqrt(to_double(d));
  core::FloaterMlp mlp;
  mlp.W1 = gaussian(d + 1, d, scale, random);
  mlp.W1.row(d).setZero();  // the field stands still: it does not depend on tau
  mlp.b1 = gaussian(d, 1, scale, random);
  mlp.W2.resize(d, d);
  for (Index i = 0; i < d / 2; ++i) {
    mlp.W2.col(2 * i) = theta(i) * mlp.W1.row(2 * i + 1).transpose();
    mlp.W2.col(2 * i + 1) = -theta(i) * mlp.W1.row(2 * i).transpose();
  }
  mlp.b2 = VectorD::Zero(d);
  return mlp;
}

Flow make_flow(const Integration& how, const Waves& waves, int seed, const Run& run) {
  const auto& [length, width, base] = waves;
  Flow flow;
  if (how.course == Course::sinusoidal) {
    flow.h = core::sinusoidal_dynamics(width, 1 / base, how.factor);
  } else {
    flow.h = network(width, base, seed);
  }
  const VectorD start =
      VectorD::NullaryExpr(width, [](Index j) { return to_double(j % 2); });  // sin 0, cos 0
  flow.rows = core::integrate(flow.h, how.integrator, start,
                              {.intervals = length - 1, .substeps = how.substeps}, run.cancel);
  const Index finer = how.integrator == core::Integrator::rk4 && how.substeps > 16 ? 16 : 8;
  flow.fine = core::integrate(
      flow.h, core::Integrator::rk4, start,
      {.intervals = kFine * (length - 1), .delta_t = 1.0 / kFine, .substeps = finer}, run.cancel);
  for (Index k = 0; k < length; ++k) {
    flow.largest_error = std::max(
        flow.largest_error, (flow.rows.row(k) - flow.fine.row(kFine * k)).cwiseAbs().maxCoeff());
  }
  return flow;
}

void make_floater(const Encoding& e, Table& table) {
  if (e.course == Course::sinusoidal && e.factor == core::DerivativeFactor::frequency) {
    table.theta = core::frequencies(e.width, e.base);
  }
  keep(table, table.flow->rows);
}

// Each different word's amplitudes, frequencies and phases.
core::ComplexOrderTable draw_words(const Encoding& e, Index words) {
  const VectorD theta = core::frequencies(e.width, e.base);
  core::ComplexOrderTable table;
  table.amplitude = table.frequency = table.phase = MatrixD(words, theta.size());
  core::Random amplitude = random_of(e.seed, kAmplitude), frequency = random_of(e.seed, kFrequency),
               phase = random_of(e.seed, kPhase);
  for (Index word = 0; word < words; ++word) {
    for (Index i = 0; i < theta.size(); ++i) {
      table.amplitude(word, i) = 1 + e.amplitude_spread * (2 * amplitude.uniform() - 1);
      table.frequency(word, i) =
          theta(i) * (1 + e.frequency_spread * (2 * frequency.uniform() - 1));
      table.phase(word, i) = e.phase_spread * std::numbers::pi * (2 * phase.uniform() - 1);
    }
  }
  return table;
}

Turned turn_words(const Encoding& e) {
  Turned turned;
  std::vector<core::Token> tokens = core::tokenize(e.text, core::Unit::words, e.length);
  std::map<std::string, Index> known;
  for (Index k = 0; k < e.length; ++k) {
    const std::string name = tokens.empty() ? "·" : tokens[to_size(k) % tokens.size()].label;
    const auto [at, fresh] = known.emplace(name, to_index(known.size()));
    if (fresh) turned.names.push_back(name);
    turned.ids.push_back(at->second);
  }
  turned.cycled = to_index(std::max<std::size_t>(tokens.size(), 1)) < e.length;
  turned.table = draw_words(e, to_index(turned.names.size()));
  return turned;
}

void make_complex(const Encoding& e, Table& table) {
  table.turned = std::make_shared<const Turned>(turn_words(e));
  const VectorD places = VectorD::LinSpaced(e.length, 0, e.length - 1);
  keep(table, core::interleaved_parts(
                  core::complex_order_embedding(table.turned->table, table.turned->ids, places)));
  const bool plain = e.amplitude_spread == 0 && e.frequency_spread == 0 && e.phase_spread == 0;
  if (plain) table.theta = core::frequencies(e.width, e.base);
}

Table make_table(const Encoding& e, const std::shared_ptr<const Learned>& learned,
                 const std::shared_ptr<const Flow>& flow, const Run& /*run*/) {
  Table table{.made_of = e, .n = e.positions(), .d = e.width, .learned = learned, .flow = flow};
  constexpr core::EnumArray<Scheme, void (*)(const Encoding&, Table&)> kSchemes{
      {make_sinusoidal, make_grid, make_learned, make_floater, make_complex}};
  kSchemes[e.scheme](e, table);
  return table;
}

}  // namespace

Source formula_cells(Index n, Index d, const core::SinusoidalOptions& options) {
  LongTable cells;
  cells.rows = n;
  cells.cols = d;
  cells.value = [d, options, theta = core::frequencies(d, options.base, options.rule)](Index row,
                                                                                       Index col) {
    const bool alternating = options.layout == core::SinusoidalLayout::interleaved;
    const Index i = alternating ? col / 2 : col % (d / 2);
    const double angle = to_double(row) * theta(i);
    const bool sine = col == core::sine_column(i, d, options.layout);
    return to_float(sine ? std::sin(angle) : std::cos(angle));
  };
  cells.pooled = [n, d, options](int row_level, int col_level, const Region& region, Pool pool,
                                 const core::Cancel& cancel) {
    core::SinusoidalTile tile{n, d, options, row_level, region, pool};
    tile.col_level = col_level;
    return core::sinusoidal_tile(tile, 0, cancel);
  };
  cells.cost = [](int row_level, int col_level) { return std::ldexp(4, row_level + col_level); };
  return std::make_shared<LongTableSource>(std::make_shared<const LongTable>(std::move(cells)));
}

Source kept_cells(Matrix table, Index filled) {
  const Index rows = table.rows(), cols = table.cols();
  return looked_through(rows, cols, 1, [table = std::move(table), filled](Index row, Index col) {
    return row < filled ? table(row, col) : core::kMasked;
  });
}

VectorD Table::row(Index position) const {
  if (!sinusoidal || (position >= 0 && position < P.rows())) return P.row(position).transpose();
  return core::sinusoidal_rows(VectorD::Constant(1, to_double(position)), d, options)
      .row(0)
      .transpose();
}

TablePointer table_of(const Encoding& e, const Context& context) {
  std::shared_ptr<const Learned> learned;
  std::shared_ptr<const Flow> flow;
  if (e.scheme == Scheme::learned) {
    const Descent task{e.rows, e.seen, e.reach, e.width, e.seed};
    const auto run = context.trained("absolute", task, e.steps, e.steps);
    std::vector<double> loss;
    for (Index k = 0; k <= run.step; ++k) loss.push_back(run.scalars[to_size(k)][0]);
    learned = context.stage("learned", learned_at, task, run.state, loss);
  }
  if (e.scheme == Scheme::floater) {
    flow = context.stage("flow", make_flow, static_cast<const Integration&>(e),
                         static_cast<const Waves&>(e), e.seed);
  }
  return context.stage("table", make_table, e, learned, flow);
}

Column column_of(const Encoding& e, Index column) {
  const Index d = e.width;
  if (e.scheme == Scheme::sinusoidal && e.layout == core::SinusoidalLayout::concatenated) {
    return {column % (d / 2), column < d / 2, false};
  }
  if (e.grid()) return {column % (d / 2) / 2, column % 2 == 0, column >= d / 2};
  return {column / 2, column % 2 == 0, false};
}

Index column_at(const Encoding& e, Index i, bool sine) {
  const auto layout =
      e.scheme == Scheme::sinusoidal ? e.layout : core::SinusoidalLayout::interleaved;
  return sine ? core::sine_column(i, e.width, layout) : core::cosine_column(i, e.width, layout);
}

bool follows_x(const Encoding& e, const Column& column) {
  return column.second == (e.axis_order == core::AxisOrder::height_first);
}

}  // namespace lab::absolute
