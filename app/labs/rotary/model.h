// The computation of the rotary lab in stages: the text's attention, q and k, their scores over
// distance, the bound. Each stage is a pure function of the parameters it names.
#pragma once

#include <cstdlib>

#include "app/labs/shared/parts.h"
#include "app/labs/shared/sequence.h"
#include "core/attention/attention.h"
#include "core/position/rotary/rotary.h"
#include "core/position/rotary/rotary_scores.h"
#include "core/position/rotary/xpos.h"

namespace lab::rotary {

// --- what the rotary lab can be set to

enum class Vectors { random, equal, text };
enum class Variant { rope, xpos };  // what the knob of schemes offers
enum class Explained { dial, score, bound, xpos, weight };

inline constexpr int kLastPosition = 1000000;
inline constexpr int kMostTokens = 256;
inline constexpr int kHeads = 8;
inline constexpr int kModelWidth = 64;

// Which columns of q and k turn, and how fast; `seed` draws them.
struct RotationKnobs {
  int d = 16;
  int seed = 3;
  double base = 10000;
  core::RotaryPairing pairing = core::RotaryPairing::neighbors;
  bool partial = false;
  int rotated = 4;

  bool operator==(const RotationKnobs&) const = default;
  // How many columns turn: all of them, or the first `rotated`.
  int rotated_width() const { return partial ? std::min(rotated, d) : d; }
};

struct XposKnobs {
  double gamma = 0.4;
  double scale_base = 512;

  bool operator==(const XposKnobs&) const = default;
  core::XposOptions options() const { return {.gamma = gamma, .scale_base = scale_base}; }
};

struct TextKnobs {
  std::string text{kSampleText};
  core::Unit unit = core::Unit::words;
  int head = 3;  // 1 to kHeads, as people count them
  bool causal = true;
  Variant text_variant = Variant::rope;

  bool operator==(const TextKnobs&) const = default;
};

struct Parameters : RotationKnobs, XposKnobs, TextKnobs {
  int m = 37, n = 25;
  int moved_to = 0;  // 0: they stay where they are
  int reach = 128;

  Vectors vectors = Vectors::random;
  int draws = 16;
  int query = 12;
  int key = 2;

  int pair = 3;
  Explained explained = Explained::score;
  core::Pool pool = core::Pool::max;

  TokenCount counted;  // no parameter: of `text`
};
void describe(Parameters& p, param::List& list);

// With every number inside of its range.
Parameters settled(Parameters p);

// --- the model

// The largest distance of the decay figure.
inline constexpr Index kMostDecay = 4096;

// One head's attention to the text, without position and with it. No token: n = 0.
struct TextModel {
  Labels labels;
  bool cut = false;
  MatrixD Q, K;                          // (n, d), before any turn
  MatrixD rotated_Q, rotated_K;          // (n, d)
  core::Attended<double> none, rotated;  // of (Q, K) and of the turned ones
  Index n() const { return Q.rows(); }
};

// Two columns that turn together, or that stand still side by side.
struct Pair {
  Index a = 0, b = 0;
  bool rotates = true;
  double theta = 0;  // radians a position; 0 when it stands still
  double q_a, q_b, k_a, k_b;
  double q_size, k_size;
  double q_angle, k_angle;  // radians, before any turn
  // |q_i| |k_i| cos(the angle from the query's hand to the key's at this distance, n - m).
  double term(double distance) const;
};

// A curve over all whole distances from -reach to reach; beyond a few thousand of them each x
// stands for a stretch with its true extremes.
struct Curve {
  std::vector<double> x, lo, hi;  // lo = hi where every distance has a point of its own
  Index stretch = 1;              // distances a point
  double lowest = 0, highest = 0;
};

// Sizes of scores over distance 0, 1, ..., as shares of the bound's factor (d/2) max |h_{i+1}-h_i|.
struct Decay {
  VectorD bound;          // (1 / (r/2)) sum_j |S_j|, of the frequencies alone
  VectorD own;            // |score| of the q and k at hand, the key on its own side of the query
  VectorD mean, largest;  // root mean square and largest of the random pairs
  double factor = 1;      // of the q and k at hand; 0 when their h is constant 0
};

// xPos beside RoPE, the key 0, 1, ... before the query.
struct XposCurves {
  VectorD rope, xpos;
  VectorD zeta;  // (pairs)
};

// The score computed from turned vectors, the pair standing at one place after the other.
struct Moved {
  std::vector<double> places, scores;  // where the earlier of the two stands
  Index own_place = 0;                 // `moved_to`, or where the earlier one stands
  double own = 0;                      // the score there
  double deviation = 0;                // the largest from the score by distance
  double float_deviation = 0;          // the same with tables and vectors rounded to float
};

// q and k, and what turns them.
struct RotatedVectors {
  VectorD q, k, theta;
  core::RotaryScores scores;  // over m - n, as core counts
  std::vector<Pair> pairs;    // all d/2 of them
};

struct Model : RotatedVectors {
  std::shared_ptr<const TextModel> text;
  bool no_text = false;  // q and k of the text were asked for, and there is none
  core::RotaryScores xpos;
  Index distance = 0;        // key minus query, n - m
  Index earlier = 0;         // min(m, n)
  Index places = 0;          // positions 0 .. places are shown
  Index distances = 0;       // distances up to this are shown
  double score = 0;          // at `distance`
  double rotated = 0;        // the same from the vectors as they are turned by m and n
  double other_pairing = 0;  // the score under the other pairing
  Moved moved;
  std::shared_ptr<const Curve> curve;
  std::shared_ptr<const Decay> decay;
  std::shared_ptr<const XposCurves> xpos_curves;
  std::shared_ptr<const TileSource> every;
  double every_largest = 0;  // the largest |score| of all places shown

  const Pair& chosen(const Parameters& p) const { return pairs.at(to_size(p.pair)); }
  Index size_of_distance() const { return std::abs(distance); }
  // The key stands after the query, where a causal mask hides it.
  bool ahead() const { return distance > 0; }
  double score_at(Index at) const { return core::score_at(scores, -to_double(at)); }
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::rotary
