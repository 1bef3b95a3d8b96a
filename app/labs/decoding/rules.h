// A language model written by hand: which token follows what, and how likely.
#pragma once

#include "app/labs/lab.h"
#include "core/decode/filters.h"

namespace lab::decoding {

using core::decode::Distribution;
using Ids = std::vector<std::int32_t>;

inline constexpr std::size_t kMostTokens = 64, kMostRules = 64;

// "A:0.4 B:0.6; A > A=2 B=-1": after A the second rule, else the first. ":" writes a probability,
// "=" a logit.
struct Rules {
  struct Entry {
    std::int32_t token = 0;
    double value = 1;  // as it is written; a token alone weighs 1: its logit is 0
    std::size_t begin = 0,
                end = 0;  // where its number stands in the text; alone: nowhere, begin = end
    bool alone = false;
  };
  struct Rule {
    Ids context = {};  // the text ends with it; empty: wherever no other rule holds
    std::vector<Entry> entries = {};
    bool logits = false;
    Distribution distribution = {};  // over all tokens; what is not written never comes
    double sum = 1;                  // of probabilities as they are written; they are divided by it
  };
  std::vector<std::string> tokens;  // in the order in which they are first written
  std::vector<Rule> rules;

  std::optional<std::int32_t> find(std::string_view token) const;
  // The rule whose context is the longest that the text ends with; of equal ones the last.
  const Rule& after(const Ids& text) const;
};

// InputError, one sentence, for numbers that are no probabilities or logits, for both in a rule,
// for a token twice in a rule, for rules that give no token a probability, and where no rule stands
// without a context.
Rules read_rules(const std::string& text);

// The text with one number of it written otherwise: what stands before the number, and after it.
struct Around {
  std::string before, after;
};
Around around(const std::string& text, const Rules::Entry& entry, bool logits);

// The text with the numbers of each rule divided by their sum.
std::string normalized(const std::string& text, const Rules& rules);

}  // namespace lab::decoding
