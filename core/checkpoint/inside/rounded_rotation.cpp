#include "core/checkpoint/inside/rounded_rotation.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace core::checkpoint {

RotaryRounding rotary_rounding_of(RoundedRotation what, const Format& low) {
  RotaryRounding rounding{.low = low, .carrier = kFloat64};
  const bool all = what == RoundedRotation::everything;
  if (all || what == RoundedRotation::ids) rounding.steps.add(RotaryStep::id);
  if (all || what == RoundedRotation::frequencies) rounding.steps.add(RotaryStep::frequency);
  if (all || what == RoundedRotation::products) rounding.steps.add(RotaryStep::angle);
  if (all || what == RoundedRotation::tables) rounding.steps.add(RotaryStep::table);
  return rounding;
}

RotaryTableD rounded_rotary_table(const VectorD& frequencies, const VectorD& positions,
                                  double multiplier, RotaryRounding rounding, int threads,
                                  const Cancel& cancel) {
  const bool last = multiplier != 1 && rounding.rounds(RotaryStep::table);
  if (last) {
    const RotarySteps all = std::exchange(rounding.steps, {});
    for (const auto step : {RotaryStep::id, RotaryStep::frequency, RotaryStep::angle}) {
      if (all.has(step)) rounding.steps.add(step);
    }
  }
  RotaryTableD table;
  RotaryRounder(frequencies, rounding)
      .fill(table, static_cast<Index>(positions(0)), positions.size(), threads, cancel);
  if (multiplier == 1) return table;
  const Rounder low(rounding.low);
  for (MatrixD* const part : {&table.cos, &table.sin}) {
    *part *= multiplier;
    if (last) *part = part->unaryExpr([&](double x) { return low(x); });
  }
  return table;
}

Matrix rotated_logits(const Model& model, const Input& input, Index offset,
                      const RotaryRounding& rounding, int threads, const Cancel& cancel) {
  ForwardOptions<float> options;
  options.keep_weights = options.keep_layers = false;
  options.first_position = offset;
  options.threads = threads;
  options.rotary_table = [&](const VectorD& frequencies, const VectorD& positions,
                             double multiplier) {
    return rounded_rotary_table(frequencies, positions, multiplier, rounding, threads, cancel);
  };
  return model.forward(input, options, cancel).logits;
}

LogitChange logit_change(const Matrix& exact, const Matrix& other) {
  LogitChange change;
  for (Index t = 0; t < exact.rows(); ++t) {
    const double largest = (other.row(t) - exact.row(t)).cast<double>().cwiseAbs().maxCoeff();
    if (!other.row(t).allFinite()) {
      change.finite = false;
      change.of_token.push_back(std::numeric_limits<double>::quiet_NaN());
      ++change.tokens_changed;
      continue;
    }
    Index before = 0, after = 0;
    exact.row(t).maxCoeff(&before);
    other.row(t).maxCoeff(&after);
    change.tokens_changed += before != after;
    change.of_token.push_back(largest);
    change.largest = std::max(change.largest, largest);
  }
  return change;
}

RotationChanges rotation_changes(const Model& model, const Input& input, Index offset,
                                 const Format& low, int threads, const Cancel& cancel) {
  constexpr double kMostWork = 4e11;  // multiply-adds of the curve over offsets
  constexpr std::array<double, 8> kOffsets = {0, 64, 256, 1024, 4096, 16384, 65536, 262144};
  RotationChanges out;
  const auto passes = static_cast<double>(3 * kOffsets.size());
  const double work = passes * static_cast<double>(model.facts().parameters) *
                      static_cast<double>(input.tokens.size());
  const bool curve = work <= kMostWork;
  const double all = static_cast<double>(out.changes.size() + 1) + (curve ? passes : 0);
  double done = 0;
  const auto one = [&](Index at, std::optional<RoundedRotation> what) {
    const RotaryRounding rounding =
        what ? rotary_rounding_of(*what, low) : RotaryRounding{.carrier = kFloat64};
    Matrix logits = rotated_logits(model, input, at, rounding, threads, cancel);
    cancel.progress(static_cast<float>(++done / all));
    cancel.poll();
    return logits;
  };
  const Matrix exact = one(offset, std::nullopt);
  for (std::size_t k = 0; k < out.changes.size(); ++k) {
    out.changes[k] = logit_change(exact, one(offset, static_cast<RoundedRotation>(k)));
  }
  if (!curve) return out;
  const auto largest = [](const LogitChange& change) {
    return change.finite ? change.largest : std::numeric_limits<double>::quiet_NaN();
  };
  for (const double at : kOffsets) {
    const auto place = static_cast<Index>(at);
    const Matrix there = one(place, std::nullopt);
    out.offsets.push_back(at);
    out.by_ids.push_back(largest(logit_change(there, one(place, RoundedRotation::ids))));
    out.by_tables.push_back(largest(logit_change(there, one(place, RoundedRotation::tables))));
  }
  return out;
}

}  // namespace core::checkpoint
