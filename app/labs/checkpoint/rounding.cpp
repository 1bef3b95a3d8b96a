// What rounding does to what a model says: of how it turns queries and keys, of this text; of all
// kinds of numbers, over held-out texts.
#include "app/labs/checkpoint/model.h"

namespace lab::checkpoint {
namespace {

namespace published = core::checkpoint;

struct RoundingKey {
  std::shared_ptr<const Opened> opened;
  std::shared_ptr<const Tokens> tokens;
  int offset = 0;
  core::Format format;
  bool operator==(const RoundingKey&) const = default;
};

Rounding round_steps(const RoundingKey& key, const Run& run) {
  published::Input input = key.tokens->input();  // the beginning of the text
  if (input.tokens.size() > kMostRounded) input.tokens.resize(kMostRounded);
  return published::rotation_changes(*key.opened->model, input, key.offset, key.format, run.threads,
                                     run.cancel);
}

struct NextKey {
  std::shared_ptr<const Opened> opened;
  std::shared_ptr<const Tokens> tokens;
  int offset = 0;
  bool operator==(const NextKey&) const = default;
};

published::RoundedNext say_rounded(const NextKey& key, const Run& run) {
  std::vector<std::int32_t> ids = key.tokens->ids;
  if (ids.size() > kMostRounded) ids.erase(ids.begin(), ids.end() - kMostRounded);
  return published::rounded_next(*key.opened->model, ids, key.offset, run.threads, run.cancel);
}

}  // namespace

std::shared_ptr<const Rounding> rounding_stage(const Parameters& p, const Model& model,
                                               const Context& context) {
  const bool rotates = model.positions().rotary && model.facts().kind == published::Kind::decoder;
  if (!rotates || !model.speaks()) return nullptr;
  return context.stage("rounding", round_steps,
                       RoundingKey{model.opened, model.tokens, p.offset, format_of(p.format)});
}

void add_precision(const Parameters& p, const Context& context, Model& model) {
  if (model.opened->held_out.empty()) return;
  model.precision =
      context.stage("precision", measure_precision, PrecisionKey{model.opened, p.offset});
  model.rounded_next =
      context.stage("rounded next", say_rounded, NextKey{model.opened, model.tokens, p.offset});
}

}  // namespace lab::checkpoint
