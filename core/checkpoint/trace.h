// Intermediate results of a published model.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "core/attention/fast/buffer.h"
#include "core/types.h"

namespace core::checkpoint {

// The weights of one head, (queries, keys): both have rows(), cols(), (i, j) and data().
template <class S>
using HeadOf = std::conditional_t<std::is_same_v<S, float>, HeadWeights, MatrixD>;

// One attention of a layer. Of grouped heads the keys' are fewer: query head h reads key head h /
// (heads / key heads).
template <class S>
struct Attending {
  std::vector<HeadOf<S>> weights;  // by head; none unless kept
  MatrixOf<S> queries;             // (n, heads width): as scores saw them, normed and turned
  MatrixOf<S> keys, values;        // (m, key heads width); none of the three unless kept
  double scale = 1;                // of q . k, before what positions add
};

template <class S>
struct Layer {
  Attending<S> self, cross;  // cross: of a decoder with an encoder
  MatrixOf<S> hidden;        // (n, d): the residual stream after the layer
  MatrixOf<S> fed;           // (n, d): what the feed-forward network adds; none unless kept
};

template <class S>
struct Stack {
  MatrixOf<S> embedding;                                // (n, d): what the first layer is given
  std::vector<std::shared_ptr<const Layer<S>>> layers;  // null where they are not kept
  MatrixOf<S> final_norm;                               // (n, d); BERT has none
};

// Decoders alone have a `decoder`, BERT has an `encoder`, T5 has both.
template <class S>
struct Trace {
  Stack<S> encoder, decoder;
  MatrixOf<S> logits;  // (n, vocabulary), or (1, vocabulary) of the last token; none without a head
  VectorOf<S> pooled;  // (d): BERT with a pooler
};

// The result just computed, in a callback.
struct Seen {
  enum class What { embedding, layer, final_norm, pooled, logits };
  What what = What::embedding;
  bool encoder = false;  // which stack
  Index layer = 0;       // of `layer`
};

// A head of the model.
struct HeadIndex {
  bool encoder = false, cross = false;
  Index layer = 0, head = 0;
};

}  // namespace core::checkpoint
