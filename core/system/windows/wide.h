// Texts and errors as Windows has them, for the sources of that system alone.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace core {

// UTF-8 to UTF-16 and back; what is malformed becomes U+FFFD.
std::wstring wide(std::string_view utf8);
std::string utf8(std::wstring_view wide);

// A path as calls of the system take it, also where it is longer than the 260 units that they take
// by themselves: whole, and behind a mark that it is.
std::wstring system_path(const std::filesystem::path& path);

// Why the last call of the system on this thread failed.
std::error_code last_system_error();

}  // namespace core
