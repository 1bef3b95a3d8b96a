#include <bit>

#include "app/labs/alibi_rounding/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::alibi_rounding {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Distances that share a penalty"),
       N_("Head 4 of 8 has the slope 1/16, a power of two: its biases collide exactly where the "
          "distances do as integers, from 257 on. At 522 three to five of them are one."),
       ""},
      {"flattest", N_("The flattest head"),
       N_("Slope 1/256: at the first collision, distance 257, the penalty is only 1.004. Keys that "
          "still have a third of their weight cannot be told apart by distance."),
       "head=8 | start=248 | width=32 | distance=257 | explain=count"},
      {"steepest", N_("The steepest head"),
       N_("Slope 1/2: the same distances collide, but the penalty at 257 is 128.5 and such keys "
          "have no weight left. Here collisions cost nothing."),
       "head=1 | start=248 | width=32 | distance=257 | explain=count"},
      {"swallowed", N_("The sum swallows the score"),
       N_("Biases about -250 and scores about 1: bfloat16 has only whole numbers there, so a "
          "quarter of the neighbouring keys end with one sum although their scores differ."),
       "head=1 | start=500 | explain=score"},
      {"wide_sum", N_("Add in float32"),
       N_("The same, but score and sum stay in float32: no two sums are equal. Where the bias "
          "alone is rounded, though, pairs change their order."),
       "head=1 | start=500 | round_score=false | round_sum=false | explain=score"},
      {"twelve_heads", N_("Twelve heads, other ties"),
       N_("12 is no power of two: heads 9 to 12 have slopes like 0.7071. Their biases are rounded "
          "from the first distance on and collide from 183 on, where the first eight heads have no "
          "error before 257."),
       "heads=12 | head=9 | round_slope=true | vertical=error | start=1 | width=400 | "
       "distance=300"},
      {"rounded_distance", N_("Rounded already as an integer"),
       N_("The distance is a bfloat16 number before it is multiplied: with a power of two as slope "
          "the same biases collide; nothing is lost twice."),
       "round_distance=true | round_bias=false"},
      {"llama_8k", N_("An 8k context"),
       N_("8192 distances, 897 biases in bfloat16, whatever the head. At the end 33 distances are "
          "one."),
       "length=8192 | start=8000 | width=192 | distance=8100 | explain=count"},
      {"llama_32k", N_("A 32k context"),
       N_("32768 distances, 1153 biases; the last groups have 129. At the flattest head the "
          "penalty out there is 128: it no longer matters."),
       "length=32768 | head=8 | start=32000 | width=768 | distance=32300 | explain=count"},
      {"llama_128k", N_("A 128k context in float16"),
       N_("The distance is rounded first, and float16 ends: from 65,520 on it is infinite, and so "
          "is the penalty of every head, however flat. The bias alone, 512 at most here, would "
          "have fitted."),
       "format=float16 | round_distance=true | length=131072 | head=8 | start=65488 | width=64 | "
       "distance=65520"},
      {"eight_bits", N_("Eight bits"),
       N_("e4m3fn ends at 448: the steepest head has no bias beyond distance 928, and near ones "
          "collide from 17 on."),
       "format=e4m3fn | head=1 | length=999 | start=1 | width=64 | distance=17"},
      {"saturating", N_("Saturate instead"),
       N_("Casting that stops at the largest number: every key from distance 864 on has the bias "
          "-448."),
       "format=e4m3fn | overflow=saturate | head=1 | length=999 | start=900 | width=64 | "
       "distance=940"},
      {"own_format", N_("A format of your own"),
       N_("Four exponent and three mantissa bits, with infinities: move a bit from one field to "
          "the other and watch where biases collide and where they end."),
       "format=custom | length=512 | start=1 | width=96 | distance=40"},
  };
}

void describe_number(Parameters& p, param::List& list) {
  list.group(N_("Format"));
  describe_format(p.format, list);
  list.group(N_("Rounding"));
  describe_rounding(p.rounding, list, OfferStochastic::no);
  list.choice(p.overflow, "overflow", N_("Overflow"),
              N_("What becomes of numbers beyond the largest one: infinity (NaN where the format "
                 "has no infinity), or the largest number with their sign"),
              {{"ieee", N_("∞ or NaN")}, {"saturate", N_("largest number")}});
  list.group(N_("What is rounded"));
  list.flag(p.round_slope, "round_slope", N_("Slope"),
            N_("The slope m of the head is stored in the format"));
  list.flag(p.round_distance, "round_distance", N_("Distance"),
            N_("The distance |i - j| is a number of the format before it is multiplied"));
  list.flag(p.round_bias, "round_bias", N_("Bias"),
            N_("The bias -m |i - j| is stored in the format"));
  list.flag(p.round_score, "round_score", N_("Score"),
            N_("q·k / √d is stored in the format before the bias is added"));
  list.flag(p.round_sum, "round_sum", N_("Sum"),
            N_("Score plus bias is stored in the format; everything else is computed in float32"));
}

void describe_heads(Parameters& p, param::List& list) {
  list.group(N_("Heads"));
  list.integer(p.heads, "heads", N_("Heads h"),
               N_("Each head has a slope of its own: 2^(-8/h), 2^(-16/h), ..."),
               {.min = 1, .max = kMostHeads});
  list.choice(
      p.slopes, "slopes", N_("Slopes"),
      N_("When h is no power of two: slopes of the next lower power and every other one of the "
         "next higher, as in the released code, or the geometric sequence all the same"),
      {{"released", N_("released")}, {"geometric", N_("geometric")}},
      {.active = !std::has_single_bit(static_cast<unsigned>(p.heads))});
  list.integer(p.head, "head", N_("Head"), N_("Whose biases are drawn large and taken apart"),
               {.min = 1, .max = to_double(p.heads)});
}

void describe_context(Parameters& p, param::List& list) {
  list.group(N_("Context"));
  list.integer(
      p.length, "length", N_("Context length n"),
      N_("The biases of distances 0 to n - 1 are counted"),
      {.unit = N_("positions"), .min = kShortest, .max = kLongest, .scale = param::Scale::log});
  list.integer(
      p.start, "start", N_("Distances from"),
      N_("The first distance of the curves; the queries of the matrices stand so far after their "
         "keys"),
      {.unit = N_("positions"), .min = 1, .max = p.length - 1.0, .scale = param::Scale::log});
  list.integer(p.width, "width", N_("Distances shown"),
               N_("How many distances the curves show; fewer where the context ends"),
               {.unit = N_("positions"), .min = 2, .max = kLongest, .scale = param::Scale::log});
}

void describe_content(Parameters& p, param::List& list) {
  list.group(N_("Queries and keys"));
  list.integer(p.tokens, "tokens", N_("Tokens"),
               N_("So many queries and so many keys, the same for every head"),
               {.min = 2, .max = kMostTokens});
  list.integer(p.width_of_head, "d", N_("Head width d"),
               N_("Numbers in a query or key; scores are divided by √d"), {.min = 1, .max = 128});
  list.real(p.spread, "spread", N_("Spread of scores"),
            N_("About the standard deviation of q·k / √d: what the sum should still tell apart"),
            {.min = 0, .max = 16, .step = 0.05});
  describe_seed(p.seed, N_("Chooses the random queries and keys"), list, p.spread > 0);
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  describe_explained(p.explained,
                     {{"bias", N_("bias")}, {"score", N_("score")}, {"count", N_("count")}}, list);
  list.integer(p.distance, "distance", N_("Distance"),
               N_("|i - j|, whose bias is shown bit by bit"),
               {.unit = N_("positions"), .min = 0, .max = p.length - 1.0});
  list.integer(p.query, "query", N_("Query"), N_("A row of the matrices, counted from 0"),
               {.min = 0, .max = p.tokens - 1.0});
  list.integer(p.key, "key", N_("Key"), N_("A column of the matrices, counted from 0"),
               {.min = 0, .max = p.tokens - 1.0});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_number(p, list);
  describe_heads(p, list);
  describe_context(p, list);
  describe_content(p, list);
  describe_picks(p, list);
  list.group(N_("Display"));
  list.choice(p.vertical, "vertical", N_("Curves of"),
              N_("The bias after rounding, or what rounding added to it"),
              {{"bias", N_("bias")}, {"error", N_("error")}});
  describe_pool(p.pool, list);
  list.essential(
      {"format", "mantissa_bits", "round_distance", "round_bias", "head", "length", "distance"});
}

Lab lab() {
  return {.id = "alibi_rounding",
          .title = N_("ALiBi under rounding"),
          .question = N_("Which distances does a penalty in few bits still tell apart?"),
          .chapter = Chapter::precision,
          .about = N_(
              "ALiBi subtracts a slope times the distance from each score; stored in 16 bits the "
              "penalties of far keys collide, head by head at other sizes, and the sum loses what "
              "the score said. Choose what is rounded, and see which neighbouring keys become one. "
              "Click a distance, a head, a cell or a length to have it worked out."),
          .sources = {papers::press_2022.at(N_("section 3, and the published code")),
                      papers::ieee_754.at(N_("section 3.4: formats; section 4.3: rounding")),
                      papers::ocp_2023.at(N_("E4M3 and E5M2"))},
          .presets = presets(),
          .make = live(describe, compute)};
}

}  // namespace lab::alibi_rounding
