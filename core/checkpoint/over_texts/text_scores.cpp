#include "core/checkpoint/over_texts/text_scores.h"

#include <algorithm>

#include "core/parallel.h"

namespace core::checkpoint {
namespace {

task::TextMarks marks_of(const TokenText& ids, const subword::Tokenizer& tokenizer) {
  std::vector<std::string> bytes;
  for (const std::int32_t id : ids) {
    const bool none = !tokenizer.token(id) || tokenizer.is_special(id);
    bytes.push_back(none ? std::string() : tokenizer.bytes(id));
  }
  return task::text_marks(bytes);
}

void add_text(const HeadMeters& of_text, HeadMeters& meters, TextScores& scores) {
  meters.resize(of_text.size());
  scores.counts.resize(of_text.size());
  for (std::size_t l = 0; l < of_text.size(); ++l) {
    meters[l].resize(of_text[l].size());
    scores.counts[l].resize(of_text[l].size());
    for (std::size_t h = 0; h < of_text[l].size(); ++h) {
      meters[l][h].add(of_text[l][h]);
      const task::HeadScores here = of_text[l][h].scores();
      for (std::size_t k = 0; k < task::kNamedScores; ++k) {
        if ((here.*task::named_scores()[k].score).positions == 0) continue;
        TextCount& count = scores.counts[l][h][k];
        ++count.of;
        count.texts += task::stands_out(here, k);
      }
    }
  }
}

}  // namespace

HeadMeters head_meters(const Trace<float>& trace, const TokenText& ids,
                       const subword::Tokenizer* tokenizer, int threads) {
  task::Sequence sequence;
  sequence.ids = ids;
  sequence.source.assign(ids.size(), -1);
  const task::TextMarks marks = tokenizer ? marks_of(ids, *tokenizer) : task::TextMarks{};
  const auto& layers = trace.decoder.layers;
  HeadMeters meters(layers.size());
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto& weights = layers[l]->self.weights;
    meters[l].resize(weights.size());
    parallel_for(static_cast<Index>(weights.size()), threads, [&](Index at, int) {
      const auto head = static_cast<std::size_t>(at);
      const Matrix cells = weights[head].matrix();
      meters[l][head].add(sequence, cells);
      if (tokenizer) meters[l][head].add_marks(marks, cells);
    });
  }
  return meters;
}

AllHeadScores scores_of(const HeadMeters& meters) {
  AllHeadScores all;
  for (const auto& layer : meters) {
    auto& scores = all.emplace_back();
    for (const task::HeadMeter& meter : layer) scores.push_back(meter.scores());
  }
  return all;
}

TextScores text_scores(const Model& model, const subword::Tokenizer& tokenizer,
                       const std::vector<TokenText>& texts,
                       const std::function<bool(const HeadIndex&)>& ablated, int threads,
                       const Cancel& cancel) {
  constexpr Index kRound = 16;  // texts whose weights are held at once
  ForwardOptions<float> options;
  options.logits = Logits::none;
  options.ablated = ablated;
  options.threads = 1;
  const Cancel quiet = cancel.without_progress();
  const auto all = static_cast<Index>(texts.size());
  TextScores scores;
  HeadMeters meters;
  for (Index first = 0; first < all; first += kRound) {
    cancel.poll();
    const Index count = std::min(kRound, all - first);
    std::vector<HeadMeters> of_texts(static_cast<std::size_t>(count));
    parallel_for(count, threads, [&](Index k, int) {
      const TokenText& ids = texts[static_cast<std::size_t>(first + k)];
      of_texts[static_cast<std::size_t>(k)] =
          head_meters(model.forward({.tokens = ids}, options, quiet), ids, &tokenizer, 1);
    });
    for (const HeadMeters& one : of_texts) add_text(one, meters, scores);
  }
  scores.means = scores_of(meters);
  return scores;
}

}  // namespace core::checkpoint
