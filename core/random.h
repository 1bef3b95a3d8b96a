// Random numbers that are the same on every machine: integers all the way, no std distributions and
// no libm. For drawing and teaching, not for cryptography.
#pragma once

#include <cstdint>
#include <string_view>

namespace core {

// The finaliser of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
// generators", section 5, constants of Stafford's variant 13): a bijection of 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A seed for one of many independent streams of one seed.
constexpr std::uint64_t stream_seed(std::uint64_t seed, std::uint64_t stream) {
  return mix64(mix64(seed + 0x9e3779b97f4a7c15u) ^ (stream * 0xd1342543de82ef95u));
}

// FNV-1a over the bytes, then mix64.
constexpr std::uint64_t hash64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return mix64(hash);
}

// SplitMix64: the k-th number is mix64(seed + k * 0x9e3779b97f4a7c15), k = 1, 2, ...
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    return mix64(state_);
  }
  // In [0, 1), a multiple of 2^-53.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // In [0, count); count >= 1. Lemire's multiplication; its bias is below count / 2^32.
  constexpr std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32);
  }
  // Mean 0 and variance 1: the sum of twelve uniform numbers of 16 bits (Irwin and Hall), which
  // differs from the normal distribution by less than 0.003 in its distribution function and never
  // leaves (-6, 6). A sum of integers is exact, and so the same everywhere, where logarithms and
  // cosines of different libraries are not.
  constexpr double gaussian() {
    std::int64_t sum = 0;
    for (int word = 0; word < 3; ++word) {
      for (std::uint64_t bits = next(), k = 0; k < 4; ++k, bits >>= 16) {
        sum += static_cast<std::int64_t>(bits & 0xffffu);
      }
    }
    // Each uniform is (u + 1/2) / 2^16 with mean 1/2 and variance (1 - 2^-32) / 12.
    return static_cast<double>(2 * sum + 12 - 12 * 65536) * 0x1p-17;
  }

 private:
  std::uint64_t state_;
};

}  // namespace core
