// What the lab of arithmetic in low precision can be set to.
#pragma once

#include "app/labs/shared/number_format.h"

namespace lab::low_precision_math {

enum class Vectors { random, positive, ones };
// Where sums are kept: in the format one after the other, in it by halves, or in float32.
enum class Method { in_format, pairwise, in_float };
enum class Measure { accumulation, everything };
enum class Explained { step, dot, weight, total };

inline constexpr int kMostWidth = 65536;  // of vectors
inline constexpr int kMostRow = 4096;     // keys of the row that is drawn

struct Parameters {
  NumberFormat format;
  NumberRounding rounding;
  Method method = Method::in_format;

  Vectors vectors = Vectors::ones;
  double scale = 1;
  int d = 512;
  int repetition = 1;
  int seed = 7;

  int n = 32;
  double spread = 1;

  int longest = 4096;
  int repeats = 16;
  Measure measure = Measure::accumulation;

  Explained explained = Explained::step;
  int step = 257;
  int key = 0;

  bool operator==(const Parameters&) const = default;
};

void describe(Parameters& p, param::List& list);

}  // namespace lab::low_precision_math
