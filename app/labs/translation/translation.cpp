#include "app/labs/shared/found_in.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"
#include "app/labs/translation/page.h"

namespace lab::translation {
namespace {

void describe_model(Parameters& p, bool here, param::List& list) {
  list.group(N_("Model"));
  list.integer(p.encoder_layers, "encoder_layers", N_("Encoder layers"),
               N_("Each looks over what is read, and mixes it"),
               {.min = 1, .max = kMostLayers, .active = here});
  list.integer(p.decoder_layers, "decoder_layers", N_("Decoder layers"),
               N_("Each looks at what was written, then at what was read"),
               {.min = 1, .max = kMostLayers, .active = here});
  list.integer(p.heads, "heads", N_("Heads"), N_("In every layer"),
               {.min = 1, .max = kMostHeads, .active = here});
  describe_layer({p.d_head, p.d_ff, p.norm_first}, 32, 256, list, here);
  describe_positions(p.positions, schemes_of_pairs(), list, here);
  list.flag(p.beside, "beside", N_("Recurrent beside"),
            N_("A recurrent network with attention for the same task, as in the lab of alignment"),
            {.active = p.training.file.empty()});
  list.integer(p.measurement, "measurement", N_("Measurement"),
               N_("0: none. Any other number times some steps of training on this machine now, as "
                  "another number does again: the curves then stand over seconds, too. Times "
                  "differ from run to run"),
               {.min = 0, .max = 999, .active = p.training.file.empty(), .measures = true});
  list.real(p.dropout, "dropout", N_("Dropout"),
            N_("The share of each part's numbers that a step leaves out"),
            {.min = 0, .max = 0.5, .step = 0.01, .active = here});
}

void describe_looks(Parameters& p, param::List& list) {
  describe_source(p.source, list);
  list.choice(p.writes, "next_token", N_("Next token"),
              N_("What each step goes on from: its own likeliest token, or the right one"),
              {{"greedy", N_("its own")}, {"right", N_("the right one")}});
  list.choice(p.part, "part", N_("Attention"), N_("Who looks at what"),
              {{"cross", N_("decoder to encoder")},
               {"encoder", N_("encoder")},
               {"decoder", N_("decoder")}});
  list.integer(p.layer, "layer", N_("Layer"), N_("Of the map that is shown large"),
               {.min = 1, .max = kMostLayers});
  list.integer(p.head, "head", N_("Head"), N_("Of the map that is shown large"),
               {.min = 1, .max = kMostHeads});
  list.integer(p.step, "row", N_("Row"),
               N_("The step of writing, or in the encoder the token, whose row is looked at"),
               {.min = 0, .max = to_double(kMostWritten) - 1, .plays = 2});
  list.integer(p.token, "token", N_("Looked at"),
               N_("The token whose weight is taken apart, from 0; -1: none"),
               {.min = -1, .max = to_double(kLongest) - 1, .unpinned = -1});
  describe_explained(
      p.explained,
      {{"weight", N_("weight")}, {"number", N_("a number")}, {"token", N_("the written token")}},
      list);
  const bool number = p.explained == Explained::number;
  list.choice(p.vector, "vector", N_("Number of"),
              N_("Of which tensor of the layer a number is taken apart; the queries, where the "
                 "layer has no such"),
              vector_options(), {.active = number});
  list.integer(p.dim, "dim", N_("Column"), N_("Which of the tensor's numbers, from 0"),
               {.min = 0, .max = 255, .active = number});
}

std::vector<Preset> presets() {
  return {
      {"dates", N_("Dates, as trained before"),
       N_("Whatever the spelling, the ISO date begins with the year, which often stands last: "
          "click the written digits one by one and see the rows of the map jump."),
       ""},
      {"watch", N_("Watch it learn"),
       N_("From nothing: the maps are grey and the text is noise. Press play under Step, or drag "
          "it: after some hundred steps the rows find their places."),
       "weights=here | task=reversal | letters=8 | longest=6 | batch=32 | steps=300 | rate=0.01 | "
       "step=300"},
      {"backwards", N_("Letters backwards"),
       N_("The clearest map: a falling line. Type letters of your own; beyond ten none was ever "
          "trained, and it breaks."),
       "task=reversal | source=attention"},
      {"chinese", N_("Dates in Chinese"), N_("Six spellings, one of them in numerals of Chinese."),
       "task=dates | language=chinese"},
      {"numbers", N_("Number words"),
       N_("A zero has no word: see where the head looks when it writes one."),
       "task=numbers | source=four thousand and five"},
      {"numbers_chinese", N_("Chinese numerals"),
       N_("One 零 may stand for two zeros: 四千零五 is 4005."),
       "task=numbers | language=chinese | source=四千零五"},
      {"no_positions", N_("Without positions"),
       N_("The encoder cannot tell in which order letters stand; what is left is which letters "
          "there are."),
       "weights=here | task=reversal | letters=8 | longest=6 | batch=32 | steps=300 | rate=0.01 | "
       "step=300 | positions=none"},
      {"two_layers", N_("Two layers"),
       N_("Copying with two layers of two heads on each side: compare the same head of the first "
          "and the second layer."),
       "task=copy | letters=6 | longest=5 | encoder_layers=2 | decoder_layers=2 | layer=2 | "
       "batch=32 | steps=150 | step=150 | rate=0.01"},
      {"beside", N_("Beside a recurrent network"),
       N_("The same letters backwards by both, which are not alike (under the training curves: "
          "rates and parameters). As they ship the recurrent network has nine tenths right after "
          "fewer steps, and neither writes texts much longer than any it was trained on. Press "
          "\"Measure now\" to see both against seconds."),
       "task=reversal | beside=true"},
      {"query", N_("What a query is made of"),
       N_("Each number of a query is a product of what the decoder knows so far with a column of "
          "W: taken apart at the side."),
       "explain=number | vector=query | row=2 | token=3"},
      {"deeper", N_("A number of a value, down to the embedding"),
       N_("A value is made of what the encoder leaves; that of a norm, that of a sum: click from "
          "tensor to tensor in the figure of the layer, down to the embedding and the position."),
       "explain=number | vector=value | token=3 | dim=4"},
      {"own", N_("Your own pairs"),
       N_("Six pairs of words in two languages are learned by heart at once; type your own, or "
          "open a file of them."),
       "task=own | steps=100 | step=100 | batch=16 | rate=0.01"},
  };
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
      {"heads", N_("heads side by side")},
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

Lab lab() {
  return {.id = "translation",
          .title = N_("Translation at work"),
          .question = N_("What does each head of an encoder-decoder look at while it writes?"),
          .chapter = Chapter::transformer,
          .about = N_("A small Transformer reads a text and writes another. It was trained before, "
                      "or is trained here while you watch. Pick a map, then a row: the token that "
                      "is written; its weights say where it looks."),
          .sources = {papers::vaswani_2017.at(N_("figure 1, section 3.2.3"))},
          .presets = presets(),
          .chinese = "language=chinese",
          .make = live(describe, compute)};
}

}  // namespace lab::translation
