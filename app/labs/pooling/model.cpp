#include <filesystem>

#include "app/labs/pooling/model.h"
#include "app/labs/shared/drawing/long_table.h"
#include "app/labs/shared/model/file_stamp.h"
#include "app/labs/shared/parts.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel, core::PoolingRow;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kCurve = 601;                // places of the fitted curve
constexpr int kSweep = 41;                   // bandwidths
constexpr double kDiverged = 1e7;            // widths in the keys' span at which training ends
constexpr Index kPairsForThreads = 200'000;  // fewer are quicker on one

// What the points depend on: those knobs that their source looks at, and of a file what tells that
// it was written anew.
struct Origin {
  int n = 0;
  double noise = 0;
  int seed = 0;
  param::PointList points = {};
  FileStamp file = {};
  std::string x_column = {}, y_column = {};
  bool operator==(const Origin&) const = default;
};

// Gradient descent on w, as the knobs describe it; `data` is made of `origin`.
struct Descent {
  struct State {
    double w, loss, gradient;
    Index step = 0;
    bool lost = false;  // w is beyond all bounds: nothing else is known
  };
  Origin origin;
  DataPointer data;
  double w0, rate;
  Index change_at;  // 0: the rate never changes
  double rate_after;
  Loss kind;

  bool operator==(const Descent& other) const {
    return std::tie(origin, w0, rate, change_at, rate_after, kind) ==
           std::tie(other.origin, other.w0, other.rate, other.change_at, other.rate_after,
                    other.kind);
  }
  State at(double w, const Run& run) const {
    const double share = kind == Loss::mean ? 1 / to_double(data->size()) : 1;
    const core::ParametricLoss loss =
        core::parametric_loss_sorted(data->x, data->y, w, run.threads, run.cancel);
    return {w, share * loss.loss, share * loss.gradient};
  }
  State begin(const Run& run) const { return at(w0, run); }
  void step(State& state, const Run& run) const {
    const bool changed = change_at > 0 && state.step >= change_at;
    const double w = state.w - (changed ? rate_after : rate) * state.gradient;
    const Index next = state.step + 1;
    const bool lost = !(std::abs(w) * (data->hi - data->lo) <= kDiverged);
    state = lost ? State{w, 0, 0, next, true} : at(w, run);
    state.step = next;
  }
  std::vector<double> scalars(const State& state) const {
    return {state.loss, state.w, state.gradient};
  }
  std::size_t bytes(const State&) const { return sizeof(State); }
  core::Message fault(const State& state) const {
    return state.lost ? core::Message(N_("w would be {}; a smaller learning rate helps"),
                                      fmt::format("{:.4g}", state.w))
                      : core::Message();
  }
};

Training training_of(const Trained<Descent>& run) {
  Training training;
  training.fault = run.fault;
  for (const auto& scalars : run.scalars) {
    training.states.push_back({scalars[1], scalars[0], scalars[2]});
  }
  return training;
}

Pooled pool(const DataPointer& data, const Weighing& weighing, int queries, const Run& run) {
  Pooled pooled;
  const Index n = queries, steps = data->closed ? n - 1 : n;
  pooled.queries = VectorD::NullaryExpr(n, [&](Index i) {
    return data->lo + (data->hi - data->lo) * to_double(i) / to_double(steps);
  });
  if (data->empty()) return pooled;
  std::vector<PoolingRow> rows(to_size(n), PoolingRow(data->lo, data->x.head(1), data->y.head(1),
                                                      PoolingKernel::gaussian, 1));
  const int threads = n * data->size() < kPairsForThreads ? 1 : run.threads;
  core::parallel_for(n, threads, [&](Index i, int) {
    run.cancel.poll();
    rows[to_size(i)] =
        PoolingRow(pooled.queries(i), data->x, data->y, weighing.kernel, weighing.bandwidth);
  });
  for (const PoolingRow& row : rows) {
    pooled.empty += row.empty();
    pooled.largest = std::max(pooled.largest, row.largest());
    if (!data->known) continue;
    const double error = row.prediction() - truth(row.query());
    pooled.truth_error += error * error / to_double(n);
  }
  const auto kept = std::make_shared<const std::vector<PoolingRow>>(std::move(rows));
  pooled.rows = kept;
  // Weights, computed where they are looked at: queries by keys may be millions.
  pooled.cells = looked_through(n, data->size(), 20, [data, kept](Index row, Index col) {
    return to_float((*kept)[to_size(row)].weight(data->x(col)));
  });
  return pooled;
}

double left_out_error(const Data& data, const Weighing& weighing, const Run& run) {
  VectorD predicted;
  if (std::isinf(weighing.bandwidth)) {
    predicted = (data.y.sum() - data.y.array()) / to_double(data.size() - 1);
  } else {
    predicted = core::smoothed_left_out(data.x, data.y, weighing.kernel, weighing.bandwidth,
                                        run.threads, run.cancel)
                    .prediction;
  }
  return (predicted - data.y).squaredNorm() / to_double(data.size());
}

Fit fit_curve(const DataPointer& data, const Weighing& weighing, const Run& run) {
  Fit fit;
  fit.x = VectorD::LinSpaced(kCurve, data->lo, data->hi);
  if (data->empty()) return fit;
  if (std::isinf(weighing.bandwidth)) {
    fit.y = VectorD::Constant(kCurve, core::average_pooling(data->y));
  } else {
    core::Smoothed curve = core::smoothed(fit.x, data->x, data->y, weighing.kernel,
                                          weighing.bandwidth, run.threads, run.cancel);
    fit.y = std::move(curve.prediction);
    for (Index i = 0; i < kCurve; ++i) {
      if (curve.empty[to_size(i)]) fit.y(i) = std::numeric_limits<double>::quiet_NaN();
    }
  }
  if (data->size() >= 2) fit.left_out_error = left_out_error(*data, weighing, run);
  return fit;
}

// From a five-hundredth of the span to four times the span.
Sweep sweep_bandwidths(const DataPointer& data, PoolingKernel kernel, const Run& run) {
  Sweep sweep;
  if (data->size() < 2) return sweep;
  for (int k = 0; k < kSweep; ++k) {
    run.cancel.progress(to_float(k) / kSweep);
    const double h = (data->hi - data->lo) / 500 * std::pow(2000.0, to_double(k) / (kSweep - 1));
    sweep.bandwidths.push_back(h);
    sweep.errors.push_back(left_out_error(*data, {kernel, h}, run));
  }
  return sweep;
}

Weighing shown_weighing(const Parameters& p, const Training* training) {
  if (training) return weighing_of(training->states[training->at(p.step)].w);
  if (p.method == Method::average) return weighing_of(0);
  if (p.method == Method::parametric) return weighing_of(p.w0);
  return {p.kernel, p.bandwidth};
}

// Everything that does not train.
Model finish(const Parameters& p, const Context& context, const DataPointer& data,
             std::shared_ptr<const Training> training) {
  Model model;
  model.data = data;
  model.weighing = shown_weighing(p, training.get());
  if (training) {
    model.step = training->at(p.step);
    model.before = context.stage("before", pool, data, weighing_of(p.w0), p.queries);
  }
  model.training = std::move(training);
  model.pooled = context.stage("pooled", pool, data, model.weighing, p.queries);
  model.fit = context.stage("fit", fit_curve, data, model.weighing);
  if (p.method == Method::kernel) {
    model.sweep = context.stage("sweep", sweep_bandwidths, data, p.kernel);
  }
  return model;
}

// --- the points that the lab pools: generated, clicked, or read from a file

Origin origin_of(const Parameters& p) {
  if (p.generated()) return {.n = p.n, .noise = p.noise, .seed = p.seed};
  if (p.clicked()) return {.points = p.points};
  return {.file = stamp_of(p.file), .x_column = p.x_column, .y_column = p.y_column};
}

// Keys and noise have streams of their own: other noise leaves the keys alone.
Data generate(const Origin& from) {
  core::Random keys(core::stream_seed(static_cast<std::uint64_t>(from.seed), 1));
  core::Random noise(core::stream_seed(static_cast<std::uint64_t>(from.seed), 2));
  Data data;
  data.known = true;
  data.x.resize(from.n);
  data.y.resize(from.n);
  for (double& x : data.x) x = kSpan * keys.uniform();
  std::sort(data.x.begin(), data.x.end());
  for (Index i = 0; i < from.n; ++i) data.y(i) = truth(data.x(i)) + from.noise * noise.gaussian();
  return data;
}

// Sorts pairs by x; where[k] becomes the place of the k-th of the sorted among the given.
std::vector<Index> sort_pairs(VectorD& x, VectorD& y) {
  std::vector<Index> order(to_size(x.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a) < x(b); });
  x = VectorD(x(order));
  y = VectorD(y(order));
  return order;
}

Data click(const param::PointList& points) {
  Data data;
  data.x.resize(to_index(points.size()));
  data.y.resize(data.x.size());
  for (Index k = 0; k < data.size(); ++k) {
    data.x(k) = points[to_size(k)][0];
    data.y(k) = points[to_size(k)][1];
  }
  data.clicked = sort_pairs(data.x, data.y);
  return data;
}

// The span of queries: all keys, and something where these are all one.
void set_span(Data& data) {
  data.lo = data.x(0);
  data.hi = data.x(data.size() - 1);
  data.closed = true;
  const double room = std::max(0.5, 1e-6 * std::abs(data.lo));
  if (!(data.hi - data.lo > 1e-9 * room)) data.lo -= room, data.hi += room;
}

void read_points(const Origin& from, Data& data, const core::Cancel& cancel) {
  constexpr double kLargest = 1e100;  // squares of differences stay finite
  core::NumberPairs pairs =
      core::read_number_pairs(std::filesystem::path(from.file.path), {from.x_column, from.y_column},
                              {.rows = kMostRows}, cancel);
  data.x = std::move(pairs.x);
  data.y = std::move(pairs.y);
  data.x_name = std::move(pairs.x_name);
  data.y_name = std::move(pairs.y_name);
  data.header = pairs.header;
  data.decimal_comma = pairs.decimal_comma;
  const double largest = std::max(data.x.cwiseAbs().maxCoeff(), data.y.cwiseAbs().maxCoeff());
  if (largest > kLargest) {
    words::refuse<core::InputError>(N_("{}: expected numbers from -1e100 to 1e100, got {}"),
                                    core::printable(from.file.path, 400), largest);
  }
  sort_pairs(data.x, data.y);
  set_span(data);
}

// What columns there are is known even where those that were chosen hold no numbers.
Data read(const Origin& from, const core::Cancel& cancel) {
  Data data;
  auto columns = core::csv_columns(std::filesystem::path(from.file.path));
  try {
    read_points(from, data, cancel);
  } catch (const core::InputError& error) {
    data = {};
    data.fault = core::message_of(error);
  }
  data.columns = std::move(columns);
  return data;
}

Data load(const Origin& from, const Run& run) {
  return from.n > 0               ? generate(from)
         : from.file.path.empty() ? click(from.points)
                                  : read(from, run.cancel);
}

}  // namespace

Weighing weighing_of(double w) {
  return {PoolingKernel::gaussian, w == 0 ? kInfinity : 1 / std::abs(w)};
}

Model make_model(const Parameters& p, const Context& context) {
  const DataPointer data = data_of(p, context);
  if (!p.trains() || data->size() < 2) return finish(p, context, data, nullptr);
  const bool changes = p.changes_rate();
  const Descent descent{
      origin_of(p), data, p.w0, p.rate, changes ? p.change_at : 0, changes ? p.rate_after : 0,
      p.loss};
  const auto run = context.trained("pooling", descent, p.epochs, p.step);
  return finish(p, context, data, std::make_shared<const Training>(training_of(run)));
}

double truth(double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }

DataPointer data_of(const Parameters& p, const Context& context) {
  return context.stage("data", load, origin_of(p));
}

}  // namespace lab::pooling
