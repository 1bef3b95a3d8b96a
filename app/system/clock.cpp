#include "app/system/clock.h"

#include <fmt/format.h>

namespace sys {

std::string now_text() {
  const std::tm now = local_time();
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", now.tm_year + 1900, now.tm_mon + 1,
                     now.tm_mday, now.tm_hour, now.tm_min);
}

}  // namespace sys
