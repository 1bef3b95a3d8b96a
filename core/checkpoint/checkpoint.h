// Published models from a folder as it is downloaded: config.json with model.safetensors, or with
// its shards and model.safetensors.index.json. Weights stay as published: nothing is folded,
// centred or rounded but where a number enters arithmetic in another precision.
//
// Sources: the models' own published code (transformers 4.57) for names and orders of operations;
// each file of architectures/ says its paper.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/rotary.h"
#include "core/checkpoint/trace.h"
#include "core/checkpoint/weights.h"
#include "core/position/relative/t5.h"
#include "core/position/rotary/rotary.h"
#include "core/types.h"

namespace core::checkpoint {

enum class Kind { decoder, encoder, encoder_decoder };

// A learned bias by bucket of distance and head; one table for all layers of a stack.
struct BucketTable {
  T5BucketSpec spec;
  Tensor table;  // (buckets, heads)
  bool encoder = false;
};

// How a model knows where its tokens stand: what the labs of positions and precision ask for.
struct PositionFacts {
  Index context = 0;                 // tokens that it was made for; 0: it says nothing
  bool limited = false;              // no text may be longer: there is no row for it
  std::optional<Rotary> rotary;      // base, share, scaling
  VectorD slopes;                    // ALiBi's, by head; none: another scheme
  std::optional<Tensor> learned;     // (positions, d), added to embeddings
  std::vector<BucketTable> buckets;  // T5's: the encoder's and the decoder's
  std::vector<Index> windows;        // by layer, the last keys that a query sees; 0: all before it

  // Window of causal attention.
  Index window(Index layer) const {
    const auto at = static_cast<std::size_t>(layer);
    return at < windows.size() ? windows[at] : 0;
  }
  bool sees(Index layer, Index query, Index key) const {
    const Index reach = window(layer);
    return key <= query && (reach == 0 || query - key < reach);
  }
};

// Facts about a model before it is run.
struct ModelFacts {
  std::string type;  // config.json's model_type
  std::string name;  // "GPT-2"
  Kind kind = Kind::decoder;
  Index vocabulary = 0, width = 0, heads = 0, key_heads = 0, head_width = 0, feed_forward = 0;
  Index layers = 0;          // of the only stack, or of the encoder
  Index decoder_layers = 0;  // beside an encoder
  Index token_types = 0;     // BERT's segments; 0: the model knows none
  Index decoder_start = 0;   // T5: what a decoder's text begins with
  // config.json's eos_token_id, of several the first: behind it nothing is written. -1: it names
  // no token.
  std::int32_t end = -1;
  PositionFacts positions;

  Index parameters = 0;              // numbers that are read, each once: tied ones count once
  std::string head;                  // the tensor that makes logits; empty: the model has no head
  bool tied = false;                 // it is the embedding
  double head_scale = 1;             // what it reads is multiplied by this: T5's 1 / sqrt(width)
  std::vector<std::string> buffers;  // tensors that are masks or tables: computed, never read
  std::vector<std::string> without_effect;   // known tensors that nothing here is computed with
  std::vector<std::string> left_over;        // other tensors of the file that nothing reads
  std::vector<std::string> unread_settings;  // keys of config.json that nothing reads
  // Remarks for whoever looks at its numbers: where the file and its configuration differ.
  std::vector<Message> remarks;
};

struct OpenOptions {
  // Bytes of needed weights kept in memory; the rest is read again each time. 0: two thirds of the
  // memory that is free when the model is opened.
  Index most_bytes = 0;
};

struct Input {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> token_types = {};     // BERT: as many, or none, which means all 0
  std::vector<bool> attention_mask = {};          // BERT: as many, or none: false hides a key
  std::vector<std::int32_t> decoder_tokens = {};  // T5
};

enum class Logits { none, last, all };

class PassEdit;

template <class S>
struct ForwardOptions {
  bool keep_weights = true;  // attention's
  bool keep_heads = false;   // queries, keys and values
  bool keep_parts = false;   // of a decoder alone: what the feed-forward networks add
  bool keep_layers = true;   // false: a layer lives for the callback alone
  Logits logits = Logits::all;
  // Called on the thread that computes, when something of the trace is complete. What it has been
  // shown stays as it is: copies of a layer's pointer may be handed to other threads.
  std::function<void(const Trace<S>& so_far, const Seen& seen)> seen = {};

  // What is changed on purpose. The place of the first token, for rotary models (a decoder's, else
  // InputError); how places turn, in the place of exact angles: frequencies (pairs), places (n) and
  // the scaling's multiplier to finished cosines and sines (n, pairs); heads whose output is 0.
  Index first_position = 0;
  std::function<RotaryTableD(const VectorD& frequencies, const VectorD& positions,
                             double multiplier)>
      rotary_table = {};
  std::function<bool(const HeadIndex&)> ablated = {};
  // Tokens that nobody may look at, not even they themselves, of a decoder alone without a cache.
  std::vector<Index> masked = {};
  // Which of the keys up to a query it still sees, likewise; none: all of them.
  std::function<bool(Index query, Index key)> sees = {};
  // Numbers that are changed on the way (pass_edit.h), of float alone; null: none.
  const PassEdit* edit = nullptr;
  // An earlier pass of a decoder alone, without a cache, over the same tokens, its layers kept, and
  // the first layer that is computed anew. Layers before it are null in the trace.
  const Trace<S>* begun = nullptr;
  Index first_layer = 0;

  int threads = 0;  // 0: all cores
};

template <class S>
class Pass;
struct StreamForm;
struct DecoderParts;

// Opened, not read: the tensors were found and held against the configuration. Callable from any
// thread.
class Model {
 public:
  virtual ~Model() = default;

  const ModelFacts& facts() const { return facts_; }
  const Weights& weights() const { return *weights_; }

  // Runs the model on the input's tokens. S is float, or double, which float is checked against.
  // InputError for tokens and token types that the model does not have, for no tokens, and for more
  // than its positions; the same bits with any number of threads.
  template <class S>
  Trace<S> forward(const Input& input, const ForwardOptions<S>& options = {},
                   const Cancel& cancel = {}) const;
  // Runs the model into `trace`, whose memory is used again where nobody else holds its layers:
  // fresh memory for all weights costs a tenth of a pass. After an exception it may be passed
  // again, but not read.
  template <class S>
  void forward_into(const Input& input, Trace<S>& trace, const ForwardOptions<S>& options = {},
                    const Cancel& cancel = {}) const;
  // The logits that rows of the residual stream, (n, d), would give were no layer left: the last
  // norm, where there is one, and the head ("logit lens", nostalgebraist 2020). Of the last layer's
  // they are the logits. InputError for a model without a head.
  template <class S>
  MatrixOf<S> read_out(const MatrixOf<S>& hidden, int threads = 0, const Cancel& cancel = {}) const;

  // For what runs a model itself: the order of operations of its architecture.
  virtual void run(Pass<float>& pass) const = 0;
  virtual void run(Pass<double>& pass) const = 0;
  virtual Matrix read_out(Pass<float>& pass, const Matrix& hidden) const = 0;
  virtual MatrixD read_out(Pass<double>& pass, const MatrixD& hidden) const = 0;
  // Form of the residual stream (inside.h); null: it is no decoder alone.
  virtual std::shared_ptr<const StreamForm> stream() const = 0;
  // Its parameters as packed.h lays them out; null: it has others.
  virtual std::shared_ptr<const DecoderParts> parts() const = 0;
  // InputError unless the model can read it.
  void check(const Input& input) const;

 private:
  void check_changes(bool parts, bool sees, const std::vector<Index>& masked, Index tokens) const;

 protected:
  Model() = default;
  ModelFacts facts_;
  std::unique_ptr<const Weights> weights_;
};

// InputError in one sentence for anything that is no published model of a known architecture: the
// key of config.json or the tensor, what was expected and what came. No memory is taken for weights
// yet, and for headers only after their lengths were checked.
std::shared_ptr<const Model> open_model(const std::filesystem::path& folder,
                                        const OpenOptions& options = {}, const Cancel& cancel = {});

// Files of a model as bytes in memory, which outlive it; messages call them `name`.
struct ModelBytes {
  std::string name;
  std::string_view config, tensors;  // config.json and model.safetensors
};
std::shared_ptr<const Model> open_model(const ModelBytes& bytes, const OpenOptions& options = {},
                                        const Cancel& cancel = {});

}  // namespace core::checkpoint
