#include "app/labs/rope_rounding/page.h"
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

}  // namespace

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

}  // namespace lab::rope_rounding
