// The time of day.
#pragma once

#include <ctime>
#include <string>

namespace sys {

// Local time.
std::tm local_time();
// It as 2026-11-27 14:05.
std::string now_text();

}  // namespace sys
