#include <bit>

#include "app/labs/extrapolation/page.h"
#include "app/labs/shared/knobs.h"
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
      {"llama3", N_("As Llama 3.1 has it"),
       N_("What published models call llama3 is the ramp of YaRN's paper without its attention "
          "factor: pairs with more than 4 turns within 8,192 positions are kept, with less than "
          "one slowed down by 8. No pair is left out of range."),
       "base=500000 | trained=8192 | length=65536 | stretch=fixed | beta=4 | attention=off | "
       "pair=30 | distance=40000 | explain=ramp"},
      {"million", N_("A million positions"),
       N_("1,048,576 positions and 64 pairs: the map of new angles is computed where you look at "
          "it. Zoom in anywhere."),
       "method=none | length=1048576 | distance=500000 | cells=unseen | explain=cell"},
  };
}

void describe_method(Parameters& p, param::List& list) {
  list.group(N_("Method"));
  list.choice(p.method, "method", N_("Method"),
              N_("What is done for a context longer than the trained one: nothing, all angles "
                 "divided by s, a larger base, a base that grows with the context, slow pairs only "
                 "divided, or no angles but a penalty"),
              {{"none", N_("none")},
               {"interpolation", N_("interpolation")},
               {"ntk", N_("NTK-aware")},
               {"dynamic", N_("dynamic NTK")},
               {"yarn", N_("YaRN")},
               {"alibi", N_("ALiBi")}});
  list.choice(p.stretch, "stretch", N_("Stretch"),
              N_("Where s comes from: just enough for the context shown (and 1 for a shorter one), "
                 "or a number of its own, as a model is set up once for a largest context"),
              {{"context", N_("context / trained")}, {"fixed", N_("fixed")}});
  list.real(
      p.s, "s", N_("Stretch s"),
      N_("How many times longer than trained the frequencies are made for"),
      {.min = 1, .max = 65536, .scale = param::Scale::log, .active = p.stretch == Stretch::fixed});
}

void describe_lengths(Parameters& p, param::List& list) {
  list.group(N_("Lengths"));
  list.integer(
      p.trained, "trained", N_("Trained L"),
      N_("The longest context that the model saw in training: pair i turned through L θ_i at most"),
      {.unit = N_("positions"), .min = kShortest, .max = kLongest, .scale = param::Scale::log});
  list.integer(
      p.length, "length", N_("Context n"), N_("How many positions there are now"),
      {.unit = N_("positions"), .min = kShortest, .max = kLongest, .scale = param::Scale::log});
  list.group(N_("Rotation"));
  list.real(p.base, "base", N_("Base b"),
            N_("θ_i = b^(-2i/d): a larger base turns the slow pairs more slowly"),
            {.min = 100, .max = 1e8, .scale = param::Scale::log});
  list.integer(p.d, "d", N_("Head width d"), N_("The width of a query or key; d/2 pairs turn"),
               {.min = 4, .max = 256, .step = 2});
}

void describe_scaling(Parameters& p, param::List& list, bool longer) {
  list.group(N_("Dynamic NTK"));
  list.choice(p.dynamic, "dynamic", N_("Base grows"),
              N_("As in Hugging Face's code, by s n / L - (s - 1), or as in the YaRN paper, by n / "
                 "L alone; nothing changes up to the trained length"),
              {{"factor", N_("with s")}, {"ratio", N_("without s")}},
              {.active = longer || p.method == Method::dynamic});
  list.group(N_("YaRN"));
  list.choice(p.yarn, "yarn", N_("Ramp"),
              N_("Linear in a pair's turns within the trained length, as in the paper, or in the "
                 "pair's index, as in the released code"),
              {{"paper", N_("paper")}, {"code", N_("code")}});
  list.real(p.alpha, "alpha", N_("α"),
            N_("Pairs with fewer turns than this within the trained length are interpolated: "
               "divided by s"),
            {.unit = N_("turns"), .min = 0.1, .max = 64, .scale = param::Scale::log});
  list.real(p.beta, "beta", N_("β"),
            N_("Pairs with more turns than this within the trained length are kept as they are"),
            {.unit = N_("turns"), .min = p.alpha * 1.01, .max = 1024, .scale = param::Scale::log});
  list.choice(p.attention, "attention", N_("Attention factor"),
              N_("YaRN multiplies query and key by √(1/t) = 0.1 ln s + 1 each, so their scores by "
                 "its square: the softmax becomes sharper"),
              {{"formula", N_("0.1 ln s + 1")}, {"fixed", N_("fixed")}, {"off", N_("off")}});
  list.real(p.attention_factor, "attention_factor", N_("√(1/t)"),
            N_("An attention factor of your own"),
            {.min = 0.5, .max = 3, .step = 0.01, .active = p.attention == Attention::fixed});
}

void describe_alibi(Parameters& p, param::List& list) {
  list.group(N_("ALiBi"));
  list.integer(
      p.heads, "heads", N_("Heads h"),
      N_("Each head has a slope of its own; when h is a power of two 2^(-8/h), 2^(-16/h), ..."),
      {.min = 1, .max = 64});
  list.choice(
      p.slopes, "slopes", N_("Slopes"),
      N_("When h is no power of two: slopes of the next lower power and every other one of the "
         "next higher, as in the released code, or the geometric sequence all the same"),
      {{"released", N_("released")}, {"geometric", N_("geometric")}},
      {.active = !std::has_single_bit(static_cast<unsigned>(p.heads))});
  list.integer(p.head, "head", N_("Head"),
               N_("Whose slope is used for scores and taken apart; click its disc"),
               {.min = 1, .max = to_double(p.heads)});
}

void describe_vectors(Parameters& p, param::List& list) {
  const bool random = p.vectors == Vectors::random;
  list.group(N_("Query and key"));
  list.choice(p.vectors, "vectors", N_("Vectors"),
              N_("The same q and k for all methods: all ones, so that every pair counts alike, or "
                 "drawn at random"),
              {{"ones", N_("all ones")}, {"random", N_("random")}});
  list.real(p.likeness, "likeness", N_("Likeness"),
            N_("1: the key is the query; 0: they are independent; -1: opposite"),
            {.min = -1, .max = 1, .step = 0.01, .active = random});
  describe_seed(p.seed, N_("Chooses the random query and key"), list, random);
}

void describe_picks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  describe_explained(p.explained,
                     {{"angle", N_("angle")},
                      {"wavelength", N_("wavelength")},
                      {"ramp", N_("ramp")},
                      {"score", N_("score")},
                      {"cell", N_("cell")},
                      {"bias", N_("bias")}},
                     list);
  list.integer(p.pair, "pair", N_("Pair i"),
               N_("Two dimensions that turn together, counted from 0, the fastest"),
               {.min = 0, .max = p.d / 2 - 1.0});
  list.integer(p.distance, "distance", N_("Distance t"),
               N_("How far the key stands before the query; also the position whose angles are "
                  "shown, since these are distances from position 0"),
               {.unit = N_("positions"), .min = 0, .max = p.length - 1.0});
}

void describe_display(Parameters& p, param::List& list) {
  list.group(N_("Display"));
  list.choice(p.quantity, "quantity", N_("Pairs by"),
              N_("Positions per turn, 2π/θ, or radians per position, θ"),
              {{"wavelength", N_("wavelength")}, {"frequency", N_("frequency")}});
  list.choice(p.cells, "cells", N_("Cells"),
              N_("Of every position and pair: the cosine of its angle, the angle without its whole "
                 "turns, or whether that angle was never reached in training"),
              {{"cosine", N_("cos")}, {"turns", N_("angle")}, {"unseen", N_("unseen")}},
              {.active = p.method != Method::alibi});
  describe_pool(p.pool, list);
  list.choice(p.distance_axis, "distance_axis", N_("Distance axis"),
              N_("How distances are laid out; a logarithmic axis begins at 1"),
              {{"log", N_("log")}, {"linear", N_("linear")}});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_method(p, list);
  describe_lengths(p, list);
  const bool longer = p.length > p.trained && (p.stretch == Stretch::context || p.s > 1);
  describe_scaling(p, list, longer);
  describe_alibi(p, list);
  describe_vectors(p, list);
  describe_picks(p, list);
  describe_display(p, list);
  list.essential({"method", "trained", "length", "base", "pair", "distance", "cells"});
}

Lab lab() {
  return {
      .id = "extrapolation",
      .title = N_("Longer than trained"),
      .question = N_("What is new beyond the trained length, and how is it avoided?"),
      .chapter = Chapter::position,
      .about =
          N_("Under RoPE each pair of dimensions turns with the position; in training the slow "
             "pairs never finished a turn, so in a longer context they reach angles that no weight "
             "was fitted to (red). Interpolation and YaRN slow these pairs down until all stay in "
             "range, a larger base only the last of them for certain, and ALiBi has no angles but "
             "a penalty. Click a pair, a distance or a cell to see its whole computation."),
      .sources = {papers::chen_2023.at(N_("f′(x, m) = f(x, m L / L′)")),
                  papers::peng_2023.at(N_("\"NTK-aware\" (of bloc97, 2023), \"NTK-by-parts\", "
                                          "\"Dynamic Scaling\", and √(1/t) = 0.1 ln s + 1")),
                  papers::press_2022.at(N_("section 3")),
                  papers::su_2021.at(N_("section 3.2.2, eqs. 14 and 15; section 3.4.3, eq. 35"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::extrapolation
