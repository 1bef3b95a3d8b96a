// Numbers as they are printed, and whether that is all of them.
#pragma once

#include <string>

namespace lab {

// "= 0.25", or "≈ 0.333" where the value has more digits than `text` gives of it.
std::string equals(double value, const std::string& text);

// A share with so many decimals: "10.94 %".
std::string percent(double share, int decimals);

}  // namespace lab
