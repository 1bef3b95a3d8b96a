#include "core/attention/dot_statistics.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/parallel.h"
#include "core/random.h"
#include "core/refuse.h"

namespace core {
namespace {

constexpr int kNodes = 1200;

void require_width(const char* where, Index d) {
  if (d < 1) refuse(where, "a width >= 1", std::to_string(d));
}

}  // namespace

double normal_density(double z, double variance) {
  if (!(variance > 0)) refuse("normal_density", "a variance > 0", std::to_string(variance));
  return std::exp(-z * z / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

// With s = d e^u the integrand is a smooth bump in u that falls off on both sides faster than the
// trapezoidal rule could miss: doubly exponentially above, like e^(u (d - 1) / 2) below, and for
// z != 0 doubly exponentially there too.
double dot_product_density(Index d, double z) {
  require_width("dot_product_density", d);
  const auto width = static_cast<double>(d);
  if (d == 1 && z == 0) return std::numeric_limits<double>::infinity();
  const double log_constant =
      -width / 2 * std::log(2.0) - std::lgamma(width / 2) - 0.5 * std::log(2 * std::numbers::pi);
  // Beyond these ends nothing is left: s from d e^-reach to d e^top.
  const double below = 2 * 40 / std::max(1.0, width - 1),
               top = 2 + 8 / std::sqrt(width) + 60 / width;
  const double from = -std::max(below, 16 / std::sqrt(width)),
               step = (std::log1p(top) - from) / kNodes;
  double sum = 0;
  for (int k = 0; k <= kNodes; ++k) {
    const double log_s = std::log(width) + from + step * k, s = std::exp(log_s);
    // chi2_d(s) N(z; 0, s) s, the last factor from ds = s du.
    const double log_value =
        log_constant + (width / 2 - 1) * log_s - s / 2 - 0.5 * log_s - z * z / (2 * s) + log_s;
    sum += std::exp(log_value);
  }
  return sum * step;
}

MatrixD sample_dot_products(Index d, Index rows, Index keys, std::uint64_t seed, int threads,
                            const Cancel& cancel) {
  require_width("sample_dot_products", d);
  if (rows < 1 || keys < 1) {
    refuse("sample_dot_products", "at least one row and one key", shape_text(rows, keys));
  }
  MatrixD scores(rows, keys);
  parallel_for(rows, threads, [&](Index i, int) {
    cancel.poll();
    // Each vector has a stream of its own, whatever its width: the query the first.
    const std::uint64_t of_row = stream_seed(seed, static_cast<std::uint64_t>(i));
    Random of_query(stream_seed(of_row, 0));
    VectorD q(d);
    for (double& entry : q) entry = of_query.gaussian();
    for (Index j = 0; j < keys; ++j) {
      Random random(stream_seed(of_row, static_cast<std::uint64_t>(j + 1)));
      double product = 0;
      for (Index c = 0; c < d; ++c) product += q(c) * random.gaussian();
      scores(i, j) = product;
    }
  });
  return scores;
}

}  // namespace core
