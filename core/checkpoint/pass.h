// One pass of a model: the parts that architectures are made of, each computed by the vectors of
// this processor in float, and plainly in double.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "core/attention/fast/fast.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/pass_edit.h"
#include "core/checkpoint/past.h"

namespace core::checkpoint {

// y = x W^T + b, W (outputs, inputs); the bias may be missing.
struct Linear {
  Parameter weight, bias;
};

// Layer norm, or, not centred, root mean square.
struct Norm {
  Parameter gain, shift;  // no shift: none
  double epsilon = 1e-5;
  bool centered = true;
};

// Parameters that add to the residual stream of a decoder, and that read it in the end.
struct StreamForm {
  struct Layer {
    Linear joins, narrows;  // the last ones of attention and of the feed-forward network
  };
  Parameter tokens, positions;  // their rows are added up; no places: the embedding alone
  std::vector<Layer> layers;
  Norm last;
  Linear head;
  // False: each part is added to the normed stream, so that what was there before is rescaled.
  bool adds_up = true;
};

// Operations of heads on their queries and keys.
struct HeadForm {
  Index heads = 1, key_heads = 1, width = 1;
  double scale = 1;                            // of q . k
  bool causal = true;                          // keys up to the query
  Index window = 0;                            // of them, the last ones; 0: all
  bool masks_padding = false;                  // keys that the input's mask hides
  std::shared_ptr<const Rotary> rotary = {};   // turns queries and keys
  std::shared_ptr<const VectorD> slopes = {};  // ALiBi's penalty, (heads)
  Parameter buckets = {};                      // T5's table, (buckets, heads)
  T5BucketSpec bucket_spec = {};
};

// Parameters of a decoder alone whose layers norm first, attend, norm again and feed forward.
struct DecoderParts {
  struct Layer {
    Norm before_attention, before_mlp;
    std::vector<Linear> heads;  // queries, keys and values; or all of them in one
    Linear output;
    std::vector<Linear> wide;  // the gate and what it multiplies, or one alone
    Linear narrow;
    HeadForm form;
  };
  Parameter tokens, positions;  // no places: heads are turned
  std::vector<Layer> layers;
  Norm last;
  Linear head;
  model::Activation function = model::Activation::silu;
};

template <class S>
class Pass {
 public:
  using Rows = MatrixOf<S>;

  // All must outlive the pass. `steps`: how many layers there are, for progress. `past`: the keys
  // and values of earlier tokens, to which those of this pass are added, or null.
  Pass(const Weights& weights, const Input& input, const ForwardOptions<S>& options,
       Trace<S>& trace, Index steps, const Cancel& cancel, Pasts* past = nullptr);

  const Input& input() const { return input_; }
  const std::vector<std::int32_t>& tokens() const { return input_.tokens; }

  // --- parts
  Rows embed(const Parameter& table, const std::vector<std::int32_t>& ids) const;
  // Rows of a table of positions for `count` tokens.
  Rows positions(const Parameter& table, Index count) const;
  Rows project(const Rows& x, const Linear& linear) const;
  Rows norm(const Rows& x, const Norm& norm) const;
  // Each `width` columns of x normed by themselves.
  void norm_heads(Rows& x, const Norm& norm, Index width) const;
  void activate(Rows& x, model::Activation function) const;
  // activate(gate) * up
  Rows gated(Rows gate, const Rows& up, model::Activation function) const;

  // Self-attention of what the heads are given, (n, heads width) and (n, key_heads width) twice;
  // (n, heads width). Queries, keys and weights go to the trace of the layer.
  Rows attend(Rows q, Rows k, Rows v, const HeadForm& form);
  // Attention to another text. Its keys and values are not read where an earlier pass left them:
  // what they would be computed from need not be there.
  Rows attend_across(Rows q, Rows k, Rows v, const HeadForm& form);
  bool knows_encoder() const { return past_ && past_->across && past_->across->tokens() > 0; }

  // --- the trace
  void begin_encoder() { encoder_ = true; }
  void begin_decoder() { encoder_ = false, layer_ = 0; }
  void embedded(const Rows& x);
  // False: the layer is to be computed. Else it is known from an earlier pass, and x is what comes
  // after it.
  bool known_layer(Rows& x);
  void begin_layer();
  // Passes on what the layer's feed-forward network adds.
  Rows fed(Rows x);
  void end_layer(const Rows& x);
  void normed(const Rows& x);
  void pooled(const VectorOf<S>& x);
  // Those rows of the stream that logits are wanted of; none: no logits.
  Rows wanted(const Rows& x) const;
  bool wants_logits() const { return options_.logits != Logits::none; }
  void logits(const Rows& x, const Linear& head);

 private:
  Rows& project_into(const Rows& x, const Linear& linear, Rows& y) const;
  Stack<S>& stack() { return encoder_ ? trace_.encoder : trace_.decoder; }
  void notify(Seen::What what);
  // Only in the decoder: an encoder reads its text once.
  Past* past() const { return past_ && !encoder_ ? &past_->self : nullptr; }
  Index past_tokens() const { return past() ? past()->tokens() : 0; }
  const RotaryTableOf<S>& table_of(const Rotary& rotary, Index n);
  void rotate_heads(Rows& x, Index heads, const Rotary& rotary);
  std::vector<SharedMatrixOf<S>> biases(const HeadForm& form, Index n, Index m);
  std::optional<Mask> mask(const HeadForm& form, Index n, Index m) const;
  Rows look(const Rows& q, const Rows& k, const Rows& v, const HeadForm& form, Attending<S>& into);
  Rows look_at_kept(const Rows& q, Rows& k, Rows& v, const Past& kept, Index m,
                    const HeadForm& form, Attending<S>& into);
  // Rows of q are the last ones of the `m` tokens whose keys and values are kept, or look at all of
  // them where the form is not causal.
  Rows look_back(const Rows& q, const Past& kept, Index m, const HeadForm& form,
                 Attending<S>& into);
  void silence(Rows& out, const HeadForm& form, bool cross) const;

  const Weights& weights_;
  const Input& input_;
  const ForwardOptions<S>& options_;
  Trace<S>& trace_;
  Cancel whole_, cancel_;  // with the share that is done, and without
  Pasts* past_;
  Index steps_, done_ = 0;
  bool encoder_ = false;
  Index layer_ = 0;
  std::shared_ptr<Layer<S>> now_;
  std::vector<std::shared_ptr<Layer<S>>> spare_;  // of the pass before, the first ones last
  Rows spare_logits_;
  std::optional<RotaryTableOf<S>> rotary_table_;
  // Biases of all layers of a stack, by what they are made of and for how many queries and keys.
  std::map<std::tuple<std::size_t, Index, Index>, std::vector<SharedMatrixOf<S>>> biases_;
  core::Attention attention_;  // its memory is used again
};

// Columns of x, (n, groups parts width): part p of every group, side by side. groups 1 are thirds
// of a whole; as many groups as heads are a head's own queries, keys and values side by side.
template <class S>
MatrixOf<S> part_of(const MatrixOf<S>& x, Index groups, Index parts, Index part);

}  // namespace core::checkpoint
