// A number on its way from one value to another: what lessons and sweeps move knobs by.
#pragma once

#include <string>

#include "app/param/param.h"

namespace param {

// `share` from 0 to 1 of the way, as the knob's slider goes: by the ratio on a logarithmic scale
// (one that begins at 0: by log(1 + value)), else by the difference. The ends are exact; what lies
// between has four digits, of the value or of the way, so that what is seen there is no noise.
double between(const Parameter& parameter, double from, double to, double share);

// A number that this parameter permits, as text that `parse` takes: the nearest one.
std::string nearest_text(const Parameter& parameter, double wanted);

}  // namespace param
