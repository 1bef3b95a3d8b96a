#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"
#include "app/labs/translation/page.h"

namespace lab::translation {
namespace {

void describe_model(Parameters& p, bool here, param::List& list) {
  list.group(N_("Model"));
  list.integer(p.encoder_layers, "encoder_layers", N_("Encoder layers"),
               N_("Each attends to what is read"), {.min = 1, .max = kMostLayers, .active = here});
  list.integer(p.decoder_layers, "decoder_layers", N_("Decoder layers"),
               N_("Each attends to what was written, then to what was read"),
               {.min = 1, .max = kMostLayers, .active = here});
  list.integer(p.heads, "heads", N_("Heads"), N_("Heads in every layer"),
               {.min = 1, .max = kMostHeads, .active = here});
  describe_layer({p.d_head, p.d_ff, p.norm_first}, 32, 256, list, here);
  describe_positions(p.positions, schemes_of_pairs(), list, here);
  list.flag(p.beside, "beside", N_("Recurrent beside"),
            N_("A recurrent network with attention for the same task, as in the alignment lab"),
            {.active = p.training.file.empty()});
  list.integer(p.measurement, "measurement", N_("Measurement"),
               N_("0: none. Any other number times some steps of training on this machine now, and "
                  "a new number times them again: the curves are then shown over seconds, too. "
                  "Times differ from run to run"),
               {.min = 0, .max = 999, .active = p.training.file.empty(), .measures = true});
  list.real(p.dropout, "dropout", N_("Dropout"),
            N_("The share of each part's outputs dropped in a training step"),
            {.min = 0, .max = 0.5, .step = 0.01, .active = here});
}

void describe_looks(Parameters& p, param::List& list) {
  describe_source(p.source, list);
  list.choice(p.writes, "next_token", N_("Next token"),
              N_("What each step continues from: its own likeliest token, or the right one"),
              {{"greedy", N_("its own")}, {"right", N_("the right one")}});
  list.choice(p.part, "part", N_("Attention"), N_("Which attention"),
              {{"cross", N_("decoder to encoder")},
               {"encoder", N_("encoder")},
               {"decoder", N_("decoder")}});
  list.integer(p.layer, "layer", N_("Layer"), N_("Layer of the map shown large"),
               {.min = 1, .max = kMostLayers});
  list.integer(p.head, "head", N_("Head"), N_("Layer of the map shown large"),
               {.min = 1, .max = kMostHeads});
  list.integer(p.step, "row", N_("Row"),
               N_("The step of writing, or in the encoder the token, whose row is shown"),
               {.min = 0, .max = to_double(kMostWritten) - 1, .plays = 2});
  list.integer(p.token, "token", N_("Key"),
               N_("The token whose weight is worked out, from 0; -1: none"),
               {.min = -1, .max = to_double(kLongest) - 1, .unpinned = -1});
  describe_explained(
      p.explained,
      {{"weight", N_("weight")}, {"number", N_("a component")}, {"token", N_("the written token")}},
      list);
  const bool number = p.explained == Explained::number;
  list.choice(p.vector, "vector", N_("Component of"),
              N_("The tensor of the layer whose component is worked out; the queries, if the layer "
                 "has no such tensor"),
              vector_options(), {.active = number});
  list.integer(p.dim, "dim", N_("Column"), N_("Which of the tensor's components, from 0"),
               {.min = 0, .max = 255, .active = number});
}

}  // namespace

const std::vector<param::Option>& vector_options() {
  static const std::vector<param::Option> kOptions{
      {"query", N_("queries Q")},
      {"key", N_("keys K")},
      {"value", N_("values V")},
      {"input", N_("input")},
      {"normed", N_("input, normed")},
      {"given", N_("input with positions")},
      {"heads", N_("heads concatenated")},
      {"output", N_("attention's output")},
      {"sum", N_("sum")},
      {"after", N_("sum, normed")},
      {"second_normed", N_("feed-forward: input, normed")},
      {"up", N_("before the activation")},
      {"active", N_("after the activation")},
      {"down", N_("feed-forward's output")},
      {"second_sum", N_("feed-forward: sum")},
      {"second_after", N_("feed-forward: sum, normed")},
      {"result", N_("output, normed")}};
  return kOptions;
}

std::string opened_model(param::List& list) {
  return opened_pairs(list, "transformer_file") +
         values_of(list, {"encoder_layers", "decoder_layers", "heads", "d_head", "d_ff",
                          "norm_first", "positions", "dropout"});
}

std::string opened_tensor(param::List& list) {
  return opened_model(list) + values_of(list, {"part", "layer", "vector"});
}

std::string opened_text(param::List& list) { return opened_model(list) + written_pair(list); }

void describe(Parameters& p, param::List& list) {
  const bool here = p.trains_here();
  describe_task(p.task, !here, list);
  describe_weights(p.training, "transformer_file", is_shipped(kModel, p.task), list);
  describe_looks(p, list);
  describe_model(p, here, list);
  describe_training(p.training, here, {}, list);
  const std::string model = opened_model(list), part = values_of(list, {"part"});
  const std::string tensor = opened_tensor(list), text = opened_text(list);
  list.found_ranges({"head"}, model);
  list.found_ranges({"layer"}, model + part);
  list.found_ranges({"dim"}, tensor);
  list.found_ranges({"row", "token"}, text + part);
  list.essential({"task", "language", "weights", "example", "source", "row", "step", "steps"});
  if (p.beside) list.essential({"measurement"});
}

Lab lab() { return from_text("translation", live(describe, compute)); }

}  // namespace lab::translation
