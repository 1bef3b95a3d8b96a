// The hierarchical attention network for documents (Yang et al. 2016, section 2.2). A recurrent
// network reads words to states h, and attention averages them to the vector s of a sentence:
//   u = tanh(W h + b),  alpha = softmax(u . u_w),  s = sum of alpha h.
// Sentence vectors are read and averaged in the same way to one vector, which is classified.
// Weights may also be computed from something else than what is averaged.
#pragma once

#include <cstdint>

#include "core/model/layer/query_attention.h"
#include "core/model/recurrent/recurrent.h"

namespace core::model {

// y = [x_t; x_(t-1)] of each sequence, 0 before its first token.
template <class S>
struct WindowStep {
  Tensor<S> x, y;
  Index length;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// One level: from words to a sentence, or from sentences to a document.
struct WeighedLevel {
  enum class Reading {
    recurrent,  // of a recurrent network, both ways
    window,     // tanh(W [x_t; x_(t-1)] + b)
    inputs,     // x itself
  };
  struct Form {
    Reading states = Reading::recurrent;
    Cell cell = Cell::gru;
    Index hidden = 8;             // width of the states in each direction; of a window, in all
    bool keys_of_inputs = false;  // u is computed from x, not from the states
    Index width = 16;             // of u
    bool mean = false;            // no attention: every token has the same weight
    bool operator==(const Form&) const = default;
  };
  Form form;
  Recurrent network;
  Linear window, key;
  Slot context;  // u_w, (width, 1)

  static WeighedLevel declare(const Scope& scope, Index in, const Form& form);
  Index out(Index in) const;  // width of the states

  template <class S>
  struct Pooled {
    Tensor<S> states;
    Attended<S> found;  // scores, weights (batch, length), context (batch, width)
  };
  // x (rows, in).
  template <class S>
  Pooled<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences) const;
};

// A batch of documents side by side: each `sentences` times `words` ids.
struct Documents {
  Index batch = 1, sentences = 0, words = 0;
  const Index* sentence_counts = nullptr;  // (batch): sentences of each document; null: all
  const Index* word_counts = nullptr;      // (batch sentences): words of each sentence; null: all

  Index rows() const { return batch * sentences * words; }
};

struct HierarchicalAttention {
  struct Form {
    Index words = 0, classes = 2, embedding = 16;
    WeighedLevel::Form of_words = {}, of_sentences = {};
    bool operator==(const Form&) const = default;
  };
  Slot embedding;  // initial values N(0, 0.5)
  WeighedLevel words, sentences;
  Linear output;

  static HierarchicalAttention declare(const Scope& scope, const Form& form);

  template <class S>
  struct Read {
    WeighedLevel::Pooled<S> words, sentences;
    Tensor<S> logits;  // (batch, classes)
  };
  // ids (documents.rows()), alive as long as the pass. Names "words.scores" and "words.weights"
  // (batch, sentences, words), "sentences.vectors", "sentences.scores", "sentences.weights",
  // "document", "logits", "probabilities", and what Recurrent names under "words" and "sentences".
  template <class S>
  Read<S> operator()(Tape<S>& tape, const std::int32_t* ids, const Documents& documents) const;
};

}  // namespace core::model
