// The gradient of a language model's loss beside central differences.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "core/model/layer/cross_entropy.h"
#include "core/random.h"
#include "core/task/language/language_model.h"

namespace language_test {

// Of each parameter `samples` numbers are tried. values: (model.layout); next: the ids that follow
// `ids`.
inline void check_gradient(const core::task::LanguageModel& model, std::vector<double> values,
                           const std::vector<std::int32_t>& ids,
                           const std::vector<std::int32_t>& next, int samples) {
  std::vector<double> gradient(values.size(), 0.0);
  const auto length = static_cast<core::Index>(next.size());
  core::model::Tape<double> tape;
  const auto loss_of = [&](double* into) {
    tape.begin(values.data(), into, {.differentiates = into != nullptr});
    const auto logits = model(tape, ids.data(), {.batch = 1, .length = length});
    const auto loss =
        core::model::cross_entropy(tape, logits, next.data(), static_cast<double>(length));
    if (into) tape.backward(loss);
    return *loss.value;
  };
  loss_of(gradient.data());
  core::Random random(1);
  for (const core::model::Parameter& p : model.layout.parameters()) {
    CAPTURE(p.name);
    for (int k = 0; k < samples; ++k) {
      const auto at = static_cast<std::size_t>(
          p.slot.offset + random.below(static_cast<std::uint32_t>(p.slot.size())));
      const double before = values[at], h = 1e-5;
      values[at] = before + h;
      const double above = loss_of(nullptr);
      values[at] = before - h;
      const double below = loss_of(nullptr);
      values[at] = before;
      CHECK(gradient[at] == doctest::Approx((above - below) / (2 * h)).epsilon(1e-5).scale(1e-3));
    }
  }
}

}  // namespace language_test
