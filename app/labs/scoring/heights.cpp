// A weight guessed from a height: what each way of weighing the known people makes of it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/scoring/model.h"
#include "core/attention/distance_weights.h"
#include "core/attention/scoring.h"
#include "core/attention/softmax.h"
#include "core/finite_difference.h"

namespace lab::scoring {
namespace {

constexpr int kPoints = 401;

double guess_at(const Parameters& p, Method method, double height, const Heights& heights) {
  return weights_of(p, method, height, heights.keys).dot(heights.values);
}

// One-hot weights do not change until they jump: there is no slope where two are nearest.
double slope_of(const Parameters& p, Method method, const Heights& heights) {
  if (method == Method::first || method == Method::shared) {
    const VectorD distance = (heights.keys.array() - p.height).abs();
    const auto nearest = (distance.array() == distance.minCoeff()).count();
    return nearest > 1 ? std::numeric_limits<double>::quiet_NaN() : 0;
  }
  const auto of = [&](const VectorD& x) { return guess_at(p, method, x(0), heights); };
  return core::central_difference(of, VectorD{{p.height}}, kSlopeStep)(0);
}

// From a little left of the shortest, to a little right of the tallest, the one asked for included.
std::vector<double> heights_around(const Parameters& p, const VectorD& keys) {
  double lo = p.height, hi = p.height;
  for (const double key : keys) {
    lo = std::min(lo, key);
    hi = std::max(hi, key);
  }
  const double room = std::max(2.0, 0.25 * (hi - lo));
  std::vector<double> at;
  for (int k = 0; k < kPoints; ++k)
    at.push_back(lo - room + (hi - lo + 2 * room) * k / (kPoints - 1));
  return at;
}

}  // namespace

VectorD weights_of(const Parameters& p, Method method, double height, const VectorD& keys) {
  const VectorD nearness = -(keys.array() - height).abs();
  switch (method) {
    case Method::document:
      return core::distance_share(height, keys);
    case Method::first:
      return core::hardmax(nearness);
    case Method::shared:
      return core::hardmax_ties_shared(nearness);
    case Method::inverse:
      return core::inverse_distance_weights(height, keys);
    case Method::gaussian:
      break;
  }
  const MatrixD query = MatrixD::Constant(1, 1, height);
  const VectorD scores = core::gaussian_scores<double>(query, keys, 1 / p.bandwidth).row(0);
  return core::softmax(scores);
}

Heights make_heights(const Parameters& p) {
  Heights heights;
  const MatrixD people = matrix_of(p.people);
  heights.keys = people.col(0);
  heights.values = people.col(1);
  if (heights.keys.size() == 0) return heights;
  heights.at = heights_around(p, heights.keys);
  for (std::size_t k = 0; k < heights.guesses.size(); ++k) {
    const auto method = static_cast<Method>(k);
    Guess& guess = heights.guesses[k];
    guess.weights = weights_of(p, method, p.height, heights.keys);
    guess.value = guess.weights.dot(heights.values);
    guess.slope = slope_of(p, method, heights);
    for (const double at : heights.at) guess.curve.push_back(guess_at(p, method, at, heights));
  }
  return heights;
}

}  // namespace lab::scoring
