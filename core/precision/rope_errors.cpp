#include "core/precision/rope_errors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/parallel.h"
#include "core/position/checks.h"
#include "core/refuse.h"

namespace core {
namespace {

constexpr Index kRun = 1024;         // angles at a time
constexpr Index kErrorBlock = 8192;  // positions of one task
constexpr int kLanes = 8;  // sums and maxima side by side, which compilers make vectors of

// Takes |angle - p theta| of up to kRun positions.
void take(const double* angles, Index first, Index n, double theta, AngleErrors& errors) {
  std::array<double, kLanes> largest{}, sum{};
  const auto position = static_cast<double>(first);
  const Index whole = n / kLanes * kLanes;
  bool finite = true;
  for (Index k = 0; k < whole; k += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto l = static_cast<size_t>(lane);
      const double off =
          std::fabs(angles[k + lane] - (position + static_cast<double>(k + lane)) * theta);
      largest[l] = off > largest[l] ? off : largest[l];
      sum[l] += off;
    }
  }
  for (const double s : sum) finite &= std::isfinite(s);
  if (!finite) largest = sum = {};
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto l = static_cast<size_t>(lane);
    errors.largest = std::max(errors.largest, largest[l]);
    errors.sum += sum[l];
  }
  for (Index k = finite ? whole : 0; k < n; ++k) {
    const double off = std::fabs(angles[k] - (position + static_cast<double>(k)) * theta);
    if (std::isnan(off)) {
      ++errors.nan;
    } else if (std::isinf(off)) {
      ++errors.infinite;
    } else {
      errors.largest = std::max(errors.largest, off);
      errors.sum += off;
    }
  }
  errors.count += n;
}

Index count_lost(const double* angles, Index n) {
  return std::count_if(angles, angles + n, [](double angle) { return !std::isfinite(angle); });
}

Index pooled_count(Index cells, int level) { return (cells + (Index{1} << level) - 1) >> level; }

void check(const RotaryRounder& rounder, const RotaryErrorTile& tile) {
  const char* where = "rotary_error_tile";
  position::require_at_least(where, "a number of positions", 0, tile.n);
  for (const int level : {tile.row_level, tile.col_level}) {
    if (level < 0 || level > 30) refuse(where, "a level from 0 to 30", std::to_string(level));
  }
  const Region& r = tile.region;
  position::require_at_least(where, "a region's corner and size", 0,
                             std::min({r.row, r.col, r.rows, r.cols}));
  const Index rows = pooled_count(tile.n, tile.row_level);
  const Index cols = pooled_count(rounder.pairs(), tile.col_level);
  if (r.row + r.rows > rows || r.col + r.cols > cols) {
    refuse(where, "a region inside " + shape_text(rows, cols) + " cells",
           "one that ends at " + shape_text(r.row + r.rows, r.col + r.cols));
  }
}

}  // namespace

double AngleErrors::max() const {
  if (nan > 0) return std::numeric_limits<double>::quiet_NaN();
  return infinite > 0 ? std::numeric_limits<double>::infinity() : largest;
}

double AngleErrors::mean() const {
  if (nan > 0 || infinite > 0) return max();
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

void AngleErrors::merge(const AngleErrors& more) {
  count += more.count;
  largest = std::max(largest, more.largest);
  sum += more.sum;
  infinite += more.infinite;
  nan += more.nan;
  without_hand += more.without_hand;
}

AngleErrors angle_errors(const RotaryRounder& rounder, Index i, Index first, Index n) {
  const char* where = "angle_errors";
  position::require_at_least(where, "a first position and a number of them", 0, std::min(first, n));
  if (i < 0 || i >= rounder.pairs()) {
    refuse(where, "a pair from 0 to below " + std::to_string(rounder.pairs()), std::to_string(i));
  }
  AngleErrors errors;
  std::array<double, kRun> angles;
  const double theta = rounder.exact_angle(1, i);
  for (Index done = 0; done < n; done += kRun) {
    const Index count = std::min(n - done, kRun);
    rounder.angles(i, first + done, count, angles.data());
    if (rounder.rounding().rounds(RotaryStep::table)) {
      const Index before = count_lost(angles.data(), count);
      rounder.hands(i, first + done, count, angles.data());
      errors.without_hand += count_lost(angles.data(), count) - before;
    }
    take(angles.data(), first + done, count, theta, errors);
  }
  return errors;
}

AngleErrors angle_errors(const RotaryRounder& rounder, Index n, int threads, const Cancel& cancel) {
  const Index blocks = (n + kErrorBlock - 1) / kErrorBlock;
  std::vector<AngleErrors> parts(static_cast<size_t>(blocks));
  parallel_for(blocks, threads, [&](Index block, int) {
    cancel.poll();
    const Index first = block * kErrorBlock, count = std::min(n - first, kErrorBlock);
    for (Index i = 0; i < rounder.pairs(); ++i) {
      parts[static_cast<size_t>(block)].merge(angle_errors(rounder, i, first, count));
    }
  });
  AngleErrors all;
  for (const AngleErrors& part : parts) all.merge(part);
  return all;
}

Matrix rotary_error_tile(const RotaryRounder& rounder, const RotaryErrorTile& tile, int threads,
                         const Cancel& cancel) {
  check(rounder, tile);
  const Region& r = tile.region;
  Matrix out(r.rows, r.cols);
  parallel_for(r.rows, threads, [&](Index row, int) {
    const Index begin = (r.row + row) << tile.row_level;
    const Index end = std::min(tile.n, (r.row + row + 1) << tile.row_level);
    for (Index col = 0; col < r.cols; ++col) {
      cancel.poll();
      AngleErrors errors;
      const Index last = std::min(rounder.pairs(), (r.col + col + 1) << tile.col_level);
      for (Index i = (r.col + col) << tile.col_level; i < last; ++i) {
        errors.merge(angle_errors(rounder, i, begin, end - begin));
      }
      out(row, col) = static_cast<float>(tile.pool == Pool::max ? errors.max() : errors.mean());
    }
  });
  return out;
}

}  // namespace core
