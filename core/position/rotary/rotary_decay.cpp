#include "core/position/rotary/rotary_decay.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "core/position/checks.h"

namespace core {
namespace {

using Complex = std::complex<double>;
using VectorC = VectorOf<Complex>;

// h_i, (pairs).
VectorC products(const char* where, const VectorD& q, const VectorD& k, const VectorD& theta,
                 RotaryPairing pairing) {
  const Index pairs = theta.size();
  position::require_at_least(where, "a number of frequencies", 1, pairs);
  position::require_shape(where, "a query", q, 2 * pairs, 1);
  position::require_shape(where, "a key", k, 2 * pairs, 1);
  const bool neighbors = pairing == RotaryPairing::neighbors;
  return VectorC::NullaryExpr(pairs, [&](Index i) {
    const Index a = neighbors ? 2 * i : i, b = neighbors ? 2 * i + 1 : i + pairs;
    return Complex(q(a), q(b)) * Complex(k(a), -k(b));
  });
}

}  // namespace

VectorD rotary_score_curve(const VectorD& q, const VectorD& k, const VectorD& theta,
                           Index max_distance, RotaryPairing pairing) {
  const VectorC h = products("rotary_score_curve", q, k, theta, pairing);
  position::require_at_least("rotary_score_curve", "a largest distance", 0, max_distance);
  return VectorD::NullaryExpr(max_distance + 1, [&](Index t) {
    double score = 0;
    for (Index i = 0; i < h.size(); ++i) {
      score += (h(i) * std::polar(1.0, static_cast<double>(t) * theta(i))).real();
    }
    return score;
  });
}

VectorD mean_partial_sum_curve(const VectorD& theta, Index max_distance) {
  position::require_at_least("mean_partial_sum_curve", "a number of frequencies", 1, theta.size());
  position::require_at_least("mean_partial_sum_curve", "a largest distance", 0, max_distance);
  return VectorD::NullaryExpr(max_distance + 1, [&](Index t) {
    Complex partial = 0;
    double sum = 0;
    for (const double frequency : theta) {
      partial += std::polar(1.0, static_cast<double>(t) * frequency);
      sum += std::abs(partial);
    }
    return sum / static_cast<double>(theta.size());
  });
}

VectorD rotary_bound_curve(const VectorD& q, const VectorD& k, const VectorD& theta,
                           Index max_distance, RotaryPairing pairing) {
  const VectorC h = products("rotary_bound_curve", q, k, theta, pairing);
  double largest = std::abs(h(h.size() - 1));  // h_{d/2} = 0
  for (Index i = 0; i + 1 < h.size(); ++i) largest = std::max(largest, std::abs(h(i + 1) - h(i)));
  return largest * static_cast<double>(theta.size()) * mean_partial_sum_curve(theta, max_distance);
}

}  // namespace core
