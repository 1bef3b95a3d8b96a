// The choice of a number format and of a rounding, as the precision labs offer it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/param/param.h"
#include "core/precision/format.h"
#include "core/precision/rounding.h"

namespace lab {

enum class FormatChoice { float32, tf32, bfloat16, float16, e5m2, e4m3fn, custom };

// Every format that can be chosen has its numbers among those of float32.
struct NumberFormat {
  FormatChoice choice = FormatChoice::bfloat16;
  // Used by `custom` alone; other formats have their own.
  core::Specials specials = core::Specials::ieee;
  int exponent_bits = 4;
  int mantissa_bits = 3;
  int bias = 7;
  bool subnormals = true;

  bool operator==(const NumberFormat&) const = default;
};

// Parameter `format` in the caller's group, then a group of its own with `specials`,
// `exponent_bits`, `mantissa_bits`, `bias` and `subnormals` of a custom one; the caller opens
// another group for what follows. Not `active`: they have no effect.
void describe_format(NumberFormat& format, param::List& list, bool active = true);

core::Format format_of(const NumberFormat& format);

// "bfloat16", "fp8 e4m3fn", or of a custom one its fields: "1+4+3 (b = 7)".
std::string format_name(const NumberFormat& format);

// The formats with a name, widest first, to stand side by side.
struct ListedFormat {
  FormatChoice choice;
  std::string_view id, name;
  core::Format format;
};
const std::array<ListedFormat, 6>& listed_formats();

struct NumberRounding {
  core::Rounding rounding = core::Rounding::nearest_even;
  int seed = 1;  // of stochastic rounding

  bool operator==(const NumberRounding&) const = default;
  bool stochastic() const { return rounding == core::Rounding::stochastic; }
  std::uint64_t random_seed() const { return static_cast<std::uint64_t>(seed); }
};

enum class OfferStochastic { no, yes };

// Parameters `rounding` and, where stochastic rounding is offered, `rounding_seed`.
void describe_rounding(NumberRounding& rounding, param::List& list,
                       OfferStochastic offer = OfferStochastic::yes);

// "to nearest, ties to even": an English message.
std::string_view rounding_name(core::Rounding rounding);

// A double as the shortest text that is read back exactly; "∞", "NaN", "-0".
std::string number_words(double value);
// The same where that is short; else with enough digits to stand apart from numbers that are
// `spacing` away, and a few more.
std::string number_words(double value, double spacing);

}  // namespace lab
