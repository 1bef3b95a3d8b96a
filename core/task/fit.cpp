#include "core/task/fit.h"

#include <algorithm>

#include "core/model/layer/cross_entropy.h"

namespace core::task {

Index parts_of(Index batch) { return std::clamp<Index>(batch / 8, std::min<Index>(2, batch), 8); }

model::Tensor<float> FitLoss::operator()(model::Tape<float>& tape, const Guesses& guesses,
                                         Index& hits) const {
  hits = model::hits(guesses.logits, guesses.targets);
  return model::cross_entropy(tape, guesses.logits, guesses.targets, static_cast<float>(counted),
                              static_cast<float>(smoothing));
}

}  // namespace core::task
