#include "app/labs/number_line/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::number_line {
namespace {

std::vector<Preset> presets() {
  return {
      {"tenth", N_("One tenth is not there"),
       N_("0.1 lies between two numbers of bfloat16 and becomes the nearer one, 0.10009765625. No "
          "binary format holds it: in the table below every format is off, tf32 and float16 by the "
          "same, for both have ten bits of mantissa."),
       ""},
      {"integer", N_("The first missing integer"),
       N_("From 256 on, bfloat16 counts in twos: 257 lies halfway between 256 and 258, and the tie "
          "goes to the one whose last bit is 0."),
       "x=257 | middle=256 | shown=16"},
      {"doubling", N_("The step doubles at every power of two"),
       N_("Left of 1 the numbers of bfloat16 stand twice as close as right of it. The stretch that "
          "rounds to 1 is lopsided: its left side is half as wide."),
       "x=1 | middle=1 | shown=16 | explain=spacing"},
      {"overflow", N_("The number that becomes infinite"),
       N_("The largest number of float16 is 65,504. 65,519.9 still rounds down to it; 65,520, half "
          "a step above it, is infinite. Drag x across the limit."),
       "format=float16 | x=65520 | middle=65504 | shown=12"},
      {"no_infinity", N_("Eight bits without infinity"),
       N_("e4m3fn spends its topmost exponent on numbers: 448 instead of 240 is the largest. 464 "
          "is a tie that still goes to 448; what is above becomes NaN, for there is no infinity."),
       "format=e4m3fn | x=464 | middle=448 | shown=12"},
      {"subnormal", N_("Around zero the numbers stand evenly"),
       N_("The green stretch is subnormal: without them, a wide gap around zero would swallow "
          "small gradients. In it the step stays, and relative precision runs out."),
       "format=e4m3fn | x=0.0102 | middle=0 | shown=40 | explain=spacing"},
      {"nan", N_("Not a number, in 254 ways"),
       N_("An exponent of all ones and any mantissa but 0 is NaN. Toggle the mantissa's bits: only "
          "when the last one is off does it become infinity."),
       "special=not_a_number | payload=64 | explain=bits"},
      {"minus_zero", N_("Minus zero"),
       N_("The sign bit of zero can be set. The two zeros are equal, but 1/x of them is ∞ and -∞."),
       "x=-0 | middle=0 | explain=bits"},
      {"range", N_("Range against precision"),
       N_("70000 fits into bfloat16, coarsely, as 70144; float16 has no room for it and says "
          "infinity; fp8 e4m3fn has not even infinity. Few bits have to choose."),
       "x=70000 | middle=70000 | shown=8"},
      {"chance", N_("Rounding by chance"),
       N_("256.5 becomes 258 in one case of four and 256 in the others: the mean of many roundings "
          "is 256.5 itself. Turn the seed."),
       "x=256.5 | middle=256 | shown=8 | rounding=stochastic | rounding_seed=3"},
      {"four_bits", N_("All fifteen numbers of fp4"),
       N_("One sign, two exponent bits, one mantissa bit: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their "
          "negatives are all there is. What is larger becomes 6."),
       "format=custom | specials=none | exponent_bits=2 | mantissa_bits=1 | bias=1 | x=2.6 | "
       "middle=0 | shown=28"},
  };
}

bool is_nan(const Parameters& p) {
  return p.special == Special::nan || p.special == Special::minus_nan;
}

void describe_number(Parameters& p, param::List& list) {
  const core::Format format = format_of(p.format);
  list.group(N_("Number"));
  list.real(p.x, "x", N_("Number x"),
            N_("The real number that is to be stored. Type any, -0 too; drag it on the line, or "
               "click the bits to spell one"),
            {.min = -kLargestX, .max = kLargestX, .active = p.special == Special::number});
  list.choice(p.special, "special", N_("Stored"),
              N_("The number x, or what stands for no finite number: infinity, or \"not a "
                 "number\", the result of 0/0 or ∞ - ∞. NaN has a sign bit too"),
              {{"number", N_("x")},
               {"infinity", N_("∞")},
               {"minus_infinity", N_("-∞")},
               {"not_a_number", N_("NaN")},
               {"minus_not_a_number", N_("-NaN")}});
  list.integer(p.payload, "payload", N_("NaN's mantissa"),
               N_("Every mantissa but 0 beside an exponent of all ones is a NaN; its topmost bit "
                  "says that it is a quiet one"),
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
              N_("What becomes of a number that rounds beyond the largest one: infinity as in IEEE "
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
      p.shown, "shown", N_("Steps shown"),
      N_("How wide the number line is, counted in spacings of the format at its middle: the zoom"),
      {.unit = N_("steps"), .min = 4, .max = 1048576, .scale = param::Scale::log});
  list.real(p.middle, "middle", N_("Centre of line"),
            N_("Where the number line is centred. When x lies outside of what it shows, it is "
               "centred on x"),
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

Lab lab() {
  return {.id = "number_line",
          .title = N_("The number line"),
          .question = N_("Which numbers does a format have, and what becomes of all others?"),
          .chapter = Chapter::precision,
          .about = N_("A format of few bits has few numbers: dense near zero, ever sparser "
                      "outwards, the spacing doubling at every power of two. Whatever is computed "
                      "becomes one of them. Drag x along the line, click its bits to toggle them, "
                      "and compare what the formats make of the same number."),
          .sources = {papers::ieee_754.at(
                          N_("sections 3.4 (encodings), 4.3 (rounding) and 7.4 (overflow)")),
                      papers::micikevicius_2022.at(N_("E4M3 without infinities, and E5M2")),
                      papers::croci_2022.at(N_("section 2")),
                      papers::goldberg_1991.at(N_("formats, spacing and rounding error"))},
          .presets = presets(),
          .make = live(describe, compute)};
}

int most_payload(const core::Format& format) {
  return format.specials == core::Specials::ieee ? (1 << format.mantissa_bits) - 1 : 1;
}

}  // namespace lab::number_line
