// The tensors of an encoder-decoder as drawn (Vaswani et al. 2017, figures 1 and 2): for each block
// its parameters, its activations, and the gradient of the loss with respect to each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/encoder_decoder_pass.h"

namespace core::model {

// Embedding with positions; attention; a norm with the residual sum; the feed-forward network; the
// output of a stack; the output layer.
enum class BlockKind { input, attention, norm, feed_forward, out, output };

// A tensor of a block. One that the block lacks stands for the block's result.
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

// A block of a model. Blocks outside the layers have layer 0; those without a sublayer have `self`.
struct BlockPlace : SublayerNames {
  BlockKind block = BlockKind::out;
};

enum class TensorAxis { feature, token, key_token, word, query, key };

// Everything about a tensor except its numbers.
struct TensorFacts {
  TensorPart part = TensorPart::result;
  std::string symbol = {};   // "Q", "W_Q", "softmax"
  std::string letters = {};  // its shape, n and m being tokens: "n × d_model"
  std::string name = {};     // of the parameter or in the trace; empty: it is computed from others
  bool learned = false;
  bool of_heads = false;       // one matrix for each head
  bool probabilities = false;  // rows are probabilities
  TensorAxis rows = TensorAxis::feature, cols = TensorAxis::feature;
};
TensorFacts tensor_facts(const BlockPlace& place, TensorPart part);
// The tensors of a block in the order in which they are computed, the result last.
std::vector<TensorPart> parts_of(const BlockPlace& place);

// A tensor with its numbers: one matrix, or one for each head; NaN where the mask hides a cell.
struct PassTensor : TensorFacts {
  std::vector<MatrixD> matrices = {};

  Index row_count() const { return matrices.front().rows(); }
  Index col_count() const { return matrices.front().cols(); }
  const MatrixD& of(Index head) const {
    return matrices[of_heads ? static_cast<std::size_t>(head) : 0];
  }
  // Largest magnitude and root mean square of the cells that are not masked; 0 when there are none.
  double largest() const;
  double rms() const;
  std::string sizes() const;  // "6 × 32", of heads "2 × 6 × 6"
  std::string shape() const { return letters + " = " + sizes(); }
};
// `place` is a block of the pass's model.
PassTensor pass_tensor(const EncoderDecoderPass& pass, const BlockPlace& place, TensorPart part);
// The gradient of the loss with respect to each number, in the same shape. InputError for a pass
// that was not differentiated.
PassTensor pass_gradient(const EncoderDecoderPass& pass, const BlockPlace& place, TensorPart part);

}  // namespace core::model
