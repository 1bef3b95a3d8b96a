// Learned keys by distance (Shaw, Uszkoreit and Vaswani 2018, equation 4), shared by all heads.
// Models leave out the values of equation 3, which add nothing in the paper's table 3; costs count
// both.
#include "core/message.h"
#include "core/model/positions/placing.h"
#include "core/position/relative/shaw.h"

namespace core::model {

namespace {

constexpr CostStep kRelativeSteps[] = {
    {N_("multiply each query with every row of the keys' table"), "h·n·(2k+1)·(2d_k-1)",
     "h·n·(2k+1)·(d_k-1)"},
    {N_("add the terms of the distance to each score of each head"), "h·pairs", "h·pairs"},
    {N_("sum the weights of each distance, for the values' table"), "h·pairs", "h·pairs"},
    {N_("multiply these sums with the values' table"), "n·d·(4k+1)", "n·d·2k"},
    {N_("add that to the output"), "n·d", "n·d"}};

constexpr auto add_keys_of_distances = []<class S>(Tape<S>& tape, const HeadPositions& p,
                                                   const Sequences& queries, const Sequences& keys,
                                                   Index /*layer*/, Placed<S>& heads) {
  heads.bias = distance_term(tape, p, TermOf::queries, heads.q, tape.parameter(p.table), queries,
                             keys, {.zero = p.form.clip});
};

}  // namespace

constinit const SchemeEntry schemes::relative{
    .name = N_("relative keys"),
    .acts = Acts::scores,
    .learns = true,
    .cost = {.steps = kRelativeSteps,
             .parameters = "2·(2k+1)·d_k·L",
             .held = "h·n·(2k+1)"},  // the products; the sums of weights come after them
    .declare_heads =
        [](const Scope& scope, Index /*layers*/, HeadPositions& p) {
          p.table =
              scope.declare("distance", 2 * p.form.clip + 1, p.width,
                            Start::normal(1 / std::sqrt(static_cast<double>(p.width))), false);
        },
    .place = add_keys_of_distances,
    .fill_tables =
        [](const Numbers& numbers, const HeadPositions& p, DistanceTables& tables) {
          tables.clip = p.form.clip;
          tables.for_queries = numbers.matrix(p.table).topRows(p.form.clip + 1);
        },
    .table_numbers = [](const PositionForm& form,
                        const ReadSizes& s) { return (form.clip + 1) * s.width; }};

}  // namespace core::model
