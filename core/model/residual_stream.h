// The residual stream of one pass, taken apart: who adds what to it, and to a logit. How this is
// found is each model's own: core/task/inside/inside.h for those trained here,
// core/checkpoint/inside/inside.h for published ones.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace core::model {

// Where the residual stream is looked at: as it begins, behind each part of each layer, or behind a
// whole layer.
struct StreamPoint {
  enum class Kind { placed, attention, feed_forward, layer };
  Kind kind = Kind::placed;
  Index layer = 0;  // not of `placed`
};

// One that adds to the residual stream.
struct StreamPart {
  enum class Kind { token, position, head, attention_bias, feed_forward, feed_forward_bias };
  Kind kind = Kind::token;
  Index layer = 0, head = 0;  // of what has them
  bool operator==(const StreamPart&) const = default;
};

// What each part adds to the stream at one token (Elhage et al. 2021, "A mathematical framework for
// transformer circuits"): the rows add up to the residual behind the last layer. Heads are counted
// without the bias of W^O, the feed-forward network without that of its second matrix.
struct StreamParts {
  std::vector<StreamPart> parts;
  MatrixD vectors;   // (parts, d_model)
  VectorD residual;  // (d_model): as the pass computed it
};

// Parts with what each adds, while they are gathered.
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

// A logit, or the difference of two, as a sum: residual . direction + constant. The last norm's
// scale, and where it has one its mean, are those of the residual as it is: a part alone would be
// normed otherwise.
struct LogitDirection {
  VectorD direction;    // (d_model): gain times output weights, centred, times the scale
  double constant = 0;  // the norm's shift through the output layer, and its bias
  double scale = 1;     // of the norm; 1 without a last one
};

// What one head's share of `direction` comes from, a token each: its weight times what its value
// would give, (tokens). They add up to the head's share.
struct HeadShares {
  VectorD weights;  // of the looking token, (tokens), with the factors of URPE
  MatrixD values;   // (tokens, d_v)
  VectorD read;     // (d_v): W^O direction, what a value is multiplied with
};

}  // namespace core::model
