// What the lab of attention pooling can be set to.
#pragma once

#include <string>

#include "app/param/param.h"
#include "core/attention/pooling.h"
#include "core/tile.h"

namespace lab::pooling {

enum class Source { generated, points };
enum class Method { average, kernel, parametric };
enum class Loss { sum, mean };
enum class Explained { prediction, training };

inline constexpr int kMostGenerated = 100'000;
inline constexpr int kMostRows = 1'000'000;  // of a file
inline constexpr std::size_t kMostPoints = 64;
inline constexpr int kMostEpochs = 200;
// Where generated and clicked points lie: x from 0 to 5, as in the function's own example.
inline constexpr double kSpan = 5;
inline constexpr double kLowest = -4, kHighest = 12;  // y of clicked points

struct Parameters {
  Source source = Source::generated;
  int n = 50;
  double noise = 0.5;
  int seed = 2;
  param::PointList points{{0.4, 1.2}, {0.9, 2.4}, {1.5, 3.6}, {2.2, 3.4},
                          {2.9, 2.6}, {3.6, 1.9}, {4.3, 1.4}, {4.8, 1.6}};
  std::string file;

  Method method = Method::kernel;
  core::PoolingKernel kernel = core::PoolingKernel::gaussian;
  double bandwidth = 1;

  double w0 = 0.3, rate = 0.5;
  int epochs = 5;
  Loss loss = Loss::sum;
  int step = 5;

  int queries = 50, query = 25, key = -1;
  Explained explained = Explained::prediction;
  core::Pool pool = core::Pool::max;

  bool from_file() const { return !file.empty(); }
  bool generated() const { return !from_file() && source == Source::generated; }
  bool clicked() const { return !from_file() && source == Source::points; }
  bool trains() const { return method == Method::parametric; }
};

void describe(Parameters& p, param::List& list);

}  // namespace lab::pooling
