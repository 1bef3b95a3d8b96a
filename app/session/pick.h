// Applies what a click or a drag on a figure sets to the parameters.
#pragma once

#include "app/figure/picking.h"
#include "app/param/values.h"

namespace session {

// Numbers and points are brought to the nearest permitted value; numbers that move together keep
// their differences. Throws core::InputError in one sentence on an unknown id, a refused value, one
// point too many or one that is not there; nothing has changed then.
void apply(const param::Describe& describe, const figure::Pick& pick);

}  // namespace session
