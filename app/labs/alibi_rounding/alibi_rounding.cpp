#include "app/labs/alibi_rounding/page.h"
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
       N_("The distance is rounded first, and float16 ends: from 65520 on it is infinite, and so "
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

}  // namespace

Lab lab() {
  return {
      .id = "alibi_rounding",
      .title = N_("ALiBi under rounding"),
      .question = N_("Which distances does a penalty in few bits still tell apart?"),
      .chapter = Chapter::precision,
      .about = N_(
          "ALiBi subtracts a slope times the distance from each score. Stored in 16 bits the "
          "penalties of far keys collide, head by head at other sizes, and the sum of score and "
          "penalty loses what the score said. Choose what is rounded, and see which neighbouring "
          "keys become one. Click a distance, a head, a cell or a length to have it worked out."),
      .sources = {papers::press_2022.at(N_("section 3, and the published code")),
                  papers::ieee_754.at(N_("section 3.4: formats; section 4.3: rounding")),
                  papers::ocp_2023.at(N_("E4M3 and E5M2"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::alibi_rounding
