// The computation of the lab of attention pooling.
#pragma once

#include "app/labs/lab.h"
#include "core/attention/pooling/pooling.h"
#include "core/attention/pooling/pooling_sorted.h"
#include "core/io/tensor/csv.h"

namespace lab::pooling {

// --- what the lab of attention pooling can be set to

enum class Source { generated, points };
enum class Method { average, kernel, parametric };
enum class Loss { sum, mean };
enum class Explained { prediction, training };

inline constexpr int kMostGenerated = 100'000;
inline constexpr int kMostRows = 1'000'000;  // of a file
inline constexpr std::size_t kMostPoints = 64;
inline constexpr int kMostEpochs = 200;
inline constexpr double kLeastRate = 0.0001;
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
  std::string x_column, y_column;  // of the file, by name; empty: the first, the second

  Method method = Method::kernel;
  core::PoolingKernel kernel = core::PoolingKernel::gaussian;
  double bandwidth = 1;

  double w0 = 0.3, rate = 0.5;
  int change_at = 0;  // the step from which the rate is rate_after; 0: it never changes
  double rate_after = 0.05;
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
  bool changes_rate() const { return trains() && change_at > 0; }
  // One of the epochs is made with the rate after.
  bool uses_rate_after() const { return changes_rate() && change_at < epochs; }
  // The learning rate of the step that follows this many.
  double rate_at(Index steps) const {
    return changes_rate() && steps >= change_at ? rate_after : rate;
  }
};
void describe(Parameters& p, param::List& list);

// --- the model

struct Data {
  VectorD x, y;                // in rising order of x
  std::vector<Index> clicked;  // of clicked points, where each stands in the order of clicking
  std::string x_name, y_name;  // of a file's header
  bool header = false, decimal_comma = false;  // how the file was read
  double lo = 0, hi = kSpan;                   // the span of queries
  bool known = false;                          // y is truth() and noise
  bool closed = false;                   // the last query stands at `hi`; otherwise one step before
  std::vector<core::CsvColumn> columns;  // of a file
  core::Message fault;                   // why these columns of it are no points

  Index size() const { return x.size(); }
  bool empty() const { return x.size() == 0; }
};
using DataPointer = std::shared_ptr<const Data>;

// 2 sin x + x^0.8, x >= 0.
double truth(double x);

// The stage "data". Throws core::InputError, which can be told in every language, for a file that
// shows no columns; one that does has a fault where these columns are not what is wanted.
DataPointer data_of(const Parameters& p, const Context& context);

// How a query weighs keys. Average pooling is a Gaussian that is wide without end.
struct Weighing {
  core::PoolingKernel kernel = core::PoolingKernel::gaussian;
  double bandwidth = 1;
  bool operator==(const Weighing&) const = default;
};

// Gradient descent on w. Entry k is what step k came to; entry 0 is before the first.
struct Training {
  struct State {
    double w, loss, gradient;
  };
  std::vector<State> states;
  core::Message fault;  // why training stopped after the last of them

  // The state at `step`, or the last one there is.
  std::size_t at(int step) const { return std::min(to_size(std::max(step, 0)), states.size() - 1); }
  int made() const { return to_int(states.size()) - 1; }  // steps
};

// Pooling of all queries by one weighing.
struct Pooled {
  VectorD queries;                                            // in rising order
  std::shared_ptr<const std::vector<core::PoolingRow>> rows;  // one a query; none without data
  Index empty = 0;                                            // queries that no key has weight for
  double largest = 0;                                         // weight of all
  std::shared_ptr<const TileSource> cells;                    // queries by keys
  double truth_error = 0;  // mean square of prediction less truth; where it is known

  const core::PoolingRow& row(Index query) const { return (*rows)[to_size(query)]; }
};

// The fitted curve, and how well it predicts points it has not seen.
struct Fit {
  VectorD x, y;               // NaN where no key is in reach
  double left_out_error = 0;  // mean square, each point predicted from all the others
};

// left_out_error over bandwidths.
struct Sweep {
  std::vector<double> bandwidths, errors;
};

struct Model {
  DataPointer data;
  std::shared_ptr<const Training> training;  // null unless w is learned
  std::size_t step = 0;                      // the state of it that is shown
  Weighing weighing;
  std::shared_ptr<const Pooled> pooled, before;  // before: at w0; null unless w is learned
  std::shared_ptr<const Fit> fit;
  std::shared_ptr<const Sweep> sweep;  // null unless a kernel is chosen

  bool empty() const { return data->empty(); }
  // At least two points, so that each can be predicted from others.
  bool can_leave_out() const { return data->size() >= 2; }
  const Training::State& state() const { return training->states[step]; }
};

// A Gaussian of width 1 / |w|.
Weighing weighing_of(double w);

// Expects data without a fault. While a training goes on, the model has what it has come to.
Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::pooling
