#include "app/labs/rope_rounding/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::rope_rounding {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("The id"),
       N_("Position ids in bfloat16: of 8192 rows 897 are left, and far out up to 33 neighbours "
          "stand at one place. Their attention falls into blocks."),
       ""},
      {"product", N_("The product"),
       N_("Only m·θ is rounded: 7573 of 8192 rows still differ, eight times as many as under "
          "rounded ids, and the angles are off by as much, up to 16 radians. Counting rows does "
          "not see it."),
       "round_id=false | round_product=true | explain=rows"},
      {"frequency", N_("The frequency"),
       N_("Each pair turns at a slightly wrong speed, every row is distinct, and angles drift by "
          "up to 10 radians. But both tokens drift alike: the score is off by distance, and hardly "
          "by position."),
       "round_id=false | round_frequency=true | pair=1 | explain=score"},
      {"table", N_("Only the finished table"),
       N_("Cosines and sines are rounded when they are finished: all rows are left, no hand is off "
          "by more than 0.003 radians, and no weight changes by a hundredth."),
       "round_id=false | round_table=true | explain=weight"},
      {"repair", N_("The repair"),
       N_("Every step in bfloat16, and repaired: computed in float32, cast last. Switch the repair "
          "off and on: an error of radians vanishes."),
       "round_frequency=true | round_product=true | round_table=true | repair=true"},
      {"llama_4k", N_("Base 10,000 at 4k"),
       N_("Width, base and context of Llama 2, its rotary buffers cast to bfloat16 with the "
          "weights: 769 places for 4096 tokens, and of 64 frequencies only the first as it was."),
       "round_frequency=true | round_product=true | round_table=true | length=4096 | query=4083 | "
       "key=4064 | explain=weight"},
      {"llama_8k", N_("Base 500,000 at 8k"),
       N_("Width, base and context of Llama 3. A larger base slows the late pairs; the first pair "
          "turns by one radian a token under any base, and its product is off by as much."),
       "round_id=false | round_product=true | base=500000 | length=8192 | pair=0"},
      {"long_32k", N_("Base 500,000 at 32k"),
       N_("Four times the context, four times the error: up to 129 neighbours share an id, the "
          "fast pairs are off by up to 64 radians, ten turns."),
       "base=500000 | length=32768 | query=32740 | key=32710 | pair=0"},
      {"long_128k", N_("Base 500,000 at 128k"),
       N_("At the end of 128k tokens 513 neighbours are one: the block of tokens shown stands at a "
          "single place, and attention cannot tell them apart."),
       "base=500000 | length=131072 | query=131000 | key=130980 | pair=0"},
      {"float16", N_("Infinity in float16"),
       N_("float16 has eleven bits for an id and holds 2048 of them apart, but from 65,520 on its "
          "ids are infinite: no cosine, no score, no weight."),
       "format=float16 | length=131072 | query=65540 | key=65538 | explain=weight"},
      {"stochastic", N_("A coin decides"),
       N_("Stochastic rounding of the product is right on average, and wrong each time: neighbours "
          "get angles of their own, and the blocks dissolve into noise."),
       "round_id=false | round_product=true | rounding=stochastic | window=32"},
      {"own", N_("A format for a table"),
       N_("A table needs no range. Eight bits shared out as 1 + 3 + 4 for numbers below 2 are at "
          "most half as wrong about a cosine as fp8 e4m3fn with the same eight."),
       "round_id=false | round_table=true | format=custom | specials=none | exponent_bits=3 | "
       "mantissa_bits=4 | bias=7"},
      {"million", N_("A million positions"),
       N_("2^20 ids in bfloat16 have 1793 values: the table of 67 million angles opens at once, "
          "and errors reach 2048 radians."),
       "length=1048576 | query=1048500 | key=1048480 | pair=0"},
  };
}

void describe_places(Parameters& p, param::List& list) {
  list.group(N_("Rounded to the format"));
  list.flag(p.places.id, "round_id", N_("The id m"),
            N_("Positions are numbers of the format: neighbours that round to one number become "
               "one position"),
            {.active = !p.repair});
  list.flag(p.places.frequency, "round_frequency", N_("The frequency θ"),
            N_("Each pair turns at a slightly wrong speed: the angle drifts away in proportion to "
               "the position"),
            {.active = !p.repair});
  list.flag(
      p.places.product, "round_product", N_("The product m·θ"),
      N_("The angle is a number of the format: far out its last digit is worth more than a turn"),
      {.active = !p.repair});
  list.flag(p.places.table, "round_table", N_("cos and sin"),
            N_("Only what is finished: numbers between -1 and 1 lose half a unit in their last "
               "place at most, wherever the token stands"),
            {.active = !p.repair});
  list.flag(p.repair, "repair", N_("Repair: cast last"),
            N_("Id, frequency and product stay in what everything else is computed in; only the "
               "finished cos and sin are cast"));
  list.choice(p.carrier, "carrier", N_("Else in"),
              N_("What every step that is not rounded to the format is computed in"),
              {{"float32", N_("float32")}, {"float64", N_("double")}});
}

void describe_rope(Parameters& p, param::List& list) {
  list.group(N_("RoPE"));
  list.integer(p.d, "d", N_("Head width d"),
               N_("How many numbers a query and a key have; they turn in d/2 pairs"),
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
               N_("The pair of dimensions whose angle is taken apart; 0 is the fastest"),
               {.min = 0, .max = p.d / 2 - 1.0});
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
      N_("One vector for every query and key, so that position alone decides; one for all queries "
         "and another for all keys; or one for each token"),
      {{"equal", N_("all equal")}, {"pair", N_("one q, one k")}, {"tokens", N_("each own")}});
  describe_seed(p.seed, N_("Chooses the random numbers of q and k"), list);
  list.real(p.sharpness, "sharpness", N_("Scores times"),
            N_("Multiplies q·k/√d, and so its errors: a sharper attention feels them more"),
            {.min = 0.1, .max = 10, .scale = param::Scale::log});
  list.integer(p.window, "window", N_("Tokens shown"),
               N_("How many neighbouring positions the attention is shown of"),
               {.min = 8, .max = kMostWindow, .step = 8});
  list.integer(p.reach, "reach", N_("Distances shown"),
               N_("How far the curve of scores over distance reaches"),
               {.unit = N_("positions"), .min = 8, .max = kMostReach, .scale = param::Scale::log});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_places(p, list);
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

Lab lab() {
  return {.id = "rope_rounding",
          .title = N_("RoPE under rounding"),
          .question = N_("Where may a rotary embedding be rounded?"),
          .chapter = Chapter::precision,
          .about = N_(
              "A rotary table is computed in four steps: the position id m, the frequency θ, their "
              "product, its cosine and sine. Any of them may be rounded to a format of few bits, "
              "and it matters which: an angle of thousands of radians keeps a few digits, of which "
              "none is left for its part of a turn, while a finished cosine loses a thousandth. "
              "Switch the steps one by one, and the repair: compute in float32, cast last."),
          .sources = {papers::su_2021.at(N_("section 3.2.2, eqs. 14 and 15")),
                      papers::wang_2024.at(N_("RoPE under bfloat16 is no longer relative")),
                      {"Hugging Face transformers, pull request 29285",
                       N_("rotary angles kept in float32 for Llama and Gemma"),
                       "https://github.com/huggingface/transformers/pull/29285"},
                      papers::kalamkar_2019.at(N_("the format")),
                      papers::ieee_754.at(N_("sections 3.4 and 4.3: formats and rounding"))},
          .presets = presets(),
          .make = live(describe, compute)};
}

Parameters settled(Parameters p) {
  param::settle([&p] {
    param::List list;
    describe(p, list);
    return list;
  });
  return p;
}

core::RotaryRounding rounding_of(const Parameters& p, const Places& places) {
  core::RotarySteps steps;
  if (places.id) steps.add(core::RotaryStep::id);
  if (places.frequency) steps.add(core::RotaryStep::frequency);
  if (places.product) steps.add(core::RotaryStep::angle);
  if (places.table) steps.add(core::RotaryStep::table);
  return {.low = format_of(p.format),
          .rule = {p.rounding.rounding},
          .carrier = p.carrier == Carrier::float32 ? core::kFloat32 : core::kFloat64,
          .seed = p.rounding.stochastic() ? p.rounding.random_seed() : 0,
          .steps = steps};
}

}  // namespace lab::rope_rounding
