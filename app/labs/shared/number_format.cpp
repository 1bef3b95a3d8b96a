#include "app/labs/shared/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/page.h"

namespace lab {
namespace {

using core::Specials;

constexpr int kFloatBias = core::kFloat32.bias;
constexpr int kMostMantissaBits = core::kFloat32.mantissa_bits;

bool custom(const NumberFormat& format) { return format.choice == FormatChoice::custom; }

bool ieee(const NumberFormat& format) { return format.specials == Specials::ieee; }

// Without an exponent field kept for infinities, eight bits would pass float32's range.
int most_exponent_bits(const NumberFormat& format) { return ieee(format) ? 8 : 7; }

// The smallest bias at which the largest number is still one of float32.
int least_bias(const NumberFormat& format) {
  const int top = (1 << format.exponent_bits) - (ieee(format) ? 2 : 1);
  return top - kFloatBias;
}

void describe_custom(NumberFormat& format, bool active, param::List& list) {
  list.choice(format.specials, "specials", N_("Specials"),
              N_("What the topmost exponent means: infinity and NaNs as in IEEE 754, a single NaN "
                 "as in fp8 e4m3fn, or numbers only as in fp4"),
              {{"ieee", N_("∞ and NaN")}, {"nan_only", N_("NaN only")}, {"none", N_("none")}},
              {.active = active && custom(format)});
  list.integer(format.exponent_bits, "exponent_bits", N_("Exponent bits"),
               N_("Each extra one doubles the number of binades: more range"),
               {.unit = N_("bits"),
                .min = 2,
                .max = to_double(most_exponent_bits(format)),
                .active = active && custom(format)});
  list.integer(format.mantissa_bits, "mantissa_bits", N_("Mantissa bits"),
               N_("Each extra one halves the spacing in every binade: more precision"),
               {.unit = N_("bits"),
                .min = ieee(format) ? 1.0 : 0.0,
                .max = kMostMantissaBits,
                .active = active && custom(format)});
  list.integer(format.bias, "bias", N_("Bias"),
               N_("Subtracted from the stored exponent: one more halves every number. IEEE 754 "
                  "uses 2^(bits - 1) - 1"),
               {.min = to_double(least_bias(format)),
                .max = kFloatBias,
                .active = active && custom(format)});
  list.flag(format.subnormals, "subnormals", N_("Subnormals"),
            N_("Without them every number below the smallest normal one is flushed to zero"),
            {.active = active && custom(format)});
}

}  // namespace

const std::array<ListedFormat, 6>& listed_formats() {
  static const std::array<ListedFormat, 6> kListed = {
      {{FormatChoice::float32, "float32", N_("float32"), core::kFloat32},
       {FormatChoice::tf32, "tf32", N_("tf32"), core::kTf32},
       {FormatChoice::bfloat16, "bfloat16", N_("bfloat16"), core::kBFloat16},
       {FormatChoice::float16, "float16", N_("float16"), core::kFloat16},
       {FormatChoice::e5m2, "e5m2", N_("fp8 e5m2"), core::kFp8E5m2},
       {FormatChoice::e4m3fn, "e4m3fn", N_("fp8 e4m3fn"), core::kFp8E4m3}}};
  return kListed;
}

void describe_format(NumberFormat& format, param::List& list, bool active) {
  std::vector<param::Option> options;
  for (const ListedFormat& listed : listed_formats()) options.push_back({listed.id, listed.name});
  options.push_back({"custom", N_("custom")});
  list.choice(format.choice, "format", N_("Format"),
              N_("How many bits a number has and how they are split: exponent bits set the range, "
                 "mantissa bits the spacing"),
              std::move(options), {.active = active});
  list.group(N_("Custom format"));
  describe_custom(format, active, list);
}

core::Format format_of(const NumberFormat& format) {
  for (const ListedFormat& listed : listed_formats()) {
    if (listed.choice == format.choice) return listed.format;
  }
  return {format.exponent_bits, format.mantissa_bits, format.bias, format.specials,
          format.subnormals};
}

std::string format_name(const NumberFormat& format) {
  for (const ListedFormat& listed : listed_formats()) {
    if (listed.choice == format.choice) return std::string(listed.name);
  }
  return fmt::format("1+{}+{} (b = {})", format.exponent_bits, format.mantissa_bits, format.bias);
}

void describe_rounding(NumberRounding& rounding, param::List& list, OfferStochastic offer) {
  std::vector<param::Option> options{{"nearest_even", N_("nearest, even")},
                                     {"nearest_away", N_("nearest, away")},
                                     {"toward_zero", N_("toward zero")},
                                     {"upward", N_("up")},
                                     {"downward", N_("down")}};
  using core::Rounding;
  std::vector<Rounding> offered{Rounding::nearest_even, Rounding::nearest_away,
                                Rounding::toward_zero, Rounding::upward, Rounding::downward};
  if (offer == OfferStochastic::yes) {
    offered.push_back(Rounding::stochastic);
    options.push_back({"stochastic", N_("stochastic")});
  }
  list.choice_of(
      rounding.rounding, std::move(offered), "rounding", N_("Rounding"),
      N_("Which neighbour a number between two numbers of the format becomes: the nearer one, "
         "always the one on the same side, or either, with a probability that keeps the mean"),
      std::move(options));
  if (offer == OfferStochastic::no) return;
  list.integer(rounding.seed, "rounding_seed", N_("Rounding seed"),
               N_("Chooses the random bits of stochastic rounding"),
               {.min = 0, .max = 9999, .active = rounding.stochastic()});
}

std::string number_words(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-NaN" : "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  return fmt::format("{}", value);
}

std::string number_words(double value, double spacing) {
  std::string exact = number_words(value);
  constexpr std::size_t kShort = 13;
  if (exact.size() <= kShort || !std::isfinite(value) || value == 0) return exact;
  // Seventeen digits tell any two doubles apart; spacing 0 asks for all of them.
  const double ratio = std::abs(value) / std::abs(spacing);
  const double steps = ratio >= 1 ? std::min(ratio, 1e14) : 1;
  return fmt::format("{:.{}g}", value, to_int(std::ceil(std::log10(steps))) + 3);
}

std::string_view rounding_name(core::Rounding rounding) {
  switch (rounding) {
    case core::Rounding::nearest_even: return N_("to nearest, ties to even");
    case core::Rounding::nearest_away: return N_("to nearest, ties away from zero");
    case core::Rounding::toward_zero: return N_("toward zero");
    case core::Rounding::upward: return N_("upward");
    case core::Rounding::downward: return N_("downward");
    case core::Rounding::stochastic: return N_("stochastic");
  }
  return {};
}

}  // namespace lab
