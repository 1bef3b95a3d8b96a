#include "app/labs/softmax/model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/attention/masked_softmax.h"
#include "core/attention/softmax.h"
#include "core/random.h"

namespace lab::softmax {
namespace {

constexpr int kTemperatures = 161;  // 40 a decade from 0.01 to 100

std::vector<double> logits_of(const Parameters& p) {
  return {p.logits.begin(), p.logits.begin() + p.count};
}

VectorD vector_of(const std::vector<double>& values) {
  return VectorD::Map(values.data(), static_cast<Index>(values.size()));
}

Row make_row(const Parameters& p) {
  const double T = p.temperature, shift = p.view == View::weights ? p.shift : 0;
  Row row;
  row.x = vector_of(logits_of(p)).array() + shift;
  row.max = row.x.maxCoeff();
  row.exps = ((row.x.array() - row.max) / T).exp();
  row.sum = row.exps.sum();
  row.p = core::softmax(row.x, T);
  row.log_p = core::log_softmax<double>(row.x / T);
  row.hardmax = p.ties == Ties::first ? core::hardmax(row.x) : core::hardmax_ties_shared(row.x);
  const core::Vector single = (row.x / T).cast<float>();
  row.naive = core::naive_softmax(single).cast<double>();
  row.naive_exp = single.array().exp().cast<double>();
  row.entropy = core::entropy(row.p);
  row.jacobian_norm = core::softmax_jacobian(row.p, T).norm();
  return row;
}

Sweep make_sweep(const VectorD& x) {
  Sweep sweep;
  sweep.weights.resize(static_cast<std::size_t>(x.size()));
  for (int k = 0; k < kTemperatures; ++k) {
    const double T = std::pow(10.0, -2 + 4.0 * k / (kTemperatures - 1));
    const VectorD p = core::softmax(x, T);
    sweep.temperatures.push_back(T);
    for (Index i = 0; i < x.size(); ++i) sweep.weights[static_cast<std::size_t>(i)].push_back(p(i));
    sweep.entropy.push_back(core::entropy(p));
    sweep.jacobian_norm.push_back(core::softmax_jacobian(p, T).norm());
  }
  sweep.tie_entropy = core::entropy(core::hardmax_ties_shared(x));
  return sweep;
}

// Scores N(0, spread), drawn key by key in an order of their own, so that more rows or columns
// leave the others as they are.
MatrixD random_scores(const Parameters& p, Index rows, Index cols, std::uint64_t stream) {
  MatrixD scores(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    const auto row_stream = stream * 64 + static_cast<std::uint64_t>(i);
    core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed), row_stream));
    for (Index j = 0; j < cols; ++j) scores(i, j) = p.spread * random.gaussian();
  }
  return scores;
}

MatrixD filled(MatrixD scores, const core::Mask& mask, double fill) {
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      if (!mask.allowed(i, j)) scores(i, j) = fill;
    }
  }
  return scores;
}

// As libraries compute it: a row of nothing but -inf is NaN.
MatrixD library_softmax(const MatrixD& scores) {
  return core::masked_softmax(scores, core::Mask::none(scores.rows(), scores.cols()),
                              core::EmptyRow::nan);
}

std::vector<Sequence> make_batch(const Parameters& p) {
  std::vector<Sequence> batch;
  for (Index b = 0; b < kSequences; ++b) {
    std::vector<Index> lengths;
    for (Index i = 0; i < p.queries; ++i) lengths.push_back(p.lengths[p.length_at(b, i)]);
    const core::Mask mask = core::valid_lengths_mask(p.queries, p.keys, lengths);
    const MatrixD scores = random_scores(p, p.queries, p.keys, static_cast<std::uint64_t>(b) + 1);
    const MatrixD with_fill = filled(scores, mask, fill_value(p.fill));
    batch.push_back(
        {scores, mask, with_fill, core::masked_softmax(scores, mask), library_softmax(with_fill)});
  }
  return batch;
}

Steps make_steps(const Parameters& p) {
  const Index n = p.tokens;
  const core::Mask all = core::Mask::none(n, n);
  const core::Mask keys = p.key_mask ? core::Mask::key_padding(n, n, p.valid) : all;
  const core::Mask future = p.future_mask ? core::Mask::causal(n, n) : all;
  const core::Mask queries = p.query_mask ? core::Mask::query_padding(n, n, p.valid) : all;
  Steps steps{random_scores(p, n, n, 0), {}, {}, {}, {}, {}, keys & future & queries, {}};
  steps.after_keys = filled(steps.scores, keys, fill_value(p.fill));
  steps.after_future = filled(steps.after_keys, future, fill_value(p.fill));
  steps.before_softmax = steps.after_future;
  if (p.multiplies_scores())
    steps.before_softmax.bottomRows(n - p.valid) *= 0;  // -inf times 0 is NaN
  steps.softmax = library_softmax(steps.before_softmax);
  steps.weights = steps.softmax;
  // The document's mask multiplies; a row of NaN would stay one.
  if (p.multiplies_weights()) steps.weights.bottomRows(n - p.valid) *= 0;
  steps.right = core::masked_softmax(steps.scores, steps.mask);
  return steps;
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  context.cancel.poll();
  Model m;
  if (p.is_row()) {
    m.row = make_row(p);
    const std::vector<double> logits = logits_of(p);
    m.sweep = context.memo.get("sweep", logits, [&] { return make_sweep(vector_of(logits)); });
  }
  if (p.view == View::jacobian) m.jacobian = core::softmax_jacobian(m.row.p, p.temperature);
  if (p.view == View::loss) m.loss = std::make_shared<const Loss>(make_loss(p));
  if (p.view == View::lengths) m.batch = make_batch(p);
  if (p.view == View::masks) m.steps = std::make_shared<const Steps>(make_steps(p));
  if (p.view == View::fills) {
    const auto key = std::tuple(logits_of(p), p.visible, p.lowered, p.arithmetic);
    m.fills = context.memo.get("fills", key, [&] { return make_fills(p); });
  }
  return m;
}

}  // namespace lab::softmax
