#include "core/position/rotary/rotary_angle_tile.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/position/checks.h"

namespace core {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
// Consecutive cosines follow by one complex product for each position, restarted from the library
// after so many steps: an error of about 1e-16 a step stays below float's precision.
constexpr Index kSteps = 1024;

void check(const char* where, const RotaryAngles& angles) {
  position::require_at_least(where, "a number of frequencies", 1, angles.theta.size());
  position::require_shape(where, "trained turns", angles.trained_turns, angles.theta.size(), 1);
}

void check(const RotaryAngles& angles, const RotaryAngleTile& tile) {
  const char* where = "rotary_angle_tile";
  check(where, angles);
  position::require_at_least(where, "a number of positions", 0, tile.n);
  for (const int level : {tile.row_level, tile.col_level}) {
    if (level < 0 || level > 30) refuse(where, "a level from 0 to 30", std::to_string(level));
  }
  const Region& r = tile.region;
  const auto pooled = [](Index cells, int level) {
    return (cells + (Index{1} << level) - 1) >> level;
  };
  const Index rows = pooled(tile.n, tile.row_level);
  const Index cols = pooled(angles.theta.size(), tile.col_level);
  position::require_at_least(where, "a region's corner and size", 0,
                             std::min({r.row, r.col, r.rows, r.cols}));
  if (r.row + r.rows > rows || r.col + r.cols > cols) {
    refuse(where, "a region inside " + shape_text(rows, cols) + " cells",
           "one that ends at " + shape_text(r.row + r.rows, r.col + r.cols));
  }
}

double part_of_turn(double turns) { return turns - std::floor(turns); }

// Pooled cells of one pair over a span of positions.
struct Pooled {
  double sum = 0, largest = 0;
  void take(double value) {
    sum += value;
    if (std::abs(value) > std::abs(largest)) largest = value;
  }
};

Pooled pooled_cosines(double theta, CellSpan positions) {
  Pooled pooled;
  const double step_cos = std::cos(theta), step_sin = std::sin(theta);
  double cosine = 0, sine = 0;
  for (Index p = positions.begin; p < positions.end; ++p) {
    if ((p - positions.begin) % kSteps == 0) {
      cosine = std::cos(static_cast<double>(p) * theta);
      sine = std::sin(static_cast<double>(p) * theta);
    }
    pooled.take(cosine);
    const double next = cosine * step_cos - sine * step_sin;
    sine = sine * step_cos + cosine * step_sin;
    cosine = next;
  }
  return pooled;
}

Pooled pooled_angles(double theta, double trained, bool unseen, CellSpan positions) {
  Pooled pooled;
  if (unseen && trained >= 1) return pooled;
  for (Index p = positions.begin; p < positions.end; ++p) {
    const double part = part_of_turn(static_cast<double>(p) * theta / kTurn);
    pooled.take(unseen ? static_cast<double>(part > trained) : part);
  }
  return pooled;
}

double mean_cosine(double theta, CellSpan positions) {
  // sin(theta / 2) is 0 for theta = 0 only: no other double is a multiple of 2 pi.
  const double half = std::sin(theta / 2), count = static_cast<double>(positions.size());
  const double size = half == 0 ? 1 : std::sin(count * theta / 2) / (count * half);
  return size * std::cos(static_cast<double>(positions.begin + positions.end - 1) / 2 * theta);
}

Pooled pooled_pair(const RotaryAngles& angles, const RotaryAngleTile& tile, Index pair,
                   CellSpan positions) {
  const double theta = angles.theta(pair);
  if (tile.quantity != AngleQuantity::cosine) {
    return pooled_angles(theta, angles.trained_turns(pair), tile.quantity == AngleQuantity::unseen,
                         positions);
  }
  if (tile.pool == Pool::max) return pooled_cosines(theta, positions);
  return {mean_cosine(theta, positions) * static_cast<double>(positions.size()), 0};
}

}  // namespace

VectorD turns_within(const VectorD& theta, double length) {
  if (!(length >= 0) || !std::isfinite(length)) {
    refuse("turns_within", "a finite length of at least 0", position::number_text(length));
  }
  return theta * (length / kTurn);
}

bool angle_unseen(double turns, double trained_turns) {
  return trained_turns < 1 && part_of_turn(turns) > trained_turns;
}

double rotary_angle_value(const RotaryAngles& angles, AngleQuantity quantity, Index p, Index pair) {
  const char* where = "rotary_angle_value";
  check(where, angles);
  position::require_at_least(where, "a position", 0, p);
  if (pair < 0 || pair >= angles.theta.size()) {
    refuse(where, "a pair from 0 to below " + std::to_string(angles.theta.size()),
           std::to_string(pair));
  }
  const double angle = static_cast<double>(p) * angles.theta(pair);
  if (quantity == AngleQuantity::cosine) return std::cos(angle);
  if (quantity == AngleQuantity::turns) return part_of_turn(angle / kTurn);
  return angle_unseen(angle / kTurn, angles.trained_turns(pair)) ? 1 : 0;
}

Matrix rotary_angle_tile(const RotaryAngles& angles, const RotaryAngleTile& tile, int threads,
                         const Cancel& cancel) {
  check(angles, tile);
  const Region& r = tile.region;
  Matrix result(r.rows, r.cols);
  parallel_for(r.rows, threads, [&](Index row, int) {
    const CellSpan positions = cell_span(r.row + row, tile.row_level, tile.n);
    for (Index col = 0; col < r.cols; ++col) {
      cancel.poll();
      const CellSpan pairs = cell_span(r.col + col, tile.col_level, angles.theta.size());
      Pooled cell;
      for (Index pair = pairs.begin; pair < pairs.end; ++pair) {
        const Pooled one = pooled_pair(angles, tile, pair, positions);
        cell.sum += one.sum;
        if (std::abs(one.largest) > std::abs(cell.largest)) cell.largest = one.largest;
      }
      const auto count = static_cast<double>(positions.size() * pairs.size());
      result(row, col) =
          static_cast<float>(tile.pool == Pool::max ? cell.largest : cell.sum / count);
    }
  });
  return result;
}

}  // namespace core
