#include "app/labs/documents/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"
#include "assets/assets.h"

namespace lab::documents {
namespace {

void describe_task(Parameters& p, param::List& list) {
  const bool filed = !p.training.file.empty();
  list.group(N_("Task"));
  list.choice(p.task, "task", N_("Task"),
              N_("How documents are classified: whether a review is for or against, or what a "
                 "report is about"),
              {{"opinions", N_("opinions")}, {"topics", N_("topics")}}, {.active = !filed});
  list.choice(p.language, "language", N_("Language"), N_("The language of the documents"),
              {{"english", N_("English")}, {"chinese", N_("Chinese")}}, {.active = !filed});
  describe_weights(p.training, "documents_file", assets::exists(asset_name(p.asked(), p.mean)),
                   list);
}

void describe_look(Parameters& p, bool mean, param::List& list) {
  list.group(N_("Look at"));
  list.integer(p.example, "example", N_("Example"),
               N_("A document not used in training, by its number"),
               {.min = 0, .max = kExamples - 1.0, .active = p.text.empty()});
  list.text(p.text, "text", N_("Your text"),
            N_("The text to read; empty: the example. Sentences end with . ! ? or 。！？"),
            kMostTextBytes);
  list.text(p.deleted, "deleted", N_("Left out"),
            N_("Words left out, by position: 2.4 is the fourth word of the second sentence. A "
               "click on a word adds it or takes it away"),
            5 * kMostTextBytes);
  list.integer(p.sentence, "at_sentence", N_("Sentence"),
               N_("The sentence shown, from 1; 0: that of the strongest word"),
               {.min = 0, .max = kMostPositions, .unpinned = 0});
  list.integer(p.word, "at_word", N_("Word"),
               N_("The word whose weight is worked out, from 1; 0: the strongest"),
               {.min = 0, .max = kMostPositions, .active = p.sentence > 0, .unpinned = 0});
  describe_explained(p.explained,
                     {{"word", N_("a word's weight")},
                      {"sentence", N_("a sentence's weight")},
                      {"outcome", N_("the outcome")},
                      {"state", N_("a component of a state")},
                      {"vector", N_("a component of a mean")}},
                     list);
  const bool number = p.explained == Explained::state || p.explained == Explained::vector;
  list.choice(p.taken, "level", N_("Level"),
              N_("Words: a word's state, or the mean of a sentence's words. Sentences: a "
                 "sentence's state, or the mean that stands for the document"),
              {{"words", N_("words")}, {"sentences", N_("sentences")}}, {.active = number});
  list.integer(p.unit, "number", N_("Component"),
               N_("Which component of the state or the mean, from 0"),
               {.min = 0, .max = 31, .active = number});
  list.integer(
      p.dim, "dim", N_("Component of u"), N_("Which component of u is worked out, from 0"),
      {.min = 0,
       .max = 31,
       .active = !mean && (p.explained == Explained::word || p.explained == Explained::sentence)});
}

void describe_model(Parameters& p, bool here, param::List& list) {
  const std::vector<param::Option> states{
      {"gru", N_("GRU, both ways")}, {"window", N_("window of 2")}, {"inputs", N_("none")}};
  const std::vector<param::Option> keys{{"states", N_("the states")}, {"inputs", N_("the inputs")}};
  const bool attends = here && !p.mean;
  list.group(N_("Model"));
  list.flag(p.mean, "mean", N_("Average pooling"),
            N_("No attention: every word of a sentence weighs the same, and every sentence"),
            {.active = p.training.file.empty()});
  list.flag(p.mean_beside, "beside", N_("Mean beside"),
            N_("The same network without attention, for comparison"),
            {.active = !p.mean && p.training.file.empty()});
  list.choice(p.word_states, "word_states", N_("Word states"),
              N_("What is averaged into a sentence: states of a recurrent network, of each word "
                 "and the one before, or the embeddings themselves"),
              states, {.active = here});
  list.choice(
      p.word_keys, "word_keys", N_("Word weights from"),
      N_("What a word's weight is computed from: its state, as published, or its embedding"), keys,
      {.active = attends && p.word_states != Reads::inputs});
  list.choice(p.sentence_states, "sentence_states", N_("Sentence states"),
              N_("What is averaged into the document: states of a recurrent network, of each "
                 "sentence and the one before, or the sentences' own vectors"),
              states, {.active = here});
  list.choice(
      p.sentence_keys, "sentence_keys", N_("Sentence weights from"),
      N_("What a sentence's weight is computed from: its state, as published, or its own vector"),
      keys, {.active = attends && p.sentence_states != Reads::inputs});
  list.integer(p.embedding, "embedding", N_("Embedding width"), N_("Dimension of a word's vector"),
               {.min = 2, .max = 32, .active = here});
  list.integer(
      p.hidden, "hidden", N_("Hidden width"), N_("Width of a state, in each direction"),
      {.min = 1,
       .max = 16,
       .active = here && (p.word_states != Reads::inputs || p.sentence_states != Reads::inputs)});
  list.integer(p.width, "width", N_("Width of u"), N_("The width of the context vectors"),
               {.min = 1, .max = 32, .active = attends});
}

}  // namespace

std::string opened_model(param::List& list) {
  return values_of(
      list, {"task", "language", "weights", "documents_file", "mean", "word_states", "word_keys",
             "sentence_states", "sentence_keys", "embedding", "hidden", "width"});
}

std::string opened_text(param::List& list) {
  return values_of(list, {"task", "language", "weights", "documents_file", "example", "text"});
}

void describe(Parameters& p, param::List& list) {
  const bool here = p.trains_here();
  describe_task(p, list);
  describe_look(p, p.mean && p.training.file.empty(), list);
  describe_model(p, here, list);
  describe_training(p.training, here,
                    {.batch = N_("Documents per training step"),
                     .seed = N_("Chooses the initial parameters and the documents"),
                     .schedule = false,
                     .smoothing = false,
                     .most_batch = 64,
                     .most_steps = 600,
                     .plays = 30},
                    list);
  const std::string model = opened_model(list), text = opened_text(list);
  const std::string sentence = values_of(list, {"at_sentence"});
  list.found_ranges({"dim"}, model + values_of(list, {"explain"}));
  list.found_ranges({"number"}, model + values_of(list, {"level"}));
  list.found_ranges({"at_sentence"}, text);
  list.found_ranges({"at_word"}, text + sentence);
  list.found_words("deleted", text);
  list.essential({"task", "language", "weights", "example", "text", "deleted", "step"});
}

Lab lab() { return from_text("documents", live(describe, compute)); }

}  // namespace lab::documents
