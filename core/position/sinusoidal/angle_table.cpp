#include "core/position/sinusoidal/angle_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "core/position/checks.h"

namespace core {
namespace {

constexpr Index kAngleBlock = 32;   // rows that share one outer angle; a power of two
constexpr Index kBlocksAtOnce = 8;  // blocks that one thread takes at a time
constexpr Index kMostPositions = Index{1} << 52;

// Sines and cosines of one position under every frequency.
struct Angles {
  VectorD sine, cosine;
};

void add_angles(Angles& a, const Angles& b) {
  for (Index i = 0; i < a.sine.size(); ++i) {
    const double sine = a.sine(i) * b.cosine(i) + a.cosine(i) * b.sine(i);
    a.cosine(i) = a.cosine(i) * b.cosine(i) - a.sine(i) * b.sine(i);
    a.sine(i) = sine;
  }
}

// The positions 1, 2, 4, ... below `end`.
std::vector<Angles> powers_of_two(const VectorD& theta, Index end) {
  std::vector<Angles> powers;
  for (Index p = 1; p < end; p *= 2) {
    Angles power{VectorD(theta.size()), VectorD(theta.size())};
    for (Index i = 0; i < theta.size(); ++i) {
      const double angle = static_cast<double>(p) * theta(i);
      power.sine(i) = std::sin(angle);
      power.cosine(i) = std::cos(angle);
    }
    powers.push_back(std::move(power));
  }
  return powers;
}

Angles angles_of(Index position, const std::vector<Angles>& powers, Index pairs) {
  Angles sum{VectorD::Zero(pairs), VectorD::Ones(pairs)};
  for (size_t bit = 0; bit < powers.size(); ++bit) {
    if ((position >> bit) & 1) add_angles(sum, powers[bit]);
  }
  return sum;
}

// One row: the sum of an outer and an inner angle, rounded to float.
void round_apart(const Angles& outer, const Angles& inner, float* __restrict sine,
                 float* __restrict cosine) {
  const double* __restrict sa = outer.sine.data();
  const double* __restrict ca = outer.cosine.data();
  const double* __restrict sb = inner.sine.data();
  const double* __restrict cb = inner.cosine.data();
  for (Index i = 0; i < outer.sine.size(); ++i) {
    sine[i] = static_cast<float>(sa[i] * cb[i] + ca[i] * sb[i]);
    cosine[i] = static_cast<float>(ca[i] * cb[i] - sa[i] * sb[i]);
  }
}

void round_alternating(const Angles& outer, const Angles& inner, float* __restrict pairs) {
  const double* __restrict sa = outer.sine.data();
  const double* __restrict ca = outer.cosine.data();
  const double* __restrict sb = inner.sine.data();
  const double* __restrict cb = inner.cosine.data();
  for (Index i = 0; i < outer.sine.size(); ++i) {
    pairs[2 * i] = static_cast<float>(sa[i] * cb[i] + ca[i] * sb[i]);
    pairs[2 * i + 1] = static_cast<float>(ca[i] * cb[i] - sa[i] * sb[i]);
  }
}

}  // namespace

void fill_angle_table(const VectorD& theta, Index first, Index n, const AngleTarget& target,
                      int threads) {
  const char* where = "fill_angle_table";
  position::require_at_least(where, "a first position", 0, first);
  position::require_at_least(where, "a number of positions", 0, n);
  if (first > kMostPositions - n) refuse(where, "positions below 2^52", std::to_string(first));
  if (target.step != 1 && target.step != 2) {
    refuse(where, "a step of 1 or 2", std::to_string(target.step));
  }
  if (n == 0) return;
  const std::vector<Angles> powers = powers_of_two(theta, first + n);
  std::vector<Angles> inner;
  for (Index b = 0; b < std::min(kAngleBlock, first + n); ++b) {
    inner.push_back(angles_of(b, powers, theta.size()));
  }
  const Index first_block = first / kAngleBlock;
  const Index blocks = (first + n - 1) / kAngleBlock - first_block + 1;
  parallel_for((blocks + kBlocksAtOnce - 1) / kBlocksAtOnce, threads, [&](Index share, int) {
    const Index begin = share * kBlocksAtOnce;
    for (Index block = begin; block < std::min(blocks, begin + kBlocksAtOnce); ++block) {
      const Index start = (first_block + block) * kAngleBlock;
      const Angles outer = angles_of(start, powers, theta.size());
      for (Index p = std::max(start, first); p < std::min(start + kAngleBlock, first + n); ++p) {
        const Angles& rest = inner[static_cast<size_t>(p - start)];
        const Index at = (p - first) * target.stride;
        if (target.step == 1) {
          round_apart(outer, rest, target.sine + at, target.cosine + at);
        } else {
          round_alternating(outer, rest, target.sine + at);
        }
      }
    }
  });
}

}  // namespace core
