#include "core/position/relative/transformer_xl.h"
#include "app/labs/position_compare/schemes.h"
#include "core/attention/scoring.h"

namespace lab::position_compare {

namespace {

void bring_transformer_xl(const SchemeKnobs& p, const Content& content, Inside& inside) {
  const Index n = content.n(), d_k = content.d_k();
  const double fan = 1 / std::sqrt(to_double(p.d_model));
  const MatrixD W = random_table(TableKind::xl_key, p.d_model, d_k, fan, p.seed, p.head - 1);
  inside.r =
      core::relative_sinusoids(n, 1 - n, p.d_model,
                               {.base = p.base, .layout = core::SinusoidalLayout::concatenated}) *
      W;
  inside.u = random_table(TableKind::xl_u, d_k, 1, p.table_size, p.seed, p.head - 1);
  inside.v = random_table(TableKind::xl_v, d_k, 1, p.table_size, p.seed, p.head - 1);
}

void transformer_xl_parts(const Pair& pair, std::vector<Part>& parts) {
  const Inside& in = pair.inside;
  const Index distance = pair.i - pair.j;
  const VectorD r = row(in.r, pair.content.n() - 1 - distance);
  parts.push_back(product({kQ, plain("·r")}, pair.q(), r,
                          pair.w.format("r is the sinusoid of i − j = {} times W_kR", distance)));
  parts.push_back(product({plain("u·"), kK}, in.u, pair.k()));
  parts.push_back(product({plain("v·r")}, in.v, r));
}

}  // namespace

const Compared compared::transformer_xl{
    .acts = N_("relative, four terms"),
    .acts_source = N_("Dai et al. 2019, section 3.3"),
    .beyond = N_("by design: sinusoids of the distance, for a longer memory"),
    .beyond_source = N_("Dai et al. 2019, section 3.3"),
    .formula =
        "s_{ij} = \\frac{(\\Q{q}_{i} + u)\\cdot\\K{k}_{j} + (\\Q{q}_{i} + "
        "v)\\cdot r_{i - j}}{\\sqrt{d_{k}}}",
    .uses = {.base = true, .table_size = true},
    .bring = bring_transformer_xl,
    .scores = [](const SchemeKnobs& /*p*/, const Content& content, const Inside& in) -> MatrixD {
      return core::attention_scale<double>(content.d_k()) *
             core::relative_terms(in.Q, in.K, in.r, in.u, in.v).sum();
    },
    .parts = transformer_xl_parts};

}  // namespace lab::position_compare
