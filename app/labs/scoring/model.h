// What the scoring lab computes: five scoring functions on a plane, weights of an example, and how
// scores grow with the width.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/scoring/parameters.h"

namespace lab::scoring {

// What one scoring function makes of the query; m keys.
struct Answer {
  VectorD scores, weights;         // (m)
  std::array<double, 2> output{};  // the weighted mean of the values; 0 without keys
};

// For every place of the query on a grid of the plane, y falling from row to row.
struct Fields {
  std::array<Matrix, kScorings.size()> scores, weights;  // of the picked key
};
inline constexpr Index kGrid = 81;

struct Plane {
  MatrixD query, keys, values;  // (1, 2), (m, 2), (m, 2)
  std::array<Answer, kScorings.size()> answers;
  std::shared_ptr<const Fields> fields;
};

// What one method makes of the height asked for; n people.
struct Guess {
  VectorD weights;            // (n)
  double value = 0;           // kg; NaN where the weights are
  double slope = 0;           // kg a cm, by differences over kSlopeStep; NaN where the curve jumps
  std::vector<double> curve;  // over Heights::at
};
inline constexpr double kSlopeStep = 1e-4;
struct Heights {
  VectorD keys, values;    // cm, kg
  std::vector<double> at;  // heights of the curves
  std::array<Guess, kMethods.size()> guesses;
};

// Random scores of one width, scaled or not.
struct Saturation {
  double largest = 0;   // mean over the queries of the largest weight
  double entropy = 0;   // mean, nats
  double gradient = 0;  // mean of the Jacobian's Frobenius norm, by the scores
};
struct WidthPoint {
  Index d = 0;
  double mean = 0, variance = 0;  // of all q.k
  Saturation plain, divided;
};
struct Widths {
  std::vector<WidthPoint> points;  // d = 2, 4, ... 1024
};
// The chosen width, in full.
struct OneWidth {
  MatrixD scores;  // (rows, row_keys): q.k
  WidthPoint point;
  // Histograms of q.k and of q.k / sqrt(d) as densities, and the exact density.
  struct Histogram {
    double from = 0, step = 1;
    std::vector<double> density;
    std::vector<double> z, exact, normal;
  };
  Histogram plain, divided;
};

// Only what the chosen view needs; the others are null.
struct Model {
  std::shared_ptr<const Plane> plane;
  std::shared_ptr<const Heights> heights;
  std::shared_ptr<const Widths> widths;
  std::shared_ptr<const OneWidth> width;
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::scoring
