#include "core/heads/saved_by_mistake.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.h"

namespace core::heads {
namespace {

constexpr Index kPadding = 4;  // tokens
constexpr double kDropout = 0.1;

// As a module in training gives them: of the weights that are left each is divided by 1 - p.
void drop_some(std::vector<float>& weights) {
  Random random(17);
  for (float& weight : weights) {
    weight = random.uniform() < kDropout ? 0 : static_cast<float>(weight / (1 - kDropout));
  }
}

// Tokens at the front are padding: nobody sees them, and their own rows, of which nothing is left,
// are 0 / 0.
void pad_front(std::vector<float>& weights, Index n) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t begin = 0; begin < weights.size(); begin += static_cast<std::size_t>(n)) {
    const Index query = static_cast<Index>(begin / static_cast<std::size_t>(n)) % n;
    float* const row = weights.data() + begin;
    std::fill(row, row + kPadding, 0.0F);
    const float sum = std::accumulate(row, row + n, 0.0F);
    for (Index j = 0; j < n; ++j) row[j] = query < kPadding ? nan : row[j] / sum;
  }
}

// The logarithm of a weight is its score but for what is the same in the whole row.
void undo_softmax(std::vector<float>& weights) {
  for (float& weight : weights) weight = std::log(std::max(weight, 1e-9F));
}

}  // namespace

NumberArray saved_by_mistake(const NumberArray& sound) {
  const Index layers = sound.shape[0], heads = sound.shape[1], n = sound.shape[2];
  const auto block = static_cast<std::ptrdiff_t>(heads * n * n);
  NumberArray all{"attention", {layers, 4, heads, n, n}};
  for (Index layer = 0; layer < layers; ++layer) {
    const auto begin = sound.values.begin() + layer * block;
    for (int how = 0; how < 4; ++how) {
      std::vector<float> weights(begin, begin + block);
      if (how == 1) drop_some(weights);
      if (how == 2) pad_front(weights, n);
      if (how == 3) undo_softmax(weights);
      all.add(weights.data(), block);
    }
  }
  return all;
}

}  // namespace core::heads
