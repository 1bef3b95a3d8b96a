#include "app/labs/shared/drawing/stairs.h"

#include "app/labs/shared/parts.h"

namespace lab {
namespace {

constexpr Index kMostPoints = 160;  // numbers that are points besides

// The places of one colour.
struct Colored {
  Line steps;
  Points points;
};

void add_run(const Stairs& stairs, Index begin, Index end, Colored& colored) {
  const bool dots = stairs.size() <= kMostPoints;
  for (Index at = begin; at < end; ++at) {
    if (!dots && at != begin && at != end - 1) continue;
    const double x = to_double(at), y = stairs.height(at);
    colored.steps.add(x, y);
    if (!dots && end - begin > 1) continue;
    colored.points.add(x, y);
  }
  colored.steps.add(end, std::numeric_limits<double>::quiet_NaN());
}

// Where the k-th of `count` stretches begins, and for k = count where the last ends.
Index stretch_begin(const Stairs& stairs, Index k, Index count, bool log) {
  if (!log || k == count) return stairs.begin + k * stairs.size() / count;
  const double first = to_double(stairs.begin), part = to_double(k) / to_double(count);
  return to_index(std::floor(first * std::pow(to_double(stairs.end) / first, part) + 1e-9));
}

}  // namespace

void add_steps(const Stairs& stairs, Plot& plot) {
  std::array<Colored, to_size(kStepColors)> all;
  for (Index at = stairs.begin; at < stairs.end;) {
    const double value = stairs.value(at);
    Index end = at + 1;
    while (end < stairs.end && stairs.value(end) == value) ++end;
    if (std::isfinite(value)) add_run(stairs, at, end, all[stairs.color(value)]);
    at = end;
  }
  const bool dots = stairs.size() <= kMostPoints;
  for (std::size_t k = 0; k < all.size(); ++k) {
    auto& [steps, points] = all[k];
    steps.color = points.color = Color::of_head(to_int(k));
    steps.width = dots ? 3.f : 2.f;
    points.radius = dots ? 3.f : 1.5f;
    if (!steps.x.empty()) plot.add(std::move(steps));
    if (!points.x.empty()) plot.add(std::move(points));
  }
}

Line thinned(const Stairs& stairs, Index most, Index stretches, bool log) {
  Line line;
  const auto add = [&](Index at) { line.add(at, stairs.height(at)); };
  if (stairs.size() <= most) {
    for (Index at = stairs.begin; at < stairs.end; ++at) add(at);
    return line;
  }
  for (Index k = 0; k < stretches; ++k) {
    const Index begin = stretch_begin(stairs, k, stretches, log);
    const Index end = stretch_begin(stairs, k + 1, stretches, log);
    if (begin >= end) continue;
    Index low = begin, high = begin;
    double least = stairs.height(begin), largest = least;
    for (Index at = begin + 1; at < end; ++at) {
      const double y = stairs.height(at);
      if (!(y >= least)) least = y, low = at;  // where nothing is drawn the line breaks
      if (!(y <= largest)) largest = y, high = at;
    }
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  return line;
}

}  // namespace lab
