#include "app/labs/position_compare/page.h"
#include "app/labs/shared/papers.h"

namespace lab::position_compare {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Four ways to say where"),
       N_("Without positions a query scores both \"river\" alike. In this head added sines raise "
          "every score, most of all near by; RoPE turns by distance, up or down; ALiBi only ever "
          "takes away."),
       ""},
      {"position_alone", N_("Absolute or relative?"),
       N_("Equal tokens: only positions are left. Under RoPE, ALiBi and T5 every diagonal has one "
          "colour and the curves have no band; added sines still know where the pair stands."),
       "scheme_1=sinusoidal | scheme_2=rope | scheme_3=alibi | scheme_4=t5 | mask=full | "
       "input=repeated | length=64 | period=1 | explain=distance | scheme=1 | query=40 | key=30"},
      {"cheaper", N_("Is RoPE cheaper than adding?"),
       N_("No: 6 n d operations in each of 6 layers against n d additions once, 36 times as many. "
          "But that is 0.15 % of what the projections take. Switch \"Measure now\" on to time it."),
       "scheme_1=sinusoidal | scheme_2=rope | scheme_3=off | scheme_4=off | explain=cost | "
       "scheme=2"},
      {"table", N_("Does RoPE need a table?"),
       N_("It holds n d_k cosines and sines, an eighth of the sinusoidal table, for all heads and "
          "layers share it; a learned table has as many numbers as its rows times d, and training "
          "has to find them."),
       "scheme_1=learned | scheme_2=sinusoidal | scheme_3=rope | scheme_4=off | explain=cost | "
       "scheme=3 | trained_length=2048"},
      {"four_terms", N_("What became of the four terms"),
       N_("Adding positions makes four products of content and position. Shaw keeps two of them in "
          "a relative form, Transformer-XL all four, DeBERTa all but position with position."),
       "scheme_1=sinusoidal | scheme_2=shaw | scheme_3=transformer_xl | scheme_4=deberta | "
       "scheme=3"},
      {"too_long", N_("Longer than trained"),
       N_("A learned table of 24 rows has nothing for the other 40 positions; every other scheme "
          "here has an answer at any distance. Whether it is a good one is another question."),
       "scheme_1=learned | scheme_2=sinusoidal | scheme_3=rope | scheme_4=alibi | quantity=weights "
       "| input=repeated | length=64 | period=1 | trained_length=24 | query=40 | key=30 | "
       "scheme=1"},
      {"decay", N_("Rotation with and without decay"),
       N_("On equal tokens RoPE's score rises again far away. xPos shrinks each pair with "
          "distance, and ALiBi falls along a straight line."),
       "scheme_1=rope | scheme_2=xpos | scheme_3=alibi | scheme_4=off | input=repeated | "
       "length=512 | period=1 | scale_base=64 | explain=distance | scheme=2 | head=8 | query=400 | "
       "key=100 | distance=-300"},
      {"beyond_softmax", N_("A factor after the softmax"),
       N_("On equal tokens a relative bias still gives rows that sum to 1, so every output is the "
          "same. URPE multiplies the weights by a number of their distance: its rows sum to "
          "something else in each place."),
       "scheme_1=none | scheme_2=alibi | scheme_3=urpe | scheme_4=off | quantity=weights | "
       "input=repeated | length=32 | period=1 | query=20 | key=12"},
      {"pairs_cost", N_("What grows with n², what with n"),
       N_("A bias is one addition a pair and head: at 131,072 tokens it takes far more than "
          "rotating, which grows with n alone. Transformer-XL's products of pairs exceed the "
          "projections long before."),
       "scheme_1=sinusoidal | scheme_2=rope | scheme_3=alibi | scheme_4=transformer_xl | "
       "counted_length=131072 | explain=cost | scheme=3"},
  };
}

}  // namespace

Lab lab() {
  return {
      .id = "position_compare",
      .title = N_("Side by side"),
      .question = N_("What does each position scheme change, and what does it cost?"),
      .chapter = Chapter::position,
      .about = N_("One head scores the same tokens under two to four schemes. The pictures share "
                  "their axes and one colour scale; below are the differences to the first, the "
                  "curves over distance, and a table with counted operations, learned numbers, "
                  "tables and what is known beyond the trained length. Click a cell, a curve or a "
                  "row to see how its number came about. Nothing is trained: learned tables are "
                  "drawn at random. Rows are queries, columns are keys, and a distance is key "
                  "minus query, j − i, also where a paper counts i − j."),
      .sources = {papers::vaswani_2017.at(N_("section 3.5")),
                  papers::gehring_2017.at(N_("section 3.1")),
                  papers::shaw_2018.at(N_("sections 3.1 to 3.3, eqs. 3 and 4")),
                  papers::dai_2019.at(N_("section 3.3")), papers::raffel_2020.at(N_("section 2.1")),
                  papers::he_2021.at(N_("section 3.1, eqs. 2 to 4")),
                  papers::su_2021.at(N_("sections 3.2.2 and 3.4.2, eqs. 14 to 16, 34")),
                  papers::press_2022.at(N_("sections 2 to 4")),
                  papers::sun_2022.at(N_("algorithm 1")), papers::luo_2022.at(N_("eq. 8")),
                  papers::haviv_2022.at(N_("abstract")), papers::chen_2023.at(N_("abstract"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::position_compare
