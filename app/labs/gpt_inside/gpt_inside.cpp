#include "app/labs/gpt_inside/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::gpt_inside {
namespace {

void describe_model(Parameters& p, param::List& list) {
  list.group(N_("Model"));
  list.choice(p.from, "from", N_("Decoder"),
              N_("A small decoder that was trained here, or a published model from its folder"),
              {{"trained", N_("trained here")}, {"published", N_("published model")}});
  describe_story_model(p.model, list, !p.of_folder());
  describe_published(p.published, list, p.of_folder());
}

void describe_looks(Parameters& p, param::List& list) {
  const bool maps = p.maps();
  list.group(N_("Look at"));
  list.choice(p.view, "view", N_("Part"),
              N_("Heads: where each one looks and what it is called by. Stream: what the model "
                 "would say after each layer, and what each part adds to a logit. Circuits: what a "
                 "head does to tokens whatever the text"),
              {{"heads", N_("heads")}, {"stream", N_("stream")}, {"circuits", N_("circuits")}},
              {.tabs = true});
  list.text(p.text, "text", N_("Text"),
            N_("What the model reads, in tokens that it knows; empty: the example, of a published "
               "model a sentence"),
            100'000, {.active = !maps});
  list.integer(
      p.example, "example", N_("Example"), N_("A sequence of its task, by its number"),
      {.min = 0, .max = kExamples - 1.0, .active = !maps && !p.of_folder() && p.text.empty()});
  list.integer(p.token, "token", N_("Token"),
               N_("The token that is looked at, from 0: its row of the maps, and what is guessed "
                  "behind it; -1: the last"),
               {.min = -1,
                .max = to_double(kMostPublished) - 1,
                .slides_to = to_double(kMostTokens) - 1,
                .active = !maps,
                .plays = 2});
  const bool headed = !maps || p.circuit != Circuit::direct;
  list.integer(p.layer, "layer", N_("Layer"), N_("Of the head that is shown large"),
               {.min = 1, .max = kMostLayers, .slides_to = kSlideLayers, .active = headed});
  list.integer(p.head, "head", N_("Head"), N_("The one that is shown large"),
               {.min = 1, .max = kMostHeads, .slides_to = kSlideHeads, .active = headed});
  list.integer(p.key, "key", N_("Looked at"),
               N_("The token whose weight is taken apart, from 0; -1: none"),
               {.min = -1,
                .max = to_double(kMostPublished) - 1,
                .slides_to = to_double(kMostTokens) - 1,
                .active = p.heads(),
                .unpinned = -1});
  list.text(p.wanted, "wanted", N_("Logit of"),
            N_("The token whose logit is looked at; empty: what comes next, or where that is not "
               "known the likeliest"),
            64, {.active = !maps});
  const bool stream = p.view == View::stream;
  list.text(p.against, "against", N_("Less that of"),
            N_("Another token, whose logit is subtracted: of logits only differences count; empty: "
               "none"),
            64, {.active = stream});
  list.integer(p.part, "part", N_("Bar"),
               N_("Which part's share of the logit is taken apart, from 0"),
               {.min = 0, .max = kMostPartsOfStream, .slides_to = 80, .active = stream});
  list.choice(p.lens, "lens", N_("Lens shows"),
              N_("Whose probability the lens shows: of each place's likeliest token, or of the one "
                 "whose logit is looked at"),
              {{"likeliest", N_("the likeliest")}, {"wanted", N_("the picked token")}},
              {.active = stream});
}

void describe_changes(Parameters& p, param::List& list) {
  const bool reads = !p.maps(), trained = !p.of_folder();
  list.group(N_("Change"));
  list.text(
      p.ablated, "knocked", N_("Heads knocked out"),
      N_("Layer and head, \"2.1\", several with spaces between; a click on a box does it too"), 200,
      {.active = reads});
  list.choice(p.replacement, "replacement", N_("Replaced by"),
              N_("What a head that is knocked out gives: nothing, or its mean over sequences of "
                 "its task"),
              {{"zero", N_("zero")}, {"mean", N_("its mean")}}, {.active = reads && trained});
  const double last = to_double(kMostPublished) - 1, slides = to_double(kMostTokens) - 1;
  list.integer(p.masked, "hidden", N_("Hidden token"),
               N_("Nobody may look at it, not even it itself; -1: none"),
               {.min = -1, .max = last, .slides_to = slides, .active = reads, .unpinned = -1});
  list.integer(p.swap_first, "swap_first", N_("Swap"),
               N_("A token that changes places with another; what is to be guessed stays as it "
                  "was; -1: none"),
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
  list.choice_of(p.positions, std::move(offered), "positions", N_("Positions"),
                 N_("Another scheme with the same weights; what was learned of places is left out"),
                 std::move(options), {.active = trained});
  list.choice(p.rounded, "rounded", N_("Rounded"),
              N_("What is rounded to another format: all weights, or the keys and values that a "
                 "cache would keep; what is too large becomes the largest number"),
              {{"nothing", N_("nothing")},
               {"weights", N_("weights")},
               {"cache", N_("the cache")},
               {"both", N_("both")}},
              {.active = trained});
  list.choice(p.shown, "shown", N_("Shown"),
              N_("What the figures show: the model as it was "
                 "trained, or as it is changed"),
              {{"after", N_("changed")}, {"before", N_("as trained")}});
  describe_format(p.format, list, trained && p.rounded != Rounded::nothing);
}

void describe_circuits(Parameters& p, param::List& list) {
  const bool maps = p.maps(), qk = maps && p.circuit == Circuit::qk;
  const bool passes = maps && p.circuit != Circuit::direct && p.layer > 1;
  list.group(N_("Circuit"));
  list.choice(p.circuit, "circuit", N_("Map"),
              N_("QK: which token asks for which. OV: what looking at a token adds to the logits. "
                 "Direct: what a token adds with no layer between"),
              {{"qk", N_("QK")}, {"ov", N_("OV")}, {"direct", N_("direct")}}, {.active = maps});
  list.integer(p.through, "through", N_("Through head"),
               N_("Not the token itself but what this head of layer 1 adds when it looks at the "
                  "token; 0: the token itself"),
               {.min = 0, .max = kSlideHeads, .active = passes});
  list.choice(p.side, "side", N_("Which comes through it"), N_("Of QK: the keys, or the queries"),
              {{"key", N_("the keys")}, {"query", N_("the queries")}},
              {.active = passes && qk && p.through > 0});
  list.integer(p.distance, "distance", N_("Distance"),
               N_("Under RoPE and xPos: how many tokens the query stands behind the key"),
               {.unit = N_("tokens"), .min = 0, .max = kMostDistance, .active = qk, .plays = 4});
  list.flag(p.folded, "folded", N_("Norms folded in"),
            N_("Works into the maps that the norms subtract the mean, and their gains; otherwise "
               "the weights stand as they were trained"),
            {.active = maps});
  list.integer(p.row, "row", N_("Row"), N_("Of the map, by the token's number"),
               {.min = 0, .max = kMostVocabulary - 1.0, .active = maps});
  list.integer(p.col, "col", N_("Column"), N_("Of the map, by the token's number"),
               {.min = 0, .max = kMostVocabulary - 1.0, .active = maps});
}

}  // namespace

std::string opened_model(param::List& list) {
  return values_of(list, {"from", "model", "story_file", "published", "folder"});
}

std::string opened_text(param::List& list) {
  return opened_model(list) + values_of(list, {"example", "text", "around"});
}

void describe(Parameters& p, param::List& list) {
  describe_model(p, list);
  describe_looks(p, list);
  describe_circuits(p, list);
  describe_changes(p, list);
  const std::string model = opened_model(list), text = opened_text(list);
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
