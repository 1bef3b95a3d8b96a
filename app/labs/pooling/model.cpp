#include "app/labs/pooling/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "app/labs/shared/long_table.h"
#include "core/parallel.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel;
using core::PoolingRow;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kCurve = 601;              // places of the fitted curve
constexpr int kSweep = 41;                 // bandwidths
constexpr double kDiverged = 1e7;          // widths in the span of the keys at which training ends
constexpr Index kPointsAPart = 1'000'000;  // visited in training before an unfinished page is shown

constexpr Index kPairsForThreads = 200'000;  // fewer are quicker on one

using DataPointer = std::shared_ptr<const Data>;

// Weights, computed where they are looked at: queries by keys may be millions.
LongTable weight_table(const DataPointer& data, const std::shared_ptr<const Pooled>& pooled) {
  LongTable table;
  table.rows = static_cast<Index>(pooled->rows.size());
  table.cols = data->size();
  table.value = [data, pooled](Index row, Index col) {
    return static_cast<float>(pooled->rows[static_cast<std::size_t>(row)].weight(data->x(col)));
  };
  table.pooled = [data, pooled](int row_level, int col_level, const figure::Region& region,
                                figure::Pool pool, const core::Cancel& cancel) {
    const auto rows = static_cast<Index>(pooled->rows.size());
    core::Matrix cells(region.rows, region.cols);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      const Index row = (region.row + r) << row_level;
      const Index row_end = std::min(rows, row + (Index{1} << row_level));
      for (Index c = 0; c < region.cols; ++c) {
        const Index col = (region.col + c) << col_level;
        const Index col_end = std::min(data->size(), col + (Index{1} << col_level));
        double sum = 0, largest = 0;
        for (Index i = row; i < row_end; ++i) {
          const PoolingRow& weighs = pooled->rows[static_cast<std::size_t>(i)];
          for (Index j = col; j < col_end; ++j) {
            const double weight = weighs.weight(data->x(j));
            sum += weight;
            largest = std::max(largest, weight);
          }
        }
        const auto count = static_cast<double>((row_end - row) * (col_end - col));
        cells(r, c) = static_cast<float>(pool == figure::Pool::max ? largest : sum / count);
      }
    }
    return cells;
  };
  table.cost = [](int row_level, int col_level) {
    return 20 * std::ldexp(1.0, row_level + col_level);
  };
  return table;
}

VectorD queries_of(const Parameters& p, const Data& data) {
  // Generated and clicked points: 0, 0.1, ... as in the function's own example, the end left out.
  const Index steps = p.from_file() ? p.queries - 1 : p.queries;
  VectorD queries(p.queries);
  for (Index i = 0; i < p.queries; ++i) {
    queries(i) =
        data.lo + (data.hi - data.lo) * static_cast<double>(i) / static_cast<double>(steps);
  }
  return queries;
}

// Without its cells, which look at the rows.
Pooled pool_rows(const Parameters& p, const Data& data, const Weighing& weighing,
                 const Context& context) {
  Pooled pooled;
  pooled.queries = queries_of(p, data);
  if (data.size() == 0) return pooled;
  const Index n = pooled.queries.size();
  pooled.rows.assign(
      static_cast<std::size_t>(n),
      PoolingRow(data.lo, data.x.head(1), data.y.head(1), PoolingKernel::gaussian, 1));
  const int threads = n * data.size() < kPairsForThreads ? 1 : context.threads;
  core::parallel_for(n, threads, [&](Index i, int) {
    context.cancel.poll();
    pooled.rows[static_cast<std::size_t>(i)] =
        PoolingRow(pooled.queries(i), data.x, data.y, weighing.kernel, weighing.bandwidth);
  });
  for (Index i = 0; i < n; ++i) {
    const PoolingRow& row = pooled.rows[static_cast<std::size_t>(i)];
    pooled.empty += row.empty();
    pooled.largest = std::max(pooled.largest, row.largest());
    if (!data.known) continue;
    const double error = row.prediction() - truth(pooled.queries(i));
    pooled.truth_error += error * error / static_cast<double>(n);
  }
  return pooled;
}

double left_out_error(const Data& data, const Weighing& weighing, const Context& context) {
  VectorD predicted;
  if (std::isinf(weighing.bandwidth)) {
    const auto others = static_cast<double>(data.size() - 1);
    predicted = (data.y.sum() - data.y.array()) / others;
  } else {
    predicted = core::smoothed_left_out(data.x, data.y, weighing.kernel, weighing.bandwidth,
                                        context.threads, context.cancel)
                    .prediction;
  }
  return (predicted - data.y).squaredNorm() / static_cast<double>(data.size());
}

Fit make_fit(const Data& data, const Weighing& weighing, const Context& context) {
  Fit fit;
  fit.x = VectorD::LinSpaced(kCurve, data.lo, data.hi);
  if (data.size() == 0) return fit;
  if (std::isinf(weighing.bandwidth)) {
    fit.y = VectorD::Constant(kCurve, core::average_pooling(data.y));
  } else {
    core::Smoothed curve = core::smoothed(fit.x, data.x, data.y, weighing.kernel,
                                          weighing.bandwidth, context.threads, context.cancel);
    fit.y = std::move(curve.prediction);
    for (Index i = 0; i < kCurve; ++i) {
      if (curve.empty[static_cast<std::size_t>(i)]) {
        fit.y(i) = std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
  if (data.size() >= 2) fit.left_out_error = left_out_error(data, weighing, context);
  return fit;
}

// From a five-hundredth of the span to four times the span.
Sweep make_sweep(const Data& data, PoolingKernel kernel, const Context& context) {
  Sweep sweep;
  if (data.size() < 2) return sweep;
  const double span = data.hi - data.lo;
  for (int k = 0; k < kSweep; ++k) {
    context.cancel.progress(static_cast<float>(k) / kSweep);
    const double h = span / 500 * std::pow(2000.0, static_cast<double>(k) / (kSweep - 1));
    sweep.bandwidths.push_back(h);
    sweep.errors.push_back(left_out_error(data, {kernel, h}, context));
  }
  return sweep;
}

// Runs `between` after every so many steps with what there is.
Training train(const Parameters& p, const Data& data, const Context& context,
               const std::function<void(const Training&)>& between) {
  const double share = p.loss == Loss::mean ? 1 / static_cast<double>(data.size()) : 1;
  const auto part = static_cast<std::size_t>(std::max<Index>(1, kPointsAPart / data.size()));
  Training training;
  double w = p.w0;
  for (int k = 0; k <= p.epochs; ++k) {
    context.cancel.progress(static_cast<float>(k) / static_cast<float>(p.epochs + 1));
    const core::ParametricLoss at =
        core::parametric_loss_sorted(data.x, data.y, w, context.threads, context.cancel);
    training.states.push_back({w, share * at.loss, share * at.gradient});
    w -= p.rate * share * at.gradient;
    training.diverged = k < p.epochs && !(std::abs(w) * (data.hi - data.lo) <= kDiverged);
    if (training.diverged) break;
    if (k < p.epochs && training.states.size() % part == 0) between(training);
  }
  return training;
}

// Everything that does not train.
class Stages {
 public:
  Stages(const Parameters& p, const Context& context, DataPointer data)
      : p_(p), context_(context), data_(std::move(data)), key_(data_key(p), p.from_file()) {}

  Model finish(std::shared_ptr<const Training> training) const {
    Model model;
    model.data = data_;
    model.weighing = weighing(training.get());
    if (training) {
      model.step = training->at(p_.step);
      model.before = pooled("before", weighing_of(p_.w0));
    }
    model.training = std::move(training);
    model.pooled = pooled("pooled", model.weighing);
    const auto fitted = std::tuple{key_, model.weighing.kernel, model.weighing.bandwidth};
    model.fit = context_.memo.get("fit", fitted,
                                  [&] { return make_fit(*data_, model.weighing, context_); });
    if (p_.method == Method::kernel) {
      model.sweep = context_.memo.get("sweep", std::tuple{key_, p_.kernel},
                                      [&] { return make_sweep(*data_, p_.kernel, context_); });
    }
    return model;
  }

 private:
  Weighing weighing(const Training* training) const {
    if (training) return weighing_of(training->states[training->at(p_.step)].w);
    if (p_.method == Method::average) return weighing_of(0);
    if (p_.method == Method::parametric) return weighing_of(p_.w0);
    return {p_.kernel, p_.bandwidth};
  }

  std::shared_ptr<const Pooled> pooled(const std::string& stage, const Weighing& weighing) const {
    const auto key = std::tuple{key_, weighing.kernel, weighing.bandwidth, p_.queries};
    const auto rows = context_.memo.get(stage + " rows", key,
                                        [&] { return pool_rows(p_, *data_, weighing, context_); });
    return *context_.memo.get(stage, key, [&] {
      auto whole = std::make_shared<Pooled>(*rows);
      whole->cells = std::make_shared<const LongTableSource>(
          std::make_shared<const LongTable>(weight_table(data_, rows)));
      return std::shared_ptr<const Pooled>(std::move(whole));
    });
  }

  const Parameters& p_;
  const Context& context_;
  DataPointer data_;
  std::tuple<std::string, bool> key_;
};

}  // namespace

Weighing weighing_of(double w) {
  return {PoolingKernel::gaussian, w == 0 ? kInfinity : 1 / std::abs(w)};
}

Model make_model(const Parameters& p, const Context& context,
                 const std::function<void(const Model&)>& part) {
  const DataPointer data = data_of(p, context);
  context.cancel.poll();
  const Stages stages(p, context, data);
  if (!p.trains() || data->size() < 2) return stages.finish(nullptr);
  const auto key = std::tuple{data_key(p), p.w0, p.rate, p.epochs, p.loss};
  return stages.finish(context.memo.get("training", key, [&] {
    return train(p, *data, context, [&](const Training& unfinished) {
      if (part) part(stages.finish(std::make_shared<const Training>(unfinished)));
    });
  }));
}

}  // namespace lab::pooling
