// The knobs of the lab.
#pragma once

#include "app/labs/shared/drawing/long_table.h"
#include "app/labs/shared/sequence.h"
#include "core/position/learned/complex_order.h"
#include "core/position/learned/floater.h"
#include "core/position/learned/learned.h"
#include "core/position/learned/learned_fit.h"
#include "core/position/learned/moved_tokens.h"
#include "core/position/table/row_pairs.h"
#include "core/position/table/separation.h"

namespace lab::absolute {

using Source = std::shared_ptr<const TileSource>;
using core::Joining, core::Permutation;
using Term = core::AbsoluteTerm;

// What the knob offers: schemes of core's table, and the grid, a variant of one.
enum class Variant { sinusoidal, grid, learned, floater, complex };
enum class Course { sinusoidal, network };
enum class Show { curves, shift, similarity, collisions, scores, order };
enum class Projection { identity, tied, random };
enum class Explain { cell, shift, similarity, distance, score, order };

inline constexpr int kMostPositions = 1000000;  // of the sinusoidal table
inline constexpr int kMostRows = 512;           // of tables that are kept
inline constexpr int kMostLearned = 256;        // rows of a learned table
inline constexpr int kMostWidth = 1024;
inline constexpr int kMostKeptWidth = 128;  // of tables that are learned or integrated
inline constexpr int kMostSide = 32;        // of the grid
inline constexpr int kMostTokens = 24;      // whose scores are drawn

struct Waves {
  int length = 100;
  int width = 64;
  double base = 10000;
  bool operator==(const Waves&) const = default;
};

struct Learning {
  int rows = 64;
  int seen = 48;
  int steps = 200;
  double reach = 4;
  bool operator==(const Learning&) const = default;
};

struct Integration {
  Course course = Course::sinusoidal;
  core::Integrator integrator = core::Integrator::rk4;
  int substeps = 1;
  core::DerivativeFactor factor = core::DerivativeFactor::frequency;
  bool operator==(const Integration&) const = default;
};

// What the table of positions is made of.
struct Encoding : Waves, Learning, Integration {
  Variant variant = Variant::sinusoidal;
  core::SinusoidalLayout layout = core::SinusoidalLayout::interleaved;
  core::FrequencyRule rule = core::FrequencyRule::paper;
  int grid_height = 8, grid_width = 12;
  core::AxisOrder axis_order = core::AxisOrder::width_first;
  core::AxisExponent exponent = core::AxisExponent::half_width;
  core::BeyondTable beyond = core::BeyondTable::refuse;
  double amplitude_spread = 0.3, frequency_spread = 0.2, phase_spread = 0.5;
  std::string text{kSampleText};
  int seed = 1;

  core::WordSpread spread() const { return {amplitude_spread, frequency_spread, phase_spread}; }
  bool grid() const { return variant == Variant::grid; }
  // The length, or the places of the grid.
  int positions() const { return grid() ? grid_height * grid_width : length; }
  bool operator==(const Encoding&) const = default;
};

// How words and positions come together in a score.
struct Mix {
  Joining combine = Joining::added;
  Projection projection = Projection::tied;
  double position_scale = 1;
  bool operator==(const Mix&) const = default;
};

struct Parameters : Encoding, Mix {
  Show show = Show::curves;
  int window = 100;
  int offset = 5;
  int lag = 6;
  double threshold = 0.1;
  Permutation permutation = Permutation::reverse;
  bool with_position = true;

  Explain explain = Explain::cell;
  int position = 37, column = 12;
  int grid_y = 3, grid_x = 5;
  int map_row = 12, map_column = 13;
  int other = 31, other_y = 6, other_x = 8;
  int query = 12, key = 2;
  Term term = Term::position_position;

  core::Pool pool = core::Pool::max;
};
void describe(Parameters& p, param::List& list);

}  // namespace lab::absolute
