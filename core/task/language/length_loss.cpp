#include "core/task/language/length_loss.h"

#include <algorithm>
#include <memory>
#include <string>

#include "core/model/layer/cross_entropy.h"
#include "core/model/learning/arena.h"
#include "core/model/learning/parts.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core::task {

LanguageModel at_length(const LanguageModel& model, Index longest) {
  if (model.added.table.declared()) {
    if (longest > model.form.context) {
      refuse("learned positions", "at most " + std::to_string(model.form.context) + " tokens",
             std::to_string(longest));
    }
    return model;
  }
  LanguageForm form = model.form;
  form.context = longest;
  return LanguageModel(form);
}

void turn_by(LanguageModel& model, const VectorD& theta, double multiplier) {
  if (!model.positions.query_rotations) {
    refuse("language model", "rotary heads", std::string(model::scheme_id(model.form.scheme)));
  }
  if (theta.size() != model.positions.width / 2) {
    refuse("frequencies", "one for each of " + std::to_string(model.positions.width / 2) + " pairs",
           std::to_string(theta.size()));
  }
  const Index n = model.form.context;
  RotaryTableD angles = rotary_angles(VectorD::LinSpaced(n, 0, static_cast<double>(n - 1)), theta);
  angles.cos *= multiplier;
  angles.sin *= multiplier;
  model.positions.query_rotations = model.positions.key_rotations =
      std::make_shared<const model::HeadPositions::Rotations>(
          model::HeadPositions::Rotations{angles, rounded(angles)});
}

LengthLosses length_losses(const LanguageModel& model, const float* values,
                           const std::vector<const std::int32_t*>& texts, Index length, int threads,
                           const Cancel& cancel) {
  const Index count = std::ssize(texts);
  LengthLosses losses{MatrixD(count, length), Matrix(count, length)};
  model::ObjectPool<model::Tape<float>> tapes;
  parallel_for(count, threads, [&](Index k, int) {
    cancel.poll();
    const model::ObjectPool<model::Tape<float>>::Use use(tapes);
    model::Tape<float>& tape = *use;
    const std::int32_t* tokens = texts[static_cast<std::size_t>(k)];
    tape.begin(values, nullptr, {.differentiates = false});
    const auto logits = model(tape, tokens, {.batch = 1, .length = length});
    auto* room = tape.room<float>(logits.cols);
    for (Index i = 0; i < length; ++i) {
      const float* row = logits.values().row(i);
      losses.loss(k, i) = model::surprise(row, logits.cols, tokens[i + 1], room);
      losses.logit(k, i) = row[tokens[i + 1]];
    }
  });
  return losses;
}

std::vector<Index> spread_texts(Index stream, Index length, Index most) {
  const Index room = stream - 1, count = std::min(most, length > 0 ? room / length : 0);
  std::vector<Index> begins;
  for (Index k = 0; k < count; ++k) {
    begins.push_back(count > 1 ? k * (room - length) / (count - 1) : 0);
  }
  return begins;
}

}  // namespace core::task
