#include "app/labs/gpt_inside/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::gpt_inside {
namespace {

void describe_looks(Parameters& p, param::List& list) {
  const bool maps = p.maps();
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Heads: where each looks and how it is named. Stream: what the model would "
                 "predict after each layer, and what each part adds to a logit. Circuits: what a "
                 "head does to tokens whatever the text. Of a model that has read: what its heads "
                 "do over held-out texts, and when in its training each became what it is"),
              {{"heads", N_("heads")},
               {"stream", N_("stream")},
               {"circuits", N_("circuits")},
               {"texts", N_("over texts")},
               {"history", N_("over training")}},
              {.tabs = true});
  list.text(p.text, "text", N_("Text"),
            N_("What the model reads, in tokens it knows; empty: the example, for a published "
               "model a sentence"),
            100'000, {.active = !maps});
  list.integer(
      p.example, "example", N_("Example"), N_("A sequence of its task, by its number"),
      {.min = 0, .max = kExamples - 1.0, .active = !maps && !p.of_folder() && p.text.empty()});
  list.integer(p.token, "token", N_("Token"),
               N_("The token, from 0: its row of the maps, and the guess after it; -1: the last"),
               {.min = -1,
                .max = to_double(kMostPublished) - 1,
                .slides_to = to_double(kMostTokens) - 1,
                .active = !maps,
                .plays = 2});
  const bool headed = !maps || p.circuit != Circuit::direct;
  list.integer(p.layer, "layer", N_("Layer"), N_("Layer of the head shown large"),
               {.min = 1, .max = kMostLayers, .slides_to = kSlideLayers, .active = headed});
  list.integer(p.head, "head", N_("Head"), N_("The head shown large"),
               {.min = 1, .max = kMostHeads, .slides_to = kSlideHeads, .active = headed});
  list.integer(p.key, "key", N_("Key"),
               N_("The token whose weight is worked out, from 0; -1: none"),
               {.min = -1,
                .max = to_double(kMostPublished) - 1,
                .slides_to = to_double(kMostTokens) - 1,
                .active = p.heads(),
                .unpinned = -1});
  list.text(p.wanted, "wanted", N_("Logit of"),
            N_("The token whose logit is shown; empty: the actual next token, or where it is not "
               "known the likeliest"),
            64, {.active = !maps});
  list.choice(p.measured, "measured", N_("Measured"),
              N_("Over the texts that came with the model, which it did not learn from. First "
                 "token: how much weight it gets, and what a sliding window loses with and without "
                 "it. Knock-outs: the loss without each head. Explanation: whether hiding what a "
                 "head attends to changes what the model predicts"),
              {{"sinks", N_("first token")},
               {"knocked", N_("knock-outs")},
               {"explained", N_("explanation")}},
              {.active = p.over() && p.of_folder()});
  const bool stream = p.view == View::stream;
  list.text(
      p.against, "against", N_("Minus that of"),
      N_("Another token, whose logit is subtracted: only differences of logits count; empty: none"),
      64, {.active = stream});
  list.integer(p.part, "part", N_("Bar"),
               N_("Which part's share of the logit is worked out, from 0"),
               {.min = 0, .max = kMostPartsOfStream, .slides_to = 80, .active = stream});
  list.choice(p.lens, "lens", N_("Lens shows"),
              N_("Which probability the lens shows: of the likeliest token at each place, or of "
                 "the token whose logit is shown"),
              {{"likeliest", N_("the likeliest")}, {"wanted", N_("the picked token")}},
              {.active = stream});
}

void describe_changes(Parameters& p, param::List& list) {
  const bool reads = !p.maps(), trained = !p.of_folder();
  list.group(N_("Change"));
  list.text(
      p.ablated, "knocked", N_("Heads knocked out"),
      N_("Layer and head, \"2.1\", several separated by spaces; a click on a box does the same"),
      200, {.active = reads});
  list.choice(p.replacement, "replacement", N_("Replaced by"),
              N_("The output of a knocked-out head: zero, or its mean over sequences of its task"),
              {{"zero", N_("zero")}, {"mean", N_("its mean")}}, {.active = reads && trained});
  const double last = to_double(kMostPublished) - 1, slides = to_double(kMostTokens) - 1;
  list.integer(p.masked, "hidden", N_("Hidden token"),
               N_("No token may attend to it, not even itself; -1: none"),
               {.min = -1, .max = last, .slides_to = slides, .active = reads, .unpinned = -1});
  list.integer(
      p.swap_first, "swap_first", N_("Swap"),
      N_("A token that is swapped with another; the tokens to be guessed stay the same; -1: none"),
      {.min = -1, .max = last, .slides_to = slides, .active = reads, .unpinned = -1});
  list.integer(p.swap_second, "swap_second", N_("with"), N_("The other one; -1: none"),
               {.min = -1,
                .max = last,
                .slides_to = slides,
                .active = reads && p.swap_first >= 0,
                .unpinned = -1});
  const std::vector<core::model::Scheme> others = schemes_not_learned();
  std::vector<OtherScheme> offered{OtherScheme{}};
  offered.insert(offered.end(), others.begin(), others.end());
  auto options = scheme_options(others);
  options.insert(options.begin(), {"as_trained", N_("as trained")});
  list.choice_of(
      p.positions, std::move(offered), "positions", N_("Positions"),
      N_("Another scheme with the same weights; parameters of learned positions are left out"),
      std::move(options), {.active = trained});
  list.choice(p.rounded, "rounded", N_("Rounded"),
              N_("What is rounded to another format: all weights, or the keys and values that a "
                 "cache would keep; numbers that are too large become the largest one"),
              {{"nothing", N_("nothing")},
               {"weights", N_("weights")},
               {"cache", N_("the cache")},
               {"both", N_("both")}},
              {.active = trained});
  list.choice(p.shown, "shown", N_("Shown"),
              N_("What the figures show: the trained model, or the changed one"),
              {{"after", N_("changed")}, {"before", N_("as trained")}});
  describe_format(p.format, list, trained && p.rounded != Rounded::nothing);
}

void describe_circuits(Parameters& p, param::List& list) {
  const bool maps = p.maps(), qk = maps && p.circuit == Circuit::qk;
  const bool passes = maps && p.circuit != Circuit::direct && p.layer > 1;
  list.group(N_("Circuit"));
  list.choice(p.circuit, "circuit", N_("Map"),
              N_("QK: which token attends to which. OV: what attending to a token adds to the "
                 "logits. Direct: what a token adds with no layer between"),
              {{"qk", N_("QK")}, {"ov", N_("OV")}, {"direct", N_("direct")}}, {.active = maps});
  list.integer(p.through, "through", N_("Through head"),
               N_("Not the token itself but what this head of layer 1 adds when it attends to the "
                  "token; 0: the token itself"),
               {.min = 0, .max = kSlideHeads, .active = passes});
  list.choice(p.side, "side", N_("Which comes through it"),
              N_("In a QK map: the keys, or the queries"),
              {{"key", N_("the keys")}, {"query", N_("the queries")}},
              {.active = passes && qk && p.through > 0});
  list.integer(p.distance, "distance", N_("Distance"),
               N_("With RoPE and xPos: how many tokens the query lies after the key"),
               {.unit = N_("tokens"), .min = 0, .max = kMostDistance, .active = qk, .plays = 4});
  list.flag(p.folded, "folded", N_("Norms folded in"),
            N_("Folds the norms' mean subtraction and gains into the maps; otherwise the weights "
               "are as trained"),
            {.active = maps});
  list.integer(p.row, "row", N_("Row"), N_("Row of the map, by the token's number"),
               {.min = 0, .max = kMostVocabulary - 1.0, .active = maps});
  list.integer(p.col, "col", N_("Column"), N_("Row of the map, by the token's number"),
               {.min = 0, .max = kMostVocabulary - 1.0, .active = maps});
}

}  // namespace

std::string opened_text(param::List& list) {
  return opened_decoder(list) + values_of(list, {"example", "text", "around"});
}

void describe(Parameters& p, param::List& list) {
  describe_decoder(p, list);
  describe_looks(p, list);
  describe_circuits(p, list);
  describe_changes(p, list);
  const std::string model = opened_decoder(list), text = opened_text(list);
  list.found_ranges({"layer", "head", "part", "through", "distance", "row", "col"}, model);
  list.found_words("knocked", model);
  list.found_ranges({"token", "key", "hidden", "swap_first", "swap_second"}, text);
  if (p.of_folder()) {
    list.essential({"from", "published", "folder", "text", "token", "knocked", "lens"});
  } else {
    list.essential(
        {"from", "model", "text", "token", "knocked", "lens", "circuit", "through", "distance"});
  }
}

Lab lab() { return from_text("gpt_inside", live(describe, compute)); }

}  // namespace lab::gpt_inside
