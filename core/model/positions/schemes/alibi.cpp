// A penalty by distance, a slope a head (Press, Smith and Lewis 2022).
#include "core/position/relative/alibi.h"
#include "core/message.h"
#include "core/model/positions/placing.h"

namespace core::model {

namespace {

constexpr CostStep kAlibiSteps[] = {
    {N_("add the bias of the distance to each score of each head"), "h·pairs", "h·pairs"}};

// Only distances count: the same for all sequences. Symmetric, since a causal mask hides later
// keys.
constexpr auto add_penalties = []<class S>(Tape<S>& tape, const HeadPositions& p,
                                           const Sequences& queries, const Sequences& keys,
                                           Index /*layer*/, Placed<S>& heads) {
  const Index n = queries.length, m = keys.length;
  heads.bias = {tape.template room<S>(p.heads * n * m), nullptr, p.heads * n, m};
  const VectorD slopes = alibi_slopes(p.heads);
  for (Index h = 0; h < p.heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      S* row = heads.bias.values().row(h * n + i);
      for (Index j = 0; j < m; ++j) {
        row[j] = static_cast<S>(-slopes(h) * std::abs(static_cast<double>(j - (i + m - n))));
      }
    }
  }
};

void alibi_tables(const Numbers& /*numbers*/, const HeadPositions& p, DistanceTables& tables) {
  const VectorD slopes = alibi_slopes(p.heads);
  tables.by_distance.resize(p.heads, p.form.longest);
  for (Index h = 0; h < p.heads; ++h) {
    for (Index t = 0; t < p.form.longest; ++t) {
      tables.by_distance(h, t) = static_cast<float>(-slopes(h) * static_cast<double>(t));
    }
  }
}

}  // namespace

constinit const SchemeEntry schemes::alibi{
    .name = N_("ALiBi"),
    .acts = Acts::scores,
    .cost = {.steps = kAlibiSteps, .held = "h·distances"},
    .place = add_penalties,
    .fill_tables = alibi_tables,
    .table_numbers = [](const PositionForm& /*form*/, const ReadSizes& s) {
      return s.heads * s.held;
    }};

}  // namespace core::model
