#include "app/labs/softmax/model.h"

#include "core/attention/cross_entropy.h"
#include "core/attention/masked_softmax.h"
#include "core/attention/softmax.h"
#include "core/finite_difference.h"
#include "core/precision/format.h"
#include "core/precision/rounding.h"
#include "core/random.h"

namespace lab::softmax {
namespace {

constexpr int kTemperatures = 161;                 // 40 a decade from 0.01 to 100
constexpr int kStepsPerDecade = 4, kDecades = 14;  // of the steps of differences, up to 1
constexpr int kAlong = 161;                        // places of the picked logit

std::vector<double> logits_of(const Parameters& p) {
  return {p.logits.begin(), p.logits.begin() + p.count};
}

VectorD vector_of(const std::vector<double>& values) {
  return VectorD::Map(values.data(), to_index(values.size()));
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

Sweep make_sweep(const std::vector<double>& logits, const Run&) {
  const VectorD x = vector_of(logits);
  Sweep sweep;
  sweep.weights.resize(logits.size());
  for (int k = 0; k < kTemperatures; ++k) {
    const double T = std::pow(10.0, -2 + 4.0 * k / (kTemperatures - 1));
    const VectorD p = core::softmax(x, T);
    sweep.temperatures.push_back(T);
    for (Index i = 0; i < x.size(); ++i) sweep.weights[to_size(i)].push_back(p(i));
    sweep.entropy.push_back(core::entropy(p));
    sweep.jacobian_norm.push_back(core::softmax_jacobian(p, T).norm());
  }
  sweep.tie_entropy = core::entropy(core::hardmax_ties_shared(x));
  return sweep;
}

double largest_difference(const VectorD& a, const VectorD& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

Loss make_loss(const Parameters& p) {
  const VectorD x = vector_of(logits_of(p));
  const auto at = [&](const VectorD& logits) {
    const MatrixD one_row = (logits / p.temperature).transpose();
    return core::cross_entropy(one_row, {p.label - 1});
  };
  const core::ScalarField value = [&](const VectorD& logits) { return at(logits).loss; };
  Loss loss;
  const auto here = at(x);
  loss.value = here.loss;
  loss.gradient = here.grad_logits.row(0).transpose() / p.temperature;
  loss.central = core::central_difference(value, x, p.step);
  loss.forward = core::forward_difference(value, x, p.step);
  loss.central_error = largest_difference(loss.central, loss.gradient);
  loss.forward_error = largest_difference(loss.forward, loss.gradient);
  for (int k = 0; k <= kStepsPerDecade * kDecades; ++k) {
    const double h = std::pow(10.0, to_double(k) / kStepsPerDecade - kDecades);
    loss.steps.push_back(h);
    const VectorD central = core::central_difference(value, x, h);
    const VectorD forward = core::forward_difference(value, x, h);
    loss.central_errors.push_back(largest_difference(central, loss.gradient));
    loss.forward_errors.push_back(largest_difference(forward, loss.gradient));
  }
  const double reach = 6 * std::max(1.0, p.temperature);
  for (int k = 0; k < kAlong; ++k) {
    VectorD moved = x;
    moved(p.logit - 1) += reach * (2.0 * k / (kAlong - 1) - 1);
    loss.along.push_back(moved(p.logit - 1));
    loss.along_loss.push_back(value(moved));
  }
  return loss;
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

MatrixD filled(MatrixD scores, const Mask& mask, double fill) {
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j)
      if (!mask.allowed(i, j)) scores(i, j) = fill;
  }
  return scores;
}

// As libraries compute it: a row of nothing but -inf is NaN.
MatrixD library_softmax(const MatrixD& scores) {
  return core::masked_softmax(scores, Mask::none(scores.rows(), scores.cols()),
                              core::EmptyRow::nan);
}

std::vector<Sequence> make_batch(const Parameters& p) {
  std::vector<Sequence> batch;
  for (Index b = 0; b < kSequences; ++b) {
    std::vector<Index> lengths;
    for (Index i = 0; i < p.queries; ++i) lengths.push_back(p.lengths[p.length_at(b, i)]);
    const Mask mask = core::valid_lengths_mask(p.queries, p.keys, lengths);
    const MatrixD scores = random_scores(p, p.queries, p.keys, static_cast<std::uint64_t>(b) + 1);
    const MatrixD with_fill = filled(scores, mask, fill_value(p.fill));
    batch.push_back(
        {scores, mask, with_fill, core::masked_softmax(scores, mask), library_softmax(with_fill)});
  }
  return batch;
}

Steps make_steps(const Parameters& p) {
  const Index n = p.tokens;
  const Mask all = Mask::none(n, n);
  const Mask keys = p.key_mask ? Mask::key_padding(n, n, p.valid) : all;
  const Mask future = p.future_mask ? Mask::causal(n, n) : all;
  const Mask queries = p.query_mask ? Mask::query_padding(n, n, p.valid) : all;
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

// --- a row whose last keys are hidden in seven ways, in three arithmetics

using core::MatrixOf;

constexpr int kLevelsPerDecade = 12, kLevelDecades = 11;

double stored(double value, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::float64) return value;
  return arithmetic == Arithmetic::float32 ? to_double(to_float(value))
                                           : core::round_to(core::kFloat16, value);
}

VectorD stored(VectorD values, Arithmetic arithmetic) {
  for (double& value : values) value = stored(value, arithmetic);
  return values;
}

// What the scores are before softmax: with the fill in them, or multiplied by the mask.
VectorD before_softmax(VectorD x, Index visible, Way way, Arithmetic arithmetic) {
  const bool fills = way == Way::million || way == Way::two_to_32 || way == Way::infinity;
  const int fill = to_int(way) - to_int(Way::million);
  for (Index j = visible; j < x.size(); ++j) {
    if (fills) x(j) = stored(fill_value(static_cast<Fill>(fill)), arithmetic);
    if (way == Way::scores_times_mask) x(j) *= 0;  // -inf times 0 is NaN
  }
  return x;
}

template <class Scalar>
VectorD weights_of(const VectorD& scores, const Mask& mask, Way way) {
  const MatrixOf<Scalar> row = scores.transpose().cast<Scalar>();
  const auto weights = [&]() -> MatrixOf<Scalar> {
    switch (way) {
      case Way::left_out: return core::masked_softmax(row, mask);
      case Way::weights_times_mask: return core::softmax_then_mask(row, mask);
      case Way::renormalized: return core::softmax_then_mask(row, mask, core::Renormalize::yes);
      default:
        // As libraries compute it: a row of nothing but -inf is NaN.
        return core::masked_softmax(row, Mask::none(1, row.cols()), core::EmptyRow::nan);
    }
  };
  return weights().row(0).transpose().template cast<double>();
}

MaskedRow masked_by(const VectorD& x, Index visible, Way way, Arithmetic arithmetic) {
  MaskedRow row;
  const Mask mask = Mask::key_padding(1, x.size(), visible);
  row.scores = before_softmax(stored(x, arithmetic), visible, way, arithmetic);
  const VectorD weights = arithmetic == Arithmetic::float64
                              ? weights_of<double>(row.scores, mask, way)
                              : weights_of<float>(row.scores, mask, way);
  row.weights = stored(weights, arithmetic);
  row.leaked = row.weights.tail(x.size() - visible).sum();
  row.sum = row.weights.sum();
  if (row.broken()) row.leaked = std::numeric_limits<double>::quiet_NaN();
  return row;
}

VectorD left_out_exactly(const VectorD& x, Index visible) {
  const MatrixD row = x.transpose();
  return core::masked_softmax(row, Mask::key_padding(1, x.size(), visible)).row(0).transpose();
}

// The row x whose keys from `visible` on are hidden in each way.
EachWay masked_by_each(const VectorD& x, Index visible, Arithmetic arithmetic) {
  EachWay ways;
  const VectorD right = left_out_exactly(x, visible);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    ways[k] = masked_by(x, visible, static_cast<Way>(k), arithmetic);
    ways[k].error = (ways[k].weights - right).cwiseAbs().maxCoeff();
    if (ways[k].broken()) ways[k].error = std::numeric_limits<double>::quiet_NaN();
  }
  return ways;
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  Model m;
  if (p.is_row()) {
    m.row = make_row(p);
    m.sweep = context.stage("sweep", make_sweep, logits_of(p));
  }
  if (p.view == View::jacobian) m.jacobian = core::softmax_jacobian(m.row.p, p.temperature);
  if (p.view == View::loss) m.loss = std::make_shared<const Loss>(make_loss(p));
  if (p.view == View::lengths) m.batch = make_batch(p);
  if (p.view == View::masks) m.steps = std::make_shared<const Steps>(make_steps(p));
  if (p.view == View::fills) {
    m.fills = context.stage("fills", make_fills,
                            FillKey{logits_of(p), p.visible, p.lowered, p.arithmetic});
  }
  return m;
}

bool MaskedRow::broken() const { return weights.array().isNaN().any(); }

Fills make_fills(const FillKey& key, const Run& run) {
  const VectorD logits = VectorD::Map(key.logits.data(), to_index(key.logits.size()));
  Fills fills;
  fills.x = logits.array() - key.lowered;
  fills.right = left_out_exactly(fills.x, key.visible);
  for (std::size_t k = 0; k < fills.formats.size(); ++k) {
    const auto arithmetic = static_cast<Arithmetic>(k);
    fills.formats[k] = masked_by_each(fills.x, key.visible, arithmetic);
    fills.unmasked[k] = masked_by(fills.x, fills.x.size(), Way::weights_times_mask, arithmetic);
  }
  for (int k = 0; k <= kLevelsPerDecade * kLevelDecades; ++k) {
    run.cancel.poll();
    const double level = std::pow(10.0, to_double(k) / kLevelsPerDecade);
    fills.lowered.push_back(level);
    const VectorD x = logits.array() - level;
    for (std::size_t way = 0; way < fills.leaks.size(); ++way) {
      const MaskedRow row = masked_by(x, key.visible, static_cast<Way>(way), key.arithmetic);
      fills.leaks[way].push_back(row.leaked);
    }
  }
  return fills;
}

}  // namespace lab::softmax
