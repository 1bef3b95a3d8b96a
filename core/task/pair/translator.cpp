#include "core/task/pair/translator.h"

#include <algorithm>
#include <cmath>

#include "core/model/layer/cross_entropy.h"
#include "core/parallel.h"

namespace core::task {
namespace {

using model::Sequences, model::Tape, model::Tensor;

// Pairs that are scored at once.
constexpr Index kTogether = 32;

std::int32_t likeliest(const Tensor<float>& logits, Index row) {
  Index best = 0;
  logits.matrix().row(row).maxCoeff(&best);
  return static_cast<std::int32_t>(best);
}

Score score_some(const Translator& translator, const float* values,
                 const std::vector<Encoded>& pairs, Index first, Index count,
                 model::Tape<float>& tape) {
  PairBatch batch;
  batch.fill(pairs, first, count);
  tape.begin(values, nullptr, {.differentiates = false});
  const Tensor<float> logits = translator.logits(tape, batch);
  const auto total = static_cast<float>(batch.counted());
  const Sequences target = batch.target();
  Score score{.pairs = count, .tokens = batch.counted()};
  score.loss = total * *model::cross_entropy(tape, logits, batch.next_ids(), total).value;
  for (Index b = 0; b < count; ++b) {
    Index hits = 0;
    for (Index t = 0; t < target.used(b); ++t) {
      const Index row = b * target.length + t;
      hits += likeliest(logits, row) == batch.next_ids()[row];
    }
    score.tokens_right += hits;
    score.right += hits == target.used(b);
  }
  return score;
}

}  // namespace

Translator::Translator(const TranslatorForm& form, Index vocabulary) : kind_(form.kind) {
  const model::Scope scope(layout_);
  if (kind_ == TranslatorForm::Kind::transformer) {
    model::EncoderDecoderForm of = form.transformer;
    of.vocabulary = vocabulary;
    transformer_ = model::EncoderDecoder::declare(scope, of);
  } else {
    model::RecurrentTranslator::Form of = form.recurrent;
    of.source_words = of.target_words = vocabulary;
    recurrent_ = model::RecurrentTranslator::declare(scope, of);
  }
}

template <class S>
Tensor<S> Translator::logits(Tape<S>& tape, const PairBatch& batch) const {
  const Sequences source = batch.source(), target = batch.target();
  if (kind_ == TranslatorForm::Kind::recurrent) {
    const auto encoded = recurrent_.encode(tape, batch.source_ids(), source);
    return recurrent_(tape, encoded, batch.written_ids(), target.length);
  }
  const Tensor<S> memory = transformer_.encode(tape, batch.source_ids(), source);
  return transformer_.decode(tape, memory, source, batch.written_ids(), target);
}

template Tensor<float> Translator::logits(Tape<float>&, const PairBatch&) const;
template Tensor<double> Translator::logits(Tape<double>&, const PairBatch&) const;

Score score(const PairModel& model, const float* values, const std::vector<Encoded>& pairs,
            int threads) {
  const auto all = static_cast<Index>(pairs.size());
  std::vector<Score> scores(static_cast<std::size_t>(ceil_div(all, kTogether)));
  parallel_for(static_cast<Index>(scores.size()), threads, [&](Index k, int) {
    const model::ObjectPool<Tape<float>>::Use tape(model.tapes);
    const Index first = k * kTogether, count = std::min(kTogether, all - first);
    scores[static_cast<std::size_t>(k)] =
        score_some(model.translator, values, pairs, first, count, *tape);
  });
  Score sum;
  for (const Score& one : scores) {
    sum.pairs += one.pairs;
    sum.right += one.right;
    sum.tokens += one.tokens;
    sum.tokens_right += one.tokens_right;
    sum.loss += one.loss;
  }
  if (sum.tokens > 0) sum.loss /= static_cast<double>(sum.tokens);
  return sum;
}

std::vector<std::int32_t> write(const PairModel& model, const float* values,
                                const std::vector<std::int32_t>& source, Index most) {
  const model::ObjectPool<Tape<float>>::Use tape(model.tapes);
  PairBatch batch;
  std::vector<Encoded> pair{{source, {}}};
  std::vector<std::int32_t>& written = pair.front().target;
  while (static_cast<Index>(written.size()) < most) {
    batch.fill(pair);
    tape->begin(values, nullptr, {.differentiates = false});
    const Tensor<float> logits = model.translator.logits(*tape, batch);
    const std::int32_t next = likeliest(logits, logits.rows - 1);
    if (next == Vocabulary::kEnd) break;
    written.push_back(next);
  }
  return written;
}

Looked look(const PairModel& model, const float* values, const Encoded& pair) {
  const model::ObjectPool<Tape<float>>::Use tape(model.tapes);
  PairBatch batch;
  batch.fill({pair});
  Looked looked;
  tape->begin(values, nullptr, {.differentiates = false}, &looked.trace);
  looked.probabilities = model.translator.logits(*tape, batch).matrix();
  for (auto row : looked.probabilities.rowwise()) {
    row.array() = (row.array() - row.maxCoeff()).exp();
    row /= row.sum();
  }
  return looked;
}

}  // namespace core::task
