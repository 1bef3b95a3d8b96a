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

Rounding round_steps(const RoundingKey& key, const Run& run) {
  Rounding out;
  const double passes = to_double(3 * kOffsets.size());
  const double work = passes * to_double(key.opened->facts().parameters) *
                      to_double(std::min(key.tokens->ids.size(), kMostRounded));
  const bool curve = work <= kMostWork;
  const double all = to_double(kAllRounded.size() + 1) + (curve ? passes : 0);
  double done = 0;
  const published::Input input = input_of(key);
  const auto one = [&](Index offset, std::optional<Rounded> what) {
    const core::RotaryRounding rounding = what ? rotary_rounding_of(*what, key.format)
                                               : core::RotaryRounding{.carrier = core::kFloat64};
    Matrix logits =
        rotated_logits(*key.opened->model, input, offset, rounding, run.threads, run.cancel);
    run.cancel.progress(to_float(++done / all));
    run.cancel.poll();
    return logits;
  };
  const Matrix exact = one(key.offset, std::nullopt);
  for (const Rounded what : kAllRounded) {
    out.changes[to_size(what)] = published::logit_change(exact, one(key.offset, what));
  }
  if (!curve) return out;
  const auto largest = [](const published::LogitChange& change) {
    return change.finite ? change.largest : std::numeric_limits<double>::quiet_NaN();
  };
  for (const double offset : kOffsets) {
    const auto at = to_index(offset);
    const Matrix there = one(at, std::nullopt);
    out.offsets.push_back(offset);
    out.by_ids.push_back(largest(published::logit_change(there, one(at, Rounded::ids))));
    out.by_tables.push_back(largest(published::logit_change(there, one(at, Rounded::tables))));
  }
  return out;
}

}  // namespace

std::shared_ptr<const Rounding> rounding_stage(const Parameters& p, const Model& model,
                                               const Context& context) {
  const bool rotates = model.positions().rotary && model.facts().kind == published::Kind::decoder;
  if (!rotates || !model.speaks()) return nullptr;
  return context.stage("rounding", round_steps,
                       RoundingKey{model.opened, model.tokens, p.offset, format_of(p.format)});
}

}  // namespace lab::checkpoint
