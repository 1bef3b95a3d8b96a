// Content with position and position with content (He et al. 2021, equations 2 to 4); one relative
// table for all layers.
#include "core/attention/fast/gemm.h"
#include "core/message.h"
#include "core/model/positions/placing.h"

namespace core::model {

namespace {

constexpr CostStep kDebertaSteps[] = {
    {N_("project the table of distances twice, as queries and as keys"), "2·2k·d·(2d-1)",
     "2·2k·d·(d-1)"},
    {N_("multiply each query with every distance as a key"), "h·n·2k·(2d_k-1)", "h·n·2k·(d_k-1)"},
    {N_("multiply each key with every distance as a query"), "h·n·2k·(2d_k-1)", "h·n·2k·(d_k-1)"},
    {N_("add the terms of the distance to each score of each head"), "2·h·pairs", "2·h·pairs"}};

void declare_relative_table(const Scope& scope, Index /*layers*/, HeadPositions& p) {
  const Index d = p.heads * p.width;
  p.table = scope.declare("distance", 2 * p.form.clip, d, Start::normal(p.form.deviation), false);
  p.of_keys = Linear::declare(scope.at("distance_key"), d, d, false);
  p.of_queries = Linear::declare(scope.at("distance_query"), d, d, false);
}

constexpr auto add_disentangled = []<class S>(Tape<S>& tape, const HeadPositions& p,
                                              const Sequences& queries, const Sequences& keys,
                                              Index /*layer*/, Placed<S>& heads) {
  const Tensor<S> rows = tape.parameter(p.table);
  // delta(i, j) counts query minus key, delta(j, i) key minus query.
  const Tensor<S> with_keys =
      distance_term(tape, p, TermOf::queries, heads.q, p.of_keys(tape, rows), queries, keys,
                    {.zero = p.form.clip, .falls = true});
  heads.bias = distance_term(tape, p, TermOf::keys, heads.k, p.of_queries(tape, rows), queries,
                             keys, {.zero = p.form.clip}, with_keys);
};

void deberta_tables(const Numbers& numbers, const HeadPositions& p, DistanceTables& tables) {
  const Matrix table = numbers.matrix(p.table);
  const auto through = [&](const Linear& linear) {
    return by_head(core::multiply(table, numbers.matrix(linear.weight), nullptr, numbers.threads),
                   p.heads);
  };
  tables.for_queries = through(p.of_keys);
  tables.for_keys = through(p.of_queries);
}

}  // namespace

constinit const SchemeEntry schemes::deberta{
    .name = N_("DeBERTa"),
    .acts = Acts::scores,
    .learns = true,
    .in_encoders = false,
    .products = 3,
    .cost = {.steps = kDebertaSteps, .parameters = "2k·d + 2·d·d·L", .held = "2·2k·d + 2·h·n·2k"},
    .declare_heads = declare_relative_table,
    .place = add_disentangled,
    .fill_tables = deberta_tables,
    .table_numbers = [](const PositionForm& form, const ReadSizes& s) {
      return 4 * form.clip * s.heads * s.width;
    }};

}  // namespace core::model
