// A learned bias by bucket of distance and head (Raffel et al. 2020).
#include "core/position/relative/t5.h"
#include "core/message.h"
#include "core/model/positions/placing.h"

namespace core::model {

namespace {

constexpr CostStep kT5Steps[] = {
    {N_("add the bias of the distance to each score of each head"), "h·pairs", "h·pairs"}};

T5Buckets buckets_of(const HeadPositions& p) {
  return T5Buckets(
      {.bidirectional = !p.causal, .buckets = p.form.buckets, .max_distance = p.form.farthest});
}

constexpr auto add_bucket_bias = []<class S>(Tape<S>& tape, const HeadPositions& p,
                                             const Sequences& queries, const Sequences& keys,
                                             Index /*layer*/, Placed<S>& heads) {
  heads.bias = by_distance(tape, "bias", p, p.table, queries.length, keys.length, buckets_of(p));
};

void t5_tables(const Numbers& numbers, const HeadPositions& p, DistanceTables& tables) {
  const T5Buckets bucket = buckets_of(p);
  const Matrix table = numbers.matrix(p.table);
  tables.by_distance.resize(p.heads, p.form.longest);
  for (Index h = 0; h < p.heads; ++h) {
    for (Index t = 0; t < p.form.longest; ++t) tables.by_distance(h, t) = table(bucket(-t), h);
  }
}

}  // namespace

constinit const SchemeEntry schemes::t5{
    .name = N_("T5 bias"),
    .acts = Acts::scores,
    .learns = true,
    .cost = {.steps = kT5Steps, .parameters = "b·h", .held = "h·distances"},
    .declare_heads =
        [](const Scope& scope, Index /*layers*/, HeadPositions& p) {
          p.table = scope.declare("bias", p.form.buckets, p.heads, Start::zeros(), false);
        },
    .place = add_bucket_bias,
    .fill_tables = t5_tables,
    .table_numbers = [](const PositionForm& /*form*/,
                        const ReadSizes& s) { return s.heads * s.held; }};

}  // namespace core::model
