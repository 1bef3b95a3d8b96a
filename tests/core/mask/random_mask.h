// Masks to test laws on: bits, windows, strides and blocks mixed, from a seed.
#pragma once

#include <random>

#include "core/mask/patterns/patterns.h"

namespace random_mask {

using core::Index;

inline core::BoolMatrix bits(Index n, Index m, std::mt19937& engine) {
  const unsigned percent = std::array{5u, 30u, 70u, 95u}[engine() % 4];
  core::BoolMatrix bits(n, m);
  for (Index k = 0; k < bits.size(); ++k) bits.data()[k] = engine() % 100 < percent;
  return bits;
}

// n x n of any kind: structured ones keep their long runs.
inline core::SparseMask any(Index n, std::mt19937& engine) {
  const auto causal = engine() % 2 == 0 ? core::Causal::yes : core::Causal::no;
  const Index k = 1 + engine() % 9;
  switch (engine() % 7) {
    case 0: return core::pattern::atrous(n, k, causal);
    case 1: return core::pattern::local(n, k, causal);
    case 2: return core::pattern::local_and_atrous(n, k, causal);
    case 3: return core::pattern::dilated(n, 1 + static_cast<Index>(engine() % 5), k, causal);
    case 4:
      return core::pattern::fixed_merged(
          n, k, 1 + static_cast<Index>(engine() % static_cast<std::uint64_t>(k)));
    case 5: return core::pattern::bigbird(n, {k, {0}}, 3, engine());
    default: return core::SparseMask::from(core::Mask::dense(bits(n, n, engine)));
  }
}

// How many runs a mask is written as.
inline Index runs(const core::SparseMask& mask) {
  Index sum = 0;
  for (Index i = 0; i < mask.rows(); ++i) sum += static_cast<Index>(mask.row(i).size());
  return sum;
}

}  // namespace random_mask
