#include "app/labs/low_precision_math/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::low_precision_math {
namespace {

void describe_arithmetic(Parameters& p, param::List& list) {
  list.group(N_("Format"));
  describe_format(p.format, list);
  list.group(N_("Arithmetic"));
  list.choice(p.method, "method", N_("Accumulate"),
              N_("What a product or a sum is rounded to: the format, one term after another; the "
                 "format, each half on its own; or float32, with one rounding to the format at the "
                 "end, as matrix units do"),
              {{"in_format", N_("in the format")},
               {"pairwise", N_("by halves")},
               {"in_float", N_("in float32")}});
  describe_rounding(p.rounding, list);
}

void describe_dot(Parameters& p, param::List& list) {
  list.group(N_("Dot product"));
  list.choice(p.vectors, "vectors", N_("q and k"),
              N_("Independent random numbers of mean 0 and variance 1, their absolute values, or "
                 "only ones: then the sum counts"),
              {{"random", N_("random")}, {"positive", N_("positive")}, {"ones", N_("ones")}});
  list.real(
      p.scale, "scale", N_("Scale"),
      N_("Multiplies every entry of q and k: products grow with its square, until they overflow"),
      {.min = 1e-3, .max = 1e3, .scale = param::Scale::log});
  list.integer(p.d, "d", N_("Width d"), N_("How many products the dot product sums"),
               {.min = 1, .max = kMostWidth, .scale = param::Scale::log});
  list.integer(p.repetition, "repetition", N_("Repetition"),
               N_("Which random repetition is worked out"),
               {.min = 1,
                .max = to_double(p.repeats),
                .active = p.vectors != Vectors::ones || p.rounding.stochastic()});
  describe_seed(p.seed, N_("Chooses the random numbers of q, k and the scores"), list);
}

void describe_softmax(Parameters& p, param::List& list) {
  list.group(N_("Softmax"));
  list.integer(p.n, "n", N_("Keys n"), N_("How many scores the drawn row has"),
               {.min = 1, .max = kMostRow, .scale = param::Scale::log});
  list.real(p.spread, "spread", N_("Score spread"),
            N_("The standard deviation of the scores: near 0 all weights are 1/n; if large, a few "
               "keys have all the weight"),
            {.min = 0.01, .max = 20, .scale = param::Scale::log});
}

void describe_curves(Parameters& p, param::List& list) {
  list.group(N_("Errors"));
  list.integer(p.repeats, "repeats", N_("Repetitions"),
               N_("How many random vectors and rows each point of the error curves averages"),
               {.min = 1, .max = 64, .scale = param::Scale::log});
  list.integer(p.longest, "longest", N_("Longest"),
               N_("The largest d and n at which errors are measured, in powers of two"),
               {.min = 16, .max = kMostWidth, .scale = param::Scale::log});
  list.choice(p.measure, "measure", N_("Error of q·k"),
              N_("The error of summing the rounded vectors, or the stored result against the exact "
                 "product of the original vectors. Both as a share of Σ |q k|"),
              {{"accumulation", N_("summation only")}, {"everything", N_("all of it")}});
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.choice(
      p.explained, "explain", N_("Explained"),
      N_("What is worked out: one addition, the whole dot product, one weight, or the sum of the "
         "weights; a click on a figure chooses it too"),
      {{"step", N_("step")}, {"dot", N_("dot")}, {"weight", N_("weight")}, {"total", N_("sum")}});
  list.integer(
      p.step, "step", N_("Step"),
      N_("The addition that is worked out, counted from 1; click the curve of partial sums"),
      {.min = 1, .max = to_double(p.d)});
  list.integer(p.key, "key", N_("Key"),
               N_("The key whose weight is worked out, counted from 0; click its bar"),
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

Lab lab() { return from_text("low_precision_math", live(describe, compute)); }

}  // namespace lab::low_precision_math
