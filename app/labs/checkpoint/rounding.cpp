// What rounded places do to the logits of a model that turns queries and keys.
#include "app/labs/checkpoint/model.h"

namespace lab::checkpoint {
namespace {

namespace published = core::checkpoint;

constexpr double kMostWork = 4e11;  // multiply-adds of the curve over offsets
constexpr std::array<double, 8> kOffsets = {0, 64, 256, 1024, 4096, 16384, 65536, 262144};

struct RoundingKey {
  std::shared_ptr<const Opened> opened;
  std::shared_ptr<const Tokens> tokens;
  int offset = 0;
  core::Format format;
  bool operator==(const RoundingKey&) const = default;
};

// The beginning of the text.
published::Input input_of(const RoundingKey& key) {
  published::Input input = key.tokens->input();
  if (input.tokens.size() > kMostRounded) input.tokens.resize(kMostRounded);
  return input;
}

// The finished table, with the scaling's multiplier in it, is what is rounded, as the published
// code does it.
core::RotaryTableD rounded_rotary_table(const VectorD& frequencies, const VectorD& places,
                                        double multiplier, core::RotaryRounding rounding,
                                        const Run& run) {
  const bool last = multiplier != 1 && rounding.rounds(core::RotaryStep::table);
  if (last) {
    const core::RotarySteps all = std::exchange(rounding.steps, {});
    for (const auto step :
         {core::RotaryStep::id, core::RotaryStep::frequency, core::RotaryStep::angle}) {
      if (all.has(step)) rounding.steps.add(step);
    }
  }
  core::RotaryTableD table;
  core::RotaryRounder(frequencies, rounding)
      .fill(table, to_index(places(0)), places.size(), run.threads, run.cancel);
  if (multiplier == 1) return table;
  const core::Rounder low(rounding.low);
  for (MatrixD* const part : {&table.cos, &table.sin}) {
    *part *= multiplier;
    if (last) *part = part->unaryExpr([&](double x) { return low(x); });
  }
  return table;
}

Matrix logits_at(const RoundingKey& key, Index offset, std::optional<Rounded> what,
                 const Run& run) {
  published::ForwardOptions<float> options;
  options.keep_weights = options.keep_layers = false;
  options.first_position = offset;
  options.threads = run.threads;
  // Without a step to be rounded: the exact ones, by the same way.
  core::RotaryRounding rounding{.carrier = core::kFloat64};
  if (what) rounding = rounding_of(*what, key.format);
  options.rotary_table = [rounding, &run](const VectorD& frequencies, const VectorD& places,
                                          double multiplier) {
    return rounded_rotary_table(frequencies, places, multiplier, rounding, run);
  };
  return key.opened->model->forward(input_of(key), options, run.cancel).logits;
}

Rounding::Change change_between(const Matrix& exact, const Matrix& rounded) {
  Rounding::Change change;
  for (Index t = 0; t < exact.rows(); ++t) {
    const double largest = (rounded.row(t) - exact.row(t)).cast<double>().cwiseAbs().maxCoeff();
    if (!rounded.row(t).allFinite()) {
      change.finite = false;
      change.of_token.push_back(std::numeric_limits<double>::quiet_NaN());
      ++change.tokens_changed;
      continue;
    }
    Index before = 0, after = 0;
    exact.row(t).maxCoeff(&before);
    rounded.row(t).maxCoeff(&after);
    change.tokens_changed += before != after;
    change.of_token.push_back(largest);
    change.largest = std::max(change.largest, largest);
  }
  return change;
}

Rounding round_steps(const RoundingKey& key, const Run& run) {
  Rounding out;
  const double passes = to_double(3 * kOffsets.size());
  const double work = passes * to_double(key.opened->facts().parameters) *
                      to_double(std::min(key.tokens->ids.size(), kMostRounded));
  const bool curve = work <= kMostWork;
  const double all = to_double(kAllRounded.size() + 1) + (curve ? passes : 0);
  double done = 0;
  const auto one = [&](Index offset, std::optional<Rounded> what) {
    Matrix logits = logits_at(key, offset, what, {run.cancel, run.threads});
    run.cancel.progress(to_float(++done / all));
    run.cancel.poll();
    return logits;
  };
  const Matrix exact = one(key.offset, std::nullopt);
  for (const Rounded what : kAllRounded) {
    out.changes[to_size(what)] = change_between(exact, one(key.offset, what));
  }
  if (!curve) return out;
  const auto largest = [](const Rounding::Change& change) {
    return change.finite ? change.largest : std::numeric_limits<double>::quiet_NaN();
  };
  for (const double offset : kOffsets) {
    const auto at = to_index(offset);
    const Matrix there = one(at, std::nullopt);
    out.offsets.push_back(offset);
    out.by_ids.push_back(largest(change_between(there, one(at, Rounded::ids))));
    out.by_tables.push_back(largest(change_between(there, one(at, Rounded::tables))));
  }
  return out;
}

}  // namespace

// What is not rounded is computed in double, so that the low format alone is seen.
core::RotaryRounding rounding_of(Rounded what, const core::Format& format) {
  core::RotaryRounding rounding{.low = format, .carrier = core::kFloat64};
  using core::RotaryStep;
  const bool all = what == Rounded::everything;
  if (all || what == Rounded::ids) rounding.steps.add(RotaryStep::id);
  if (all || what == Rounded::frequencies) rounding.steps.add(RotaryStep::frequency);
  if (all || what == Rounded::products) rounding.steps.add(RotaryStep::angle);
  if (all || what == Rounded::tables) rounding.steps.add(RotaryStep::table);
  return rounding;
}

std::shared_ptr<const Rounding> rounding_stage(const Parameters& p, const Model& model,
                                               const Context& context) {
  const bool rotates = model.positions().rotary && model.facts().kind == published::Kind::decoder;
  if (!rotates || !model.speaks()) return nullptr;
  return context.stage("rounding", round_steps,
                       RoundingKey{model.opened, model.tokens, p.offset, format_of(p.format)});
}

}  // namespace lab::checkpoint
