#include "core/model/learning/parts.h"

#include <algorithm>

#include "core/model/layer/vectors.h"

namespace core::model {
namespace {

// Numbers added up by one thread at a time.
constexpr Index kRange = 16384;

}  // namespace

void Parts::prepare(Index size, Index parts) {
  while (static_cast<Index>(parts_.size()) < parts) parts_.push_back(std::make_unique<One>());
  for (const auto& part : parts_) part->gradients.resize(static_cast<std::size_t>(size));
}

Parts::Sum Parts::add_up(Index parts, int threads) {
  Sum sum = parts_.front()->sum;
  for (Index k = 1; k < parts; ++k) {
    const Sum& other = parts_[static_cast<std::size_t>(k)]->sum;
    sum.loss += other.loss;
    sum.hits += other.hits;
  }
  std::vector<float>& total = parts_.front()->gradients;
  const auto size = static_cast<Index>(total.size());
  const Index ranges = ceil_div(size, kRange);
  parallel_for(ranges, ranges > 2 ? threads : 1, [&](Index range, int) {
    const Index first = range * kRange, count = std::min(kRange, size - first);
    for (Index k = 1; k < parts; ++k) {
      add(parts_[static_cast<std::size_t>(k)]->gradients.data() + first, count,
          total.data() + first);
    }
  });
  return sum;
}

}  // namespace core::model
