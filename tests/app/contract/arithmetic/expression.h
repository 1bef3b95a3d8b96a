// Printed arithmetic, read back: "5.250 · 0.7071", "exp(3.712 - 2) / √8", "2^(7 - 7)",
// "1,024²·512".
#pragma once

#include <optional>
#include <string_view>

namespace contract {

struct Evaluated {
  double value = 0;
  // How far the value may be off when each printed input with decimals is off by half a unit of its
  // last digit.
  double spread = 0;
  // A number and nothing to be worked out; then half a unit of its last digit.
  bool literal = false;
  double half_unit = 0;
  std::string_view unit = {};  // as printed; may be empty
};

// Empty where the text holds anything but numbers, π, e, ∞ excepted, the usual operators and
// functions, and one unit behind it all (%, °, rad, kB ...), in which the value is then taken.
// Numbers may have commas between groups of three digits. What stands side by side is multiplied,
// before it is divided: "1 / 2π" is 1 / (2π).
std::optional<Evaluated> evaluate(std::string_view text);

}  // namespace contract
