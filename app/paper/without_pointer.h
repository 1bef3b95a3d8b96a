// Sentences for a window alone: what to do with a pointer, and which button to press.
#pragma once

#include <string>

namespace paper {

// The text without them.
std::string without_pointer(const std::string& text);

}  // namespace paper
