#include "core/position/table/row_pairs.h"

#include <algorithm>
#include <limits>

#include "core/position/sinusoidal/sinusoidal_similarity.h"

namespace core {
namespace {

template <class Measure>
ByDistance over_pairs(Index n, Measure measure) {
  ByDistance all;
  all.mean = all.least = all.largest = VectorD::Zero(n);
  for (Index t = 0; t < n; ++t) {
    double sum = 0, least = std::numeric_limits<double>::infinity(), largest = -least;
    for (Index k = 0; k + t < n; ++k) {
      const double value = measure(k, k + t);
      sum += value;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    all.mean(t) = sum / static_cast<double>(n - t);
    all.least(t) = least;
    all.largest(t) = largest;
  }
  return all;
}

}  // namespace

ByDistance products_by_distance(const MatrixD& P) {
  const MatrixD products = P * P.transpose();
  return over_pairs(P.rows(), [&](Index i, Index j) { return products(i, j); });
}

ByDistance distances_by_distance(const MatrixD& P) {
  return over_pairs(P.rows(), [&](Index i, Index j) { return (P.row(i) - P.row(j)).norm(); });
}

ProductDecay product_decay(const PositionTable& table, double most_cosines) {
  ProductDecay decay;
  if (table.sinusoidal) {
    const auto affordable = static_cast<Index>(most_cosines / (static_cast<double>(table.d) / 2));
    decay.mean = dot_product_curve(table.theta, std::min(table.n - 1, affordable));
    decay.exact = true;
  } else {
    static_cast<ByDistance&>(decay) = products_by_distance(table.P);
  }
  decay.envelope = decay.mean;
  for (Index t = decay.mean.size() - 1; t-- > 0;) {
    decay.envelope(t) = std::max(decay.mean(t), decay.envelope(t + 1));
  }
  decay.facts = curve_facts(decay.mean);
  return decay;
}

}  // namespace core
