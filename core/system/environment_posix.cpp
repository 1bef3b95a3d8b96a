#include <cstdlib>

#include "core/system/environment.h"

namespace core {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::string message_locale() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const std::string value = environment(name).value_or("");
    if (!value.empty()) return value;
  }
  return {};
}

}  // namespace core
