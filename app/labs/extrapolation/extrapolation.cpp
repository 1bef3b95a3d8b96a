#include <bit>

#include "app/labs/extrapolation/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::extrapolation {
namespace {

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("View"));
  list.choice(p.view, "view", N_("View"),
              N_("Angles and penalties by their formulas; or the loss of small trained models on "
                 "texts that are longer than those of their training"),
              {{"angles", N_("angles")}, {"measured", N_("measured")}}, {.tabs = true});
}

void describe_losses(Parameters& p, param::List& list) {
  const bool active = p.measured();
  list.group(N_("Texts"));
  list.choice(p.held_out, "held_out", N_("Held-out texts"),
              N_("What the models read: texts of these kinds that no training saw"),
              {{"bible", N_("King James Bible")},
               {"definitions", N_("definitions")},
               {"jargon", N_("Jargon File")},
               {"devil", N_("Devil's Dictionary")}},
              {.active = active});
  list.integer(p.times, "times", N_("Times the trained length"),
               N_("How long the texts are: so many times the 64 tokens of training"),
               {.min = 2, .max = 8, .active = active});
  list.integer(p.texts, "texts", N_("Texts"),
               N_("Over how many texts the loss is a mean: more take longer"),
               {.min = 4, .max = 32, .active = active});
  list.choice(p.readers, "readers", N_("Curves shown"),
              N_("Six models that differ in their positions alone; the one with RoPE turned as for "
                 "longer texts; or all"),
              {{"all", N_("all")}, {"schemes", N_("six schemes")}, {"scaling", N_("RoPE turned")}},
              {.active = active});
  list.choice(p.losses, "losses", N_("Shown"),
              N_("The loss at each position, as YaRN's paper has it at the end of a text; or its "
                 "mean up to there, as ALiBi's paper has it"),
              {{"at", N_("loss at a position")}, {"up_to", N_("mean up to it")}},
              {.active = active});
  list.choice(p.reader, "reader", N_("Curve picked"),
              N_("Whose loss is worked out; click its disc or its row"),
              {{"sinusoidal", N_("sinusoidal")},
               {"learned", N_("learned")},
               {"t5", N_("T5 bias")},
               {"alibi", N_("ALiBi")},
               {"rotary", N_("RoPE")},
               {"none", N_("no positions")},
               {"interpolation", N_("interpolation")},
               {"ntk", N_("NTK-aware")},
               {"dynamic", N_("dynamic NTK")},
               {"yarn", N_("YaRN")}},
              {.active = active});
  list.integer(p.place, "place", N_("Position"), N_("The token whose loss is worked out"),
               {.min = 0, .max = kTrainedTokens * p.times - 1.0, .active = active});
  list.integer(p.text, "text", N_("Text"), N_("Which of the texts, counted from 1"),
               {.min = 1, .max = to_double(p.texts), .active = active});
}

void describe_method(Parameters& p, param::List& list) {
  const bool angles = !p.measured();
  list.group(N_("Method"));
  list.choice(p.method, "method", N_("Method"),
              N_("What is done for a context longer than the trained one: nothing; all angles "
                 "divided by s; a larger base; a base that grows with the context; only slow pairs "
                 "divided; or a penalty instead of angles"),
              {{"none", N_("none")},
               {"interpolation", N_("interpolation")},
               {"ntk", N_("NTK-aware")},
               {"dynamic", N_("dynamic NTK")},
               {"yarn", N_("YaRN")},
               {"alibi", N_("ALiBi")}},
              {.active = angles});
  list.choice(p.stretch, "stretch", N_("Stretch"),
              N_("Where s comes from: just enough for the context shown (1 for a short one), or "
                 "set by hand, as a model is set up once for its largest context"),
              {{"context", N_("context / trained")}, {"fixed", N_("fixed")}}, {.active = angles});
  list.real(p.s, "s", N_("Stretch s"),
            N_("How many times the trained length the frequencies are made for"),
            {.min = 1,
             .max = 65536,
             .scale = param::Scale::log,
             .active = angles && p.stretch == Stretch::fixed});
}

void describe_lengths(Parameters& p, param::List& list) {
  const bool angles = !p.measured();
  list.group(N_("Lengths"));
  list.integer(p.trained, "trained", N_("Trained L"),
               N_("The longest context that the model saw in training: pair i rotated through L "
                  "θ_i at most"),
               {.unit = N_("positions"),
                .min = kShortest,
                .max = kLongest,
                .scale = param::Scale::log,
                .active = angles});
  list.integer(p.length, "length", N_("Context n"), N_("Positions in the context"),
               {.unit = N_("positions"),
                .min = kShortest,
                .max = kLongest,
                .scale = param::Scale::log,
                .active = angles});
  list.group(N_("Rotation"));
  list.real(p.base, "base", N_("Base b"),
            N_("θ_i = b^(-2i/d): a larger base turns the slow pairs more slowly"),
            {.min = 100, .max = 1e8, .scale = param::Scale::log, .active = angles});
  list.integer(p.d, "d", N_("Head width d"), N_("The width of a query or key; d/2 pairs rotate"),
               {.min = 4, .max = 256, .step = 2, .active = angles});
}

// `active`: whether there is a rotation that may be turned in another way.
void describe_scaling(Parameters& p, param::List& list, bool active, bool longer) {
  list.group(N_("Dynamic NTK"));
  list.choice(p.dynamic, "dynamic", N_("Base grows"),
              N_("As in Hugging Face's code, by s n / L - (s - 1), or as in the YaRN paper, by n / "
                 "L alone; nothing changes up to the trained length"),
              {{"factor", N_("with s")}, {"ratio", N_("without s")}},
              {.active = active && (longer || p.method == Method::dynamic)});
  list.group(N_("YaRN"));
  list.choice(p.yarn, "yarn", N_("Ramp"),
              N_("Linear in a pair's turns within the trained length, as in the paper, or in the "
                 "pair's index, as in the released code"),
              {{"paper", N_("paper")}, {"code", N_("code")}}, {.active = active});
  list.real(
      p.alpha, "alpha", N_("α"),
      N_("Pairs with fewer turns than this within the trained length are interpolated: divided by "
         "s"),
      {.unit = N_("turns"), .min = 0.1, .max = 64, .scale = param::Scale::log, .active = active});
  list.real(p.beta, "beta", N_("β"),
            N_("Pairs with more turns than this within the trained length stay unchanged"),
            {.unit = N_("turns"),
             .min = p.alpha * 1.01,
             .max = 1024,
             .scale = param::Scale::log,
             .active = active});
  list.choice(p.attention, "attention", N_("Attention factor"),
              N_("YaRN multiplies query and key by √(1/t) = 0.1 ln s + 1 each, so scores by its "
                 "square: the softmax becomes sharper"),
              {{"formula", N_("0.1 ln s + 1")}, {"fixed", N_("fixed")}, {"off", N_("off")}},
              {.active = active});
  list.real(
      p.attention_factor, "attention_factor", N_("√(1/t)"), N_("Your own attention factor"),
      {.min = 0.5, .max = 3, .step = 0.01, .active = active && p.attention == Attention::fixed});
}

void describe_alibi(Parameters& p, param::List& list) {
  const bool angles = !p.measured();
  list.group(N_("ALiBi"));
  list.integer(
      p.heads, "heads", N_("Heads h"),
      N_("Each head has its own slope; when h is a power of two: 2^(-8/h), 2^(-16/h), ..."),
      {.min = 1, .max = 64, .active = angles});
  list.choice(
      p.slopes, "slopes", N_("Slopes"),
      N_("When h is not a power of two: the slopes of the next lower power, then every other slope "
         "of the next higher one, as in the released code; or one geometric sequence"),
      {{"released", N_("released")}, {"geometric", N_("geometric")}},
      {.active = angles && !std::has_single_bit(static_cast<unsigned>(p.heads))});
  list.integer(p.head, "head", N_("Head"),
               N_("The head whose slope is used for scores and worked out; click its disc"),
               {.min = 1, .max = to_double(p.heads), .active = angles});
}

void describe_vectors(Parameters& p, param::List& list) {
  const bool angles = !p.measured(), random = angles && p.vectors == Vectors::random;
  list.group(N_("Query and key"));
  list.choice(p.vectors, "vectors", N_("Vectors"),
              N_("The same q and k for all methods: all ones, so that every pair counts alike, or "
                 "drawn at random"),
              {{"ones", N_("all ones")}, {"random", N_("random")}}, {.active = angles});
  list.real(p.likeness, "likeness", N_("Similarity"),
            N_("1: the key is the query; 0: they are independent; -1: opposite"),
            {.min = -1, .max = 1, .step = 0.01, .active = random});
  describe_seed(p.seed, N_("Chooses the random query and key"), list, random);
}

void describe_picks(Parameters& p, param::List& list) {
  const bool angles = !p.measured();
  list.group(N_("Look at"));
  describe_explained(p.explained,
                     {{"angle", N_("angle")},
                      {"wavelength", N_("wavelength")},
                      {"ramp", N_("ramp")},
                      {"score", N_("score")},
                      {"cell", N_("cell")},
                      {"bias", N_("bias")}},
                     list, angles);
  list.integer(p.pair, "pair", N_("Pair i"),
               N_("Two dimensions that rotate together, counted from 0, the fastest"),
               {.min = 0, .max = to_double(p.d / 2 - 1), .active = angles});
  list.integer(p.distance, "distance", N_("Distance t"),
               N_("How far the key lies before the query; also the position whose angles are "
                  "shown, as its distance from position 0"),
               {.unit = N_("positions"), .min = 0, .max = p.length - 1.0, .active = angles});
}

void describe_display(Parameters& p, param::List& list) {
  const bool angles = !p.measured();
  list.group(N_("Display"));
  list.choice(p.quantity, "quantity", N_("Pairs by"),
              N_("Positions per turn, 2π/θ, or radians per position, θ"),
              {{"wavelength", N_("wavelength")}, {"frequency", N_("frequency")}},
              {.active = angles});
  list.choice(p.cells, "cells", N_("Cells"),
              N_("For every position and pair: the cosine of its angle, the angle modulo whole "
                 "turns, or whether that angle was never reached in training"),
              {{"cosine", N_("cos")}, {"turns", N_("angle")}, {"unseen", N_("unseen")}},
              {.active = angles && p.method != Method::alibi});
  describe_pool(p.pool, list);
  list.find("pool")->info.active = angles;
  list.choice(p.distance_axis, "distance_axis", N_("Distance axis"),
              N_("How distances are laid out; a logarithmic axis begins at 1"),
              {{"log", N_("log")}, {"linear", N_("linear")}}, {.active = angles});
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_view(p, list);
  describe_losses(p, list);
  describe_method(p, list);
  describe_lengths(p, list);
  const bool longer = p.length > p.trained && (p.stretch == Stretch::context || p.s > 1);
  if (p.measured()) {
    const bool rotated = p.readers != Readers::schemes;
    describe_scaling(p, list, rotated, rotated);
  } else {
    describe_scaling(p, list, true, longer);
  }
  describe_alibi(p, list);
  describe_vectors(p, list);
  describe_picks(p, list);
  describe_display(p, list);
  list.essential({"method", "trained", "length", "base", "pair", "distance", "cells", "held_out",
                  "times", "texts", "readers", "losses", "reader", "place"});
}

Lab lab() { return from_text("extrapolation", live(describe, compute)); }

}  // namespace lab::extrapolation
