// Removes sentences that only a window needs: what to do with a pointer, and which button to press.
#pragma once

#include <string>

namespace paper {

// The text without those sentences.
std::string without_pointer(const std::string& text);

}  // namespace paper
