#include "core/position/sinusoidal/sinusoidal.h"
#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

const Compared compared::sinusoidal{
    .acts = N_("absolute, added to X"),
    .acts_source = N_("Vaswani et al. 2017, section 3.5"),
    .beyond = N_("defined at any position, but trained models do not extrapolate"),
    .beyond_source = N_("Press et al. 2022, section 2"),
    .formula = kAddedFormula,
    .uses = {.base = true},
    .bring =
        [](const SchemeKnobs& p, const Content& content, Inside& inside) {
          bring_added(core::sinusoidal_table(content.n(), p.d_model, {.base = p.base}), content,
                      inside);
        },
    .parts = added_parts};

}  // namespace lab::position_compare
