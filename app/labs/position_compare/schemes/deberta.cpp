#include "core/position/relative/deberta.h"
#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

namespace {

void bring_deberta(const SchemeKnobs& p, const Content& content, Inside& inside) {
  const double fan = 1 / std::sqrt(to_double(p.d_model));
  const MatrixD P = random_table(TableKind::deberta, 2 * p.clip, p.d_model, p.table_size, p.seed);
  const auto projected = [&](TableKind which) -> MatrixD {
    return P * random_table(which, p.d_model, content.d_k(), fan, p.seed, p.head - 1);
  };
  inside.Qr = projected(TableKind::deberta_query);
  inside.Kr = projected(TableKind::deberta_key);
}

void deberta_parts(const Pair& pair, std::vector<Part>& parts) {
  const Index to = core::deberta_row(pair.i - pair.j, pair.p.clip);
  const Index from = core::deberta_row(pair.j - pair.i, pair.p.clip);
  parts.push_back(product({kQ, plain("·Kr")}, pair.q(), row(pair.inside.Kr, to),
                          pair.w.format("Kr is row δ(i, j) = {}", to)));
  parts.push_back(product({kK, plain("·Qr")}, pair.k(), row(pair.inside.Qr, from),
                          pair.w.format("Qr is row δ(j, i) = {}", from)));
}

}  // namespace

const Compared compared::deberta{
    .acts = N_("relative, content and position separate"),
    .acts_source = N_("He et al. 2021, section 3.1, eqs. 2 to 4"),
    .beyond = N_("defined: distances beyond k count as k"),
    .beyond_source = N_("He et al. 2021, eq. 3"),
    .formula =
        "s_{ij} = \\frac{\\Q{q}_{i}\\cdot\\K{k}_{j} + \\Q{q}_{i}\\cdot K^{r}_{δ(i,j)} + "
        "\\K{k}_{j}\\cdot Q^{r}_{δ(j,i)}}{\\sqrt{3d_{k}}}",
    .uses = {.clip = true, .table_size = true},
    .bring = bring_deberta,
    .scores = [](const SchemeKnobs& /*p*/, const Content& /*content*/, const Inside& in)
        -> MatrixD { return core::deberta_terms(in.Q, in.K, in.Kr, in.Qr).scores(); },
    .parts = deberta_parts,
    .of_tokens = false};

}  // namespace lab::position_compare
