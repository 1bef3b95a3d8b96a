#include "app/labs/position_ids/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::position_ids {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Steps of two, then of four"),
       N_("bfloat16 keeps 8 significant bits. From 256 on it has every second integer, from 512 on "
          "every fourth: ids 531, 532 and 533 all become 532."),
       ""},
      {"ten_percent", N_("About 10 % at 8192"),
       N_("A widely told number, taken apart: 896 ids are exact, 897 values are left, and only 320 "
          "ids share theirs with none. Each row of the table is another meaning of \"exact\"."),
       "start=8100 | width=92 | id=8128 | other=8112 | explain=definition"},
      {"first_collision", N_("257 becomes 256"),
       N_("The first integer that bfloat16 does not have. 256 is even and wins the tie; 259 goes "
          "up to 260 for the same reason, so groups of one and three take turns."),
       "length=512 | start=248 | width=32 | id=257 | other=256"},
      {"llama_4k", N_("A 4k context in float16"),
       N_("4096 positions, as the first long LLaMA models had: float16 keeps 2048 ids and half of "
          "the others, bfloat16 one in 5.3."),
       "format=float16 | length=4096 | start=2040 | width=32 | id=2049 | other=2048"},
      {"llama_32k", N_("A 32k context in bfloat16"),
       N_("1152 of 32768 ids are exact. At the end 127 and 129 neighbours by turns are one "
          "position."),
       "length=32768 | start=32000 | width=768 | id=32300 | other=32200"},
      {"llama_128k", N_("A 128k context in bfloat16"),
       N_("131072 ids, 1409 values: of a thousand positions eleven are left. The whole window "
          "shows a handful of steps."),
       "length=131072 | start=128000 | width=3072 | id=129000 | other=128500"},
      {"float16_ends", N_("float16 ends"),
       N_("The largest number is 65,504. 65,519 still becomes it, 65,520 is a tie and infinite, "
          "and so is all of the second half of a 128k context."),
       "format=float16 | length=131072 | start=65440 | width=128 | id=65520 | other=65500"},
      {"eight_bits", N_("Eight bits"),
       N_("e4m3fn keeps four significant bits: 17 is already gone, and beyond 464 there is no "
          "number at all, not even infinity."),
       "format=e4m3fn | length=512 | start=400 | width=100 | id=465 | other=440"},
      {"wider_range", N_("Range or precision"),
       N_("e5m2 gives one more bit to the exponent: it reaches 57344, but only three significant "
          "bits are left, and 9 is the first id to go."),
       "format=e5m2 | length=512 | start=1 | width=64 | id=9 | other=8"},
      {"truncated", N_("Truncation makes equal groups"),
       N_("Toward zero every group has as many ids as the spacing, four here, where rounding to "
          "nearest has threes and fives. The error is one-sided."),
       "rounding=toward_zero | vertical=error"},
      {"stochastic", N_("Rounding by chance"),
       N_("Each id goes up or down by chance, nearer numbers more often: neighbours may even "
          "change places, but the mean of the error is 0."),
       "rounding=stochastic | length=999 | explain=id"},
      {"saturating", N_("Saturate instead"),
       N_("Casting that stops at the largest number: no infinity, but every id beyond 448 is the "
          "same position."),
       "format=e4m3fn | overflow=saturate | length=999 | start=400 | width=100 | id=470 | "
       "other=440"},
      {"own_format", N_("A format of your own"),
       N_("One sign, four exponent and three mantissa bits, with infinities as IEEE has them: 240 "
          "is the largest number, and 248 already infinite. Move a bit from one field to the "
          "other."),
       "format=custom | length=300 | start=200 | width=64 | id=248 | other=220"},
      {"flushed", N_("Ids below the smallest normal number"),
       N_("With a bias of -2 the normal numbers begin at 8. Without subnormals every id below is "
          "flushed to 0 and the first eight are one; switch them on and each is itself again."),
       "format=custom | bias=-2 | subnormals=false | length=64 | start=1 | width=32 | id=5 | "
       "other=3"},
      {"million", N_("A million positions"),
       N_("2^20 ids: a million by a million distances, computed where you look. 1793 values are "
          "left, and the error is a saw with teeth of 4096."),
       "length=1048576 | start=1 | width=1048576 | id=700000 | other=300000 | vertical=error | "
       "explain=distance"},
  };
}

void describe_number(Parameters& p, param::List& list) {
  list.group(N_("Format"));
  describe_format(p.format, list);
  list.group(N_("Rounding"));
  describe_rounding(p.rounding, list);
  list.choice(p.overflow, "overflow", N_("Overflow"),
              N_("What becomes of ids beyond the largest number: infinity (NaN where the format "
                 "has no infinity), or the largest number again"),
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
               N_("The id whose rounding is shown bit by bit; of a distance, the query's"),
               {.min = 0, .max = last});
  list.integer(p.other, "other", N_("Other id j"), N_("The key's id: the distance is j - i"),
               {.min = 0, .max = last});
  std::vector<param::Option> definitions;
  for (const DefinitionWords& each : kDefinitions) definitions.push_back({each.id, each.name});
  list.choice(
      p.definition, "definition", N_("Count"),
      N_("Which of the counts that \"exact\" may mean is taken apart; a row of the table sets it"),
      std::move(definitions));
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_number(p, list);
  describe_context(p, list);
  describe_picks(p, list);
  list.group(N_("Display"));
  list.choice(p.vertical, "vertical", N_("Staircase of"),
              N_("The id after rounding, or what rounding added to it"),
              {{"rounded", N_("rounded id")}, {"error", N_("error")}});
  list.flag(p.causal, "causal", N_("Causal mask"), N_("Hide distances to keys after the query"));
  describe_pool(p.pool, list);
  list.essential({"format", "exponent_bits", "mantissa_bits", "length", "start", "id", "other"});
}

Lab lab() {
  return {
      .id = "position_ids",
      .title = N_("Position ids collide"),
      .question = N_("When do two positions become one?"),
      .chapter = Chapter::precision,
      .about = N_("Rotary embeddings and ALiBi count positions, and a format with t mantissa bits "
                  "holds every integer up to 2^(t+1) and then ever fewer: neighbours share a "
                  "number, and what is computed from it. Here ids are rounded, grouped by what "
                  "they become, and counted, over any context up to 2^20. Click an id, a distance, "
                  "a length or a row of the table to have it worked out."),
      .sources = {papers::ieee_754.at(N_("section 3.4: formats; section 4.3: rounding")),
                  papers::ocp_2023.at(N_("E4M3 and E5M2")), papers::croci_2022.at(N_("section 2")),
                  papers::su_2021.at(N_("section 3.2: where the ids are used"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::position_ids
