#include "app/labs/number_line/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::number_line {
namespace {

bool is_nan(const Parameters& p) {
  return p.special == Special::nan || p.special == Special::minus_nan;
}

void describe_number(Parameters& p, param::List& list) {
  const core::Format format = format_of(p.format);
  list.group(N_("Number"));
  list.real(p.x, "x", N_("Number x"),
            N_("The real number to store. Type any, even -0; drag it on the line, or click the "
               "bits to set one"),
            {.min = -kLargestX, .max = kLargestX, .active = p.special == Special::number});
  list.choice(p.special, "special", N_("Stored"),
              N_("The number x, or a code that is no finite number: infinity, or \"not a number\", "
                 "the result of 0/0 or ∞ - ∞. NaN has a sign bit too"),
              {{"number", N_("x")},
               {"infinity", N_("∞")},
               {"minus_infinity", N_("-∞")},
               {"not_a_number", N_("NaN")},
               {"minus_not_a_number", N_("-NaN")}});
  list.integer(p.payload, "payload", N_("NaN's mantissa"),
               N_("With an exponent of all ones, every mantissa except 0 is a NaN; its topmost bit "
                  "marks a quiet one"),
               {.min = 1,
                .max = to_double(most_payload(format)),
                .active = is_nan(p) && most_payload(format) > 1});
}

void describe_rule(Parameters& p, param::List& list) {
  const core::Format format = format_of(p.format);
  const bool can_overflow = format.specials != core::Specials::none;
  list.group(N_("Rounding"));
  describe_rounding(p.rounding, list);
  list.choice(p.overflow, "overflow", N_("Too large"),
              N_("What happens to a number that rounds beyond the largest one: infinity as in IEEE "
                 "754 (NaN where there is none), or the largest number"),
              {{"ieee", N_("∞ or NaN")}, {"saturate", N_("largest number")}},
              {.active = can_overflow});
}

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  describe_explained(p.explained,
                     {{"bits", N_("bits")},
                      {"rounding", N_("rounding")},
                      {"spacing", N_("spacing")},
                      {"facts", N_("facts")}},
                     list);
  list.integer(
      p.shown, "shown", N_("Spacings shown"),
      N_("How wide the number line is, counted in spacings of the format at its middle: the zoom"),
      {.unit = N_("steps"), .min = 4, .max = 1048576, .scale = param::Scale::log});
  list.real(p.middle, "middle", N_("Centre of line"),
            N_("Where the number line is centred. If x lies outside the line, it is centred on x"),
            {.min = -kLargestX, .max = kLargestX});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  list.group(N_("Format"));
  describe_format(p.format, list);
  describe_number(p, list);
  describe_rule(p, list);
  describe_view(p, list);
  list.essential({"format", "exponent_bits", "mantissa_bits", "x", "special", "rounding", "shown"});
}

Lab lab() { return from_text("number_line", live(describe, compute)); }

int most_payload(const core::Format& format) {
  return format.specials == core::Specials::ieee ? (1 << format.mantissa_bits) - 1 : 1;
}

}  // namespace lab::number_line
