// What the scoring lab can be set to.
#pragma once

#include <array>

#include "app/param/param.h"
#include "app/words/words.h"
#include "core/types.h"

namespace lab::scoring {

enum class View { plane, heights, width };
enum class Scoring { dot, scaled, additive, bilinear, gaussian };
inline constexpr std::array<param::Option, 5> kScorings{{{"dot", N_("dot")},
                                                         {"scaled", N_("scaled dot")},
                                                         {"additive", N_("additive")},
                                                         {"bilinear", N_("bilinear")},
                                                         {"gaussian", N_("Gaussian")}}};
// What is taken apart in the plane.
enum class Explained { score, weight, output };
// How much each of the people of the example counts.
enum class Method { document, first, shared, inverse, gaussian };
inline constexpr std::array<param::Option, 5> kMethods{{{"document", N_("distance / Σ")},
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

// Of the random vectors of one width.
struct Sampled {
  int rows = 256, row_keys = 16;
  int seed = 1;
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

}  // namespace lab::scoring
