#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"
#include "app/labs/transformer/page.h"
#include "core/enum_array.h"

namespace lab::transformer {
namespace {

const std::vector<param::Option>& block_options() {
  static const std::vector<param::Option> kOptions =
      each(to_index(core::kEnumerators<Block>), [](Index k) -> param::Option {
        const BlockFacts& block = facts(static_cast<Block>(k));
        return {block.id, block.label};
      });
  return kOptions;
}

const std::vector<param::Option>& part_options() {
  static const std::vector<param::Option> kOptions = {{"result", N_("result")},
                                                      {"table", N_("table of embeddings")},
                                                      {"embedded", N_("embedded tokens")},
                                                      {"positions", N_("positions")},
                                                      {"query_weight", N_("W_Q")},
                                                      {"key_weight", N_("W_K")},
                                                      {"value_weight", N_("W_V")},
                                                      {"queries", N_("queries Q")},
                                                      {"keys", N_("keys K")},
                                                      {"values", N_("values V")},
                                                      {"scores", N_("scores")},
                                                      {"weights", N_("weights")},
                                                      {"heads", N_("heads concatenated")},
                                                      {"output_weight", N_("W_O")},
                                                      {"sum", N_("sum")},
                                                      {"moments", N_("mean and deviation")},
                                                      {"up_weight", N_("W_1")},
                                                      {"up", N_("before the activation")},
                                                      {"active", N_("after the activation")},
                                                      {"down_weight", N_("W_2")},
                                                      {"logits", N_("logits")}};
  return kOptions;
}

void describe_texts(Parameters& p, param::List& list) {
  list.group(N_("Texts"));
  list.text(p.source, "source", N_("Source"), N_("What the encoder reads"), kMostTextBytes);
  list.text(p.target, "target", N_("Target"),
            N_("The text the decoder should write; it reads this one step late, after <start>"),
            kMostTextBytes);
  list.choice(p.unit, "unit", N_("Tokens"),
              N_("What a token is. Chinese is split by character with words, too"),
              {{"words", N_("words")}, {"characters", N_("characters")}, {"bytes", N_("bytes")}});
}

void describe_sizes(Parameters& p, param::List& list) {
  list.group(N_("Sizes"));
  list.integer(p.d_model, "d_model", N_("Width d_model"), N_("Dimension of a token's vector"),
               {.min = 16, .max = 128, .step = 16});
  list.integer(p.d_ff, "d_ff", N_("Feed-forward d_ff"), N_("Width between W_1 and W_2"),
               {.min = 16, .max = 512, .step = 16});
  list.choice_of(
      p.heads, {0, 1, 2, 3}, "heads", N_("Heads h"),
      N_("h: the number of heads the width is split into; each has its own d_model / h dimensions"),
      {{"1", N_("1")}, {"2", N_("2")}, {"4", N_("4")}, {"8", N_("8")}});
  list.choice(p.key_heads, "key_heads", N_("Key heads"),
              N_("As many key and value heads as query heads, half as many, or one that all query "
                 "heads share"),
              {{"all", N_("all")}, {"half", N_("half")}, {"one", N_("one")}});
  list.integer(p.encoder_layers, "encoder_layers", N_("Encoder layers"),
               N_("How many layers the encoder stacks"), {.min = 1, .max = kMostLayers});
  list.integer(p.decoder_layers, "decoder_layers", N_("Decoder layers"),
               N_("How many layers the decoder stacks"), {.min = 1, .max = kMostLayers});
}

void describe_build(Parameters& p, param::List& list) {
  list.group(N_("How it is built"));
  list.choice(p.norm, "norm", N_("Norm"),
              N_("After each sum, as published; before each part; or nowhere"),
              {{"after", N_("after")}, {"before", N_("before")}, {"none", N_("none")}});
  list.flag(p.residual, "residual", N_("Residuals"), N_("Adds each part's input to its output"));
  list.choice_of(p.activation, {Activation::relu, Activation::gelu, Activation::silu}, "activation",
                 N_("Activation"),
                 N_("The function between the two matrices of the feed-forward network"),
                 {{"relu", N_("ReLU")}, {"gelu", N_("GELU")}, {"silu", N_("SiLU")}});
  const auto schemes = schemes_of_pairs();
  auto options = scheme_options(schemes);
  const auto sines = std::find(schemes.begin(), schemes.end(), Scheme::sinusoidal);
  options[to_size(sines - schemes.begin())].label = N_("sin");
  list.choice_of(p.positions, schemes, "positions", N_("Positions"),
                 N_("How positions enter: not at all, rows that are added (learned, or sines and "
                    "cosines), rotated queries and keys, a penalty by distance, a learned bias by "
                    "distance (T5), learned keys by distance (Shaw et al.), learned factors on the "
                    "weights (URPE), words rotated by their position (complex-order), or the "
                    "trajectory of a learned system in every layer (FLOATER)"),
                 std::move(options));
  list.flag(p.scaled, "scaled", N_("Embeddings · √d_model"),
            N_("Multiplies embeddings by √d_model; their table starts smaller by this factor"));
  describe_seed(p.seed, N_("Chooses all weights, and the letters of the depth figures"), list);
}

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.integer(
      p.layer, "layer", N_("Layer"), N_("Which layer of each stack the drawing shows"),
      {.min = 1, .max = to_double(std::max(p.encoder_layers, p.decoder_layers)), .plays = 2});
  list.flag(p.backward, "backward", N_("Backward pass"),
            N_("Draws in each box, instead of its tensor, the gradient of the loss with respect to "
               "it, and its size: backpropagation from the prediction to the embeddings"));
  list.choice(p.opened, "opened", N_("Open box"),
              N_("Which box of the drawing shows its parts; a click opens and closes a box"),
              block_options());
  list.choice(p.block, "block", N_("Tensor of"), N_("The box whose tensor is shown large"),
              block_options());
  list.choice(p.part, "part", N_("Tensor"),
              N_("Which tensor of that box is shown large; if it has no such tensor, its result"),
              part_options());
  list.integer(p.head, "head", N_("Head"), N_("The head whose scores and weights are shown large"),
               {.min = 1, .max = to_double(p.head_count())});
  list.integer(p.row, "row", N_("Row"), N_("Row of the picked number, from 0"),
               {.min = 0, .max = 511});
  list.integer(p.col, "col", N_("Column"), N_("Row of the picked number, from 0"),
               {.min = 0, .max = 511});
  list.choice(p.norm_kind, "norm_kind", N_("Norm explained"), N_("Which of the three norms"),
              {{"layer", N_("layer")}, {"rms", N_("RMS")}, {"batch", N_("batch")}});
  describe_explained(p.explain,
                     {{"tensor", N_("tensor")},
                      {"norm", N_("norm")},
                      {"depth", N_("depth")},
                      {"count", N_("count")}},
                     list);
}

void describe_comparisons(Parameters& p, param::List& list) {
  list.group(N_("Depth and counts"));
  list.integer(p.depth, "depth", N_("Depth"),
               N_("Number of decoder layers whose sizes are compared"),
               {.min = 1, .max = kMostLayers});
  list.integer(p.steps, "steps", N_("Training steps"),
               N_("Training steps of a small decoder, with and without warm-up; 0: none"),
               {.min = 0, .max = kMostSteps, .plays = 20});
  list.real(p.rate, "rate", N_("Learning rate"), N_("The size of a step"),
            {.min = 1e-4, .max = 0.1, .scale = param::Scale::log, .active = p.steps > 0});
  list.integer(p.warmup, "warmup", N_("Warm-up"),
               N_("Over how many steps the learning rate rises to its full value"),
               {.unit = N_("steps"), .min = 1, .max = kMostSteps, .active = p.steps > 0});
  list.choice(p.counted, "counted", N_("Count"), N_("What the areas show"),
              {{"parameters", N_("parameters")}, {"products", N_("multiply-adds")}});
  list.choice(p.over, "over", N_("Against"), N_("The size on the axis"),
              {{"width", N_("width")}, {"length", N_("length")}, {"layers", N_("layers")}});
  list.integer(p.width, "width", N_("Width counted"),
               N_("d_model of the counted Transformer; its feed-forward is four times as wide"),
               {.min = 16, .max = 2048});
  list.integer(p.count_layers, "count_layers", N_("Layers counted"),
               N_("N of the counted Transformer, in each stack"), {.min = 1, .max = kMostLayers});
  list.integer(p.vocabulary, "vocabulary", N_("Vocabulary V"),
               N_("Words of the counted Transformer"),
               {.min = 16, .max = 256000, .scale = param::Scale::log});
  list.integer(p.length, "count_length", N_("Length counted"),
               N_("Tokens on both sides of the counted Transformer"),
               {.min = 1,
                .max = 4096,
                .scale = param::Scale::log,
                .active = p.counted == Counted::products || p.over == CountOver::length});
}

}  // namespace

std::string_view part_id(Part part) { return part_options()[to_size(part)].id; }

void describe(Parameters& p, param::List& list) {
  describe_texts(p, list);
  describe_sizes(p, list);
  describe_build(p, list);
  describe_view(p, list);
  describe_comparisons(p, list);
  list.essential({"source", "target", "norm", "residual", "layer", "opened", "head"});
}

Lab lab() { return from_text("transformer", live(describe, compute)); }

}  // namespace lab::transformer
