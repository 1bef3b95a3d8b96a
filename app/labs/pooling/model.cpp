#include "app/labs/pooling/model.h"

#include "app/labs/shared/long_table.h"
#include "app/labs/shared/parts.h"
#include "core/parallel.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel;
using core::PoolingRow;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kCurve = 601;                // places of the fitted curve
constexpr int kSweep = 41;                   // bandwidths
constexpr double kDiverged = 1e7;            // widths in the keys' span at which training ends
constexpr Index kPointsAPart = 1'000'000;    // visited in training before a page is shown
constexpr Index kPairsForThreads = 200'000;  // fewer are quicker on one

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
    return static_cast<float>((*kept)[to_size(row)].weight(data->x(col)));
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
    run.cancel.progress(static_cast<float>(k) / kSweep);
    const double h = (data->hi - data->lo) / 500 * std::pow(2000.0, to_double(k) / (kSweep - 1));
    sweep.bandwidths.push_back(h);
    sweep.errors.push_back(left_out_error(*data, {kernel, h}, run));
  }
  return sweep;
}

struct Descent {
  double w0, rate;
  int epochs;
  Loss loss;
  bool operator==(const Descent&) const = default;
};

// Shown what there is of a training after every so many steps; it has no part in what comes of it.
struct Watcher {
  std::function<void(const Training&)> show;
  bool operator==(const Watcher&) const { return true; }
};

Training train(const DataPointer& data, const Descent& descent, const Watcher& watcher,
               const Run& run) {
  const auto& [w0, rate, epochs, loss] = descent;
  const double share = loss == Loss::mean ? 1 / to_double(data->size()) : 1;
  const std::size_t part = to_size(std::max<Index>(1, kPointsAPart / data->size()));
  Training training;
  double w = w0;
  for (int k = 0; k <= epochs; ++k) {
    run.cancel.progress(static_cast<float>(k) / static_cast<float>(epochs + 1));
    const core::ParametricLoss at =
        core::parametric_loss_sorted(data->x, data->y, w, run.threads, run.cancel);
    training.states.push_back({w, share * at.loss, share * at.gradient});
    w -= rate * share * at.gradient;
    training.diverged = k < epochs && !(std::abs(w) * (data->hi - data->lo) <= kDiverged);
    if (training.diverged) break;
    if (k < epochs && training.states.size() % part == 0) watcher.show(training);
  }
  return training;
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

}  // namespace

Weighing weighing_of(double w) {
  return {PoolingKernel::gaussian, w == 0 ? kInfinity : 1 / std::abs(w)};
}

Model make_model(const Parameters& p, const Context& context,
                 const std::function<void(const Model&)>& part) {
  const DataPointer data = data_of(p, context);
  context.cancel.poll();
  if (!p.trains() || data->size() < 2) return finish(p, context, data, nullptr);
  const Watcher watcher{[&](const Training& unfinished) {
    if (part) part(finish(p, context, data, std::make_shared<const Training>(unfinished)));
  }};
  const Descent descent{p.w0, p.rate, p.epochs, p.loss};
  return finish(p, context, data, context.stage("training", train, data, descent, watcher));
}

}  // namespace lab::pooling
