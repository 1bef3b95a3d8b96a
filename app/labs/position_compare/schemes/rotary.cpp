#include "core/position/rotary/rotary.h"
#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

const Compared compared::rotary{
    .id = "rope",
    .acts = N_("relative; applied like an absolute one"),
    .acts_source = N_("Su et al. 2021, eq. 16"),
    .beyond = N_("defined at any position, but fails untreated beyond the trained length"),
    .beyond_source = N_("Chen et al. 2023, abstract"),
    .formula = "s_{ij} = \\frac{(R_{i}\\Q{q}_{i})\\cdot(R_{j}\\K{k}_{j})}{\\sqrt{d_{k}}}",
    .uses = {.base = true},
    .bring =
        [](const SchemeKnobs& p, const Content& content, Inside& inside) {
          inside.theta = core::frequencies(content.d_k(), p.base);
          const core::RotaryTableD table = core::rotary_angles(places(content.n()), inside.theta);
          inside.Q = core::rotated(content.Q, table);
          inside.K = core::rotated(content.K, table);
        },
    .parts = rotated_parts};

}  // namespace lab::position_compare
