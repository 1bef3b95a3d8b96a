// What the scoring lab computes: five scoring functions on a plane, weights of an example, and how
// scores grow with the width.
#pragma once

#include "app/labs/lab.h"
#include "core/enum_array.h"

namespace lab::scoring {

// --- what the scoring lab can be set to

enum class View { plane, heights, width };
enum class Scoring { dot, scaled, additive, bilinear, gaussian };
inline constexpr core::EnumArray<Scoring, param::Option> kScorings{{{"dot", N_("dot")},
                                                                    {"scaled", N_("scaled dot")},
                                                                    {"additive", N_("additive")},
                                                                    {"bilinear", N_("bilinear")},
                                                                    {"gaussian", N_("Gaussian")}}};
// What is taken apart in the plane.
enum class Explained { score, weight, output };
// How much each of the people of the example counts.
enum class Method { document, first, shared, inverse, gaussian };
inline constexpr core::EnumArray<Method, param::Option> kMethods{{{"document", N_("distance / Σ")},
                                                                  {"first", N_("nearest, first")},
                                                                  {"shared", N_("nearest, shared")},
                                                                  {"inverse", N_("1 / distance")},
                                                                  {"gaussian", N_("Gaussian")}}};

inline constexpr double kEdge = 4;  // the plane is [-kEdge, kEdge] in both directions
inline constexpr std::size_t kMostKeys = 8, kMostPeople = 12;
inline constexpr double kLeastHeight = 140, kMostHeight = 210, kLeastMass = 30, kMostMass = 150;
inline constexpr int kWidest = 1024;

// The learned numbers of the scoring functions. Matrices are stored (in, out): column c makes the
// c-th hidden number.
struct ScoreNumbers {
  std::array<double, 4> w_q = {1, 0, 0, 1};
  std::array<double, 4> w_k = {1, 0, 0, 1};
  std::array<double, 2> w_v = {2, 2};
  std::array<double, 4> bilinear = {0, 1, -1, 0};
  double inverse_width = 1;
  bool operator==(const ScoreNumbers&) const = default;
};

// Statistics of the random vectors of one width.
struct Sampled {
  int rows = 256, row_keys = 16;
  int seed = 37;
  bool operator==(const Sampled&) const = default;
};

// Keys, people and entries of vectors are counted from 0.
struct Parameters : ScoreNumbers, Sampled {
  View view = View::plane;

  Scoring scoring = Scoring::scaled;
  double q_x = 1.5, q_y = 1;
  param::PointList keys = {{2.5, 1.5}, {-1, 2.5}, {-2.5, -1}, {1, -2}};
  param::PointList values = {{3, 2.5}, {-2.5, 3}, {-3, -2}, {2.5, -3}};
  int key = 0;
  Explained explained = Explained::weight;

  param::PointList people = {{175, 70}, {178, 76}, {180, 81}};
  double height = 179;
  double bandwidth = 1;
  Method method = Method::gaussian;
  int person = 0;

  int d = 64;
  bool divided = true;
};
void describe(Parameters& p, param::List& list);

// --- the model

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
  // Softmax of the first query's scores, undivided and divided, (row_keys).
  VectorD plain_weights, divided_weights;
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
