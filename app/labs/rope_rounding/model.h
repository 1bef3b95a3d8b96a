// The computation of the lab in stages: rounded tables, their rows and errors, scores, attention.
// Each stage is a pure function of the parameters it names.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/number_format.h"
#include "core/attention/attention.h"
#include "core/position/rotary/rotary_scores.h"
#include "core/precision/rope_errors.h"
#include "core/precision/rope_rounding.h"

namespace lab::rope_rounding {

// --- what the lab of RoPE under rounding can be set to

enum class Carrier { float32, float64 };
enum class Vectors { equal, pair, tokens };
enum class Explained { phase, rows, score, weight };

inline constexpr int kMostPositions = 1 << 20;
inline constexpr int kMostWindow = 128;
inline constexpr int kMostReach = 4096;

// The steps of the computation that may be rounded to the low format.
struct RoundedSteps {
  bool id = false, frequency = false, product = false, table = false;
  bool operator==(const RoundedSteps&) const = default;
};

struct Parameters {
  NumberFormat format;
  NumberRounding rounding;

  RoundedSteps rounded_steps{.id = true};
  bool repair = false;
  Carrier carrier = Carrier::float32;

  int d = 128;
  double base = 10000;
  int length = 8192;

  int query = 8179, key = 8160;
  int pair = 8;
  Explained explained = Explained::phase;
  core::Pool pool = core::Pool::max;

  Vectors vectors = Vectors::equal;
  int seed = 3;
  double sharpness = 1;
  int window = 64;
  int reach = 256;

  bool operator==(const Parameters&) const = default;
};
void describe(Parameters& p, param::List& list);

// With every number inside of its range.
Parameters settled(Parameters p);

// The steps that are rounded in the end: the repair leaves the finished table only.
inline RoundedSteps effective_steps(const Parameters& p) {
  return p.repair ? RoundedSteps{.table = true} : p.rounded_steps;
}

// How the core is told to round these steps.
core::RotaryRounding rounding_of(const Parameters& p, const RoundedSteps& rounded_steps);

// --- the model

// The places are compared over no more positions than these.
inline constexpr Index kMostCompared = 1 << 17;

// Which rows of a table are equal.
struct Rows {
  std::vector<std::int32_t> first;     // of each position: the first one with the same row
  std::vector<std::int32_t> distinct;  // different rows among the first k + 1
  Index count() const { return distinct.empty() ? 0 : distinct.back(); }
};

// A choice of places on its own: each place alone, and all of them.
struct Alone {
  std::string_view id;
  RoundedSteps rounded_steps;
  Rows rows;
  core::AngleErrors errors;
};
inline constexpr std::size_t kAlone = 5;

// |phase error| of one pair over position, as the largest of each stretch.
struct PhaseCurve {
  Index pair = 0;
  std::vector<double> x, y;  // infinite or NaN where an angle is
};

// Scores at distances or positions: exact, rounded, and the error's extremes where a point stands
// for several neighbours.
struct ScoreCurve {
  std::vector<Index> at;
  std::vector<double> exact, rounded, lo, hi;
  Index neighbors = 1;   // positions a point
  bool sampled = false;  // positions between the points are not looked at
  double largest = 0;    // |error|, of the finite ones
  Index missing = 0;     // scores that are not numbers
};

// Attention of the tokens start .. start + n - 1, causal.
struct Window {
  Index start = 0, n = 0;
  core::Attended<double> exact;
  core::Attended<double> rounded;
  double largest = 0;  // change of a weight, of the finite ones
  Index row = 0, col = 0;
  Index missing = 0;  // allowed weights that are not numbers
};

// What one (position, pair) goes through.
struct Entry {
  double position = 0, theta = 0, angle = 0, cosine = 0, sine = 0;  // exact
  double r_position = 0, r_theta = 0;                               // rounded from here on
  double carried_product = 0;  // of the rounded factors, before the format
  double r_angle = 0;
  double carried_cosine = 0, carried_sine = 0;  // of the rounded angle, before the format
  double r_cosine = 0, r_sine = 0;
  double r_hand = 0;  // where the rounded cosine and sine point
  double error() const { return r_hand - angle; }
};

struct Model {
  VectorD theta;
  std::shared_ptr<const core::RotaryRounder> rounder;
  std::shared_ptr<const Rows> rows;
  std::shared_ptr<const core::AngleErrors> errors;
  std::shared_ptr<const std::array<Alone, kAlone>> alone;
  std::array<double, kAlone> alone_change{};  // largest change of a weight in the window
  std::shared_ptr<const std::vector<PhaseCurve>> curves;
  std::shared_ptr<const TileSource> cells;
  std::shared_ptr<const Window> window;
  std::shared_ptr<const ScoreCurve> by_distance, by_position;
  VectorD q, k;               // of the query and key that are picked
  core::RotaryScores scores;  // of these
  double scale = 1;           // of q·k
  Entry entry, key_entry;     // of the picked pair at the query's and at the key's position
  double top = 10;            // of the scales of phase errors

  double exact_score(double distance) const { return scale * core::score_at(scores, distance); }
  // Each pair's part of the scaled score.
  VectorD exact_terms(double distance) const;
  VectorD rounded_terms(double query, double key) const;
  double rounded_score(double query, double key) const { return rounded_terms(query, key).sum(); }
};

Entry entry_of(const Model& model, Index position, Index pair);

Model make_model(const Parameters& p, const Context& context);

// --- attention of a block of tokens far out, exact and under rounding

// The block of `window` tokens that the query lies in, cut at the context's end.
Index window_start(const Parameters& p);
Index window_size(const Parameters& p);

// The query of the token at `position`, (d).
VectorD query_vector(const Parameters& p, Index position);
VectorD key_vector(const Parameters& p, Index position);

core::Attended<double> exact_attention(const Parameters& p);
Window make_window(const Parameters& p, const core::Attended<double>& exact,
                   const core::RotaryRounder& rounder);

}  // namespace lab::rope_rounding
