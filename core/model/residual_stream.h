// The residual stream of one pass as a sum: what each part adds to it, and to a logit. Each model
// computes this itself: core/task/inside/inside.h for those trained here,
// core/checkpoint/inside/inside.h for published ones.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace core::model {

// A point of the residual stream: where it begins, after a part of a layer, or after a whole layer.
struct StreamPoint {
  enum class Kind { placed, attention, feed_forward, layer };
  Kind kind = Kind::placed;
  Index layer = 0;  // unused at `placed`
};

// A part that adds to the residual stream.
struct StreamPart {
  enum class Kind { token, position, head, attention_bias, feed_forward, feed_forward_bias };
  Kind kind = Kind::token;
  Index layer = 0, head = 0;  // where the part has them
  bool operator==(const StreamPart&) const = default;
};

// What each part adds to the stream at one token (Elhage et al. 2021, "A mathematical framework for
// transformer circuits"); the rows add up to the residual after the last layer. Heads come without
// the bias of W^O, the feed-forward network without that of its second matrix.
struct StreamParts {
  std::vector<StreamPart> parts;
  MatrixD vectors;   // (parts, d_model)
  VectorD residual;  // (d_model), as the pass computed it
};

// Collects parts and what each adds.
class StreamGathering {
 public:
  void add(const StreamPart& part, VectorD vector) {
    parts_.push_back(part);
    vectors_.push_back(std::move(vector));
  }
  StreamParts finish(VectorD residual) {
    StreamParts out{std::move(parts_), {}, std::move(residual)};
    out.vectors.resize(static_cast<Index>(vectors_.size()), out.residual.size());
    for (std::size_t k = 0; k < vectors_.size(); ++k) {
      out.vectors.row(static_cast<Index>(k)) = vectors_[k].transpose();
    }
    return out;
  }

 private:
  std::vector<StreamPart> parts_;
  std::vector<VectorD> vectors_;
};

// A logit, or the difference of two, as a linear function of the residual: residual . direction +
// constant. The scale of the last norm, and its mean where it has one, are those of the whole
// residual; a part alone would have others.
struct LogitDirection {
  VectorD direction;    // (d_model): gain times output weights, centered, times the scale
  double constant = 0;  // the norm's shift through the output layer, and its bias
  double scale = 1;     // of the last norm; 1 without one
};

// One head's share of `direction`, by token, (tokens): the token's weight times what its value
// would give. They add up to the head's share.
struct HeadShares {
  VectorD weights;  // weights of the query, (tokens), with URPE's factors
  MatrixD values;   // (tokens, d_v)
  VectorD read;     // (d_v): W^O direction, by which a value is multiplied
};

}  // namespace core::model
