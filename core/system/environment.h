// What the environment says under a name.
#pragma once

#include <optional>
#include <string>

namespace core {

// In UTF-8; none where it is not set, which is not the same as empty.
std::optional<std::string> environment(const char* name);

}  // namespace core
