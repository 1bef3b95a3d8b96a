// A LetterModel that is trained, its rate at once or rising over the first steps: why stacks with
// the norm after each sum are said to need a warm-up (Xiong et al. 2020, section 3).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/model/learning/optimizer.h"
#include "core/model/learning/parts.h"
#include "core/task/depth/stack_variant.h"
#include "core/types.h"

namespace core::task {

inline constexpr Index kWarmUpLayers = 6;  // of small_form()

// Training by AdamW (beta2 0.98, decay 0.01) without clipping. The same description and the same
// steps give the same bits with any number of threads; everything random follows from the seed.
class WarmUpFit {
 public:
  // rate: of a step, when it has risen over `warmup` steps; 0 steps: at once.
  WarmUpFit(const StackVariant& variant, double rate, Index warmup, std::uint64_t seed);

  struct State {
    std::vector<float> values;
    model::Optimizer<float> optimizer;
    double loss = 0;  // nats a letter, of the last step's own windows, before the step
  };
  State begin(int threads = 0) const;
  void step(State& state, int threads = 0) const;
  static std::size_t bytes(const State& state) {
    return state.values.size() * sizeof(float) + state.optimizer.bytes();
  }

  // What it reads; see letter_entropy.
  const std::string& text() const;
  // The same training; who made it does not matter.
  bool operator==(const WarmUpFit& other) const {
    return variant_ == other.variant_ && rate_ == other.rate_ && warmup_ == other.warmup_ &&
           seed_ == other.seed_;
  }

 private:
  // What follows from the description, shared by its copies, and room to work in.
  struct Made;
  // The mean loss of a step's windows, whose gradient `parts` then has.
  double loss_of(const std::vector<float>& values, Index step, int threads,
                 model::Parts& parts) const;

  StackVariant variant_;
  double rate_;
  Index warmup_;
  std::uint64_t seed_;
  std::shared_ptr<Made> made_;
};

}  // namespace core::task
