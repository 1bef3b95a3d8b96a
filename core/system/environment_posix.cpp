#include <cstdlib>

#include "core/system/environment.h"

namespace core {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace core
