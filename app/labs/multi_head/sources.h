// Tiles of scores and weights that are computed when they are looked at.
#pragma once

#include <memory>

#include "app/labs/multi_head/model.h"

namespace lab::multi_head {

// Which matrix of a head is meant.
enum class Quantity {
  score,   // q.k of every pair, masked or not
  scaled,  // what enters the softmax
  weight,
};

// A source for one head; small score matrices and kept weights are held, all else is computed.
std::shared_ptr<const figure::TileSource> make_source(std::shared_ptr<const Heads> heads,
                                                      Index head, Quantity quantity);

}  // namespace lab::multi_head
