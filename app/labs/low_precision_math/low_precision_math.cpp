#include "app/labs/low_precision_math/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::low_precision_math {
namespace {

std::vector<Preset> presets() {
  return {
      {"stops", N_("The sum that stops"),
       N_("512 ones added up in bfloat16 are 256. There the step becomes 2: 256 + 1 = 257 is a tie "
          "and goes back to the even 256, again and again."),
       ""},
      {"float_inside", N_("The same with float32 inside"),
       N_("Numbers of bfloat16, sums in float32, one rounding at the end: 512. It is what matrix "
          "units do, and why they do it."),
       "method=in_float"},
      {"halves", N_("Adding by halves"),
       N_("The same bfloat16, but halves are added up on their own: sums of equal size meet, and "
          "nothing is too small. Positive random products, the error grows with log d, not with "
          "d."),
       "method=pairwise | vectors=positive | d=4096 | explain=dot | step=4096"},
      {"signs", N_("Signs keep the sum small"),
       N_("Products of random q and k have both signs: the sum wanders instead of growing, and far "
          "less is lost than from positive ones."),
       "vectors=random | explain=dot"},
      {"chance", N_("Stochastic rounding does not stall"),
       N_("Each 1 has the chance of one half to become 2 beside a sum of 256: the sum goes on, and "
          "is right in the mean. Turn the repetition."),
       "rounding=stochastic"},
      {"four_times", N_("Four times everything"),
       N_("Softmax of 1024 nearly equal scores in bfloat16: the denominator stalls at 256 instead "
          "of 1024, every weight is four times too large, and they add up to almost 4."),
       "n=1024 | spread=0.01 | explain=total"},
      {"nothing", N_("Nothing at all"),
       N_("In fp8 e4m3fn the smallest number is 2^-9. Of 4096 equal keys each weight, 2^-12, "
          "becomes 0: even with float32 inside the row attends to nothing."),
       "format=e4m3fn | method=in_float | n=4096 | spread=0.01 | d=128 | step=17 | explain=weight"},
      {"few_bits", N_("Weights below the normal numbers"),
       N_("Three exponent and three mantissa bits: weights below 1/4 are subnormal already. Take "
          "the subnormals away and most of a softmax is gone."),
       "format=custom | exponent_bits=3 | bias=3"},
      {"own", N_("A format of your own"),
       N_("Eight bits, E4M3 as IEEE would have it: the largest number is 240, so that the 512 "
          "which float32 adds up is stored as infinity. Inside the format the sum of ones stops at "
          "2^(t + 1) = 16: turn the mantissa bits t."),
       "format=custom | method=in_float | n=256 | step=17"},
      {"overflow", N_("Scores that overflow float16"),
       N_("Entries of size 16 and 512 terms: q·k is 131,072, and float16 ends at 65,504. bfloat16 "
          "has the range; dividing q by √d before, not after, keeps float16 in it."),
       "format=float16 | scale=16 | step=256"},
  };
}

void describe_arithmetic(Parameters& p, param::List& list) {
  list.group(N_("Format"));
  describe_format(p.format, list);
  list.group(N_("Arithmetic"));
  list.choice(p.method, "method", N_("Accumulate"),
              N_("What a product or a sum is rounded to: the format, one term after the other; the "
                 "format, adding up halves on their own; or float32, with one rounding to the "
                 "format at the end, as matrix units do"),
              {{"in_format", N_("in the format")},
               {"pairwise", N_("by halves")},
               {"in_float", N_("in float32")}});
  describe_rounding(p.rounding, list);
}

void describe_dot(Parameters& p, param::List& list) {
  list.group(N_("Dot product"));
  list.choice(p.vectors, "vectors", N_("q and k"),
              N_("Independent random numbers of mean 0 and variance 1, their sizes without the "
                 "sign, or ones only: then the sum counts"),
              {{"random", N_("random")}, {"positive", N_("positive")}, {"ones", N_("ones")}});
  list.real(p.scale, "scale", N_("Scale"),
            N_("Multiplies every number of q and of k: products grow with its square, until they "
               "overflow"),
            {.min = 1e-3, .max = 1e3, .scale = param::Scale::log});
  list.integer(p.d, "d", N_("Width d"), N_("How many products the dot product adds up"),
               {.min = 1, .max = kMostWidth, .scale = param::Scale::log});
  list.integer(p.repetition, "repetition", N_("Repetition"),
               N_("Which of the random repetitions is taken apart"),
               {.min = 1,
                .max = to_double(p.repeats),
                .active = p.vectors != Vectors::ones || p.rounding.stochastic()});
  describe_seed(p.seed, N_("Chooses the random numbers of q, k and the scores"), list);
}

void describe_softmax(Parameters& p, param::List& list) {
  list.group(N_("Softmax"));
  list.integer(p.n, "n", N_("Keys n"), N_("How many scores the row has whose weights are drawn"),
               {.min = 1, .max = kMostRow, .scale = param::Scale::log});
  list.real(p.spread, "spread", N_("Score spread"),
            N_("Their standard deviation: near 0 all weights are 1/n, large ones leave a few keys "
               "the whole weight"),
            {.min = 0.01, .max = 20, .scale = param::Scale::log});
}

void describe_curves(Parameters& p, param::List& list) {
  list.group(N_("Errors"));
  list.integer(
      p.repeats, "repeats", N_("Repetitions"),
      N_("How many random vectors and rows each point of the curves of errors is the mean of"),
      {.min = 1, .max = 64, .scale = param::Scale::log});
  list.integer(p.longest, "longest", N_("Longest"),
               N_("Up to which d and n errors are measured, in powers of two"),
               {.min = 16, .max = kMostWidth, .scale = param::Scale::log});
  list.choice(p.measure, "measure", N_("Error of q·k"),
              N_("What adding up does to the rounded vectors, or the stored result against the "
                 "exact product of the vectors as they came. Both as a share of Σ |q k|"),
              {{"accumulation", N_("the arithmetic's")}, {"everything", N_("all of it")}});
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(
      p.explained, "explain", N_("Explained"),
      N_("What is taken apart: one addition, the whole dot product, one weight, or the sum of the "
         "weights; a click on a figure chooses it too"),
      {{"step", N_("step")}, {"dot", N_("dot")}, {"weight", N_("weight")}, {"total", N_("sum")}});
  list.integer(
      p.step, "step", N_("Step"),
      N_("The addition that is taken apart, counted from 1; click the curve of partial sums"),
      {.min = 1, .max = to_double(p.d)});
  list.integer(p.key, "key", N_("Key"),
               N_("The key whose weight is taken apart, counted from 0; click its bar"),
               {.min = 0, .max = to_double(p.n - 1)});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_arithmetic(p, list);
  describe_curves(p, list);
  describe_dot(p, list);
  describe_softmax(p, list);
  describe_picks(p, list);
  list.essential({"format", "mantissa_bits", "method", "vectors", "d", "n", "explain"});
}

Lab lab() {
  return {
      .id = "low_precision_math",
      .title = N_("Low-precision arithmetic"),
      .question = N_("What do few bits do to a long sum?"),
      .chapter = Chapter::precision,
      .about = N_("Every product and every sum is rounded to a number of the format. A long sum "
                  "grows until its steps are larger than what is added, and then stands still. "
                  "Watch one dot product add up, click a step to see its bits, and compare adding "
                  "in the format, by halves and in float32: for dot products against their width, "
                  "and for softmax against the number of keys."),
      .sources = {papers::higham_2002.at(N_("sections 3.1 (inner products) and 4.2 (summation)")),
                  papers::croci_2022.at(N_("section 2")),
                  papers::micikevicius_2018.at(N_("products of float16 added up in float32"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::low_precision_math
