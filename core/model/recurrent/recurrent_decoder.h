// A recurrent network that writes one token after another and attends to a memory. Bahdanau, Cho
// and Bengio 2015, section 3.1: the query is the state before the step,
//   context_t = attention(s_(t-1)),  s_t = cells([context_t; x_t], s_(t-1)).
// Or it is the state after the step, and the context enters the next step (See, Liu and Manning
// 2017, section 2.1, whose released code joins them as W_in [context; x] + b_in first),
//   s_t = cells([context_(t-1); x_t], s_(t-1)),  context_t = attention(s_t).
// The output is W [s_t; context_t] + b, or W s_t + b. Without attention every step has the initial
// context (Cho et al. 2014).
#pragma once

#include <vector>

#include "core/model/layer/query_attention.h"
#include "core/model/recurrent/recurrent.h"

namespace core::model {

// From the order of a recurrence, each step with its batch, (steps batch, width), to that of
// sequences, each with its steps: y (batch steps, width).
template <class S>
struct TransposeStep {
  Tensor<S> x, y;
  Index batch;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// Repeats x: y = x at every step.
template <class S>
struct RepeatStep {
  Tensor<S> x, y;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// After a token: the states of all layers, and what the query found; without attention only the
// context. `joined`: the input of the cells where it was joined first.
template <class S>
struct Decoded {
  States<S> state;
  Attended<S> found;
  Tensor<S> joined = {};
};

struct RecurrentDecoder {
  struct Form {
    Cell cell = Cell::gru;
    Index layers = 1, hidden = 32;
    bool attends = true;
    QueryAttention::Form attention = {};
    bool query_after = false;     // the state after the step, not before it
    bool query_has_cell = false;  // [c; h] of an LSTM instead of h
    bool first_attended = false;  // query_after: attention makes the first context, else it is 0
    Index joined = 0;             // width of W_in [context; x] + b_in; 0: cells read [context; x]
    bool output_has_context = true;

    bool operator==(const Form&) const = default;
  };
  Form form;
  Index memory_width = 0;
  std::vector<RecurrentLayer> layers;
  Linear joined, output;  // joined: declared where its width is not 0
  QueryAttention attention;

  // Inputs of width `in`, a memory of width `memory`, `words` outputs. InputError when the form
  // contradicts itself.
  static RecurrentDecoder declare(const Scope& scope, Index in, Index memory, Index words,
                                  const Form& form);

  // The initial states; `context` where it is fixed.
  template <class S>
  Decoded<S> begin(Tape<S>& tape, const Memory<S>& memory, const States<S>& states,
                   const Tensor<S>& context) const;
  // The part of the cells' input that depends on no state, for any number of inputs (rows, in).
  template <class S>
  Tensor<S> prepare(Tape<S>& tape, const Tensor<S>& inputs) const;
  // One token; `prepared` (batch, ...).
  template <class S>
  Decoded<S> step(Tape<S>& tape, const Memory<S>& memory, const Decoded<S>& before,
                  const Tensor<S>& prepared) const;
  // Outputs (rows, words) for top states and contexts.
  template <class S>
  Tensor<S> logits(Tape<S>& tape, const Tensor<S>& states, const Tensor<S>& contexts) const;

  // All tokens of known inputs: (batch steps, words). `prepared` (steps batch, ...). Names
  // "0.states", "attention.scores", "attention.weights", "context", "joined" where it is used,
  // "logits" and "probabilities".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Memory<S>& memory, const Decoded<S>& start,
                       const Tensor<S>& prepared) const;

 private:
  // Memory for `rows` tokens; values undefined.
  template <class S>
  Decoded<S> taken(Tape<S>& tape, Index rows, Index length) const;
  template <class S>
  Decoded<S> step_into(Tape<S>& tape, const Memory<S>& memory, const Decoded<S>& before,
                       const Tensor<S>& prepared, Decoded<S> into) const;
  template <class S>
  void look(Tape<S>& tape, const Memory<S>& memory, const States<S>& from,
            const Attended<S>& found) const;
};

}  // namespace core::model
