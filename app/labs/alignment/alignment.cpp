#include "app/labs/alignment/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::alignment {
namespace {

void describe_model(Parameters& p, bool here, param::List& list) {
  list.group(N_("Model"));
  list.flag(p.attends, "attention", N_("Attention"),
            N_("Each step looks at the text; without it there is one fixed context, made of the "
               "encoder's last states"));
  list.flag(
      p.fixed_beside, "beside", N_("Fixed beside"),
      N_("The same network without attention, for comparison"),
      {.active = p.attends && p.training.file.empty() && (here || is_shipped(kFixed, p.task))});
  list.choice(p.cell, "cell", N_("Cell"), N_("The recurrent network's step"),
              {{"gru", N_("GRU")}, {"lstm", N_("LSTM")}}, {.active = here});
  list.choice(p.score, "score", N_("Score"), N_("How a state is scored against what was read"),
              {{"additive", N_("additive")},
               {"dot", N_("dot")},
               {"scaled_dot", N_("scaled dot")},
               {"bilinear", N_("bilinear")}},
              {.active = here && p.attends});
  list.choice(p.looks, "looks", N_("Looks"),
              N_("With the state before the step, as Bahdanau et al. have it, or with the state "
                 "after it, whose context then goes into the next step, as See et al. do"),
              {{"before", N_("before the step")}, {"after", N_("after the step")}},
              {.active = here && p.attends});
  list.integer(p.hidden, "hidden", N_("Width of the state"),
               N_("Of the decoder; the encoder has half of it in each direction"),
               {.min = 4, .max = 128, .step = 2, .active = here});
  list.integer(p.embedding, "embedding", N_("Width of a token"), N_("Of the learned vectors"),
               {.min = 2, .max = 64, .active = here});
  list.integer(p.width, "width", N_("Width of the score"),
               N_("Of the space in which additive attention adds"),
               {.min = 2,
                .max = 128,
                .active = here && p.attends && p.score == core::model::Score::additive});
}

void describe_looks(Parameters& p, bool here, param::List& list) {
  describe_source(p.source, list);
  list.choice(p.writes, "next_token", N_("Next token"),
              N_("What each step goes on from: its own likeliest token, or the right one"),
              {{"greedy", N_("its own")}, {"right", N_("the right one")}});
  list.integer(p.row, "row", N_("Row"), N_("The step of writing that is looked at"),
               {.min = 0, .max = to_double(kMostWritten) - 1, .plays = 2});
  list.integer(p.token, "token", N_("Looked at"),
               N_("The token whose weight is taken apart, from 0; -1: none"),
               {.min = -1,
                .max = to_double(kLongest) - 1,
                .active = p.attends || p.explained == Explained::state,
                .unpinned = -1});
  describe_explained(p.explained,
                     {{"weight", N_("weight")},
                      {"context", N_("a number of c")},
                      {"token", N_("the written token")},
                      {"state", N_("a number of a state")}},
                     list);
  list.integer(p.dim, "dim", N_("Number of c"), N_("Which of the context's numbers, from 0"),
               {.min = 0, .max = 127, .active = p.attends && p.explained == Explained::context});
  const bool state = p.explained == Explained::state;
  list.choice(p.states, "states", N_("States"),
              N_("Whose state is taken apart: the decoder's after the step that is looked at, or "
                 "the encoder's at the token looked at, as it reads from the left or from the "
                 "right"),
              {{"decoder", N_("decoder")},
               {"forward", N_("encoder, from the left")},
               {"backward", N_("encoder, from the right")}},
              {.active = state});
  list.integer(p.unit, "number", N_("Number of the state"), N_("Which of its numbers, from 0"),
               {.min = 0, .max = 127, .active = state});
  list.integer(p.stage, "stage", N_("Stage"),
               N_("Of a step of training in slow motion, from drawing the batch to the update"),
               {.min = 0, .max = 200, .active = here, .plays = 4});
}

std::vector<Preset> presets() {
  return {
      {"dates", N_("Dates, as trained before"),
       N_("The year is written first and mostly stands last: the alignment jumps. Its hyphens "
          "have no source, and their rows spread."),
       ""},
      {"watch", N_("From noise to a line"),
       N_("Trained while you watch, letters written backwards: the map begins grey and becomes a "
          "falling line. Drag the step back and forth."),
       "weights=here | task=reversal | letters=8 | shortest=2 | longest=6 | batch=32 | hidden=32 | "
       "steps=300 | step=300"},
      {"slow", N_("One step, slowly"),
       N_("Play the stages: forward through the text, the loss, and back through the same parts "
          "in the opposite order, while the gradient of each parameter grows."),
       "weights=here | task=reversal | letters=6 | shortest=4 | longest=4 | batch=16 | hidden=16 | "
       "width=16 | beside=false | steps=100 | step=20 | stage=15"},
      {"lengths", N_("Why attention was invented"),
       N_("Letters written backwards with and without attention, trained alike: one fixed vector "
          "holds a few letters, attention as many as it was trained for."),
       "task=reversal"},
      {"fixed", N_("Without attention"),
       N_("One vector for the whole text: of English dates 35 % come out wrong, of Chinese ones "
          "94 %. With attention none does."),
       "attention=false"},
      {"after", N_("The state after the step looks"),
       N_("State first, then the look, whose context goes into the next step: Luong's input "
          "feeding. It learns as well."),
       "weights=here | looks=after | task=reversal | letters=8 | shortest=2 | longest=6 | batch=32 "
       "| hidden=32 | beside=false | steps=300 | step=300"},
      {"lstm", N_("An LSTM and a product"),
       N_("Another cell, another score: scaled dot products of the decoder's state and what was "
          "read, which needs both of one width."),
       "weights=here | cell=lstm | score=scaled_dot | task=reversal | letters=8 | shortest=2 | "
       "longest=6 | batch=32 | hidden=32 | beside=false | steps=300 | step=300"},
      {"numbers", N_("Number words"),
       N_("Each digit has a word to look at, but a zero has none: see where its row looks."),
       "task=numbers | source=four thousand and twenty-one"},
      {"own", N_("Your own pairs"),
       N_("Six pairs of words in two languages are learned by heart at once; type your own, or "
          "open a file of them."),
       "task=own | steps=100 | step=100 | batch=16 | hidden=16 | width=16"},
      {"context", N_("What a step is given"),
       N_("The context is the mean of what was read, weighted by the row: one of its numbers is "
          "worked out at the side."),
       "explain=context | row=2 | dim=5"},
      {"state", N_("What a state is made of"),
       N_("One number of the decoder's state: its gates, each with its own sum over the context, "
          "the token written before and the state before. Click on through the states, down to "
          "the embeddings."),
       "explain=state | row=2 | number=7"},
      {"chinese", N_("Dates in Chinese"), N_("Six spellings, one of them in numerals of Chinese."),
       "language=chinese | source=二〇一九年三月五日"},
  };
}

}  // namespace

std::string opened_model(param::List& list) {
  return opened_pairs(list, "recurrent_file") +
         values_of(list, {"attention", "cell", "score", "looks", "hidden", "embedding", "width"});
}

std::string opened_text(param::List& list) { return opened_model(list) + written_pair(list); }

void describe(Parameters& p, param::List& list) {
  const bool here = p.trains_here();
  describe_task(p.task, !here, list);
  describe_weights(p.training, "recurrent_file", is_shipped(p.model(), p.task), list);
  describe_looks(p, here, list);
  describe_model(p, here, list);
  describe_training(p.training, here, {}, list);
  const std::string model = opened_model(list), states = values_of(list, {"states"});
  const std::string text = opened_text(list);
  list.found_ranges({"dim"}, model);
  list.found_ranges({"number"}, model + states);
  list.found_ranges({"row", "token", "stage"}, text);
  list.essential({"task", "language", "weights", "example", "row", "attention", "step"});
}

Lab lab() {
  return {.id = "alignment",
          .title = N_("Alignment"),
          .question = N_("How does a decoder find its place?"),
          .chapter = Chapter::where_attention_comes_from,
          .about = N_("A recurrent network reads a text and another writes its answer token by "
                      "token; at each step it looks back at what was read. That look is attention "
                      "where it was invented. Pick a written token, or a cell to see its weight "
                      "worked out; train it from nothing, or one step slowly."),
          .sources = {papers::bahdanau_2014.at(N_("section 3.1, appendix A.1.2")),
                      papers::luong_2015.at(N_("section 3.1; 3.3 (input feeding)")),
                      papers::see_2017.at(N_("section 2.1 (the state after the step looks)"))},
          .presets = presets(),
          .chinese = "language=chinese",
          .make = live(describe, compute)};
}

}  // namespace lab::alignment
