#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

namespace {

// c_t = 1 + a random number for |t| < trained_length: at size 0 the weights stay as they are. The
// number of a distance does not depend on how long the sequence is.
void bring_urpe(const SchemeKnobs& p, const Content& content, Inside& inside) {
  const Index n = content.n(), known = std::min<Index>(n, p.trained_length);
  const MatrixD drawn = random_table(TableKind::urpe, known, 2, p.table_size, p.seed, p.head - 1);
  inside.c = VectorD::Zero(2 * n - 1);
  for (Index t = 0; t < known; ++t) {
    inside.c(n - 1 + t) = 1 + drawn(t, 0);
    if (t > 0) inside.c(n - 1 - t) = 1 + drawn(t, 1);
  }
}

}  // namespace

const Compared compared::urpe{
    .acts = N_("relative, a factor on each weight"),
    .acts_source = N_("Luo et al. 2022, eq. 8"),
    .beyond = N_("no: each distance has its own learned number"),
    .beyond_source = N_("Luo et al. 2022, eq. 8"),
    .formula =
        "w_{ij} = c_{i - "
        "j}\\softmax_{j}\\left(\\frac{\\Q{q}_{i}\\cdot\\K{k}_{j}}{\\sqrt{d_{k}}}\\right)",
    .uses = {.trained_length = true, .table_size = true},
    .bring = bring_urpe,
    .known = [](const SchemeKnobs& p, Index n) { return Mask::local(n, n, p.trained_length - 1); }};

}  // namespace lab::position_compare
