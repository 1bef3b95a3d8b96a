#include "core/position/rotary/xpos.h"
#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

const Compared compared::xpos{
    .acts = N_("relative, with decay"),
    .acts_source = N_("Sun et al. 2022, algorithm 1"),
    .beyond = N_("by design: trained on short texts, tested on longer ones"),
    .beyond_source = N_("Sun et al. 2022, abstract"),
    .formula =
        "s_{ij} = \\frac{(ζ^{i/B}R_{i}\\Q{q}_{i})\\cdot(ζ^{-j/B}R_{j}\\K{k}_{j})}{\\sqrt{d_{k}}}",
    .uses = {.base = true, .scale_base = true},
    .bring =
        [](const SchemeKnobs& p, const Content& content, Inside& inside) {
          inside.theta = core::frequencies(content.d_k(), p.base);
          const core::XposTables tables =
              core::xpos_tables(places(content.n()), inside.theta, {.scale_base = p.scale_base});
          inside.Q = core::rotated(content.Q, tables.query);
          inside.K = core::rotated(content.K, tables.key);
        },
    .parts = rotated_parts};

}  // namespace lab::position_compare
