// What the lab of RoPE under rounding can be set to.
#pragma once

#include "app/labs/shared/number_format.h"
#include "core/precision/rope_rounding.h"
#include "core/tile.h"

namespace lab::rope_rounding {

enum class Carrier { float32, float64 };
enum class Vectors { equal, pair, tokens };
enum class Explained { phase, rows, score, weight };

inline constexpr int kMostPositions = 1 << 20;
inline constexpr int kMostWindow = 128;
inline constexpr int kMostReach = 4096;

// The steps of the computation that may be rounded to the low format.
struct Places {
  bool id = false, frequency = false, product = false, table = false;
  bool operator==(const Places&) const = default;
};

struct Parameters {
  NumberFormat format;
  NumberRounding rounding;

  Places places{.id = true};
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
inline Places rounded_places(const Parameters& p) {
  return p.repair ? Places{.table = true} : p.places;
}

// How the core is told to round these steps.
core::RotaryRounding rounding_of(const Parameters& p, const Places& places);

}  // namespace lab::rope_rounding
