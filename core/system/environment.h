// What the environment says under a name, and of languages.
#pragma once

#include <optional>
#include <string>

namespace core {

// In UTF-8; none where it is not set, which is not the same as empty.
std::optional<std::string> environment(const char* name);

// What says in which language messages are wanted, as "zh_CN.UTF-8": LC_ALL, LC_MESSAGES or LANG,
// and where none of them is set what the person has chosen for the system; empty: nothing.
std::string message_locale();

}  // namespace core
