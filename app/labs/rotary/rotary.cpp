#include "app/labs/rotary/page.h"
#include "app/labs/shared/papers.h"

namespace lab::rotary {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Eight clocks"),
       N_("Sixteen numbers are eight pairs, eight clock hands. A position turns each at a speed of "
          "its own: drag q or k along the line and see the fast ones run and the slow ones wait."),
       ""},
      {"together", N_("A million positions away"),
       N_("The pair moved from position 30 to 900,000: every hand stands elsewhere, every angle "
          "between hands is as before, and the score agrees to nine decimals."),
       "m=36 | n=30 | moved_to=900000"},
      {"equal", N_("A vector meets itself"),
       N_("With q = k the hands of every dial lie on each other at distance 0: no other distance "
          "scores as high. Away from there the pairs fall out of step, the fast ones first."),
       "vectors=equal | d=64 | reach=256 | m=25 | n=25"},
      {"bound", N_("Not the score, its bound"),
       N_("What falls with distance is an upper bound, and it rises again for the first time at "
          "distance 19. The scores of random vectors lie far below it and do not fall at all."),
       "d=128 | reach=256 | m=219 | n=200 | draws=64 | pair=20 | explain=bound"},
      {"small_base", N_("Base 100: even the slowest comes round"),
       N_("The slowest of eight pairs makes a whole turn in 354 positions: beyond, no dial tells "
          "near from far by itself."),
       "base=100 | reach=512 | m=354 | n=0 | pair=7"},
      {"large_base", N_("Base ten million: slow hands"),
       N_("Long contexts take larger bases. The slowest pair would need more than eight million "
          "positions for one turn, and over a thousand positions it moves by less than a tenth of "
          "a degree."),
       "base=10000000 | reach=1024 | m=1000 | n=0 | pair=7 | explain=dial"},
      {"pairing", N_("The same numbers, other pairs"),
       N_("Half-split pairing turns column i with column i + r/2. Not one number of q and k has "
          "changed, and yet the score has: code and weights must agree on the pairing."),
       "pairing=halves | explain=score"},
      {"partial", N_("A quarter turns, the rest stands"),
       N_("Two of eight dials turn. Six stand still and add the same at every distance: what is "
          "said there does not depend on place."),
       "partial=true | rotated=4 | pair=1"},
      {"xpos", N_("xPos makes distance cost"),
       N_("xPos shrinks each pair with distance, the fast ones most. Far away only the slow pairs "
          "are left, and the score stops swinging."),
       "scale_base=64 | reach=256 | m=125 | explain=xpos"},
      {"text", N_("Two banks in one sentence"),
       N_("Without position the two \"bank\" are equal to the query \"bank\": a tie. RoPE breaks "
          "it: the nearer one, at distance 0, gets more."),
       "vectors=text | causal=false | query=12 | key=2 | m=12 | n=2 | reach=16 | explain=weight"},
      {"far_end", N_("The last of a million positions"),
       N_("The query stands at position 1,000,000 and the key ten before it: the curve, the line "
          "and the matrix of a million million scores open at once, for only what is seen is "
          "computed."),
       "reach=1000000 | m=1000000 | n=999990 | moved_to=1"},
  };
}

}  // namespace

Lab lab() {
  return {
      .id = "rotary",
      .title = N_("Rotary position (RoPE)"),
      .question = N_("Why does the score depend on the distance only?"),
      .chapter = Chapter::position,
      .about = N_("RoPE adds nothing to a token. It takes the numbers of its query and key two by "
                  "two as hands of a clock and turns each by its position times a speed of its "
                  "own. A score is made of the angles between the query's hands and the key's, and "
                  "moving both turns both alike: what is left is the distance, key minus query, n "
                  "- m (the paper counts m - n). Drag q and k along the line, click a dial to see "
                  "its pair on the plane, and a point of a curve to see its sum."),
      .sources =
          {papers::su_2021.at(N_("sections 3.2.2 (eqs. 14 to 16) and 3.4.3 (eqs. 35 to 37)")),
           papers::sun_2022.at(N_("algorithm 1")),
           papers::black_2022.at(N_("rotary embeddings on the first quarter of the dimensions"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::rotary
