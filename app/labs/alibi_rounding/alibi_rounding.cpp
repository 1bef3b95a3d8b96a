#include <bit>

#include "app/labs/alibi_rounding/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::alibi_rounding {
namespace {

void describe_number(Parameters& p, param::List& list) {
  list.group(N_("Format"));
  describe_format(p.format, list);
  list.group(N_("Rounding"));
  describe_rounding(p.rounding, list, OfferStochastic::no);
  list.choice(p.overflow, "overflow", N_("Overflow"),
              N_("What numbers beyond the largest one become: infinity (NaN where the format has "
                 "no infinity), or the largest number with their sign"),
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
               N_("Each head has its own slope: 2^(-8/h), 2^(-16/h), ..."),
               {.min = 1, .max = kMostHeads});
  list.choice(
      p.slopes, "slopes", N_("Slopes"),
      N_("When h is not a power of two: the slopes of the next lower power, then every other slope "
         "of the next higher one, as in the released code; or one geometric sequence"),
      {{"released", N_("released")}, {"geometric", N_("geometric")}},
      {.active = !std::has_single_bit(static_cast<unsigned>(p.heads))});
  list.integer(p.head, "head", N_("Head"),
               N_("The head whose biases are drawn large and worked out"),
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
      N_("The first distance of the curves; the queries of the matrices lie this far after the "
         "keys"),
      {.unit = N_("positions"), .min = 1, .max = p.length - 1.0, .scale = param::Scale::log});
  list.integer(p.width, "width", N_("Distances shown"),
               N_("How many distances the curves show; fewer where the context ends"),
               {.unit = N_("positions"), .min = 2, .max = kLongest, .scale = param::Scale::log});
}

void describe_content(Parameters& p, param::List& list) {
  list.group(N_("Queries and keys"));
  list.integer(p.tokens, "tokens", N_("Tokens"),
               N_("The number of queries, and of keys, the same for every head"),
               {.min = 2, .max = kMostTokens});
  list.integer(p.width_of_head, "d", N_("Head width d"),
               N_("Dimensions of a query or key; scores are divided by √d"),
               {.min = 1, .max = 128});
  list.real(
      p.spread, "spread", N_("Spread of scores"),
      N_("About the standard deviation of q·k / √d: differences the sum should still tell apart"),
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
              N_("The bias after rounding, or the rounding error"),
              {{"bias", N_("bias")}, {"error", N_("error")}});
  describe_pool(p.pool, list);
  list.essential(
      {"format", "mantissa_bits", "round_distance", "round_bias", "head", "length", "distance"});
}

Lab lab() { return from_text("alibi_rounding", live(describe, compute)); }

}  // namespace lab::alibi_rounding
