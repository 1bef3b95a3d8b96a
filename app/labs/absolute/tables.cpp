// The table of each scheme.
#include "app/labs/absolute/model.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/position_cells.h"
#include "core/enum_array.h"
#include "core/random_matrix.h"

namespace lab::absolute {
namespace {

// Streams of random numbers, so that one does not follow from another.
enum Stream : std::uint64_t { kLearned = 101, kNetwork };

core::Random random_of(int seed, Stream stream) {
  return core::Random(core::stream_seed(static_cast<std::uint64_t>(seed), stream));
}

core::PositionTable sinusoidal(const Encoding& e, const Table& /*table*/) {
  return core::sinusoidal_positions(
      e.length, e.width, {.base = e.base, .layout = e.layout, .rule = e.rule}, kMostRows);
}

core::PositionTable grid(const Encoding& e, const Table& /*table*/) {
  return core::grid_positions({e.grid_height,
                               e.grid_width,
                               {.base = e.base, .order = e.axis_order, .exponent = e.exponent}},
                              e.width);
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
    return core::gaussian_matrix(rows, width, 1, random);
  }
  State begin(const Run&) const {
    return State(drawn(), core::falling_likeness(seen, reach),
                 core::falling_likeness_rate(seen, width, reach));
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

core::PositionTable learned(const Encoding& e, const Table& table) {
  const bool refuse = e.beyond == core::BeyondTable::refuse;
  std::vector<Index> positions(to_size(refuse ? std::min(e.length, e.rows) : e.length));
  std::iota(positions.begin(), positions.end(), Index{0});
  return core::kept_positions(
      core::learned_positions(table.learned->fit.table, positions, e.beyond), e.length);
}

core::FloaterCourse make_flow(const Integration& how, const Waves& waves, int seed,
                              const Run& run) {
  const auto& [length, width, base] = waves;
  core::Random random = random_of(seed, kNetwork);
  const core::Dynamics h = how.course == Course::sinusoidal
                               ? core::sinusoidal_dynamics(width, 1 / base, how.factor)
                               : core::conserving_mlp(width, base, random);
  return core::floater_course(h, length, width, how.integrator, how.substeps, run.cancel);
}

core::PositionTable floater(const Encoding& e, const Table& table) {
  const bool waves =
      e.course == Course::sinusoidal && e.factor == core::DerivativeFactor::frequency;
  return core::kept_positions(table.flow->rows, e.length,
                              waves ? std::optional(e.base) : std::nullopt);
}

WordWaves word_waves(const Encoding& e) {
  WordWaves words{repeated_words(e.text, e.length), {}};
  words.table = core::spread_words(to_index(words.names.size()), core::frequencies(e.width, e.base),
                                   e.spread(), static_cast<std::uint64_t>(e.seed));
  return words;
}

core::PositionTable complex(const Encoding& e, const Table& table) {
  const VectorD places = VectorD::LinSpaced(e.length, 0, e.length - 1);
  return core::kept_positions(core::interleaved_parts(core::complex_order_embedding(
                                  table.words->table, table.words->ids, places)),
                              e.length, e.spread().none() ? std::optional(e.base) : std::nullopt);
}

Table make_table(const Encoding& e, const std::shared_ptr<const Learned>& fit,
                 const std::shared_ptr<const core::FloaterCourse>& flow, const Run& /*run*/) {
  Table table;
  table.made_of = e;
  table.learned = fit;
  table.flow = flow;
  if (e.variant == Variant::complex) table.words = std::make_shared<const WordWaves>(word_waves(e));
  constexpr core::EnumArray<Variant, core::PositionTable (*)(const Encoding&, const Table&)>
      kVariants{{sinusoidal, grid, learned, floater, complex}};
  static_cast<core::PositionTable&>(table) = kVariants[e.variant](e, table);
  if (table.sinusoidal) {
    table.source = formula_cells(table.n, table.d, table.options);
    return table;
  }
  Matrix cells = Matrix::Zero(table.n, table.d);
  cells.topRows(table.filled) = table.P.cast<float>();
  table.source = kept_cells(std::move(cells), table.filled);
  return table;
}

}  // namespace

TablePointer table_of(const Encoding& e, const Context& context) {
  std::shared_ptr<const Learned> learned;
  std::shared_ptr<const core::FloaterCourse> flow;
  if (e.variant == Variant::learned) {
    const Descent task{e.rows, e.seen, e.reach, e.width, e.seed};
    const auto run = context.trained("absolute", task, e.steps, e.steps);
    std::vector<double> loss;
    for (Index k = 0; k <= run.step; ++k) loss.push_back(run.scalars[to_size(k)][0]);
    learned = context.stage("learned", learned_at, task, run.state, loss);
  }
  if (e.variant == Variant::floater) {
    flow = context.stage("flow", make_flow, static_cast<const Integration&>(e),
                         static_cast<const Waves&>(e), e.seed);
  }
  return context.stage("table", make_table, e, learned, flow);
}

}  // namespace lab::absolute
