#include "app/labs/alignment/page.h"
#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::alignment {
namespace {

void describe_model(Parameters& p, bool here, param::List& list) {
  list.group(N_("Model"));
  list.flag(p.attends, "attention", N_("Attention"),
            N_("Each step attends to the text; without it there is one fixed context, made of the "
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
              N_("With the state before the step, as in Bahdanau et al., or with the state after "
                 "it, whose context then goes into the next step, as in See et al."),
              {{"before", N_("before the step")}, {"after", N_("after the step")}},
              {.active = here && p.attends});
  list.integer(p.hidden, "hidden", N_("Width of the state"),
               N_("For the decoder; the encoder has half of it in each direction"),
               {.min = 4, .max = 128, .step = 2, .active = here});
  list.integer(p.embedding, "embedding", N_("Width of a token"), N_("Of the learned embeddings"),
               {.min = 2, .max = 64, .active = here});
  list.integer(p.width, "width", N_("Width of the score"),
               N_("Dimension of the space in which additive attention adds"),
               {.min = 2,
                .max = 128,
                .active = here && p.attends && p.score == core::model::Score::additive});
}

void describe_looks(Parameters& p, bool here, param::List& list) {
  describe_source(p.source, list);
  list.choice(p.writes, "next_token", N_("Next token"),
              N_("What each step continues from: its own likeliest token, or the right one"),
              {{"greedy", N_("its own")}, {"right", N_("the right one")}});
  list.integer(p.row, "row", N_("Row"), N_("The written token whose row is shown"),
               {.min = 0, .max = to_double(kMostWritten) - 1, .plays = 2});
  list.integer(p.token, "token", N_("Key"),
               N_("The token whose weight is worked out, from 0; -1: none"),
               {.min = -1,
                .max = to_double(kLongest) - 1,
                .active = p.attends || p.explained == Explained::state,
                .unpinned = -1});
  describe_explained(p.explained,
                     {{"weight", N_("weight")},
                      {"context", N_("a component of c")},
                      {"token", N_("the written token")},
                      {"state", N_("a component of a state")}},
                     list);
  list.integer(p.dim, "dim", N_("Component of c"), N_("Which component of the context, from 0"),
               {.min = 0, .max = 127, .active = p.attends && p.explained == Explained::context});
  const bool state = p.explained == Explained::state;
  list.choice(p.states, "states", N_("States"),
              N_("Whose state is worked out: the decoder's after the chosen step, or the encoder's "
                 "at the chosen token, read from the left or from the right"),
              {{"decoder", N_("decoder")},
               {"forward", N_("encoder, from the left")},
               {"backward", N_("encoder, from the right")}},
              {.active = state});
  list.integer(p.unit, "number", N_("Component of the state"), N_("Which component, from 0"),
               {.min = 0, .max = 127, .active = state});
  list.integer(
      p.stage, "stage", N_("Stage"),
      N_("A stage of one training step in slow motion, from drawing the batch to the update"),
      {.min = 0, .max = 200, .active = here, .plays = 4});
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

Lab lab() { return from_text("alignment", live(describe, compute)); }

}  // namespace lab::alignment
