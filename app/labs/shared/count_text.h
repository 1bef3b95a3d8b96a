// Large counts and shares as text.
#pragma once

#include <string>

#include "core/types.h"

namespace lab {

// 12,582,912
std::string grouped(core::Index value);
// 12.6 M
std::string short_count(double value);
// A share in percent, without the sign: 0.15, 25, 3,170.
std::string percent_text(double share);

}  // namespace lab
