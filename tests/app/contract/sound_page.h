// What holds for every page of every lab.
#pragma once

#include "settings.h"

namespace contract {

// Fails the test where a figure, a readout or the formula is not sound, or where a click would set
// what the lab has not.
void check_page(const Lab& lab, const Page& page);

}  // namespace contract
