#include "app/labs/gpt_training/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/model/pair_task.h"
#include "app/labs/shared/text/text.h"

namespace lab::gpt_training {
namespace {

using core::task::Story;

void describe_task(Parameters& p, param::List& list) {
  list.group(N_("Task"));
  list.choice(p.task, "task", N_("Task"),
              N_("What is learned: sequences whose next token can be known, or lines of text"),
              recipe_options(true), {.active = p.training.file.empty()});
  list.text(p.corpus, "corpus", N_("Text to learn"),
            N_("Type or paste; Ctrl+Enter begins a line. The last tenth of a long one is held out"),
            kMostCorpusTyped, {.active = p.own_text() && p.corpus_file.empty()});
  list.file(p.corpus_file, "corpus_file", N_("Text from a file"),
            N_("Plain text in UTF-8, at most 64 MiB; empty: the typed text. Or drop a file on the "
               "window"),
            ".txt .md", {.active = p.own_text()});
  list.choice(
      p.unit, "unit", N_("Tokens"),
      N_("What a token of your text is: a character, or byte pairs trained on the text itself"),
      {{"characters", N_("characters")}, {"pairs", N_("byte pairs")}}, {.active = p.own_text()});
  list.integer(p.vocabulary, "vocabulary", N_("Vocabulary"),
               N_("The most tokens byte pairs may form; 256 are the bytes alone"),
               {.min = 256,
                .max = 4096,
                .scale = param::Scale::log,
                .active = p.own_text() && p.unit == OwnUnit::pairs});
  describe_weights(p.training, "story_file", p.ships(), list);
}

void describe_look(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.integer(
      p.example, "example", N_("Example"),
      N_("A sequence of the task, by its number; one never trained on, where there is any"),
      {.min = 0, .max = kExamples - 1.0, .active = p.text.empty()});
  list.text(p.text, "text", N_("Your text"),
            N_("The text to read; empty: the example. Any text of the task's own tokens"),
            kMostTextBytes);
  list.integer(p.place, "place", N_("Position"),
               N_("The query's token, from 0; -1: the last. A click on a token chooses it"),
               {.min = -1, .max = to_double(kMostProbe) - 1, .plays = 3});
  list.integer(p.layer, "layer", N_("Layer"), N_("Layer of the map shown large"),
               {.min = 1, .max = kMostLayers});
  list.integer(p.head, "head", N_("Head"), N_("Layer of the map shown large"),
               {.min = 1, .max = kMostHeads});
  list.integer(p.token, "token", N_("Key"),
               N_("The token whose weight is worked out, from 0; -1: none"),
               {.min = -1, .max = to_double(kMostProbe) - 1, .unpinned = -1});
  describe_explained(p.explained,
                     {{"weight", N_("weight")},
                      {"number", N_("a component of q")},
                      {"token", N_("the next token")}},
                     list);
  list.integer(p.dim, "dim", N_("Component of q"), N_("Which component of the query, from 0"),
               {.min = 0, .max = 63, .active = p.explained == Explained::number});
  list.integer(p.sample_seed, "sample_seed", N_("Seed of samples"), N_("Chooses the sampled texts"),
               {.min = 0, .max = 999});
  list.real(p.temperature, "temperature", N_("Temperature"),
            N_("For samples: logits are divided by it"), {.min = 0.1, .max = 3});
}

// What of the task can be chosen by hand.
void describe_own_task(Parameters& p, bool by_hand, param::List& list) {
  const Story story = core::task::recipe(p.task).task.story;
  const auto [letters, symbols, range, length] = knobs_of(story);
  const bool drawn = by_hand && symbols;
  OwnKnobs& own = p.own;
  list.integer(own.symbols, "symbols", N_("Symbols"), N_("How many different symbols there are"),
               {.min = 4, .max = 62, .active = drawn});
  list.flag(own.repeats, "repeats", N_("Repeats"), N_("A symbol may come more than once"),
            {.active = by_hand && letters});
  // Without repeats there cannot be more than there are symbols.
  const bool scarce = drawn && !(letters && own.repeats);
  const double most = scarce ? std::min(40, own.symbols) : 40;
  list.integer(
      own.shortest, "shortest", N_("Shortest"),
      N_("The shortest in training: symbols in a period, symbols read, or pairs of brackets"),
      {.min = 1, .max = most, .active = by_hand && range});
  list.integer(own.longest, "longest", N_("Longest"), N_("The longest in training"),
               {.min = to_double(std::min<double>(own.shortest, most)),
                .max = most,
                .active = by_hand && range});
  list.integer(own.depth, "depth", N_("Depth"), N_("The most brackets open at once"),
               {.min = 1, .max = 12, .active = by_hand && story == Story::brackets});
  list.integer(own.length, "length", N_("Length"), N_("Tokens of a whole sequence"),
               {.min = 8, .max = 128, .active = by_hand && length});
  const bool sums = by_hand && story == Story::addition;
  list.integer(own.digits, "digits", N_("Digits"), N_("Digits of each number"),
               {.min = 1, .max = 6, .active = sums});
  list.flag(own.lowest_first, "lowest_first", N_("Lowest digit first"),
            N_("All numbers are written backwards: carries then go from left to right"),
            {.active = sums});
}

void describe_model(Parameters& p, param::List& list) {
  const bool filed = !p.training.file.empty();
  list.group(N_("Model"));
  list.choice(p.made, "made", N_("Model"),
              N_("The smallest model that usually learns the task, or one of your own"),
              {{"recommended", N_("recommended")}, {"own", N_("by hand")}}, {.active = !filed});
  const bool by_hand = p.by_hand();
  OwnKnobs& own = p.own;
  list.integer(own.layers, "layers", N_("Layers"), N_("How many layers are stacked"),
               {.min = 1, .max = kMostLayers, .active = by_hand});
  list.integer(own.heads, "heads", N_("Heads"), N_("Heads in every layer"),
               {.min = 1, .max = kMostHeads, .active = by_hand});
  list.choice(own.key_heads, "key_heads", N_("Key heads"),
              N_("As many key and value heads as query heads, half as many, or one that all query "
                 "heads share"),
              {{"all", N_("all")}, {"half", N_("half")}, {"one", N_("one")}},
              {.active = by_hand && own.heads > 1});
  describe_layer({own.d_head, own.d_ff, own.norm_first}, 64, 512, list, by_hand);
  describe_positions(own.positions, all_schemes(), list, by_hand);
  list.stack(own.mask, "mask", N_("Mask"),
             N_("Which earlier tokens a token may attend to: patterns joined from the top down"),
             masks::model_catalogue(), kMostMaskItems, {.active = by_hand});
  list.flag(own.tied, "tied", N_("Tied output"), N_("The output layer shares the embedding table"),
            {.active = by_hand});
  list.real(own.dropout, "dropout", N_("Dropout"),
            N_("The share of each part's outputs dropped in a training step"),
            {.min = 0, .max = 0.5, .step = 0.01, .active = by_hand});
  describe_own_task(p, by_hand, list);
  list.flag(p.one_layer, "one_layer", N_("One layer beside"),
            N_("The same with one layer, trained alike"), {.active = p.trains_here()});
}

}  // namespace

std::string opened_corpus(param::List& list) {
  return values_of(list, {"task", "corpus", "corpus_file", "unit", "vocabulary", "story_file"});
}

std::string opened_model(param::List& list) {
  return opened_corpus(list) +
         values_of(list, {"weights", "made", "layers", "heads", "key_heads", "d_head", "d_ff",
                          "norm_first", "positions", "tied", "mask", "symbols", "repeats",
                          "shortest", "longest", "length", "depth", "digits", "lowest_first"});
}

std::string opened_text(param::List& list) {
  return opened_model(list) + values_of(list, {"example", "text"});
}

void describe(Parameters& p, param::List& list) {
  describe_task(p, list);
  describe_look(p, list);
  describe_model(p, list);
  const bool by_hand = p.by_hand();
  describe_training(p.training, p.trains_here(),
                    {.batch = N_("Sequences per training step"),
                     .seed = N_("Chooses the initial parameters and the sequences"),
                     .smoothing = false,
                     .most_batch = 128,
                     .most_steps = kMostStorySteps,
                     .given = !by_hand},
                    list);
  const std::string corpus = opened_corpus(list), model = opened_model(list);
  const std::string text = opened_text(list);
  list.found_ranges({"length"}, corpus);
  list.found_ranges({"layer", "head", "dim"}, model);
  list.found_ranges({"place", "token"}, text);
  list.essential({"task", "corpus", "weights", "example", "text", "place", "steps", "step"});
}

Lab lab() { return from_text("gpt_training", live(describe, compute)); }

}  // namespace lab::gpt_training
