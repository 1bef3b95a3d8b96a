// Attention of one query for each sequence over that sequence's keys, as in a recurrent decoder:
// scores, weights, and the weighted mean of the values. Scores are
//   additive:   w . tanh(W_q q + W_k k), optionally with b inside (Bahdanau, Cho and Bengio 2015,
//   section A.1.2; with b: See, Liu and Manning 2017, equation 1)
//   dot:        q . k;  scaled dot: q . k / sqrt(d)
//   bilinear:   q W . k (Luong, Pham and Manning 2015, section 3.1, "general")
// What depends on the keys alone is computed once.
#pragma once

#include "core/model/layer/linear.h"

namespace core::model {

enum class Score { additive, dot, scaled_dot, bilinear };

// scores (batch, length) of all keys, those of padding too.
//   q (batch, width), k (batch length, width), w (width, 1)
template <class S>
struct AdditiveScoresStep {
  Tensor<S> q, k, w, scores;
  S* kept;  // (batch length, width): the tanh
  Sequences keys;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};
template <class S>
struct DotScoresStep {
  Tensor<S> q, k, scores;
  Sequences keys;
  S factor;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// weights = softmax of the scores of each sequence's own keys, context = the mean of the values
// with these weights; both 0 for a sequence without keys.
//   scores, weights (batch, length), values (batch length, d), context (batch, d)
template <class S>
struct AttendStep {
  Tensor<S> scores, values, weights, context;
  Sequences keys;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// The result of one query.
template <class S>
struct Attended {
  Tensor<S> scores, weights, context;  // weights have no gradient of their own

  // Memory for `rows` queries; values undefined.
  static Attended taken(Tape<S>& tape, Index rows, Index length, Index width) {
    return {tape.tensor(rows, length),
            {tape.template room<S>(rows * length), nullptr, rows, length},
            tape.tensor(rows, width)};
  }
  Attended rows_from(Index first, Index count) const {
    return {scores.rows_from(first, count), weights.rows_from(first, count),
            context.rows_from(first, count)};
  }
};

// What queries attend to.
template <class S>
struct Memory {
  Tensor<S> values;  // (batch length, d)
  Tensor<S> keys;    // as scored: for additive attention W_k k + b
  Sequences sequences;
};

struct QueryAttention {
  struct Form {
    Score score = Score::additive;
    Index width = 32;   // of the space of additive attention
    bool bias = false;  // inside its tanh

    bool operator==(const Form&) const = default;
  };
  Form form;
  Slot query, key, bias, score;

  // Weights start as U(-1/sqrt(in), 1/sqrt(in)). InputError where a product of query and key has
  // different widths.
  static QueryAttention declare(const Scope& scope, Index query_width, Index key_width,
                                const Form& form);

  template <class S>
  Memory<S> remember(Tape<S>& tape, const Tensor<S>& values, const Sequences& sequences) const {
    return remember(tape, values, values, sequences);
  }
  template <class S>
  Memory<S> remember(Tape<S>& tape, const Tensor<S>& keys, const Tensor<S>& values,
                     const Sequences& sequences) const;

  // q (batch, width). With `more` the query is [more; q], without copying them together.
  template <class S>
  void operator()(Tape<S>& tape, const Memory<S>& memory, const Tensor<S>& q, const Tensor<S>& more,
                  const Attended<S>& found) const;
};

template <class S>
void attend(Tape<S>& tape, const Memory<S>& memory, const Attended<S>& found) {
  tape.record("attend", AttendStep<S>{found.scores, memory.values, found.weights, found.context,
                                      memory.sequences});
}

}  // namespace core::model
