// The computation of the lab: one dot product step by step, one row of weights, and the errors of
// many. Each stage is a pure function of the parameters that its key names.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/number_format.h"
#include "core/enum_array.h"
#include "core/precision/low_precision.h"

namespace lab::low_precision_math {

using core::Format;

// --- what the lab of arithmetic in low precision can be set to

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

// --- the model

inline constexpr std::size_t kMethods = core::kEnumerators<Method>;

// The arithmetic of a method.
core::LowArithmetic arithmetic_of(const Parameters& p, Method method);

// One dot product.
struct Run {
  VectorD q, k;          // as they came
  VectorD low_q, low_k;  // rounded to the format
  VectorD products;      // of the rounded ones, exact
  VectorD exact;         // their running sums, in double
  core::LowRunning in_format, in_float;
  double by_halves = 0;
  std::array<double, kMethods> before_store{}, stored{};
  double true_product = 0;  // of q and k as they came
  double absolute_sum = 0;  // of the products
  // The last step (counted from 1) that changed the sum in the format, where at least an eighth of
  // all products follow, which are not 0.
  std::optional<Index> stalls;

  const core::LowRunning& running(Method method) const {
    return method == Method::in_float ? in_float : in_format;
  }
};

// Mean and extremes over repetitions, one a length.
struct Spread {
  std::vector<double> mean, low, high;
  Index lost = 0;  // trials whose error is no finite number
};

struct DotErrors {
  std::vector<double> lengths;
  std::array<Spread, kMethods> of;
  std::array<std::vector<double>, kMethods> bounds;  // infinite where there is none
};

struct SoftmaxErrors {
  std::vector<double> lengths;
  std::array<Spread, kMethods> largest;  // the largest error of a weight, relative to it
  std::array<Spread, kMethods> total;    // the sum of the weights
};

// One row of scores; nothing when its largest is not finite in the format.
using Row = std::array<std::optional<core::LowSoftmax>, kMethods>;

struct Model {
  Format format;
  std::string name;
  core::LowArithmetic how;  // of the chosen method
  std::shared_ptr<const Run> run;
  std::shared_ptr<const VectorD> scores;
  std::shared_ptr<const Row> row;
  std::shared_ptr<const DotErrors> dot_errors;
  std::shared_ptr<const SoftmaxErrors> softmax_errors;

  const std::optional<core::LowSoftmax>& softmax(const Parameters& p) const {
    return (*row)[to_size(p.method)];
  }
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::low_precision_math
