// The computation of the Transformer lab: one forward pass of an untrained encoder-decoder, of
// which every activation is kept by its name.
#pragma once

#include <map>

#include "app/labs/shared/knobs.h"
#include "core/model/encoder_decoder.h"

namespace lab::transformer {

using core::model::Activation, core::model::Scheme;

// --- what the lab can be set to

enum class NormPlace { after, before, none };
enum class KeyHeads { all, half, one };
// Where a tensor of the drawing stands. `none` only says that no box is open.
enum class Block {
  none,
  encoder_input,
  encoder_self,
  encoder_self_norm,
  encoder_forward,
  encoder_forward_norm,
  encoder_out,
  decoder_input,
  decoder_self,
  decoder_self_norm,
  decoder_cross,
  decoder_cross_norm,
  decoder_forward,
  decoder_forward_norm,
  decoder_out,
  output
};
// Which tensor of it; what a block does not have stands for its result.
enum class Part {
  result,
  table,
  embedded,
  positions,
  query_weight,
  key_weight,
  value_weight,
  queries,
  keys,
  values,
  scores,
  weights,
  heads,
  output_weight,
  sum,
  moments,
  up_weight,
  up,
  active,
  down_weight,
  logits
};
enum class NormKind { layer, rms, batch };
enum class Explained { tensor, norm, depth, count };
enum class CountOver { width, length, layers };
enum class Counted { parameters, products };

inline constexpr int kMostTokens = 24;
inline constexpr int kMostLayers = 48;
inline constexpr std::size_t kMostTextBytes = 2000;

struct Parameters {
  std::string source = "the cat sat on the mat";
  std::string target = "le chat était sur le tapis";
  core::Unit unit = core::Unit::words;

  int d_model = 32, d_ff = 64;
  int heads = 2;  // as a power of two: 2^heads
  KeyHeads key_heads = KeyHeads::all;
  int encoder_layers = 6, decoder_layers = 6;
  NormPlace norm = NormPlace::after;
  bool residual = true;
  Activation activation = Activation::relu;
  Scheme positions = Scheme::sinusoidal;
  bool scaled = true;
  int seed = 1;
  bool backward = false;  // what is drawn: gradients instead of values

  int layer = 1;  // from 1, as people count them
  Block opened = Block::none;
  Block block = Block::decoder_self;
  Part part = Part::weights;
  int head = 1;
  int row = 3, col = 1;

  NormKind norm_kind = NormKind::layer;
  int depth = 12;
  CountOver over = CountOver::width;
  Counted counted = Counted::parameters;
  int steps = 0, warmup = 100;  // 0 steps: nothing is trained
  double rate = 0.01;
  int width = 512, count_layers = 6, vocabulary = 37000, length = 64;  // of what is counted

  Explained explain = Explained::tensor;

  int head_count() const { return 1 << heads; }
};
void describe(Parameters& p, param::List& list);

// --- the model

// The texts as a model takes them. The target is read one step late, behind <start>.
struct Texts {
  std::vector<std::int32_t> source, target, next;
  Labels source_names, target_names, next_names;
  std::vector<std::string> words;  // of the vocabulary, by id
  bool cut = false;                // a text has more tokens than are used

  Index n() const { return to_index(source.size()); }
  Index m() const { return to_index(target.size()); }
};
inline constexpr std::int32_t kStart = 0, kEnd = 1;

core::model::EncoderDecoderForm form_of(const Parameters& p, Index vocabulary);

// A model at its start and one pass through it, in double.
struct Pass {
  core::model::EncoderDecoderForm form;
  core::model::Layout layout;
  core::model::EncoderDecoder model;
  std::vector<double> values;
  std::map<std::string, core::model::Traced<double>, std::less<>> trace;
  double loss = 0;  // mean of -log of what comes next
  // The same with the loss's gradient by each number in its place; null: it was not walked back.
  std::shared_ptr<const Pass> slopes = {};

  // Rows of tokens; InputError for a name that there is not.
  MatrixD tokens(const std::string& name) const;
  // One head's matrix of "weights" or "bias"; an empty one where there is no such name.
  MatrixD head(const std::string& name, Index head) const;
  bool has(const std::string& name) const { return trace.find(name) != trace.end(); }
  MatrixD parameter(const std::string& name) const;
  VectorD bias(const std::string& name) const { return parameter(name).row(0).transpose(); }
  Index heads() const { return form.layer.heads; }
  Index key_heads() const { return form.layer.key_heads; }
  Index d_k() const { return form.layer.d_model / heads(); }
};

struct Model {
  std::shared_ptr<const Texts> texts;
  std::shared_ptr<const Pass> pass;

  bool empty() const { return texts->source.empty(); }
};
Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::transformer
