// Random matrices for the tests of core/position.
#pragma once

#include "core/random.h"
#include "core/types.h"

namespace draw {

inline core::MatrixD matrix(core::Index rows, core::Index cols, std::uint64_t seed) {
  core::Random random(seed);
  return core::MatrixD::NullaryExpr(rows, cols, [&] { return random.gaussian(); });
}

inline core::VectorD vector(core::Index size, std::uint64_t seed) {
  return matrix(1, size, seed).row(0);
}

}  // namespace draw
