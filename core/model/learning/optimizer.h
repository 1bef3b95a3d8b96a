// Gradient descent: SGD with momentum, Adam, AdamW; clipping; schedules.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/learning/layout.h"
#include "core/types.h"

namespace core::model {

enum class Method {
  sgd,   // b = momentum b + g, w -= rate b (Sutskever et al. 2013 with the rate outside of b, as
         // PyTorch has it)
  adam,  // Kingma and Ba 2015, algorithm 1; decay, if any, is added to the gradient (L2)
  adamw  // Loshchilov and Hutter 2019, algorithm 2: decay separate from the gradient
};

struct OptimizerOptions {
  Method method = Method::adamw;
  double momentum = 0.9;              // of SGD
  double beta1 = 0.9, beta2 = 0.999;  // of Adam
  double epsilon = 1e-8;
  double decay = 0;
  bool decay_all = false;  // also parameters that Layout marks as not decaying
  double clip = 0;         // largest norm of the whole gradient (Pascanu et al. 2013); 0: none

  bool operator==(const OptimizerOptions&) const = default;
};

// The learning rate by step, which counts from 1.
struct Schedule {
  enum class Kind {
    constant,  // after a linear rise over `warmup` steps
    cosine,    // then half a cosine down to `last` of the rate at step `steps` (Loshchilov and
               // Hutter 2017, equation 5)
    steady,    // constant after the rise; over the last fifth of `steps` it falls to `last` of the
               // rate as 1 - sqrt(share of the fall) does (Hägele et al. 2024, arXiv:2405.18392,
               // section 4): until then nothing depends on `steps`
    paper  // rate d_model^-1/2 min(step^-1/2, step warmup^-3/2) (Vaswani et al. 2017, equation 3)
  };
  Kind kind = Kind::constant;
  double rate = 1e-3;
  Index warmup = 0, steps = 0;
  double last = 0;
  Index d_model = 0;  // for `paper`

  double at(Index step) const;
  // steady: the last step before the fall.
  Index last_steady() const { return steps - steps / 5; }
  bool operator==(const Schedule&) const = default;
};

// The moments of every parameter, in the order of the layout.
template <class S>
class Optimizer {
 public:
  Optimizer() = default;
  Optimizer(const Layout& layout, const OptimizerOptions& options);
  // Goes on from where another stood, whose steps and moments these are. InputError unless there
  // are as many numbers as the layout has, of SGD no second moments.
  Optimizer(const Layout& layout, const OptimizerOptions& options, Index steps,
            std::vector<S> first, std::vector<S> second);

  // One step on the values of the layout's parameters, at this rate, on at most `threads` threads
  // (0 = all cores), whose number changes no bit. Returns the norm of the gradient before clipping.
  // A gradient that is not finite makes all values so: see first_not_finite.
  double step(const Layout& layout, S* values, const S* gradients, double rate, int threads = 1);
  Index steps() const { return steps_; }
  const std::vector<S>& first() const { return first_; }
  const std::vector<S>& second() const { return second_; }
  std::size_t bytes() const { return (first_.size() + second_.size()) * sizeof(S); }

 private:
  // What all numbers share in one step.
  struct Step {
    S* values;
    const S* gradients;
    double rate, factor;              // of the gradient: clipping
    double correction1, correction2;  // of the moments
  };
  // `count` numbers of one parameter, from index `first` of the layout on.
  void momentum(const Step& step, Index first, Index count, double decay);
  void adam(const Step& step, Index first, Index count, double decay);

  OptimizerOptions options_;
  std::vector<S> first_, second_;
  Index steps_ = 0;
};

// The Euclidean norm, summed in double piece by piece: the same for any number of threads.
template <class S>
double norm(const Layout& layout, const S* numbers, int threads = 1);

// The first parameter with a NaN or an infinity; null: all are finite.
template <class S>
const Parameter* first_not_finite(const Layout& layout, const S* numbers);

}  // namespace core::model
