// The time of day.
#pragma once

#include <ctime>

namespace sys {

// As clocks on the wall have it here.
std::tm local_time();

}  // namespace sys
