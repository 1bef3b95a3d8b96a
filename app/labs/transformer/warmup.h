// A small decoder that learns to write letters, with and without warm-up.
#pragma once

#include "app/labs/transformer/depth.h"
#include "core/model/learning/optimizer.h"
#include "core/model/learning/parts.h"

namespace lab::transformer {

inline constexpr int kWarmLayers = 6;  // d_model 32, 2 heads, d_ff 64
inline constexpr int kMostSteps = 200;

// A training for Context::trained. AdamW, no clipping.
class WarmUp {
 public:
  WarmUp(const Variant& variant, double rate, int warmup, int seed);

  struct State {
    std::vector<float> values;
    core::model::Optimizer<float> optimizer;
    double loss = 0;  // of the last step's own windows, before the step
  };
  State begin(const Run& run) const;
  void step(State& state, const Run& run) const;
  std::vector<double> scalars(const State& state) const { return {state.loss}; }
  std::size_t bytes(const State& state) const {
    return state.values.size() * sizeof(float) + state.optimizer.bytes();
  }
  core::Message fault(const State& state) const;
  bool operator==(const WarmUp& other) const {
    return variant_ == other.variant_ && rate_ == other.rate_ && warmup_ == other.warmup_ &&
           seed_ == other.seed_;
  }

 private:
  // What follows from the description, shared by its copies, and room to work in.
  struct Made {
    LetterModel model;
    std::string text;
    core::model::ObjectPool<core::model::Parts> parts;
    Made(const Variant& variant, int seed);
  };
  double loss_of(const std::vector<float>& values, Index step, const Run& run,
                 core::model::Parts& parts) const;

  Variant variant_;
  double rate_;
  int warmup_, seed_;
  std::shared_ptr<Made> made_;
};

// What it costs to know how often each letter comes, and nothing else, in nats.
double letter_entropy(int seed);

struct WarmUps {
  Trained<WarmUp> with, without;
};

}  // namespace lab::transformer
