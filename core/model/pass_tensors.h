// The tensors of an encoder-decoder as drawings of it show them (Vaswani et al. 2017, figures 1 and
// 2): block by block what is learned, what a pass makes of it, and the loss's gradient by each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/encoder_decoder_pass.h"

namespace core::model {

// Embedding and positions; attention; the norm around a part, with its sum; the feed-forward
// network; what a stack lets out; the output layer.
enum class BlockKind { input, attention, norm, feed_forward, out, output };

// Which tensor of it; what a block does not have stands for its result.
enum class TensorPart {
  result,
  table,  // of embeddings
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
  heads,  // side by side
  output_weight,
  sum,
  moments,  // mean and scale of a norm's rows
  up_weight,
  up,
  active,
  down_weight,
  logits
};

// A block of a model. What has no layer stands in layer 0, what has no sublayer is `self`.
struct BlockPlace : SublayerNames {
  BlockKind block = BlockKind::out;
};

enum class TensorAxis { feature, token, key_token, word, query, key };

// All of a tensor but its numbers.
struct TensorFacts {
  TensorPart part = TensorPart::result;
  std::string symbol = {};   // "Q", "W_Q", "softmax"
  std::string letters = {};  // its shape, n and m being tokens: "n × d_model"
  std::string name = {};     // of the parameter or in the trace; empty: it follows from others
  bool learned = false;
  bool of_heads = false;       // a matrix a head
  bool probabilities = false;  // rows from 0 to 1
  TensorAxis rows = TensorAxis::feature, cols = TensorAxis::feature;
};
TensorFacts tensor_facts(const BlockPlace& place, TensorPart part);
// Those that a block has, in the order in which they are made, the result last.
std::vector<TensorPart> parts_of(const BlockPlace& place);

// With its numbers: one matrix or one a head; NaN where the mask hides a cell.
struct PassTensor : TensorFacts {
  std::vector<MatrixD> matrices = {};

  Index row_count() const { return matrices.front().rows(); }
  Index col_count() const { return matrices.front().cols(); }
  const MatrixD& of(Index head) const {
    return matrices[of_heads ? static_cast<std::size_t>(head) : 0];
  }
  // The largest magnitude and the root mean square of what is not masked; 0 of nothing.
  double largest() const;
  double rms() const;
  std::string sizes() const;  // "6 × 32", of heads "2 × 6 × 6"
  std::string shape() const { return letters + " = " + sizes(); }
};
// `place` is one of the pass's model.
PassTensor pass_tensor(const EncoderDecoderPass& pass, const BlockPlace& place, TensorPart part);
// The loss's gradient by each of its numbers, in its shape. InputError for a pass that was not
// differentiated.
PassTensor pass_gradient(const EncoderDecoderPass& pass, const BlockPlace& place, TensorPart part);

}  // namespace core::model
