#include "app/labs/gpt_inside/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

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
      p.knocked, "knocked", N_("Heads knocked out"),
      N_("Layer and head, \"2.1\", several with spaces between; a click on a box does it too"), 200,
      {.active = reads});
  list.choice(p.replacement, "replacement", N_("Replaced by"),
              N_("What a head that is knocked out gives: nothing, or its mean over sequences of "
                 "its task"),
              {{"zero", N_("zero")}, {"mean", N_("its mean")}}, {.active = reads && trained});
  const double last = to_double(kMostPublished) - 1, slides = to_double(kMostTokens) - 1;
  list.integer(p.hidden, "hidden", N_("Hidden token"),
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

std::vector<Preset> presets() {
  return {
      {"induction", N_("Two heads, one trick"),
       N_("Head 1.1 looks at the token before, head 2.1 at the token that followed the last time "
          "this one came: together they repeat sequences that were not trained on."),
       ""},
      {"without_induction", N_("Without the induction head"),
       N_("Head 2.1 is knocked out: of the repeats, which it had right in 99 of 100 cases, it has "
          "less than one in five right. Click the box to give it back."),
       "knocked=2.1"},
      {"without_previous", N_("Without the head one back"),
       N_("Head 1.1 is knocked out, and head 2.1 no longer finds anything: its induction score "
          "falls below 0.3, though 2.1 itself was not touched."),
       "knocked=1.1 | layer=2"},
      {"mean", N_("Zero or its mean"),
       N_("A head that gives 0 is one that the next layer never met. With its mean over held-out "
          "sequences the induction is gone all the same."),
       "knocked=2.1 | replacement=mean"},
      {"stream", N_("One head makes the logit"),
       N_("What adds up to the logit of the next token: the bar of head 2.1 is the longest. At the "
          "side it comes apart into tokens, weights and values."),
       "view=stream"},
      {"lens", N_("Letters come into focus"),
       N_("English text: the embedding alone guesses by the last letter, each part changes the "
          "guess, and the last row is the model itself, to the last bit."),
       "model=text_english | view=stream | part=13"},
      {"key_composition", N_("Asking for what another head wrote"),
       N_("Queries of head 2.1 against what head 1.1 writes of the token before: the diagonal is "
          "bright. This is how an induction head finds its place."),
       "view=circuits | through=1"},
      {"without_composition", N_("The same without the way through"),
       N_("Of tokens themselves head 2.1 asks for nothing in particular: the diagonal is gone. A "
          "circuit is made of two heads."),
       "view=circuits"},
      {"copying", N_("What is looked at is written"),
       N_("The OV circuit of head 2.1: nearly every row is largest at its own token. What the head "
          "looks at it makes likelier."),
       "view=circuits | circuit=ov"},
      {"one_back", N_("One back, by rotary positions"),
       N_("In this map, which leaves the biases out, the scores of head 1.1 are the highest at a "
          "distance of 1 for fewer than a quarter of all pairs of tokens: play the distance. With "
          "the biases they are so for nearly all: that is what makes it look one back, whatever "
          "the tokens."),
       "view=circuits | layer=1 | distance=1"},
      {"hidden", N_("Hide what it looked at"),
       N_("Head 2.1 looks at what stood behind the last time. That token is hidden, and the "
          "probability of the right next one falls from over 0.9 to under 0.1."),
       "token=20 | hidden=5"},
      {"swapped", N_("Two tokens swapped"),
       N_("What stood behind the first time is another token now, and the model says that one: it "
          "copies, it does not know."),
       "token=20 | swap_first=5 | swap_second=6 | view=stream"},
      {"no_positions", N_("Without positions"),
       N_("The same weights, but nothing turned: \"one back\" means nothing any more, and more "
          "than "
          "two of three repeats are lost."),
       "positions=none"},
      {"bytes", N_("Eight bits are enough"),
       N_("Weights, keys and values in fp8 (e4m3): still more than 95 of 100 repeats are right. "
          "Try e5m2, or four bits of your own."),
       "rounded=both | format=e4m3fn"},
      {"four_bits", N_("Four bits are not"),
       N_("Weights, keys and values of one sign, two exponent and one mantissa bit: fifteen "
          "numbers, none between 0 and 0.5. More than half of the repeats are lost."),
       "rounded=both | format=custom | specials=none | exponent_bits=2 | mantissa_bits=1 | "
       "bias=1"},
      {"pronoun", N_("A head that agrees"),
       N_("Chinese text: 小兰 is a girl, so 她 comes next and not 他. Of the difference of their "
          "logits head 2.1 adds more than all other parts together: it looked back at the name."),
       "model=text_chinese | view=stream | text=小兰有一只猫， | wanted=她 | against=他 | part=6"},
      {"measure_word", N_("What needs no look back"),
       N_("After 只 stands 猫 and not 鱼, which is counted by 条. The word that decides has just "
          "been read: the feed-forward networks add more than all heads together."),
       "model=text_chinese | view=stream | text=小明有一只 | wanted=猫 | against=鱼 | part=9"},
      {"sorting", N_("The next larger letter"),
       N_("One head without positions sorts: it looks at the letter that is to be written next, "
          "which makes it likelier."),
       "model=sort | layer=1"},
      {"folder", N_("A published model from inside"),
       N_("The layout of GPT-2 with random weights: each of its twelve heads is called by its "
          "scores on this text. Choose a folder of your own; weights stay as they were "
          "published."),
       "from=published | layer=1 | head=1 | token=9 | key=3"},
      {"folder_stream", N_("Without any bias"),
       N_("The layout of LLaMA adds up sixteen parts to a logit: the token, twelve heads, and "
          "three feed-forward networks. It has no biases, and its norm subtracts no mean: the "
          "constant is 0."),
       "from=published | published=llama | view=stream | part=1"},
      {"folder_knocked", N_("A head less, all later ones changed"),
       N_("Head 1.1 of the BLOOM layout is knocked out: its bar is 0. Bars of layer 2 change, for "
          "its heads read what is no longer written; those of the other heads of layer 1 change "
          "by the scale of the last norm alone."),
       "from=published | published=bloom | view=stream | knocked=1.1 | part=10"},
  };
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

Lab lab() {
  return {.id = "gpt_inside",
          .title = N_("Inside a GPT"),
          .question = N_("What does each head do?"),
          .chapter = Chapter::gpt,
          .about = N_("A decoder, a small one that was trained here or a published one from its "
                      "folder, reads a text. Its heads are named by what they measurably do, a "
                      "logit is taken apart into what each head and layer adds, and heads can be "
                      "knocked out to see what follows."),
          .sources = {papers::elhage_2021.at(N_("sections on the residual stream, QK and OV "
                                                "circuits, and composition")),
                      papers::olsson_2022.at(N_("induction heads and their score")),
                      papers::nostalgebraist_2020.at(N_("the logit lens"))},
          .presets = presets(),
          .make = live(describe, compute)};
}

}  // namespace lab::gpt_inside
