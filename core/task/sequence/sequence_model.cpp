#include "core/task/sequence/sequence_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/model/layer/cross_entropy.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core::task {
namespace {

// Sequences that are scored at once: a quarter of all, that threads share them, but not too many.
Index scored_together(Index all) { return std::clamp<Index>(ceil_div(all, 4), 1, 16); }

bool answers(Story story) {
  return story == Story::copy || story == Story::reverse || story == Story::sort ||
         story == Story::addition;
}

model::DecoderForm of_sequences(const SequenceTask& task, const model::DecoderForm& as) {
  check(task);
  const model::TransformerForm& layer = as.layer;
  if (as.positions.longest < longest_sequence(task)) {
    throw InputError(Message(N_("positions: expected as many as the longest sequence has tokens, "
                                "{}, got {}"),
                             longest_sequence(task), as.positions.longest));
  }
  if (as.sees && as.sees->longest() < longest_sequence(task)) {
    throw InputError(Message(N_("mask: expected one for the longest sequence, {} tokens, got one "
                                "for {}"),
                             longest_sequence(task), as.sees->longest()));
  }
  if (layer.heads < 1 || layer.key_heads < 1 || layer.heads % layer.key_heads != 0 ||
      layer.d_model % layer.heads != 0) {
    throw InputError(Message(N_("heads: expected a number that divides the width, {}, and that the "
                                "key heads divide, got {} and {}"),
                             layer.d_model, layer.heads, layer.key_heads));
  }
  model::DecoderForm form = as;
  form.vocabulary = static_cast<Index>(tokens(task).size());
  return form;
}

void guess_some(const SequenceModel& model, const float* values, const std::vector<Sequence>& all,
                Index first, Index count, const model::Edit<float>* edit, model::Tape<float>& tape,
                std::vector<TokenGuesses>& out) {
  SequenceBatch batch;
  batch.fill(all, first, count);
  tape.begin(values, nullptr, {.differentiates = false}, nullptr, edit);
  const model::Sequences sequences = batch.sequences();
  const model::Tensor<float> logits = model.decoder(tape, batch.ids(), sequences);
  std::vector<float> probabilities(static_cast<std::size_t>(logits.cols));
  for (Index b = 0; b < count; ++b) {
    TokenGuesses& one = out[static_cast<std::size_t>(first + b)];
    one.loss.assign(static_cast<std::size_t>(sequences.used(b)), 0);
    one.right.assign(one.loss.size(), 0);
    for (std::size_t t = 0; t < one.loss.size(); ++t) {
      const Index row = b * sequences.length + static_cast<Index>(t);
      const std::int32_t next = batch.next_ids()[row];
      if (next < 0) continue;
      const float* x = logits.values().row(row);
      one.loss[t] = model::surprise(x, logits.cols, next, probabilities.data());
      one.right[t] = model::hit(x, logits.cols, next);
    }
  }
}

void check_ids(const SequenceModel& model, const std::vector<std::int32_t>& ids) {
  const auto length = static_cast<Index>(ids.size());
  if (length < 1 || length > model.form.positions.longest) {
    throw InputError(
        Message(N_("text: expected 1 to {} tokens, got {}"), model.form.positions.longest, length));
  }
  for (const std::int32_t id : ids) {
    if (id < 0 || id >= model.form.vocabulary) {
      refuse("text", "tokens below " + std::to_string(model.form.vocabulary), std::to_string(id));
    }
  }
}

}  // namespace

double surprise(const Eigen::Ref<const Eigen::RowVectorXf>& logits, std::int32_t id) {
  Eigen::RowVectorXf probabilities(logits.size());
  return model::surprise(logits.data(), logits.size(), id, probabilities.data());
}

void SequenceBatch::fill(const std::vector<Sequence>& all, Index first, Index count) {
  lengths_.clear();
  counted_ = 0;
  for (Index b = first; b < first + count; ++b) {
    lengths_.push_back(static_cast<Index>(all[static_cast<std::size_t>(b)].ids.size()));
  }
  const Index length = sequences().length;
  const auto room = static_cast<std::size_t>(count * length);
  ids_.assign(room, 0);
  next_.assign(room, -1);
  for (Index b = 0; b < count; ++b) {
    const Sequence& one = all[static_cast<std::size_t>(first + b)];
    std::copy(one.ids.begin(), one.ids.end(), ids_.begin() + b * length);
    std::copy(one.next.begin(), one.next.end(), next_.begin() + b * length);
    counted_ += std::count_if(one.next.begin(), one.next.end(), [](auto id) { return id >= 0; });
  }
}

model::Sequences SequenceBatch::sequences() const {
  if (lengths_.empty()) return {.batch = 0};
  return {.batch = static_cast<Index>(lengths_.size()),
          .length = *std::max_element(lengths_.begin(), lengths_.end()),
          .lengths = lengths_.data()};
}

SequenceModel::SequenceModel(const SequenceTask& of, const model::DecoderForm& as)
    : task(of), form(of_sequences(of, as)) {
  tokens = task::tokens(of);
  decoder = model::Decoder::declare(model::Scope(layout), form);
}

std::vector<TokenGuesses> guess_tokens(const SequenceModel& model, const float* values,
                                       const std::vector<Sequence>& sequences, int threads,
                                       const model::Edit<float>* edit) {
  const auto all = static_cast<Index>(sequences.size());
  std::vector<TokenGuesses> guesses(sequences.size());
  const Index together = scored_together(all);
  parallel_for(ceil_div(all, together), threads, [&](Index k, int) {
    const model::ObjectPool<model::Tape<float>>::Use tape(model.tapes);
    const Index first = k * together;
    guess_some(model, values, sequences, first, std::min(together, all - first), edit, *tape,
               guesses);
  });
  return guesses;
}

SequenceScore score(const SequenceModel& model, const float* values,
                    const std::vector<Sequence>& sequences, int threads,
                    const model::Edit<float>* edit) {
  const std::vector<TokenGuesses> guesses = guess_tokens(model, values, sequences, threads, edit);
  SequenceScore sum{.whole = answers(model.task.story)};
  for (std::size_t k = 0; k < sequences.size(); ++k) {
    const Sequence& one = sequences[k];
    Index evaluated = 0, right = 0;
    for (std::size_t t = 0; t < one.ids.size(); ++t) {
      if (one.next[t] < 0) continue;
      ++sum.counted;
      sum.loss += guesses[k].loss[t];
      if (one.evaluated[t] == 0) continue;
      ++evaluated;
      right += guesses[k].right[t];
      sum.evaluated_loss += guesses[k].loss[t];
    }
    sum.evaluated += evaluated;
    sum.evaluated_right += right;
    sum.sequences += evaluated > 0;
    sum.right += evaluated > 0 && right == evaluated;
  }
  if (sum.counted > 0) sum.loss /= static_cast<double>(sum.counted);
  if (sum.evaluated > 0) sum.evaluated_loss /= static_cast<double>(sum.evaluated);
  return sum;
}

PositionScore score_by_position(const SequenceModel& model, const float* values,
                                const std::vector<Sequence>& sequences, int threads) {
  const std::vector<TokenGuesses> guesses = guess_tokens(model, values, sequences, threads);
  PositionScore out;
  for (std::size_t k = 0; k < sequences.size(); ++k) {
    const Sequence& one = sequences[k];
    if (one.ids.size() > out.counted.size()) {
      out.counted.resize(one.ids.size(), 0);
      out.loss.resize(one.ids.size(), 0);
      out.right.resize(one.ids.size(), 0);
    }
    for (std::size_t t = 0; t < one.ids.size(); ++t) {
      if (one.next[t] < 0) continue;
      ++out.counted[t];
      out.loss[t] += guesses[k].loss[t];
      out.right[t] += guesses[k].right[t];
    }
  }
  for (std::size_t t = 0; t < out.counted.size(); ++t) {
    const auto count = static_cast<double>(std::max<Index>(1, out.counted[t]));
    out.loss[t] /= count;
    out.right[t] /= count;
  }
  return out;
}

LookedSequence look(const SequenceModel& model, const float* values,
                    const std::vector<std::int32_t>& ids, const model::Edit<float>* edit,
                    const Mask* mask, const std::string& kept) {
  check_ids(model, ids);
  const model::ObjectPool<model::Tape<float>>::Use tape(model.tapes);
  LookedSequence looked{model::Trace<float>(kept), {}};
  tape->begin(values, nullptr, {.differentiates = false}, &looked.trace, edit);
  const model::Sequences sequences{.length = static_cast<Index>(ids.size())};
  std::optional<Mask> both;
  if (mask && model.form.sees) both = *mask & model.form.sees->of(sequences.length);
  looked.probabilities = model.decoder(*tape, ids.data(), sequences, both ? &*both : mask).matrix();
  for (auto row : looked.probabilities.rowwise()) {
    row.array() = (row.array() - row.maxCoeff()).exp();
    row /= row.sum();
  }
  return looked;
}

VectorD next_logits(const SequenceModel& model, const float* values,
                    const std::vector<std::int32_t>& ids) {
  check_ids(model, ids);
  const model::ObjectPool<model::Tape<float>>::Use tape(model.tapes);
  tape->begin(values, nullptr, {.differentiates = false});
  const model::Sequences sequences{.length = static_cast<Index>(ids.size())};
  const auto logits = model.decoder(*tape, ids.data(), sequences).matrix();
  return logits.row(logits.rows() - 1).cast<double>().transpose();
}

}  // namespace core::task
