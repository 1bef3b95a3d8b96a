// What heads did at several steps of a training: the file history.json beside a language model that
// this program trained.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/over_texts/text_scores.h"

namespace core::checkpoint {

struct ScoreHistory {
  struct Step {
    Index step = 0, tokens = 0;           // made and learned from before
    double bits = 0;                      // a byte of the texts below, read as their scores are
    std::vector<double> of_texts = {};    // the same of each
    std::optional<double> training = {};  // of all that was held out, as the training told it
    AllHeadScores heads = {};
  };
  Index texts = 0;        // that were held out, and which heads were scored on
  Index text_tokens = 0;  // of each at most
  std::vector<Step> steps;
};

// Numbers are rounded to five decimals. What only texts say, places and the scores of equal
// weights, stands once.
std::string history_json(const ScoreHistory& history);
// InputError in one sentence for what is none; `name` is what it calls the file.
ScoreHistory read_history(std::string_view json, const std::string& name);

}  // namespace core::checkpoint
