// A forward pass written down so that it can be walked backwards: each layer computes its values at
// once and leaves behind what its own backward pass needs. Reverse accumulation by hand-written
// layers (Linnainmaa 1970; Rumelhart, Hinton and Williams 1986): the loss's gradient by a value is
// complete when all that used the value have been walked over.
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

// InputError unless every sequence's length lies within it.
void check_lengths(const char* where, const Sequences& sequences);

// How a pass is run.
struct Pass {
  bool train = false;          // dropout drops, batch norm looks at the batch
  std::uint64_t dropout = 0;   // what masks are drawn from: the seed with the step
  bool differentiates = true;  // keeps what walking back needs
};

// Writes over activations where a pass names them, to see what follows from another value.
template <class S>
class Edit {
 public:
  virtual ~Edit() = default;
  // `name` as a trace has it; rows of tokens, by sequence.
  virtual void operator()(std::string_view name, const Tensor<S>& t,
                          const Sequences& sequences) const = 0;
};

template <class S>
class Tape {
 public:
  Tape() = default;
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Forgets the last pass, but not its memory. `parameters` are those of a layout, in its order;
  // `gradients` likewise, or null where they are not wanted: backward() adds to them. `trace`, or
  // null, is where names are kept; `edit`, or null, changes what is named, in a pass that does not
  // differentiate (else InputError). All must outlive the pass.
  void begin(const S* parameters, S* gradients, const Pass& pass, Trace<S>* trace = nullptr,
             const Edit<S>* edit = nullptr);

  const Pass& pass() const { return pass_; }
  Multiplier& multiply() { return multiply_; }
  bool traces() const { return trace_ != nullptr; }

  Tensor<S> parameter(const Slot& slot) const {
    // Nobody writes to the values of a parameter.
    return {const_cast<S*>(parameters_) + slot.offset,
            gradients_ ? gradients_ + slot.offset : nullptr, slot.rows, slot.cols};
  }
  // Values undefined, gradient 0 when backward() begins.
  Tensor<S> tensor(Index rows, Index cols) {
    Tensor<S> t{value_arena_.take<S>(rows * cols), nullptr, rows, cols};
    if (pass_.differentiates) t.gradient = gradient_arena_.take<S>(rows * cols);
    return t;
  }
  // A copy of somebody's matrix, with a gradient of its own.
  Tensor<S> input(const MatrixOf<S>& from) {
    const Tensor<S> t = tensor(from.rows(), from.cols());
    t.matrix() = from;
    return t;
  }
  // Room that lives as long as the pass, uninitialised.
  template <class T>
  T* room(Index count) {
    return value_arena_.take<T>(count);
  }

  // Computes `op` now, and remembers it. An operation is a plain struct of tensors and settings
  // with
  //   void forward(Tape<S>&) const;
  //   void backward(Tape<S>&) const;  // adds to the gradients of its inputs, where these are
  //   wanted
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

  // The gradients of loss(0, 0), walked back to all that it was made of. The trace then has them
  // too.
  void backward(const Tensor<S>& loss) {
    begin_backward(loss);
    while (step_back()) {
    }
    trace_gradients();
  }
  // The same, operation by operation; step_back is false when none is left.
  void begin_backward(const Tensor<S>& loss);
  bool step_back();
  // The names of the operations, in the order of the forward pass, and how many are not walked back
  // over yet.
  Index operations() const { return static_cast<Index>(steps_.size()); }
  const char* operation(Index k) const { return steps_[static_cast<std::size_t>(k)].name; }
  // While a trace is kept, the scope in which it was recorded: "encoder.0.", or empty.
  const std::string& scope(Index k) const { return scopes_[static_cast<std::size_t>(k)]; }
  Index left() const { return left_; }

  // A different number for each mask of this pass, the same whenever the pass is run again.
  std::uint64_t next_mask() { return masks_++; }

  // Names while a trace is kept or an edit looks on. A scope's name stands before all that is named
  // while it lives.
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
  // `values` in row-major order of `shape`, whose axes count what `axes` say. `gradients` likewise,
  // complete when the pass was walked back; null where there are none.
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
  std::vector<const S*> traced_;  // gradients of what the trace has of this pass, in its order
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
