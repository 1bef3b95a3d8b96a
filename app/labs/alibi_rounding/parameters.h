// What the lab of rounded ALiBi biases can be set to.
#pragma once

#include <algorithm>

#include "app/labs/shared/number_format.h"
#include "core/position/alibi.h"
#include "core/precision/alibi_rounding.h"
#include "core/tile.h"

namespace lab::alibi_rounding {

enum class Vertical { bias, error };
enum class Explained { bias, score, count };

inline constexpr int kShortest = 16;
inline constexpr int kLongest = 1 << 20;
inline constexpr int kMostHeads = 32;
inline constexpr int kMostTokens = 256;

// How biases are rounded, and which of the numbers that they are made of.
struct BiasRounding {
  NumberFormat format = {};
  NumberRounding rounding = {};
  core::Overflow overflow = core::Overflow::ieee;
  bool slope = false, distance = false, bias = true;
  bool operator==(const BiasRounding&) const = default;

  core::AlibiRounding steps() const {
    return {.low = format_of(format),
            .rule = {rounding.rounding, overflow},
            .carrier = core::kFloat32,
            .slope = slope,
            .distance = distance,
            .bias = bias};
  }
};
// And which of score plus bias.
struct Adding {
  BiasRounding biases;
  bool score = true, sum = true;
  bool operator==(const Adding&) const = default;
};

struct Parameters {
  NumberFormat format = {};
  NumberRounding rounding = {};
  core::Overflow overflow = core::Overflow::ieee;
  bool round_slope = false, round_distance = false, round_bias = true;
  bool round_score = true, round_sum = true;

  int heads = 8;
  core::AlibiSlopeRule slopes = core::AlibiSlopeRule::released;
  int head = 4;  // 1 to heads, as people count them
  int length = 4096;

  int start = 500, width = 64;

  int tokens = 32, width_of_head = 16;
  double spread = 1;
  int seed = 1;

  int distance = 522;
  int query = 12, key = 9;
  Explained explained = Explained::bias;

  Vertical vertical = Vertical::bias;
  core::Pool pool = core::Pool::max;

  Adding adding() const {
    return {{format, rounding, overflow, round_slope, round_distance, round_bias},
            round_score,
            round_sum};
  }
  core::AlibiRounding steps() const { return adding().biases.steps(); }
  // Distances of the window: start .. end() - 1.
  core::Index end() const {
    return std::min<core::Index>(length, core::Index{start} + core::Index{width});
  }
  core::Index shown() const { return end() - start; }
  // Queries begin `start` after the keys.
  core::Index pair_distance(core::Index row, core::Index col) const { return start + row - col; }
};

void describe(Parameters& p, param::List& list);

}  // namespace lab::alibi_rounding
