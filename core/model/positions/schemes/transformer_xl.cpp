// Sinusoids of distances, projected, and two learned vectors (Dai et al. 2019, section 3.3):
// (q + u) . k + (q + v) . r, u and v shared by layers.
#include "core/position/relative/transformer_xl.h"
#include "core/attention/fast/gemm.h"
#include "core/message.h"
#include "core/model/positions/placing.h"

namespace core::model {

namespace {

constexpr CostStep kTransformerXlSteps[] = {
    {N_("project the sinusoid of each distance"), "distances·d·(2d-1)", "distances·d·(d-1)"},
    {N_("add u and v to each query"), "2·n·d", "2·n·d"},
    {N_("multiply each query with the vector of each distance"), "h·pairs·(2d_k-1)",
     "h·pairs·(d_k-1)"},
    {N_("add the terms of the distance to each score of each head"), "h·pairs", "h·pairs"}};

void declare_distances(const Scope& scope, Index /*layers*/, HeadPositions& p) {
  constexpr double kDeviation = 0.02;  // as their code starts u and v
  const Index d = p.heads * p.width;
  p.of_keys = Linear::declare(scope.at("distance_key"), d, d, false);
  p.content_bias = scope.declare("content_bias", 1, d, Start::normal(kDeviation), false);
  p.position_bias = scope.declare("position_bias", 1, d, Start::normal(kDeviation), false);
  p.sinusoids = FixedRows(
      relative_sinusoids(p.form.longest, 1 - p.form.longest, d,
                         {.base = p.form.base, .layout = SinusoidalLayout::concatenated}));
}

// x with one row added to each of its rows.
template <class S>
Tensor<S> with_row(Tape<S>& tape, const Tensor<S>& x, const Slot& row) {
  return add_positions(tape, x, tape.parameter(row), {.batch = x.rows, .length = 1});
}

// (q + u) . k + (q + v) . R_t W; here the second product is added.
constexpr auto add_projected_distances = []<class S>(Tape<S>& tape, const HeadPositions& p,
                                                     const Sequences& queries,
                                                     const Sequences& keys, Index /*layer*/,
                                                     Placed<S>& heads) {
  require_lengths(p, queries, keys);
  const Index n = queries.length, m = keys.length;
  // Distances from query to key, from m - 1 down to 1 - n.
  const Tensor<S> distances = p.of_keys(tape, p.sinusoids.rows<S>(p.form.longest - m, n + m - 1));
  heads.bias = distance_term(tape, p, TermOf::queries, with_row(tape, heads.q, p.position_bias),
                             distances, queries, keys, {.zero = m - 1});
  heads.q = with_row(tape, heads.q, p.content_bias);
};

// Row t of a head: the projection of distance t (in the model's table of -t).
void transformer_xl_tables(const Numbers& numbers, const HeadPositions& p, DistanceTables& tables) {
  const Matrix falling = p.sinusoids.floats->topRows(p.form.longest);  // from longest - 1 down to 0
  tables.for_queries =
      by_head(core::multiply(falling.colwise().reverse(), numbers.matrix(p.of_keys.weight), nullptr,
                             numbers.threads),
              p.heads);
  tables.content_bias = numbers.vector(p.content_bias);
  tables.position_bias = numbers.vector(p.position_bias);
}

}  // namespace

constinit const SchemeEntry schemes::transformer_xl{
    .name = N_("Transformer-XL"),
    .acts = Acts::scores,
    .learns = true,
    .in_encoders = false,
    .cost = {.steps = kTransformerXlSteps,
             .parameters = "d·d·L + 2·d",
             .held = "2·distances·d",  // the sinusoids and their products with W_{k,R}
             .functions = "distances·d"},
    .declare_heads = declare_distances,
    .place = add_projected_distances,
    .fill_tables = transformer_xl_tables,
    .table_numbers = [](const PositionForm& /*form*/,
                        const ReadSizes& s) { return s.heads * s.width * s.distances; },
    .read_numbers =
        [](const ReadSizes& s) { return ReadNumbers{.floats = 2 * s.heads * s.width}; }};

}  // namespace core::model
