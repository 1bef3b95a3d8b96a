// One row whose last keys are hidden in seven ways, in three arithmetics.
#include <cmath>
#include <limits>

#include "app/labs/softmax/model.h"
#include "core/attention/masked_softmax.h"
#include "core/attention/softmax.h"
#include "core/precision/format.h"
#include "core/precision/rounding.h"

namespace lab::softmax {
namespace {

using core::Mask;
using core::MatrixOf;

constexpr int kLevelsPerDecade = 12, kLevelDecades = 11;

double stored(double value, Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::float64:
      return value;
    case Arithmetic::float32:
      return static_cast<double>(static_cast<float>(value));
    case Arithmetic::float16:
      break;
  }
  return core::round_to(core::kFloat16, value);
}

VectorD stored(VectorD values, Arithmetic arithmetic) {
  for (double& value : values) value = stored(value, arithmetic);
  return values;
}

// What the scores are before softmax: with the fill in them, or multiplied by the mask.
VectorD before_softmax(VectorD x, Index visible, Way way, Arithmetic arithmetic) {
  for (Index j = visible; j < x.size(); ++j) {
    switch (way) {
      case Way::million:
        x(j) = stored(fill_value(Fill::minus_million), arithmetic);
        break;
      case Way::two_to_32:
        x(j) = stored(fill_value(Fill::minus_two_to_32), arithmetic);
        break;
      case Way::infinity:
        x(j) = fill_value(Fill::minus_infinity);
        break;
      case Way::scores_times_mask:
        x(j) *= 0;  // -inf times 0 is NaN
        break;
      default:
        break;
    }
  }
  return x;
}

template <class Scalar>
VectorD weights_of(const VectorD& scores, const Mask& mask, Way way) {
  const MatrixOf<Scalar> row = scores.transpose().cast<Scalar>();
  const auto weights = [&]() -> MatrixOf<Scalar> {
    switch (way) {
      case Way::left_out:
        return core::masked_softmax(row, mask);
      case Way::weights_times_mask:
        return core::softmax_then_mask(row, mask);
      case Way::renormalised:
        return core::softmax_then_mask(row, mask, core::Renormalise::yes);
      default:
        // As libraries compute it: a row of nothing but -inf is NaN.
        return core::masked_softmax(row, Mask::none(1, row.cols()), core::EmptyRow::nan);
    }
  };
  return weights().row(0).transpose().template cast<double>();
}

Hidden hide_by(const VectorD& x, Index visible, Way way, Arithmetic arithmetic) {
  Hidden hidden;
  const Mask mask = Mask::key_padding(1, x.size(), visible);
  hidden.scores = before_softmax(stored(x, arithmetic), visible, way, arithmetic);
  const VectorD weights = arithmetic == Arithmetic::float64
                              ? weights_of<double>(hidden.scores, mask, way)
                              : weights_of<float>(hidden.scores, mask, way);
  hidden.weights = stored(weights, arithmetic);
  hidden.leaked = hidden.weights.tail(x.size() - visible).sum();
  hidden.sum = hidden.weights.sum();
  if (hidden.broken()) hidden.leaked = std::numeric_limits<double>::quiet_NaN();
  return hidden;
}

VectorD left_out_exactly(const VectorD& x, Index visible) {
  const MatrixD row = x.transpose();
  return core::masked_softmax(row, Mask::key_padding(1, x.size(), visible)).row(0).transpose();
}

}  // namespace

bool Hidden::broken() const { return weights.array().isNaN().any(); }

EachWay hide(const VectorD& x, Index visible, Arithmetic arithmetic) {
  EachWay ways;
  const VectorD right = left_out_exactly(x, visible);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    ways[k] = hide_by(x, visible, static_cast<Way>(k), arithmetic);
    ways[k].error = (ways[k].weights - right).cwiseAbs().maxCoeff();
    if (ways[k].broken()) ways[k].error = std::numeric_limits<double>::quiet_NaN();
  }
  return ways;
}

Fills make_fills(const Parameters& p) {
  const VectorD logits = VectorD::Map(p.logits.data(), p.count);
  Fills fills;
  fills.x = logits.array() - p.lowered;
  fills.right = left_out_exactly(fills.x, p.visible);
  for (std::size_t k = 0; k < fills.formats.size(); ++k) {
    const auto arithmetic = static_cast<Arithmetic>(k);
    fills.formats[k] = hide(fills.x, p.visible, arithmetic);
    fills.unmasked[k] = hide_by(fills.x, fills.x.size(), Way::weights_times_mask, arithmetic);
  }
  for (int k = 0; k <= kLevelsPerDecade * kLevelDecades; ++k) {
    const double level = std::pow(10.0, static_cast<double>(k) / kLevelsPerDecade);
    fills.lowered.push_back(level);
    const VectorD x = logits.array() - level;
    for (std::size_t way = 0; way < fills.leaks.size(); ++way) {
      const Hidden hidden = hide_by(x, p.visible, static_cast<Way>(way), p.arithmetic);
      fills.leaks[way].push_back(hidden.leaked);
    }
  }
  return fills;
}

}  // namespace lab::softmax
