#include "app/labs/absolute/page.h"
#include "app/labs/absolute/parameters.h"
#include "app/labs/shared/papers.h"

namespace lab::absolute {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("A place in sines and cosines"),
       N_("Every column is a wave, the first ones fast and the last ones slow; every row is a "
          "place, and no two rows are equal."),
       ""},
      {"concatenated_layout", N_("The same table, columns reordered"),
       N_("All sines first, then all cosines, as much code has it. Every product of rows stays "
          "what it was."),
       "layout=concatenated"},
      {"million", N_("A million positions"),
       N_("Nothing is kept: what you look at is computed. Zoom in anywhere; only the slowest waves "
          "still show at this length."),
       "length=1000000 | width=128 | position=500000 | pool=mean"},
      {"shift", N_("Five further is one rotation"),
       N_("One matrix moves every position five on: each sine and cosine turns by 5θ, and no entry "
          "knows where it is used. The two lower rows agree to rounding."),
       "show=shift | width=16 | map_row=0 | map_column=1 | column=0 | explain=shift"},
      {"oscillates", N_("The product oscillates"),
       N_("The likeness of two positions does not simply fall with their distance: with d = 8 it "
          "rises again from distance 3 to 4, and keeps coming back under its envelope."),
       "show=similarity | width=8 | column=2 | lag=4 | explain=distance"},
      {"repeats", N_("One frequency nearly repeats"),
       N_("Two dimensions only: positions 710 apart differ by 0.00006, because 710 is nearly 113 "
          "turns. More dimensions keep them apart."),
       "show=collisions | width=2 | length=720 | lag=710 | column=0 | threshold=0.01 | "
       "explain=distance"},
      {"grid", N_("Two axes share the dimensions"),
       N_("Half of the numbers follow x, half follow y. Likeness is a sum of the two, so it "
          "spreads as a cross along the row and the column."),
       "scheme=grid | show=similarity | explain=similarity | column=4"},
      {"learned", N_("A learned table ends"),
       N_("Trained rows know their neighbours; rows 48 to 63 never saw a text so long and are "
          "still random; from 64 on there is no row at all."),
       "scheme=learned | width=32 | position=64"},
      {"learned_shift", N_("No map moves a half-trained table"),
       N_("Sinusoids have an exact map from every position to the next ones. Of a learned table "
          "the best linear map still misses."),
       "scheme=learned | width=16 | length=64 | show=shift | column=3 | map_row=3 | map_column=4 | "
       "explain=shift"},
      {"flow", N_("A network's course"),
       N_("FLOATER: positions are moments of a dynamical system. The arrows say where it goes from "
          "each place of the plane; run on, it has a value for any later position."),
       "scheme=floater | width=16 | dynamics=network | substeps=4 | column=2"},
      {"euler", N_("Euler misses the circle"),
       N_("The sinusoidal course is a circle in each pair of dimensions. Euler takes the slope at "
          "the beginning of each step: the fastest circle comes out 4 % too large and half a unit "
          "aside. RK4 stays on the line."),
       "scheme=floater | width=16 | integrator=euler | position=20 | column=0"},
      {"misprint", N_("A misprinted factor"),
       N_("With 1/w in place of w before the cosine, slow dimensions grow far beyond 1: this is "
          "not the sinusoidal table."),
       "scheme=floater | width=16 | factor=inverse_frequency | column=8"},
      {"turning_words", N_("Words that turn"),
       N_("Complex-order embeddings: a word's amplitude is its meaning, its place is an angle. "
          "Equal words lie on one circle."),
       "scheme=complex | width=16 | length=28 | position=12 | column=4"},
      {"turning_alike", N_("All alike: the sinusoidal table"),
       N_("Amplitudes 1, phases 0 and one set of frequencies for all words: the complex-order "
          "table is the sinusoidal one, to the last digit but rounding."),
       "scheme=complex | amplitude_spread=0 | frequency_spread=0 | phase_spread=0"},
      {"four_terms", N_("Adding mixes everything"),
       N_("A score of words with added positions has four terms: word with word, both mixed ones, "
          "and position with position, which falls off from the diagonal."),
       "show=scores | explain=score"},
      {"side_by_side", N_("Side by side, nothing mixes"),
       N_("Concatenated and not projected, word and position never meet: the mixed terms are "
          "exactly 0, and the score is a sum of likeness and nearness."),
       "show=scores | combine=concatenated | projection=identity | explain=score"},
      {"without_positions", N_("Moving words without positions"),
       N_("Reverse the words: every weight moves along with its words and none changes. Attention "
          "is equivariant; only the mean over all outputs is invariant."),
       "show=order | with_position=false | explain=order"},
      {"with_positions", N_("Moving words, positions stay"),
       N_("Now the same words meet in other places: weights and outputs change. This is what "
          "positions are for."),
       "show=order | explain=order"},
  };
}

}  // namespace

Lab lab() {
  return {
      .id = "absolute",
      .title = N_("Absolute position"),
      .question = N_("How can a sum of waves say where a word stands?"),
      .chapter = Chapter::position,
      .about = N_(
          "Attention alone does not see order: a word's place must enter as numbers. Here are the "
          "schemes that give every position a vector of its own, above, and what can be asked of "
          "them, below: how an encoding moves, which ones are alike, when two become one, and what "
          "happens to the scores. Click a cell, a point or a bar to see where it comes from."),
      .sources = {papers::vaswani_2017.at(N_("section 3.5")),
                  papers::gehring_2017.at(N_("section 3.1: learned positions")),
                  papers::liu_2020.at(N_("section 3")), papers::wang_2020.at(N_("section 3")),
                  papers::press_2022.at(N_("on extrapolation"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::absolute
