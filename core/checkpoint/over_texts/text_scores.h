// What the heads of a published decoder do on texts, each read by itself, in numbers.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "core/checkpoint/over_texts/texts.h"
#include "core/task/inside/head_names.h"

namespace core::checkpoint {

// [layer][head]
using AllHeadScores = std::vector<std::vector<task::HeadScores>>;
using HeadMeters = std::vector<std::vector<task::HeadMeter>>;

// What heads did in a pass over these tokens, whose weights were kept. Without a tokenizer (null)
// no mark is scored.
HeadMeters head_meters(const Trace<float>& trace, const TokenText& ids,
                       const subword::Tokenizer* tokenizer, int threads);
AllHeadScores scores_of(const HeadMeters& meters);

// In how many texts a score stands out, of those that have a place for it.
struct TextCount {
  Index texts = 0, of = 0;
};
using TextCounts = std::array<TextCount, task::kNamedScores>;  // by named_scores()

struct TextScores {
  AllHeadScores means;  // over the tokens of all texts
  std::vector<std::vector<TextCounts>> counts;
};
// `ablated`: heads whose output is 0; may be empty. The same bits with any number of threads.
TextScores text_scores(const Model& model, const subword::Tokenizer& tokenizer,
                       const std::vector<TokenText>& texts,
                       const std::function<bool(const HeadIndex&)>& ablated = {}, int threads = 0,
                       const Cancel& cancel = {});

}  // namespace core::checkpoint
