#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"
#include "app/labs/transformer/page.h"

namespace lab::transformer {
namespace {

const std::vector<param::Option>& block_options() {
  static const std::vector<param::Option> kOptions = {
      {"none", N_("nothing")},
      {"encoder_input", N_("encoder: embedding")},
      {"encoder_self", N_("encoder: self-attention")},
      {"encoder_self_norm", N_("encoder: norm of attention")},
      {"encoder_forward", N_("encoder: feed-forward")},
      {"encoder_forward_norm", N_("encoder: norm of feed-forward")},
      {"encoder_out", N_("encoder: output")},
      {"decoder_input", N_("decoder: embedding")},
      {"decoder_self", N_("decoder: causal self-attention")},
      {"decoder_self_norm", N_("decoder: norm of attention")},
      {"decoder_cross", N_("decoder: cross-attention")},
      {"decoder_cross_norm", N_("decoder: norm of cross-attention")},
      {"decoder_forward", N_("decoder: feed-forward")},
      {"decoder_forward_norm", N_("decoder: norm of feed-forward")},
      {"decoder_out", N_("decoder: output")},
      {"output", N_("linear and softmax")}};
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
                                                      {"heads", N_("heads side by side")},
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
            N_("What the decoder is to write; it reads it one step late, behind <start>"),
            kMostTextBytes);
  list.choice(p.unit, "unit", N_("Tokens"),
              N_("What one token is. Chinese goes by character among words too"),
              {{"words", N_("words")}, {"characters", N_("characters")}, {"bytes", N_("bytes")}});
}

void describe_sizes(Parameters& p, param::List& list) {
  list.group(N_("Sizes"));
  list.integer(p.d_model, "d_model", N_("Width d_model"), N_("How many numbers describe a token"),
               {.min = 16, .max = 128, .step = 16});
  list.integer(p.d_ff, "d_ff", N_("Feed-forward d_ff"),
               N_("How many numbers lie between W_1 and W_2"), {.min = 16, .max = 512, .step = 16});
  list.choice_of(
      p.heads, {0, 1, 2, 3}, "heads", N_("Heads h"),
      N_("h: into how many heads the width is split; each has d_model / h dimensions of its "
         "own"),
      {{"1", N_("1")}, {"2", N_("2")}, {"4", N_("4")}, {"8", N_("8")}});
  list.choice(p.key_heads, "key_heads", N_("Key heads"),
              N_("As many heads of keys and values as of queries, half as many, or one that all "
                 "queries' heads share"),
              {{"all", N_("all")}, {"half", N_("half")}, {"one", N_("one")}});
  list.integer(p.encoder_layers, "encoder_layers", N_("Encoder layers"),
               N_("How many layers the encoder has, one on another"),
               {.min = 1, .max = kMostLayers});
  list.integer(p.decoder_layers, "decoder_layers", N_("Decoder layers"),
               N_("How many layers the decoder has, one on another"),
               {.min = 1, .max = kMostLayers});
}

void describe_build(Parameters& p, param::List& list) {
  list.group(N_("How it is built"));
  list.choice(p.norm, "norm", N_("Norm"),
              N_("After each sum, as published; before each part; or nowhere"),
              {{"after", N_("after")}, {"before", N_("before")}, {"none", N_("none")}});
  list.flag(p.residual, "residual", N_("Residual lines"),
            N_("Adds what came in to what each part makes of it"));
  list.choice_of(p.activation, {Activation::relu, Activation::gelu, Activation::silu}, "activation",
                 N_("Activation"),
                 N_("What the feed-forward network does between its two matrices"),
                 {{"relu", N_("ReLU")}, {"gelu", N_("GELU")}, {"silu", N_("SiLU")}});
  const auto schemes = schemes_of_pairs();
  auto options = scheme_options(schemes);
  const auto sines = std::find(schemes.begin(), schemes.end(), Scheme::sinusoidal);
  options[to_size(sines - schemes.begin())].label = N_("sin");
  list.choice_of(
      p.positions, schemes, "positions", N_("Positions"),
      N_("How tokens know their places: not at all, rows that are added (learned, or "
         "sines and cosines), turned queries and keys, a penalty by distance, a learned "
         "bias by distance (T5), learned keys by distance (Shaw et al.), learned factors "
         "of the weights (URPE), words that turn as far as their place (complex-order), "
         "or the course of a learned system in every layer (FLOATER)"),
      std::move(options));
  list.flag(p.scaled, "scaled", N_("Embeddings · √d_model"),
            N_("Multiplies embeddings by √d_model; their table begins as much smaller"));
  describe_seed(p.seed, N_("Chooses every weight, and the letters of the depth figures"), list);
}

void describe_view(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.integer(
      p.layer, "layer", N_("Layer"), N_("Which layer of each stack the drawing shows"),
      {.min = 1, .max = to_double(std::max(p.encoder_layers, p.decoder_layers)), .plays = 2});
  list.flag(p.backward, "backward", N_("Walk back"),
            N_("Draws in each box, instead of its tensor, the gradient of the loss by it, and how "
               "large that is: the loss walked back from the prediction to the embeddings"));
  list.choice(p.opened, "opened", N_("Open box"),
              N_("Which box of the drawing shows its parts; a click on a box opens and closes it"),
              block_options());
  list.choice(p.block, "block", N_("Tensor of"), N_("Whose tensor is shown large"),
              block_options());
  list.choice(p.part, "part", N_("Tensor"),
              N_("Which tensor of that box is shown large: its result where it has no such"),
              part_options());
  list.integer(p.head, "head", N_("Head"), N_("Whose scores and weights are shown large"),
               {.min = 1, .max = to_double(p.head_count())});
  list.integer(p.row, "row", N_("Row"), N_("Of the picked number, counted from 0"),
               {.min = 0, .max = 511});
  list.integer(p.col, "col", N_("Column"), N_("Of the picked number, counted from 0"),
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
  list.integer(p.depth, "depth", N_("Depth"), N_("Layers of the decoder whose sizes are compared"),
               {.min = 1, .max = kMostLayers});
  list.integer(p.steps, "steps", N_("Training steps"),
               N_("How many steps a small decoder is trained, with and without warm-up; 0: none"),
               {.min = 0, .max = kMostSteps, .plays = 20});
  list.real(p.rate, "rate", N_("Learning rate"), N_("How far a step goes"),
            {.min = 1e-4, .max = 0.1, .scale = param::Scale::log, .active = p.steps > 0});
  list.integer(p.warmup, "warmup", N_("Warm-up"),
               N_("Over how many steps the rate rises to its full height"),
               {.unit = N_("steps"), .min = 1, .max = kMostSteps, .active = p.steps > 0});
  list.choice(p.counted, "counted", N_("Count"), N_("What the areas show"),
              {{"parameters", N_("parameters")}, {"products", N_("multiply-adds")}});
  list.choice(p.over, "over", N_("Against"), N_("Along which size it grows"),
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

std::vector<Preset> presets() {
  return {
      {"whole", N_("The whole of it"),
       N_("Encoder at the left, decoder at the right, six layers each as in the paper. Every "
          "picture "
          "is the tensor of this pass: follow the widths upwards, they never change from the "
          "embedding to the output."),
       ""},
      {"self", N_("Inside self-attention"),
       N_("Q, K and V are made of the same rows by three matrices. Blue meets red in the scores, "
          "softmax makes weights of them, green is added up by these weights."),
       "opened=encoder_self | block=encoder_self | part=weights | row=1 | col=4"},
      {"cross", N_("Where Q, K and V come from"),
       N_("Cross-attention takes its queries from the decoder and its keys and values from the "
          "encoder: follow red and green back to where they start. No cell is masked."),
       "opened=decoder_cross | block=decoder_cross | part=weights | row=2 | col=1"},
      {"causal", N_("What the mask hides"),
       N_("The same attention as in the encoder, but for the hatched cells: a token sees itself "
          "and "
          "those before it. In the first row there is one key, whose weight is always 1."),
       "opened=decoder_self | block=decoder_self | part=weights | row=0 | col=0"},
      {"forward", N_("The feed-forward network"),
       N_("Each token alone: wider by W_1, cut off below 0 by ReLU, and back by W_2. About half of "
          "the numbers after ReLU are 0 at the start."),
       "opened=encoder_forward | block=encoder_forward | part=active | row=2 | col=7"},
      {"norm", N_("What the norm does"),
       N_("A token's sum has any mean and size; after the norm each row has mean 0 and variance 1, "
          "by its own numbers alone."),
       "opened=encoder_self_norm | block=encoder_self_norm | part=result | explain=norm"},
      {"batch", N_("Why not batch norm"),
       N_("Batch norm measures a feature over all tokens: the picked number would be another one "
          "with another word in the sentence."),
       "norm_kind=batch | explain=norm | block=encoder_self_norm | part=sum"},
      {"no_norm", N_("Without norms sizes explode"),
       N_("With seeds 0 to 9 six layers begin at a loss of 14 to 37, twelve at 840 to 2,150, where "
          "with norms it is under four: each layer multiplies what passes."),
       "norm=none | depth=12 | explain=depth"},
      {"warmup", N_("Warm-up, or nothing is learned"),
       N_("Norms after, six layers, a high rate: without warm-up the loss stays where letters "
          "alone "
          "get it; with 100 steps of warm-up the same model learns. With norms before it does "
          "without."),
       "norm=after | steps=200 | rate=0.01 | warmup=100"},
      {"no_residual", N_("Without residual lines nothing gets through"),
       N_("Attention makes means. With no line around it tokens become more alike in every layer, "
          "until nothing tells which one was which: the rows of the encoder's output are one and "
          "the same."),
       "norm=before | residual=false | depth=48 | encoder_layers=12 | decoder_layers=12 | layer=12 "
       "| "
       "explain=depth | block=encoder_out | part=result"},
      {"backward", N_("The loss walked back"),
       N_("Arrows point down now, and each box holds the loss's gradient by its tensor. Play "
          "through the layers and watch the decoder's boxes: with norms after each sum its first "
          "layer gets less than the last, with seeds 0 to 9 at most 0.41 of it; with norms before, "
          "no less. Of the encoder's layers, which feed all of the decoder's, that is not so."),
       "backward=true | layer=6 | block=decoder_forward_norm | part=result | explain=tensor"},
      {"deep", N_("Forty-eight layers"),
       N_("Norms before each part: the line grows with every layer and only the last norm brings "
          "it "
          "back. Play through the layers."),
       "norm=before | encoder_layers=48 | decoder_layers=48 | depth=48 | layer=48 | "
       "block=encoder_forward_norm | part=sum | explain=depth"},
      {"scale", N_("Why embeddings are multiplied by √d_model"),
       N_("The table is also the output layer, where small numbers are wanted; times √d_model the "
          "same rows come near the size of the positions that are added: 0.63 to 0.74 of it with "
          "seeds 0 to 9."),
       "opened=encoder_input | block=encoder_input | part=embedded | row=1 | col=5"},
      {"grouped", N_("Queries that share keys"),
       N_("Eight heads of queries look at one head of keys and values: W_K and W_V shrink to an "
          "eighth, and the scores stay as many."),
       "heads=8 | key_heads=one | opened=encoder_self | block=encoder_self | part=keys"},
      {"base", N_("Where 63 million parameters are"),
       N_("The paper's base model: 30 % in the embedding, 40 % in the feed-forward networks. Twice "
          "the width is four times the matrices."),
       "explain=count | counted=parameters | over=width | width=512"},
      {"long", N_("When scores cost more than matrices"),
       N_("Products grow with n, those of scores with n²: from n = 2 d on they are more than those "
          "of the projections."),
       "explain=count | counted=products | over=length | count_length=2048"}};
}

}  // namespace

std::string_view block_id(Block block) { return block_options()[to_size(block)].id; }
std::string_view part_id(Part part) { return part_options()[to_size(part)].id; }

void describe(Parameters& p, param::List& list) {
  describe_texts(p, list);
  describe_sizes(p, list);
  describe_build(p, list);
  describe_view(p, list);
  describe_comparisons(p, list);
  list.essential({"source", "target", "norm", "residual", "layer", "opened", "head"});
}

Lab lab() {
  return {
      .id = "transformer",
      .title = N_("Part by part"),
      .question = N_("What is in the box?"),
      .chapter = Chapter::transformer,
      .about = N_("One forward pass through an encoder and a decoder, every box with the tensor "
                  "that it makes. Click a box to open it down to its matrices, a picture to see "
                  "it large, and a cell to see the sum behind it. Below: what norms, residual "
                  "lines and depth do to sizes, and where the parameters are."),
      .sources = {papers::vaswani_2017.at(N_("figure 1, sections 3.1 to 3.5")),
                  papers::xiong_2020.at(N_("section 3")), papers::ba_2016.at(N_("equation 3")),
                  papers::zhang_2019.at(N_("equation 4")), papers::ioffe_2015.at(N_("algorithm 1")),
                  papers::ainslie_2023.at(N_("section 2")),
                  papers::dong_2021.at(N_("section 2: attention alone makes tokens alike"))},
      .presets = presets(),
      .chinese = "source=这 只 猫 坐 在 垫子上 | target=the cat sat on the mat",
      .make = live(describe, compute)};
}

}  // namespace lab::transformer
