#include "core/attention/pooling/gauss_transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

constexpr int kTerms = GaussTransform::kTerms;
constexpr double kWidth = 0.5;  // of a box, in scaled units
constexpr double kLargest = 1e12;

// The Hermite functions h_n(z) = exp(-z^2) H_n(z) by their recurrence, for all orders that two
// series and two more derivatives ask for.
using Hermite = std::array<double, 2 * kTerms + 1>;
Hermite hermite(double z) {
  Hermite h;
  h[0] = std::exp(-z * z);
  h[1] = 2 * z * h[0];
  for (std::size_t n = 1; n + 1 < h.size(); ++n) {
    h[n + 1] = 2 * z * h[n] - 2 * static_cast<double>(n) * h[n - 1];
  }
  return h;
}

double dot(const double (&series)[kTerms], const double (&powers)[kTerms]) {
  double sum = 0;
  for (int k = 0; k < kTerms; ++k) sum += series[k] * powers[k];
  return sum;
}

}  // namespace

Index GaussTransform::box_of(double position) const {
  return static_cast<Index>(std::floor((position - origin_) * scale_ / kWidth + 0.5));
}

// Boxes lie about the middle of all sources, so that a small scale leaves small numbers in them.
double GaussTransform::middle(Index number) const {
  return number == 0 ? origin_ : origin_ + static_cast<double>(number) * kWidth / scale_;
}

void GaussTransform::require_positions(const VectorD& positions, const char* what) const {
  if (!std::is_sorted(positions.begin(), positions.end())) {
    refuse("gauss_transform", std::string(what) + " in rising order", "others");
  }
  const auto far = [&](double position) {
    return !(std::abs(position - origin_) * scale_ <= kLargest);
  };
  if (std::any_of(positions.begin(), positions.end(), far)) {
    refuse("gauss_transform", std::string(what) + " within 1e12 / scale", "others");
  }
}

GaussTransform::GaussTransform(const VectorD& sources, const VectorD& weights, double scale)
    : scale_(scale) {
  if (!(scale >= 0) || !std::isfinite(scale)) {
    refuse("gauss_transform", "a scale of 0 or more", std::to_string(scale));
  }
  if (sources.size() != weights.size()) {
    refuse("gauss_transform", std::to_string(sources.size()) + " weights",
           std::to_string(weights.size()));
  }
  if (sources.size() > 0) origin_ = sources(0) / 2 + sources(sources.size() - 1) / 2;
  require_positions(sources, "sources");
  for (Index j = 0; j < sources.size(); ++j) {
    const Index number = box_of(sources(j));
    if (boxes_.empty() || boxes_.back().number != number) boxes_.push_back({number});
    Box& box = boxes_.back();
    ++box.count;
    const double v = (sources(j) - middle(number)) * scale_;
    double power = 1;
    for (int a = 0; a < kTerms; ++a) {
      box.ones[a] += power;
      box.weighted[a] += power * weights(j);
      power *= v / (a + 1);
    }
  }
}

// With D between the middles, exp(-(D + u - v)^2) = sum over k, a of (-u)^k / k! v^a / a!
// h_{a+k}(D). Since z^2 exp(-z^2) = (h_2 + 2 h_0) / 4, the squares have (h_{n+2} + 2 h_n) / 4 for
// h_n.
void GaussTransform::add(const Box& box, Index number, Local& to) const {
  const Hermite h = hermite((middle(number) - middle(box.number)) * scale_);
  std::array<double, 2 * kTerms - 1> g;
  for (std::size_t n = 0; n < g.size(); ++n) g[n] = (h[n + 2] + 2 * h[n]) / 4;
  to.within_reach += box.count;
  for (std::size_t k = 0; k < kTerms; ++k) {
    double ones = 0, weighted = 0, squares = 0, weighted_squares = 0;
    for (std::size_t a = 0; a < kTerms; ++a) {
      ones += box.ones[a] * h[a + k];
      weighted += box.weighted[a] * h[a + k];
      squares += box.ones[a] * g[a + k];
      weighted_squares += box.weighted[a] * g[a + k];
    }
    to.ones[k] += ones;
    to.weighted[k] += weighted;
    to.squares[k] += squares;
    to.weighted_squares[k] += weighted_squares;
  }
}

GaussTransform::Local GaussTransform::local(Index number) const {
  const auto reach = static_cast<Index>(std::ceil(kReach / kWidth));
  const auto before = [](const Box& box, Index wanted) { return box.number < wanted; };
  Local result;
  auto box = std::lower_bound(boxes_.begin(), boxes_.end(), number - reach, before);
  for (; box != boxes_.end() && box->number <= number + reach; ++box) add(*box, number, result);
  return result;
}

GaussTransform::Sums GaussTransform::value(const Local& series, double u) const {
  double powers[kTerms];  // (-u)^k / k!
  powers[0] = 1;
  for (int k = 1; k < kTerms; ++k) powers[k] = powers[k - 1] * -u / k;
  return {dot(series.ones, powers), dot(series.weighted, powers), dot(series.squares, powers),
          dot(series.weighted_squares, powers), static_cast<double>(series.within_reach)};
}

std::vector<GaussTransform::Sums> GaussTransform::at(const VectorD& targets, int threads,
                                                     const Cancel& cancel) const {
  require_positions(targets, "targets");
  std::vector<Index> begins;  // of the targets of one box
  for (Index i = 0; i < targets.size(); ++i) {
    if (i == 0 || box_of(targets(i)) != box_of(targets(i - 1))) begins.push_back(i);
  }
  begins.push_back(targets.size());
  std::vector<Sums> sums(static_cast<std::size_t>(targets.size()));
  parallel_for(static_cast<Index>(begins.size()) - 1, threads, [&](Index at, int) {
    cancel.poll();
    const Index begin = begins[static_cast<std::size_t>(at)];
    const Index number = box_of(targets(begin));
    const Local series = local(number);
    for (Index i = begin; i < begins[static_cast<std::size_t>(at) + 1]; ++i) {
      const double u = (targets(i) - middle(number)) * scale_;
      sums[static_cast<std::size_t>(i)] = value(series, u);
    }
  });
  return sums;
}

}  // namespace core
