// The computation of the Transformer lab: one forward pass of an untrained encoder-decoder, of
// which every activation is kept by its name.
#pragma once

#include "app/labs/shared/knobs.h"
#include "core/model/layer/norm_moments.h"
#include "core/model/pass_tensors.h"
#include "core/task/depth/stack_variant.h"

namespace lab::transformer {

using core::model::Activation, core::model::NormKind, core::model::Scheme;
using Kind = core::model::BlockKind;
using Part = core::model::TensorPart;
using core::task::NormPlace, core::task::StackVariant;

// --- what the lab can be set to

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
  StackVariant variant() const { return {norm, residual}; }
};
void describe(Parameters& p, param::List& list);

// --- the model

// The texts as a model takes them. The target is read one step late, behind <start>.
struct Texts {
  core::model::PassIds ids;
  Labels source_names, target_names;
  std::vector<std::string> words;  // of the vocabulary, by id
  bool cut = false;                // a text has more tokens than are used

  Index n() const { return to_index(ids.source.size()); }
  Index m() const { return to_index(ids.target.size()); }
};

core::model::EncoderDecoderForm form_of(const Parameters& p, Index vocabulary);

using Pass = core::model::EncoderDecoderPass;
struct Model {
  std::shared_ptr<const Texts> texts;
  std::shared_ptr<const Pass> pass;

  bool empty() const { return texts->ids.source.empty(); }
};
Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::transformer
