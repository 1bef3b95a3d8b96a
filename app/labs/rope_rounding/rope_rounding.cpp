#include "app/labs/rope_rounding/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::rope_rounding {
namespace {

void describe_rounded_steps(Parameters& p, param::List& list) {
  list.group(N_("Rounded to the format"));
  list.flag(p.rounded_steps.id, "round_id", N_("The id m"),
            N_("Positions are rounded to the format: neighbours that round to one number become "
               "one position"),
            {.active = !p.repair});
  list.flag(p.rounded_steps.frequency, "round_frequency", N_("The frequency θ"),
            N_("Each pair turns at a slightly wrong speed: the angle drifts away in proportion to "
               "the position"),
            {.active = !p.repair});
  list.flag(
      p.rounded_steps.product, "round_product", N_("The product m·θ"),
      N_("The angle is rounded to the format: far out its last digit is worth more than a turn"),
      {.active = !p.repair});
  list.flag(p.rounded_steps.table, "round_table", N_("cos and sin"),
            N_("Only the result: numbers between -1 and 1 lose at most half a unit in the last "
               "place, at any position"),
            {.active = !p.repair});
  list.flag(p.repair, "repair", N_("Repair: cast last"),
            N_("Id, frequency and product stay in the format of the other steps; only the finished "
               "cos and sin are cast"));
  list.choice(p.carrier, "carrier", N_("Other steps in"),
              N_("The format of every step that is not rounded"),
              {{"float32", N_("float32")}, {"float64", N_("double")}});
}

void describe_rope(Parameters& p, param::List& list) {
  list.group(N_("RoPE"));
  list.integer(p.d, "d", N_("Head width d"),
               N_("Dimensions of a query and a key; they turn in d/2 pairs"),
               {.min = 2, .max = 256, .step = 2});
  list.real(p.base, "base", N_("Base"),
            N_("The frequencies are θ_i = base^(-2i/d): a larger base slows the later pairs down, "
               "and leaves the first, whose angles are largest"),
            {.min = 1e2, .max = 1e7, .scale = param::Scale::log});
  list.integer(
      p.length, "length", N_("Context"), N_("How many rows the table of cosines and sines has"),
      {.unit = N_("positions"), .min = 2, .max = kMostPositions, .scale = param::Scale::log});
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.integer(
      p.query, "query", N_("Query at m"),
      N_("The query's position; the attention shown is that of the block of tokens around it"),
      {.min = 0, .max = p.length - 1.0});
  list.integer(p.key, "key", N_("Key at n"), N_("The key's position, at or before the query's"),
               {.min = 0, .max = to_double(std::min(p.query, p.length - 1))});
  list.integer(p.pair, "pair", N_("Pair i"),
               N_("The pair of dimensions whose angle is worked out; 0 is the fastest"),
               {.min = 0, .max = to_double(p.d / 2 - 1)});
  describe_explained(p.explained,
                     {{"phase", N_("phase")},
                      {"rows", N_("rows")},
                      {"score", N_("score")},
                      {"weight", N_("weight")}},
                     list);
  describe_pool(p.pool, list);
}

void describe_vectors(Parameters& p, param::List& list) {
  list.group(N_("Attention"));
  list.choice(
      p.vectors, "vectors", N_("q and k"),
      N_("One vector for every query and key, so only position decides; one for all queries and "
         "another for all keys; or one for each token"),
      {{"equal", N_("all equal")}, {"pair", N_("one q, one k")}, {"tokens", N_("one per token")}});
  describe_seed(p.seed, N_("Chooses the random q and k"), list);
  list.real(p.sharpness, "sharpness", N_("Scale of scores"),
            N_("Multiplies q·k/√d, and so its errors: sharper attention is more sensitive to them"),
            {.min = 0.1, .max = 10, .scale = param::Scale::log});
  list.integer(p.window, "window", N_("Tokens shown"),
               N_("For how many neighbouring positions attention is shown"),
               {.min = 8, .max = kMostWindow, .step = 8});
  list.integer(p.reach, "reach", N_("Distances shown"),
               N_("How far the curve of scores over distance reaches"),
               {.unit = N_("positions"), .min = 8, .max = kMostReach, .scale = param::Scale::log});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_rounded_steps(p, list);
  list.group(N_("Format"));
  describe_format(p.format, list);
  list.group(N_("Rounding"));
  describe_rounding(p.rounding, list);
  describe_rope(p, list);
  describe_picks(p, list);
  describe_vectors(p, list);
  list.essential(
      {"round_id", "round_product", "round_table", "repair", "format", "mantissa_bits", "query"});
}

Lab lab() { return from_text("rope_rounding", live(describe, compute)); }

Parameters settled(Parameters p) {
  param::settle([&p] {
    param::List list;
    describe(p, list);
    return list;
  });
  return p;
}

core::RotaryRounding rounding_of(const Parameters& p, const RoundedSteps& rounded_steps) {
  core::RotarySteps steps;
  if (rounded_steps.id) steps.add(core::RotaryStep::id);
  if (rounded_steps.frequency) steps.add(core::RotaryStep::frequency);
  if (rounded_steps.product) steps.add(core::RotaryStep::angle);
  if (rounded_steps.table) steps.add(core::RotaryStep::table);
  return {.low = format_of(p.format),
          .rule = {p.rounding.rounding},
          .carrier = p.carrier == Carrier::float32 ? core::kFloat32 : core::kFloat64,
          .seed = p.rounding.stochastic() ? p.rounding.random_seed() : 0,
          .steps = steps};
}

}  // namespace lab::rope_rounding
