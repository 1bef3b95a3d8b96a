// Everything a page says as lines of text, one a value, so that a person can read a difference.
#pragma once

#include <string>

#include "app/labs/lab.h"

namespace contract {

// "figures[0].plots[1].x.lo = 0.5" and so on, each after `prefix`. What is as it is by default is
// left out; of heatmaps what sampled.h takes.
std::string dump(const lab::Page& page, const std::string& prefix);

}  // namespace contract
