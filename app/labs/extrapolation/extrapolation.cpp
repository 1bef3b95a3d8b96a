#include "app/labs/extrapolation/page.h"
#include "app/labs/shared/papers.h"

namespace lab::extrapolation {
namespace {

std::vector<Preset> presets() {
  return {
      {"first_look", N_("Eight times longer"),
       N_("A model trained on 4,096 positions reads 32,768 under YaRN: no pair turns through "
          "angles that it never saw, and the fast ones are left alone. Plain RoPE, faint, leaves "
          "the range in every slow pair."),
       ""},
      {"never_seen", N_("Angles never seen"),
       N_("Plain RoPE: the pairs that did not finish a turn in training all turn on into angles "
          "that no weight was fitted to. The fast ones have long seen every angle."),
       "method=none | pair=50 | cells=unseen"},
      {"interpolation", N_("Everything squeezed"),
       N_("Position interpolation divides every angle by 8: nothing is out of range, but a token "
          "and its neighbour now differ by an eighth of what they did, in the fast pairs too."),
       "method=interpolation | pair=0 | explain=wavelength"},
      {"ntk", N_("Fast pairs spared"),
       N_("A larger base leaves the first pair alone and divides the last by exactly 8. Every slow "
          "pair but the last still leaves the range."),
       "method=ntk | pair=50 | cells=unseen"},
      {"short_text", N_("A short text, dynamically"),
       N_("Half of the trained length in a model set up for eight times: dynamic NTK changes "
          "nothing yet; interpolation, NTK-aware scaling and YaRN slow pairs down for a length "
          "that is not there."),
       "method=dynamic | stretch=fixed | trained=65536 | distance=1000 | explain=wavelength"},
      {"three_regions", N_("YaRN's three regions"),
       N_("Pairs with more than 32 turns in training are kept, with less than one interpolated, "
          "those between mixed. Drag α and β; the released code's ramp, dashed, has another "
          "middle, and the same ends unless even the first pair turns fewer than β times."),
       "pair=30 | explain=ramp"},
      {"same_score", N_("The same curve, stretched"),
       N_("Position interpolation at distance 8 t has the score that plain RoPE has at t: on a "
          "logarithmic axis its curve is the same, moved to the right."),
       "method=interpolation | explain=score | distance=800"},
      {"sharper", N_("A sharper softmax"),
       N_("A random query and key, and an attention factor of 1.3: each YaRN score, near or far, "
          "is multiplied by 1.69. Nothing changes its place; the softmax only becomes sharper."),
       "vectors=random | attention=fixed | attention_factor=1.3 | distance=6000 | explain=score"},
      {"penalty", N_("A penalty instead of an angle"),
       N_("ALiBi turns nothing: each head subtracts its slope times the distance. The steep heads "
          "see a few tokens at any length; only the flattest one meets distances that still count "
          "beyond the trained length."),
       "method=alibi | trained=1024 | length=16384 | distance=1200 | head=8 | explain=bias"},
      {"twelve_heads", N_("Twelve heads"),
       N_("12 is no power of two: the released slopes are those of 8 heads, then four of those of "
          "16 in between. The last heads are not the flattest, as they would be in a geometric "
          "sequence."),
       "method=alibi | heads=12 | head=12 | explain=bias"},
      {"larger_base", N_("A large base alone"),
       N_("Base 500,000 from the start and 8,192 positions of training: more pairs than before "
          "never finish a turn, so more of them meet new angles when the context grows."),
       "method=none | base=500000 | trained=8192 | length=65536 | pair=40 | cells=unseen"},
      {"million", N_("A million positions"),
       N_("1,048,576 positions and 64 pairs: the map of new angles is computed where you look at "
          "it. Zoom in anywhere."),
       "method=none | length=1048576 | distance=500000 | cells=unseen | explain=cell"},
  };
}

}  // namespace

Lab lab() {
  return {
      .id = "extrapolation",
      .title = N_("Longer than trained"),
      .question = N_("What is new beyond the trained length, and how is it avoided?"),
      .chapter = Chapter::position,
      .about = N_("Under RoPE the pair i of a query's dimensions turns by θ_i a position. In "
                  "training the fast pairs turned round many times, the slow ones never finished a "
                  "turn; in a longer context they reach angles that no weight was fitted to. "
                  "Position interpolation and YaRN slow these pairs down until all stay in range, "
                  "a larger base (NTK-aware, dynamic NTK) only the last of them for certain; ALiBi "
                  "has no angles but a penalty that grows with distance. Red is what training "
                  "never showed. Click a pair, a distance or a cell to see its whole computation."),
      .sources = {papers::chen_2023.at(N_("f′(x, m) = f(x, m L / L′)")),
                  papers::peng_2023.at(N_("\"NTK-aware\" (of bloc97, 2023), \"NTK-by-parts\", "
                                          "\"Dynamic Scaling\", and √(1/t) = 0.1 ln s + 1")),
                  papers::press_2022.at(N_("section 3")),
                  papers::su_2021.at(N_("section 3.2.2, eqs. 14 and 15; section 3.4.3, eq. 35"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::extrapolation
