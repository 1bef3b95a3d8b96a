// What the extrapolation lab can be set to.
#pragma once

#include "app/param/param.h"
#include "core/position/alibi.h"
#include "core/position/rotary_angle_tile.h"
#include "core/position/rotary_scaling.h"
#include "core/tile.h"

namespace lab::extrapolation {

enum class Method { none, interpolation, ntk, dynamic, yarn, alibi };
enum class Stretch { context, fixed };
enum class YarnForm { paper, code };
enum class Attention { formula, fixed, off };
enum class Vectors { ones, random };
enum class Explained { angle, wavelength, ramp, score, cell, bias };
enum class Quantity { wavelength, frequency };
enum class DistanceAxis { log, linear };

inline constexpr int kMethods = 6;
inline constexpr int kShortest = 16;
inline constexpr int kLongest = 1048576;

// How the query and the key are drawn.
struct VectorKnobs {
  Vectors vectors = Vectors::ones;
  double likeness = 0.9;
  int seed = 3;

  bool operator==(const VectorKnobs&) const = default;
};

struct Parameters : VectorKnobs {
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

}  // namespace lab::extrapolation
