#include "app/labs/position_ids/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::position_ids {
namespace {

void describe_number(Parameters& p, param::List& list) {
  list.group(N_("Format"));
  describe_format(p.format, list);
  list.group(N_("Rounding"));
  describe_rounding(p.rounding, list);
  list.choice(p.overflow, "overflow", N_("Overflow"),
              N_("What ids beyond the largest number become: infinity (NaN where the format has no "
                 "infinity), or the largest number"),
              {{"ieee", N_("∞ or NaN")}, {"saturate", N_("largest number")}});
}

void describe_context(Parameters& p, param::List& list) {
  list.group(N_("Context"));
  list.integer(
      p.length, "length", N_("Context length n"), N_("The ids 0 to n - 1 are rounded and counted"),
      {.unit = N_("positions"), .min = kShortest, .max = kLongest, .scale = param::Scale::log});
  list.integer(p.start, "start", N_("Window from"),
               N_("The first id of the staircase, the strips and the matrix"),
               {.unit = N_("id"), .min = 1, .max = p.length - 1.0, .scale = param::Scale::log});
  list.integer(p.width, "width", N_("Window width"),
               N_("How many ids these show; fewer where the context ends"),
               {.unit = N_("ids"), .min = 2, .max = kLongest, .scale = param::Scale::log});
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  describe_explained(p.explained,
                     {{"id", N_("id")}, {"distance", N_("distance")}, {"definition", N_("count")}},
                     list);
  const double last = p.length - 1.0;
  list.integer(p.id, "id", N_("Id i"),
               N_("The id whose rounding is shown bit by bit; in a distance, the query's"),
               {.min = 0, .max = last});
  list.integer(p.other, "other", N_("Other id j"),
               N_("The key's id: the relative position is j - i"), {.min = 0, .max = last});
  std::vector<param::Option> definitions;
  for (const DefinitionWords& each : kDefinitions) definitions.push_back({each.id, each.name});
  list.choice(p.definition, "definition", N_("Count"),
              N_("Which meaning of \"exact\" is worked out; a row of the table sets it"),
              std::move(definitions));
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_number(p, list);
  describe_context(p, list);
  describe_picks(p, list);
  list.group(N_("Display"));
  list.choice(p.vertical, "vertical", N_("Staircase of"),
              N_("The id after rounding, or the rounding error"),
              {{"rounded", N_("rounded id")}, {"error", N_("error")}});
  list.flag(p.causal, "causal", N_("Causal mask"), N_("Hide distances to keys after the query"));
  describe_pool(p.pool, list);
  list.essential({"format", "exponent_bits", "mantissa_bits", "length", "start", "id", "other"});
}

Lab lab() { return from_text("position_ids", live(describe, compute)); }

}  // namespace lab::position_ids
