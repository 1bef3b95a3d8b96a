#include "app/labs/position_compare/schemes.h"

namespace lab::position_compare {

const Compared compared::none{.acts = N_("nothing: scores do not see the order"),
                              .acts_source = N_("Vaswani et al. 2017, section 3.5"),
                              .beyond = N_("defined; any order comes from a causal mask"),
                              .beyond_source = N_("Haviv et al. 2022, abstract"),
                              .formula = kPlainFormula};

}  // namespace lab::position_compare
