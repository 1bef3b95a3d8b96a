// Where the weights of all heads of a pass lie, on average over a text.
#pragma once

#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/heads/statistics.h"

namespace core::checkpoint {

// Cross-attention joins two texts: of it distance, diagonal and previous mean nothing.
struct HeadStatistics : heads::HeadStatistics {
  // Causal heads, over the tokens that occurred before: the weight on their earlier positions, and
  // on the tokens behind those (core::task::HeadScores).
  double duplicate = 0, induction = 0;
};
using AllStatistics = std::vector<std::vector<HeadStatistics>>;  // [layer][head]

// The encoder's heads, the decoder's on the encoder (`cross`), or the decoder's own, which
// are causal. `ids`: what the decoder reads. A layer that was not kept has none.
struct WhichHeads {
  bool encoder = false, cross = false;
  bool operator==(const WhichHeads&) const = default;
};
AllStatistics head_statistics(const Trace<float>& trace, const WhichHeads& which,
                              const PositionFacts& positions, const std::vector<std::int32_t>& ids,
                              int threads = 0, const Cancel& cancel = {});

}  // namespace core::checkpoint
