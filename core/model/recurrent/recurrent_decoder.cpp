#include "core/model/recurrent/recurrent_decoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/model/layer/vectors.h"
#include "core/refuse.h"

namespace core::model {

template <class S>
void TransposeStep<S>::forward(Tape<S>&) const {
  const Index steps = x.rows / batch;
  for (Index i = 0; i < x.rows; ++i) {
    std::copy_n(x.values().row(i), x.cols, y.values().row(i % batch * steps + i / batch));
  }
}

template <class S>
void TransposeStep<S>::backward(Tape<S>&) const {
  const Index steps = x.rows / batch;
  for (Index i = 0; i < x.rows; ++i) {
    add(y.gradients().row(i % batch * steps + i / batch), x.cols, x.gradients().row(i));
  }
}

template <class S>
void RepeatStep<S>::forward(Tape<S>&) const {
  for (Index i = 0; i < y.rows; i += x.rows) std::copy_n(x.value, x.size(), y.values().row(i));
}

template <class S>
void RepeatStep<S>::backward(Tape<S>&) const {
  for (Index i = 0; i < y.rows; i += x.rows) add(y.gradients().row(i), x.size(), x.gradient);
}

namespace {

// Refuses forms that contradict themselves.
void refuse_contradiction(const RecurrentDecoder::Form& form) {
  const char* where = "decoder";
  if (form.layers < 1) refuse(where, "at least one layer", std::to_string(form.layers));
  if (form.query_has_cell && form.cell != Cell::lstm) {
    refuse(where, "a cell to ask with", "a gated recurrent unit, which has none");
  }
  if (form.query_has_cell && form.attends && form.attention.score != Score::additive &&
      form.attention.score != Score::bilinear) {
    refuse(where, "a matrix of scores for a query of cell and state", "a dot product");
  }
}

}  // namespace

RecurrentDecoder RecurrentDecoder::declare(const Scope& scope, Index in, Index memory, Index words,
                                           const Form& form) {
  refuse_contradiction(form);
  const auto affine = [&](const char* name, Index from, Index to) {
    return Linear::declare(scope.at(name), from, to,
                           Start::uniform(1 / std::sqrt(static_cast<double>(from))));
  };
  RecurrentDecoder net;
  net.form = form;
  net.memory_width = memory;
  if (form.joined > 0) net.joined = affine("joined", memory + in, form.joined);
  for (Index k = 0; k < form.layers; ++k) {
    const Index below = k > 0 ? form.hidden : form.joined > 0 ? form.joined : memory + in;
    net.layers.push_back(
        RecurrentLayer::declare(scope.at(std::to_string(k)), form.cell, below, form.hidden));
  }
  if (form.attends) {
    net.attention = QueryAttention::declare(scope.at("attention"),
                                            form.query_has_cell ? 2 * form.hidden : form.hidden,
                                            memory, form.attention);
  }
  net.output = affine("output", form.hidden + (form.output_has_context ? memory : 0), words);
  return net;
}

template <class S>
void RecurrentDecoder::look(Tape<S>& tape, const Memory<S>& memory, const States<S>& from,
                            const Attended<S>& found) const {
  const Index top = from.count - 1;
  attention(tape, memory, from.h[top], form.query_has_cell ? from.c[top] : Tensor<S>{}, found);
}

template <class S>
Decoded<S> RecurrentDecoder::begin(Tape<S>& tape, const Memory<S>& memory, const States<S>& states,
                                   const Tensor<S>& context) const {
  Decoded<S> out{states, {}, {}};
  const Index batch = memory.sequences.batch;
  if (!form.attends) {
    out.found.context = context;
  } else if (form.query_after && form.first_attended) {
    out.found = Attended<S>::taken(tape, batch, memory.sequences.length, memory_width);
    look(tape, memory, states, out.found);
  } else if (form.query_after) {
    out.found.context = tape.tensor(batch, memory_width);
    std::fill_n(out.found.context.value, out.found.context.size(), S{0});
  }
  return out;
}

template <class S>
Tensor<S> RecurrentDecoder::prepare(Tape<S>& tape, const Tensor<S>& inputs) const {
  const Linear& first = form.joined > 0 ? joined : layers.front().input;
  return linear(tape, inputs, tape.parameter(first.weight).rows_from(memory_width, inputs.cols),
                tape.parameter(first.bias));
}

template <class S>
Decoded<S> RecurrentDecoder::step_into(Tape<S>& tape, const Memory<S>& memory,
                                       const Decoded<S>& before, const Tensor<S>& prepared,
                                       Decoded<S> into) const {
  if (!form.attends) into.found.context = before.found.context;
  if (form.attends && !form.query_after) look(tape, memory, before.state, into.found);
  const Tensor<S>& context = form.query_after ? before.found.context : into.found.context;
  const auto of_context = [&](const Linear& first) {
    return tape.parameter(first.weight).rows_from(0, memory_width);
  };
  Tensor<S> gates;
  if (form.joined > 0) {
    tape.record("linear", LinearStep<S>{context, of_context(joined), prepared, into.joined, false});
    gates = layers.front().input(tape, into.joined);
  } else {
    gates = linear(tape, context, of_context(layers.front().input), prepared);
  }
  for (Index k = 0; k < form.layers; ++k) {
    const RecurrentLayer& layer = layers[static_cast<std::size_t>(k)];
    if (k > 0) gates = layer.input(tape, into.state.h[k - 1]);
    layer.step(tape, gates, before.state.h[k], before.state.cell(k), into.state.h[k],
               into.state.cell(k));
  }
  if (form.attends && form.query_after) look(tape, memory, into.state, into.found);
  return into;
}

template <class S>
Decoded<S> RecurrentDecoder::taken(Tape<S>& tape, Index rows, Index length) const {
  Decoded<S> out{States<S>::taken(tape, form.cell, form.layers, rows, form.hidden), {}, {}};
  if (form.attends) out.found = Attended<S>::taken(tape, rows, length, memory_width);
  if (form.joined > 0) out.joined = tape.tensor(rows, form.joined);
  return out;
}

template <class S>
Decoded<S> RecurrentDecoder::step(Tape<S>& tape, const Memory<S>& memory, const Decoded<S>& before,
                                  const Tensor<S>& prepared) const {
  return step_into(tape, memory, before, prepared,
                   taken(tape, memory.sequences.batch, memory.sequences.length));
}

template <class S>
Tensor<S> RecurrentDecoder::logits(Tape<S>& tape, const Tensor<S>& states,
                                   const Tensor<S>& contexts) const {
  const Tensor<S> weight = tape.parameter(output.weight), bias = tape.parameter(output.bias);
  const Tensor<S> of_states = linear(tape, states, weight.rows_from(0, form.hidden), bias);
  if (!form.output_has_context) return of_states;
  return linear(tape, contexts, weight.rows_from(form.hidden, memory_width), of_states);
}

namespace {

// All steps at once: step k writes row k.
template <class S>
struct AllSteps {
  Decoded<S> all;
  Index batch;

  Decoded<S> at(Tape<S>& tape, Index k) const {
    Decoded<S> out;
    const States<S>& from = all.state;
    out.state = {tape.template room<Tensor<S>>(from.count),
                 from.c ? tape.template room<Tensor<S>>(from.count) : nullptr, from.count};
    for (Index layer = 0; layer < from.count; ++layer) {
      out.state.h[layer] = from.h[layer].rows_from(k * batch, batch);
      if (from.c) out.state.c[layer] = from.c[layer].rows_from(k * batch, batch);
    }
    if (all.found.scores) out.found = all.found.rows_from(k * batch, batch);
    if (all.joined) out.joined = all.joined.rows_from(k * batch, batch);
    return out;
  }
  // Names a tensor of all steps in the trace, with the tokens of each sequence together.
  void name(Tape<S>& tape, const std::string& name, const Tensor<S>& x, const char* row,
            const char* col) const {
    if (!tape.traces()) return;
    MatrixOf<S> transposed(x.rows, x.cols);
    TransposeStep<S>{x, {transposed.data(), nullptr, x.rows, x.cols}, batch}.forward(tape);
    tape.name(name, transposed.data(), {batch, x.rows / batch, x.cols}, {"batch", row, col});
  }
  void name(Tape<S>& tape) const {
    for (Index k = 0; k < all.state.count; ++k) {
      const std::string layer = std::to_string(k);
      name(tape, layer + ".states", all.state.h[k], "token", "feature");
      if (all.state.c) name(tape, layer + ".cells", all.state.c[k], "token", "feature");
    }
    if (all.found.scores) {
      name(tape, "attention.scores", all.found.scores, "query", "key");
      name(tape, "attention.weights", all.found.weights, "query", "key");
    }
    name(tape, "context", all.found.context, "token", "feature");
    if (all.joined) name(tape, "joined", all.joined, "token", "feature");
  }
};

template <class S>
void name_logits(Tape<S>& tape, const Tensor<S>& logits, Index batch) {
  if (!tape.traces()) return;
  const Index length = logits.rows / batch;
  tape.name("logits", logits.value, {batch, length, logits.cols}, {"batch", "token", "word"},
            logits.gradient);
  MatrixOf<S> p = logits.matrix();
  for (Index i = 0; i < p.rows(); ++i) softmax_row(p.row(i).data(), p.cols(), p.cols());
  tape.name("probabilities", p.data(), {batch, length, logits.cols}, {"batch", "token", "word"});
}

}  // namespace

template <class S>
Tensor<S> RecurrentDecoder::operator()(Tape<S>& tape, const Memory<S>& memory,
                                       const Decoded<S>& start, const Tensor<S>& prepared) const {
  const Index batch = memory.sequences.batch, steps = prepared.rows / batch;
  AllSteps<S> all{taken(tape, prepared.rows, memory.sequences.length), batch};
  Decoded<S> now = start;
  for (Index k = 0; k < steps; ++k) {
    now = step_into(tape, memory, now, prepared.rows_from(k * batch, batch), all.at(tape, k));
  }
  if (!form.attends) {
    all.all.found.context = tape.tensor(prepared.rows, memory_width);
    tape.record("repeat", RepeatStep<S>{start.found.context, all.all.found.context});
  }
  all.name(tape);
  const Tensor<S> next = logits(tape, all.all.state.h[form.layers - 1], all.all.found.context);
  const Tensor<S> y = tape.tensor(next.rows, next.cols);
  tape.record("turn", TransposeStep<S>{next, y, batch});
  name_logits(tape, y, batch);
  return y;
}

#define ATTNSCOPE_INSTANTIATE(S)                                                                   \
  template struct TransposeStep<S>;                                                                \
  template struct RepeatStep<S>;                                                                   \
  template Decoded<S> RecurrentDecoder::begin(Tape<S>&, const Memory<S>&, const States<S>&,        \
                                              const Tensor<S>&) const;                             \
  template Tensor<S> RecurrentDecoder::prepare(Tape<S>&, const Tensor<S>&) const;                  \
  template Decoded<S> RecurrentDecoder::step(Tape<S>&, const Memory<S>&, const Decoded<S>&,        \
                                             const Tensor<S>&) const;                              \
  template Tensor<S> RecurrentDecoder::logits(Tape<S>&, const Tensor<S>&, const Tensor<S>&) const; \
  template Tensor<S> RecurrentDecoder::operator()(Tape<S>&, const Memory<S>&, const Decoded<S>&,   \
                                                  const Tensor<S>&) const;
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
