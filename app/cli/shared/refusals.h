// Options that do not go together.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

namespace cli {

// Whether an option was given, and its name: "--set".
using GivenOption = std::pair<bool, const char*>;

// Throws core::InputError for the first of these that was given, as `other` was given, too.
void refuse_with(const char* other, std::initializer_list<GivenOption> options);
// The same, as `needed` was not given, without which they mean nothing.
void refuse_without(const char* needed, std::initializer_list<GivenOption> options);
// As `out` is no picture, on which alone `option` means something.
[[noreturn]] void require_picture(const std::string& option, const std::string& out);

}  // namespace cli
