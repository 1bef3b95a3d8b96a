#include "core/position/table/separation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/position/table/row_pairs.h"

namespace core {
namespace {

constexpr Index kSearched = 100000;   // lags searched when widths and bases are compared
constexpr int kWidest = 64;           // number of widths compared
constexpr int kWidestOfRecords = 16;  // number of widths whose records are kept

double length_apart(const VectorD& theta, double threshold, Index searched) {
  const auto lag = first_closer(theta, threshold, searched);
  return lag ? static_cast<double>(lag->lag) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<Lag> falling_records(const VectorD& distance) {
  std::vector<Lag> records;
  for (Index k = 0; k < distance.size(); ++k) {
    if (records.empty() || distance(k) < records.back().distance) {
      records.push_back({k + 1, distance(k)});
    }
  }
  return records;
}

std::optional<Lag> first_below(const VectorD& distance, double threshold) {
  for (Index k = 0; k < distance.size(); ++k) {
    if (distance(k) < threshold) return Lag{k + 1, distance(k)};
  }
  return std::nullopt;
}

Separation separation(const PositionTable& table, double threshold, Index drawn,
                      const Cancel& cancel) {
  Separation result;
  // On a grid the closest points share one coordinate, so distances run along one axis.
  result.last = table.grid ? std::max(table.grid->height, table.grid->width) - 1
                           : std::max<Index>(table.filled - 1, 1);
  if (table.sinusoidal || table.grid) {
    result.distance = VectorD::NullaryExpr(std::min(result.last, drawn), [&](Index k) {
      return encoding_distance(table.theta, static_cast<double>(k + 1));
    });
    result.records = closest_so_far(table.theta, result.last, cancel);
    result.first = first_closer(table.theta, threshold, result.last);
    return result;
  }
  if (table.filled < 2) return result;
  const VectorD least = distances_by_distance(table.P).least;
  result.distance = least.tail(least.size() - 1);
  result.records = falling_records(result.distance);
  result.first = first_below(result.distance, threshold);
  return result;
}

SizesCompared compare_sizes(const PositionTable& table, double base, double threshold, Index last,
                            const Cancel& cancel) {
  SizesCompared sizes;
  if (table.theta.size() == 0) return sizes;
  sizes.searched = std::max(last, kSearched);
  for (int width = table.grid ? 4 : 2; width <= kWidest; width *= 2) {
    cancel.poll();
    const VectorD theta = table.frequencies(width, base);
    sizes.widths.push_back(width);
    sizes.width_lengths.push_back(length_apart(theta, threshold, sizes.searched));
    if (width > kWidestOfRecords) continue;
    sizes.width_records.push_back(closest_so_far(theta, last, cancel));
  }
  for (const double other :
       {1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 1e6, 1e7}) {
    cancel.poll();
    sizes.bases.push_back(other);
    sizes.base_lengths.push_back(
        length_apart(table.frequencies(table.d, other), threshold, sizes.searched));
  }
  return sizes;
}

}  // namespace core
