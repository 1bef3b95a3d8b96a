#include "core/model/hierarchical.h"

#include <algorithm>
#include <cmath>

#include "core/model/layer/activation.h"
#include "core/model/layer/embedding.h"
#include "core/model/layer/vectors.h"

namespace core::model {

template <class S>
void WindowStep<S>::forward(Tape<S>&) const {
  for (Index i = 0; i < x.rows; ++i) {
    S* to = y.values().row(i);
    std::copy_n(x.values().row(i), x.cols, to);
    if (i % length == 0) {
      std::fill_n(to + x.cols, x.cols, S{0});
    } else {
      std::copy_n(x.values().row(i - 1), x.cols, to + x.cols);
    }
  }
}

template <class S>
void WindowStep<S>::backward(Tape<S>&) const {
  if (!x.gradient) return;
  for (Index i = 0; i < x.rows; ++i) {
    const S* dy = y.gradients().row(i);
    add(dy, x.cols, x.gradients().row(i));
    if (i % length > 0) add(dy + x.cols, x.cols, x.gradients().row(i - 1));
  }
}

WeighedLevel WeighedLevel::declare(const Scope& scope, Index in, const Form& form) {
  const auto affine = [&](const char* name, Index from, Index to) {
    return Linear::declare(scope.at(name), from, to,
                           Start::uniform(1 / std::sqrt(static_cast<double>(from))));
  };
  WeighedLevel level;
  level.form = form;
  if (form.states == Reading::recurrent) {
    level.network =
        Recurrent::declare(scope, in, form.hidden, {.cell = form.cell, .both_ways = true});
  } else if (form.states == Reading::window) {
    level.window = affine("window", 2 * in, form.hidden);
  }
  if (form.mean) return level;
  level.key = affine("key", form.keys_of_inputs ? in : level.out(in), form.width);
  level.context = scope.declare("context", form.width, 1,
                                Start::uniform(1 / std::sqrt(static_cast<double>(form.width))));
  return level;
}

Index WeighedLevel::out(Index in) const {
  switch (form.states) {
    case Reading::recurrent: return 2 * form.hidden;
    case Reading::window: return form.hidden;
    case Reading::inputs: break;
  }
  return in;
}

template <class S>
WeighedLevel::Pooled<S> WeighedLevel::operator()(Tape<S>& tape, const Tensor<S>& x,
                                                 const Sequences& sequences) const {
  Pooled<S> out;
  out.states = x;
  if (form.states == Reading::recurrent) {
    out.states = network(tape, x, sequences).states;
  } else if (form.states == Reading::window) {
    const Tensor<S> both = tape.tensor(x.rows, 2 * x.cols);
    tape.record("window", WindowStep<S>{x, both, sequences.length});
    out.states = activation(tape, window(tape, both), Activation::tanh);
  }
  const Index batch = sequences.batch, length = sequences.length;
  out.found = Attended<S>::taken(tape, batch, length, out.states.cols);
  if (form.mean) {
    out.found.scores.gradient = nullptr;
    std::fill_n(out.found.scores.value, batch * length, S{0});
  } else {
    const Tensor<S> u =
        activation(tape, key(tape, form.keys_of_inputs ? x : out.states), Activation::tanh);
    out.found.scores = linear(tape, u, tape.parameter(context)).as(batch, length);
  }
  attend(tape, Memory<S>{out.states, {}, sequences}, out.found);
  return out;
}

HierarchicalAttention HierarchicalAttention::declare(const Scope& scope, const Form& form) {
  HierarchicalAttention net;
  net.embedding = scope.declare("embedding", form.words, form.embedding, Start::normal(0.5), false);
  net.words = WeighedLevel::declare(scope.at("words"), form.embedding, form.of_words);
  const Index sentence = net.words.out(form.embedding);
  net.sentences = WeighedLevel::declare(scope.at("sentences"), sentence, form.of_sentences);
  const Index document = net.sentences.out(sentence);
  net.output = Linear::declare(scope.at("output"), document, form.classes,
                               Start::uniform(1 / std::sqrt(static_cast<double>(document))));
  return net;
}

namespace {

// The number of words of each sentence; 0 where the document has no such sentence.
template <class S>
const Index* counts_of(Tape<S>& tape, const Documents& documents) {
  const Index all = documents.batch * documents.sentences;
  auto* counts = tape.template room<Index>(all);
  for (Index i = 0; i < all; ++i) {
    const Index b = i / documents.sentences, sentence = i % documents.sentences;
    const bool there = !documents.sentence_counts || sentence < documents.sentence_counts[b];
    counts[i] = !there ? 0 : documents.word_counts ? documents.word_counts[i] : documents.words;
  }
  return counts;
}

template <class S>
void name_read(Tape<S>& tape, const HierarchicalAttention::Read<S>& read,
               const Documents& documents) {
  if (!tape.traces()) return;
  const Index batch = documents.batch, sentences = documents.sentences;
  const auto weighed = [&](const char* name, const Tensor<S>& x) {
    tape.name(name, x.value, {batch, sentences, documents.words}, {"batch", "sentence", "word"},
              x.gradient);
  };
  weighed("words.scores", read.words.found.scores);
  weighed("words.weights", read.words.found.weights);
  const Attended<S>& found = read.sentences.found;
  const auto of_sentences = [&](const char* name, const Tensor<S>& x) {
    tape.name(name, x.value, {batch, sentences}, {"batch", "sentence"}, x.gradient);
  };
  of_sentences("sentences.scores", found.scores);
  of_sentences("sentences.weights", found.weights);
  const Tensor<S>& vectors = read.words.found.context;
  tape.name("sentences.vectors", vectors.value, {batch, sentences, vectors.cols},
            {"batch", "sentence", "feature"}, vectors.gradient);
  tape.name("document", found.context.value, {batch, found.context.cols}, {"batch", "feature"},
            found.context.gradient);
  const Index classes = read.logits.cols;
  tape.name("logits", read.logits.value, {batch, classes}, {"batch", "class"},
            read.logits.gradient);
  MatrixOf<S> p = read.logits.matrix();
  for (Index b = 0; b < batch; ++b) softmax_row(p.row(b).data(), classes, classes);
  tape.name("probabilities", p.data(), {batch, classes}, {"batch", "class"});
}

}  // namespace

template <class S>
HierarchicalAttention::Read<S> HierarchicalAttention::operator()(Tape<S>& tape,
                                                                 const std::int32_t* ids,
                                                                 const Documents& documents) const {
  Read<S> out;
  const Tensor<S> embedded =
      model::embedding(tape, tape.parameter(embedding), ids, documents.rows());
  {
    const typename Tape<S>::Named name(tape, "words");
    out.words =
        words(tape, embedded,
              {documents.batch * documents.sentences, documents.words, counts_of(tape, documents)});
  }
  {
    const typename Tape<S>::Named name(tape, "sentences");
    out.sentences = sentences(tape, out.words.found.context,
                              {documents.batch, documents.sentences, documents.sentence_counts});
  }
  out.logits = output(tape, out.sentences.found.context);
  name_read(tape, out, documents);
  return out;
}

#define ATTNSCOPE_INSTANTIATE(S)                                                        \
  template struct WindowStep<S>;                                                        \
  template WeighedLevel::Pooled<S> WeighedLevel::operator()(Tape<S>&, const Tensor<S>&, \
                                                            const Sequences&) const;    \
  template HierarchicalAttention::Read<S> HierarchicalAttention::operator()(            \
      Tape<S>&, const std::int32_t*, const Documents&) const;
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
