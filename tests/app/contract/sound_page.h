// What holds for every page of every lab.
#pragma once

#include "settings.h"

namespace contract {

// Fails the test where a figure, a readout or the formula of the page that `state` makes is not
// sound, or where a click would set what the lab does not take. What every page of a lab lacks is
// said once.
void check_page(const Lab& lab, const State& state, const Page& page);

}  // namespace contract
