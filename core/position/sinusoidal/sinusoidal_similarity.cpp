#include "core/position/sinusoidal/sinusoidal_similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/position/checks.h"

namespace core {
namespace {

void require_frequencies(const char* where, const VectorD& theta) {
  position::require_at_least(where, "a number of frequencies", 1, theta.size());
}

// sum_i sin^2(t theta_i / 2), or a partial sum that already reaches `enough`.
double squared_sines(const VectorD& theta, double t, double enough) {
  double sum = 0;
  for (const double frequency : theta) {
    const double half = std::sin(t * frequency / 2);
    sum += half * half;
    if (sum >= enough) break;
  }
  return sum;
}

}  // namespace

VectorD dot_product_curve(const VectorD& theta, Index max_distance) {
  require_frequencies("dot_product_curve", theta);
  position::require_at_least("dot_product_curve", "a largest distance", 0, max_distance);
  return VectorD::NullaryExpr(max_distance + 1, [&](Index t) {
    double sum = 0;
    for (const double frequency : theta) sum += std::cos(static_cast<double>(t) * frequency);
    return sum;
  });
}

MatrixD similarity_matrix(const VectorD& theta, Index n) {
  position::require_at_least("similarity_matrix", "a number of positions", 0, n);
  const VectorD curve = dot_product_curve(theta, std::max<Index>(n - 1, 0));
  return MatrixD::NullaryExpr(n, n, [&](Index i, Index j) { return curve(std::abs(i - j)); });
}

double encoding_distance(const VectorD& theta, double t) {
  double sum = 0;
  for (const double frequency : theta) {
    const double half = std::sin(t * frequency / 2);
    sum += half * half;
  }
  return 2 * std::sqrt(sum);
}

std::vector<Lag> closest_lags(const VectorD& theta, Index max_lag, Index count) {
  require_frequencies("closest_lags", theta);
  position::require_at_least("closest_lags", "a largest lag", 1, max_lag);
  position::require_at_least("closest_lags", "a number of lags", 0, count);
  std::vector<Lag> lags;
  for (Index t = 1; t <= max_lag; ++t) {
    lags.push_back({t, encoding_distance(theta, static_cast<double>(t))});
  }
  std::stable_sort(lags.begin(), lags.end(),
                   [](const Lag& a, const Lag& b) { return a.distance < b.distance; });
  lags.resize(static_cast<size_t>(std::min(count, max_lag)));
  return lags;
}

std::vector<Lag> closest_so_far(const VectorD& theta, Index max_lag, const Cancel& cancel) {
  require_frequencies("closest_so_far", theta);
  position::require_at_least("closest_so_far", "a largest lag", 1, max_lag);
  std::vector<Lag> records;
  double least = std::numeric_limits<double>::infinity();
  for (Index t = 1; t <= max_lag; ++t) {
    if (t % 65536 == 0) cancel.poll();
    const double sum = squared_sines(theta, static_cast<double>(t), least);
    if (!(sum < least)) continue;
    least = sum;
    records.push_back({t, 2 * std::sqrt(sum)});
  }
  return records;
}

std::optional<Lag> first_closer(const VectorD& theta, double threshold, Index max_lag) {
  require_frequencies("first_closer", theta);
  position::require_positive("first_closer", "threshold", threshold);
  position::require_at_least("first_closer", "a largest lag", 1, max_lag);
  const double bound = threshold * threshold / 4;
  // 2 |sin(t theta_0 / 2)| < threshold holds within `reach` of a multiple of the wavelength; a
  // little is added to allow for rounding.
  const double wave = 2 * std::numbers::pi / theta(0);
  const double reach = 2 * std::asin(std::min(1.0, threshold / 2)) / theta(0) + 1e-6 * wave;
  Index next = 1;
  for (Index m = 0; next <= max_lag; ++m) {
    const double middle = static_cast<double>(m) * wave;
    if (middle - reach > static_cast<double>(max_lag)) break;
    const auto last =
        static_cast<Index>(std::min(std::floor(middle + reach), static_cast<double>(max_lag)));
    for (Index t = std::max(next, static_cast<Index>(std::ceil(middle - reach))); t <= last; ++t) {
      const double sum = squared_sines(theta, static_cast<double>(t), bound);
      if (sum < bound) return Lag{t, 2 * std::sqrt(sum)};
      next = t + 1;
    }
  }
  return std::nullopt;
}

VectorD smallest_separation(const VectorD& theta, Index max_length) {
  require_frequencies("smallest_separation", theta);
  position::require_at_least("smallest_separation", "a length", 2, max_length);
  VectorD least(max_length - 1);
  for (Index t = 1; t < max_length; ++t) {
    const double distance = encoding_distance(theta, static_cast<double>(t));
    least(t - 1) = t == 1 ? distance : std::min(distance, least(t - 2));
  }
  return least;
}

}  // namespace core
