// Weights times a learned factor by distance, for each layer and head (Luo et al. 2022, equation 8,
// with B = 0: only C depends on positions).
#include "core/message.h"
#include "core/model/positions/placing.h"

namespace core::model {

namespace {

constexpr CostStep kUrpeSteps[] = {
    {N_("multiply each weight of each head by the number of its distance"), "h·pairs", ""}};

// c by key minus query; the middle row of the table is distance 0.
constexpr auto multiply_weights = []<class S>(Tape<S>& tape, const HeadPositions& p,
                                              const Sequences& queries, const Sequences& keys,
                                              Index layer, Placed<S>& heads) {
  require_lengths(p, queries, keys);
  heads.factors =
      by_distance(tape, "factors", p, p.factors[static_cast<std::size_t>(layer)], queries.length,
                  keys.length, [&](Index distance) { return p.form.longest - 1 + distance; });
};

void declare_factors(const Scope& scope, Index layers, HeadPositions& p) {
  for (Index k = 0; k < layers; ++k) {
    // Initially 1, which changes nothing.
    p.factors.push_back(
        scope.at(std::to_string(k))
            .at("self")
            .declare("factors", 2 * p.form.longest - 1, p.heads, Start::ones(), false));
  }
}

// Row layer heads + head; only keys up to the query are read from the table.
void urpe_tables(const Numbers& numbers, const HeadPositions& p, DistanceTables& tables) {
  const Index longest = p.form.longest, layers = static_cast<Index>(p.factors.size());
  tables.factors.resize(layers * p.heads, longest);
  for (Index l = 0; l < layers; ++l) {
    const Matrix table = numbers.matrix(p.factors[static_cast<std::size_t>(l)]);
    for (Index t = 0; t < longest; ++t) {
      tables.factors.col(t).segment(l * p.heads, p.heads) = table.row(longest - 1 - t).transpose();
    }
  }
}

}  // namespace

constinit const SchemeEntry schemes::urpe{.name = N_("URPE"),
                                          .acts = Acts::weights,
                                          .learns = true,
                                          .cost = {.steps = kUrpeSteps, .parameters = "known·h·L"},
                                          .declare_heads = declare_factors,
                                          .place = multiply_weights,
                                          .fill_tables = urpe_tables};

}  // namespace core::model
