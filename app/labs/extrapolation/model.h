// The computation of the extrapolation lab: the frequencies of every method, how far they turn, and
// scores over distance; measured.h has what trained models do. Each stage is a pure function of the
// parameters it names.
#pragma once

#include "app/labs/shared/parts.h"
#include "core/enum_array.h"
#include "core/position/relative/alibi.h"
#include "core/position/rotary/rotary_angle_tile.h"
#include "core/position/rotary/rotary_scaling.h"
#include "core/position/rotary/rotary_scores.h"

namespace lab::extrapolation {

// --- what the extrapolation lab can be set to

enum class View { angles, measured };
enum class Method { none, interpolation, ntk, dynamic, yarn, alibi };
enum class Stretch { context, fixed };
enum class YarnForm { paper, code };
enum class Attention { formula, fixed, off };
enum class Vectors { ones, random };
enum class Explained { angle, wavelength, ramp, score, cell, bias };
enum class Quantity { wavelength, frequency };
enum class DistanceAxis { log, linear };

// What is measured: whose held-out texts are read, and by whom. Readers are six models that differ
// in their positions alone, and the one with RoPE rotated in four other ways.
enum class HeldOut { bible, definitions, jargon, devil };
enum class Readers { all, schemes, scaling };
enum class Reader {
  sinusoidal,
  learned,
  t5,
  alibi,
  rotary,
  none,
  interpolation,
  ntk,
  dynamic,
  yarn
};
enum class Losses { at, up_to };

inline constexpr int kMethods = core::kEnumerators<Method>;
inline constexpr int kShortest = 16;
inline constexpr int kLongest = 1048576;

// How the query and the key are drawn.
struct VectorKnobs {
  Vectors vectors = Vectors::ones;
  double likeness = 0.9;
  int seed = 3;

  bool operator==(const VectorKnobs&) const = default;
};

struct LossKnobs {
  HeldOut held_out = HeldOut::bible;
  int texts = 16;
  int times = 8;  // the trained length
  Readers readers = Readers::all;
  Losses losses = Losses::at;
  Reader reader = Reader::alibi;
  int place = 500;
  int text = 1;  // counts from 1

  bool operator==(const LossKnobs&) const = default;
};
// Tokens of a text that the six models were trained on.
inline constexpr int kTrainedTokens = 64;

struct Parameters : VectorKnobs, LossKnobs {
  View view = View::angles;
  bool measured() const { return view == View::measured; }

  Method method = Method::yarn;
  Stretch stretch = Stretch::context;
  double s = 8;

  int trained = 4096;
  int length = 32768;

  double base = 10000;
  int d = 128;

  core::DynamicNtk dynamic = core::DynamicNtk::factor;

  YarnForm yarn = YarnForm::paper;
  double alpha = 1, beta = 32;
  Attention attention = Attention::formula;
  double attention_factor = 1.2;

  int heads = 8;
  core::AlibiSlopeRule slopes = core::AlibiSlopeRule::released;
  int head = 4;  // 1 to heads, as people count them

  int pair = 46;
  int distance = 20000;
  Explained explained = Explained::angle;

  Quantity quantity = Quantity::wavelength;
  core::AngleQuantity cells = core::AngleQuantity::cosine;
  core::Pool pool = core::Pool::mean;
  DistanceAxis distance_axis = DistanceAxis::log;

  bool on_log() const { return distance_axis == DistanceAxis::log; }
};
void describe(Parameters& p, param::List& list);

// --- the model

// The methods that rotate come first; ALiBi does not.
inline constexpr int kRotating = 5;

// One method's frequencies for the context as it is.
struct Rotation {
  double base = 0;   // after NTK-aware or dynamic scaling
  VectorD theta;     // theta'_i, radians per position
  VectorD turns;     // n theta'_i / 2 pi, within the context
  Index unseen = 0;  // pairs that reach angles beyond all that they saw
};

// Logits over distance: each x stands for a stretch of consecutive distances with the true extremes
// over all of them.
struct Curve {
  std::vector<double> x, lo, hi;
  Index longest = 1;  // stretch, in distances
};

struct Model {
  double s = 1;
  VectorD theta;          // untouched
  VectorD trained_turns;  // L theta_i / 2 pi; r_i in YaRN's paper
  std::array<Rotation, kRotating> rotations;
  VectorD ramp, other_ramp;     // of the chosen form, and of the other
  double attention_factor = 1;  // YaRN's √(1/t)
  VectorD slopes;               // of the heads
  VectorD q, k;
  std::array<core::RotaryScores, kRotating> scores;  // logits: scaled by 1/√d, and by YaRN's factor
  double content = 0;                                // q.k / √d
  std::array<std::shared_ptr<const Curve>, kMethods> curves;
  std::shared_ptr<const TileSource> cells;

  const Rotation& rotation(Method method) const { return rotations[to_size(method)]; }
  double slope(const Parameters& p) const { return slopes(p.head - 1); }
  // A method's logit at a distance.
  double logit(const Parameters& p, Method method, double distance) const;
};

// Beyond what training covered: a pair that finished a whole turn has seen every angle. The windows
// themselves are compared, L theta and n theta', so that dividing all by n / L is just enough.
bool reaches_unseen(double turns, double trained_turns);

std::string_view method_id(Method method);

// YaRN's for a stretch s.
double attention_factor_of(const Parameters& p, double s);
// RoPE's scaling with the knobs' ramp.
core::RotaryScaling scaling_of(const Parameters& p, const core::RotaryScaling& rotary);

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::extrapolation
