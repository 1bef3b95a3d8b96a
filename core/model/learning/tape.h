// A forward pass recorded for the backward pass: each layer computes its values at once and stores
// what its own backward pass needs. Reverse accumulation with hand-written layers (Linnainmaa 1970;
// Rumelhart, Hinton and Williams 1986): the gradient with respect to a value is complete when the
// backward pass is through all that used it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/model/layer/products.h"
#include "core/model/learning/arena.h"
#include "core/model/learning/layout.h"
#include "core/model/learning/tensor.h"
#include "core/model/trace.h"
#include "core/types.h"

namespace core::model {

// InputError unless every length is within the sequences' common length.
void check_lengths(const char* where, const Sequences& sequences);

// Settings of a pass.
struct Pass {
  bool train = false;          // dropout drops, batch norm uses the batch
  std::uint64_t dropout = 0;   // seed of the masks, with the step in it
  bool differentiates = true;  // keeps what the backward pass needs
};

// Overwrites activations where a pass names them, to see what follows from other values.
template <class S>
class Edit {
 public:
  virtual ~Edit() = default;
  // `name` as in a trace; rows of tokens, by sequence.
  virtual void operator()(std::string_view name, const Tensor<S>& t,
                          const Sequences& sequences) const = 0;
};

template <class S>
class Tape {
 public:
  Tape() = default;
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Starts a new pass in the same memory. `parameters` are those of a layout, in its order;
  // `gradients` likewise, to which backward() adds, or null where they are not wanted. `trace`, or
  // null, keeps what is named; `edit`, or null, changes it, in a pass that does not differentiate
  // (else InputError). All must outlive the pass.
  void begin(const S* parameters, S* gradients, const Pass& pass, Trace<S>* trace = nullptr,
             const Edit<S>* edit = nullptr);

  const Pass& pass() const { return pass_; }
  Multiplier& multiply() { return multiply_; }
  bool traces() const { return trace_ != nullptr; }

  Tensor<S> parameter(const Slot& slot) const {
    // Parameters' values are never written through this tensor.
    return {const_cast<S*>(parameters_) + slot.offset,
            gradients_ ? gradients_ + slot.offset : nullptr, slot.rows, slot.cols};
  }
  // Values undefined, gradient 0 when backward() begins.
  Tensor<S> tensor(Index rows, Index cols) {
    Tensor<S> t{value_arena_.take<S>(rows * cols), nullptr, rows, cols};
    if (pass_.differentiates) t.gradient = gradient_arena_.take<S>(rows * cols);
    return t;
  }
  // A copy of a matrix, with a gradient of its own.
  Tensor<S> input(const MatrixOf<S>& from) {
    const Tensor<S> t = tensor(from.rows(), from.cols());
    t.matrix() = from;
    return t;
  }
  // Memory that lives as long as the pass, uninitialized.
  template <class T>
  T* room(Index count) {
    return value_arena_.take<T>(count);
  }

  // Computes `op` now and records it. An operation is a plain struct of tensors and settings with
  //   void forward(Tape<S>&) const;
  //   void backward(Tape<S>&) const;
  // where backward adds to the gradients of its inputs that are wanted.
  template <class Op>
  void record(const char* name, const Op& op) {
    static_assert(std::is_trivially_copyable_v<Op> && std::is_trivially_destructible_v<Op>);
    op.forward(*this);
    if (!pass_.differentiates) return;
    if (trace_) scopes_.push_back(prefix_);
    Op* kept = value_arena_.template take<Op>(1);
    *kept = op;
    steps_.push_back({name, kept, [](const void* at, Tape& tape) {
                        static_cast<const Op*>(at)->backward(tape);
                      }});
  }

  // The gradients of loss(0, 0) with respect to everything that it was computed from; the trace
  // then has them, too.
  void backward(const Tensor<S>& loss) {
    begin_backward(loss);
    while (step_back()) {
    }
    trace_gradients();
  }
  // The same, operation by operation; step_back returns false when none is left.
  void begin_backward(const Tensor<S>& loss);
  bool step_back();
  // Names of the operations, in the order of the forward pass, and how many the backward pass has
  // yet to visit.
  Index operations() const { return static_cast<Index>(steps_.size()); }
  const char* operation(Index k) const { return steps_[static_cast<std::size_t>(k)].name; }
  // The scope in which the operation was recorded, "encoder.0.", while a trace is kept; else empty.
  const std::string& scope(Index k) const { return scopes_[static_cast<std::size_t>(k)]; }
  Index left() const { return left_; }

  // A number of its own for each mask of this pass, the same whenever the pass is run again.
  std::uint64_t next_mask() { return masks_++; }

  // Names activations while there is a trace or an edit. The name of a scope precedes all names
  // given while it lives.
  class Named {
   public:
    Named(Tape& tape, std::string_view name) : tape_(tape), before_(tape.prefix_.size()) {
      if (tape_.names()) tape_.prefix_.append(name).push_back('.');
    }
    Named(Tape& tape, Index number) : tape_(tape), before_(tape.prefix_.size()) {
      if (tape_.names()) tape_.prefix_.append(std::to_string(number)).push_back('.');
    }
    ~Named() { tape_.prefix_.resize(before_); }
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;

   private:
    Tape& tape_;
    std::size_t before_;
  };
  // `values` in row-major order of `shape`; `axes` say what its axes count. `gradients` likewise,
  // complete after the backward pass; null where there are none.
  void name(std::string_view name, const S* values, std::initializer_list<Index> shape,
            std::initializer_list<const char*> axes, const S* gradients = nullptr);
  // Rows of tokens, by sequence.
  void name(std::string_view name, const Tensor<S>& t, const Sequences& sequences) {
    if (edit_) (*edit_)(prefix_ + std::string(name), t, sequences);
    this->name(name, t.value, {sequences.batch, sequences.length, t.cols},
               {"batch", "token", "feature"}, t.gradient);
  }

 private:
  struct Step {
    const char* name;
    const void* op;
    void (*backward)(const void*, Tape&);
  };

  void trace_gradients();
  bool names() const { return trace_ || edit_; }

  const S* parameters_ = nullptr;
  S* gradients_ = nullptr;
  Pass pass_;
  Trace<S>* trace_ = nullptr;
  const Edit<S>* edit_ = nullptr;
  std::vector<const S*> traced_;  // gradients of the trace's activations of this pass, in its order
  std::string prefix_;
  Arena value_arena_, gradient_arena_;
  std::vector<Step> steps_;
  std::vector<std::string> scopes_;  // of each step, while a trace is kept
  Index left_ = 0;
  std::uint64_t masks_ = 0;
  Multiplier multiply_;
};

extern template class Tape<float>;
extern template class Tape<double>;

}  // namespace core::model
