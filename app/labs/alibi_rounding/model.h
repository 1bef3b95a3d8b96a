// The computation of the lab of rounded ALiBi biases. Each stage is a pure function of the
// parameters it names.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/number_format.h"
#include "core/position/relative/alibi.h"
#include "core/precision/alibi_rounding.h"

namespace lab::alibi_rounding {

using core::AlibiRoundingFacts;

// --- what the lab of rounded ALiBi biases can be set to

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
  Index end() const { return std::min<Index>(length, Index{start} + Index{width}); }
  Index shown() const { return end() - start; }
  // Queries begin `start` after the keys.
  Index pair_distance(Index row, Index col) const { return start + row - col; }
};
void describe(Parameters& p, param::List& list);

// --- the model

// For each head and each of `lengths`, the facts of the first n biases.
struct Curves {
  std::vector<Index> lengths;
  std::vector<std::vector<AlibiRoundingFacts>> heads;
};

// What scores are made of: (tokens, d).
struct Content {
  MatrixD Q, K;
  MatrixD scores;  // q.k / sqrt(d), (tokens, tokens), in double
};

// Where the head's sums differ: exact, rounded and rounded less exact; NaN where the key comes
// after the query.
struct Pairs {
  MatrixD stored_scores;  // after their own rounding
  MatrixD exact, rounded;
  double largest_error = 0;        // the size of finite ones
  Index equal = 0, neighbors = 0;  // neighbouring keys of a row whose sums are equal, of how many
  Index swapped = 0;               // whose order was turned round
  std::shared_ptr<const TileSource> exact_cells, rounded_cells, error_cells;
};

// For the picked query: (heads, tokens), a small whole number for the value of each key's bias or
// sum. Neighbours of one value have one number.
struct Strips {
  std::shared_ptr<const TileSource> sums, biases;
  std::vector<Index> distinct;  // sums a head still tells apart
  Index keys = 0;               // that are not masked
};

struct Model {
  VectorD slopes;
  double slope = 0;  // of the picked head
  core::AlibiRounder rounder;
  std::shared_ptr<const Curves> curves = {};
  std::shared_ptr<const std::vector<AlibiRoundingFacts>> context = {};  // of each head
  std::shared_ptr<const Content> content = {};
  std::shared_ptr<const Pairs> pairs = {};
  std::shared_ptr<const Strips> strips = {};

  const AlibiRoundingFacts& facts(const Parameters& p) const {
    return (*context)[to_size(p.head - 1)];
  }
};

// Score plus bias as a head computes it. The carrier is float32.
struct Sum {
  double score, stored_score;
  double exact_bias, bias;
  double before;  // the sum of both, before it is stored
  double result;
};
class Adder {
 public:
  Adder(const Adding& adding, const core::AlibiRounder& rounder)
      : step_(adding.biases.steps().low, core::kFloat32, adding.biases.steps().rule),
        rounder_(rounder),
        round_score_(adding.score),
        round_sum_(adding.sum) {}
  // distance >= 0; not checked.
  Sum operator()(double score, Index distance) const;

 private:
  core::Carried step_;
  core::AlibiRounder rounder_;
  bool round_score_, round_sum_;
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::alibi_rounding
