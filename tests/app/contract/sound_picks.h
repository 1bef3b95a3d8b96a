// What clicks and drags on a page set.
#pragma once

#include "settings.h"

namespace contract {

// Fails the test where something that a click or a drag can set, anywhere on the page, is refused
// by the parameters that made the page.
void check_picks(const State& state, const Page& page);

}  // namespace contract
