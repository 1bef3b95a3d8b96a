#include "core/model/recurrent/recurrent_translator.h"

#include <algorithm>
#include <string>

#include "core/model/layer/activation.h"
#include "core/model/layer/embedding.h"
#include "core/model/layer/vectors.h"
#include "core/refuse.h"

namespace core::model {
namespace {

void refuse_other_start(const RecurrentTranslator::Form& form) {
  if (form.begin != RecurrentTranslator::Begin::last) return;
  if (form.encoder.both_ways || form.encoder.layers != form.decoder.layers ||
      form.encoder_hidden != form.decoder.hidden) {
    refuse(
        "translator", "a decoder of the encoder's layers and widths, which reads one way",
        std::to_string(form.decoder.layers) + " layers of " + std::to_string(form.decoder.hidden));
  }
}

// tanh(W [forward; backward] + b) of the last layer's tensors.
template <class S>
Tensor<S> joined_last(Tape<S>& tape, const Linear& layer, const Tensor<S>* of_layers, Index count,
                      Index ways) {
  const Tensor<S> weight = tape.parameter(layer.weight);
  Tensor<S> sum = tape.parameter(layer.bias);
  for (Index way = 0; way < ways; ++way) {
    const Tensor<S>& last = of_layers[count - ways + way];
    sum = linear(tape, last, weight.rows_from(way * last.cols, last.cols), sum);
  }
  return activation(tape, sum, Activation::tanh);
}

// [forward | backward] of the last layer, (batch, width): the context when it is fixed.
template <class S>
struct JoinStep {
  Tensor<S> a, b, y;
  void forward(Tape<S>&) const {
    y.matrix().leftCols(a.cols) = a.matrix();
    y.matrix().rightCols(b.cols) = b.matrix();
  }
  void backward(Tape<S>&) const {
    a.gradient_matrix() += y.gradient_matrix().leftCols(a.cols);
    b.gradient_matrix() += y.gradient_matrix().rightCols(b.cols);
  }
};

}  // namespace

RecurrentTranslator RecurrentTranslator::declare(const Scope& scope, Form form) {
  form.encoder.cell = form.decoder.cell;
  refuse_other_start(form);
  RecurrentTranslator net;
  net.form = form;
  net.source = scope.declare("source.embedding", form.source_words, form.embedding,
                             Start::normal(0.5), false);
  net.target = scope.declare("target.embedding", form.target_words, form.embedding,
                             Start::normal(0.5), false);
  net.encoder =
      Recurrent::declare(scope.at("encoder"), form.embedding, form.encoder_hidden, form.encoder);
  const Index width = net.encoder.width();
  const Start start = Start::uniform(1 / std::sqrt(static_cast<double>(width)));
  for (Index k = 0; form.begin == Begin::affine && k < form.decoder.layers; ++k) {
    const Scope layer = scope.at("begin", k);
    net.begin_states.push_back(
        Linear::declare(layer.at("state"), width, form.decoder.hidden, start));
    if (form.decoder.cell == Cell::lstm) {
      net.begin_cells.push_back(
          Linear::declare(layer.at("cell"), width, form.decoder.hidden, start));
    }
  }
  net.decoder = RecurrentDecoder::declare(scope.at("decoder"), form.embedding, width,
                                          form.target_words, form.decoder);
  return net;
}

template <class S>
RecurrentTranslator::Encoded<S> RecurrentTranslator::encode(Tape<S>& tape, const std::int32_t* ids,
                                                            const Sequences& sequences) const {
  Encoded<S> out;
  {
    const typename Tape<S>::Named name(tape, "encoder");
    const Tensor<S> words = embedding(tape, tape.parameter(source), ids, sequences.rows());
    const Sequences read =
        form.reads_padding ? Sequences{sequences.batch, sequences.length} : sequences;
    out.read = encoder(tape, words, read);
  }
  const States<S>& last = out.read.last;
  const Index ways = encoder.directions();
  States<S> states = last;
  if (form.begin == Begin::affine) {
    const auto layers = static_cast<Index>(begin_states.size());
    states = {tape.template room<Tensor<S>>(layers),
              last.c ? tape.template room<Tensor<S>>(layers) : nullptr, layers};
    for (Index k = 0; k < layers; ++k) {
      const auto at = static_cast<std::size_t>(k);
      states.h[k] = joined_last(tape, begin_states[at], last.h, last.count, ways);
      if (last.c) states.c[k] = joined_last(tape, begin_cells[at], last.c, last.count, ways);
    }
  }
  Tensor<S> fixed;
  if (form.decoder.attends) {
    out.memory = decoder.attention.remember(tape, out.read.states, sequences);
  } else {
    out.memory = {out.read.states, {}, sequences};
    fixed = last.h[last.count - 1];
    if (ways == 2) {
      const Tensor<S> both = tape.tensor(sequences.batch, encoder.width());
      tape.record("join", JoinStep<S>{last.h[last.count - 2], fixed, both});
      fixed = both;
    }
  }
  out.start = decoder.begin(tape, out.memory, states, fixed);
  return out;
}

template <class S>
Tensor<S> RecurrentTranslator::operator()(Tape<S>& tape, const Encoded<S>& encoded,
                                          const std::int32_t* ids, Index length) const {
  const typename Tape<S>::Named name(tape, "decoder");
  const Index batch = encoded.memory.sequences.batch;
  auto* transposed = tape.template room<std::int32_t>(batch * length);
  for (Index t = 0; t < length; ++t) {
    for (Index b = 0; b < batch; ++b) transposed[t * batch + b] = ids[b * length + t];
  }
  const Tensor<S> words = embedding(tape, tape.parameter(target), transposed, batch * length);
  return decoder(tape, encoded.memory, encoded.start, decoder.prepare(tape, words));
}

template <class S>
RecurrentTranslator::Next<S> RecurrentTranslator::step(Tape<S>& tape, const Encoded<S>& encoded,
                                                       const Decoded<S>& before,
                                                       const std::int32_t* ids) const {
  const Index batch = encoded.memory.sequences.batch;
  const Tensor<S> words = embedding(tape, tape.parameter(target), ids, batch);
  Next<S> out;
  out.decoded = decoder.step(tape, encoded.memory, before, decoder.prepare(tape, words));
  const States<S>& state = out.decoded.state;
  out.logits = decoder.logits(tape, state.h[state.count - 1], out.decoded.found.context);
  const Index words_count = out.logits.cols;
  out.probabilities = {tape.template room<S>(out.logits.size()), nullptr, batch, words_count};
  out.probabilities.matrix() = out.logits.matrix();
  for (Index b = 0; b < batch; ++b) {
    softmax_row(out.probabilities.values().row(b), words_count, words_count);
  }
  return out;
}

template <class S>
std::vector<std::int32_t> greedy(Tape<S>& tape, const RecurrentTranslator& net,
                                 const RecurrentTranslator::Encoded<S>& encoded, std::int32_t first,
                                 Index steps) {
  const Index batch = encoded.memory.sequences.batch;
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(batch * steps));
  auto* ids = tape.template room<std::int32_t>(batch);
  std::fill_n(ids, batch, first);
  Decoded<S> now = encoded.start;
  for (Index k = 0; k < steps; ++k) {
    const RecurrentTranslator::Next<S> next = net.step(tape, encoded, now, ids);
    now = next.decoded;
    ids = tape.template room<std::int32_t>(batch);
    for (Index b = 0; b < batch; ++b) {
      Index best = 0;
      next.logits.matrix().row(b).maxCoeff(&best);
      ids[b] = tokens[static_cast<std::size_t>(b * steps + k)] = static_cast<std::int32_t>(best);
    }
  }
  return tokens;
}

#define ATTNSCOPE_INSTANTIATE(S)                                                                  \
  template RecurrentTranslator::Encoded<S> RecurrentTranslator::encode(                           \
      Tape<S>&, const std::int32_t*, const Sequences&) const;                                     \
  template Tensor<S> RecurrentTranslator::operator()(Tape<S>&, const Encoded<S>&,                 \
                                                     const std::int32_t*, Index) const;           \
  template RecurrentTranslator::Next<S> RecurrentTranslator::step(                                \
      Tape<S>&, const Encoded<S>&, const Decoded<S>&, const std::int32_t*) const;                 \
  template std::vector<std::int32_t> greedy(Tape<S>&, const RecurrentTranslator&,                 \
                                            const RecurrentTranslator::Encoded<S>&, std::int32_t, \
                                            Index);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
