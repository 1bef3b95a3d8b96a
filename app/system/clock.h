// The time of day.
#pragma once

#include <ctime>

namespace sys {

// Local time.
std::tm local_time();

}  // namespace sys
