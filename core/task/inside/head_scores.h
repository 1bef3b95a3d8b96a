// What a head does, in numbers: where its weights lie, on average over the tokens of many
// sequences. Weights are those of causal attention: token t looks at the tokens 0 to t.
#pragma once

#include <utility>
#include <vector>

#include "core/task/inside/text_marks.h"
#include "core/task/inside/token_class.h"
#include "core/task/sequence/sequence_model.h"

namespace core::task {

// The mean over `positions` tokens, and what it would be of a head that looks at everything
// equally. Without a place both are 0.
struct HeadScore {
  double mean = 0, even = 0;
  Index positions = 0;
};

struct HeadScores {
  // The weight of the token before, of every token but the first (Elhage et al. 2021, "A
  // mathematical framework for transformer circuits"; Olsson et al. 2022).
  HeadScore previous_token;
  // The weight of earlier tokens that are the same, together, where there are any (Wang et al.
  // 2022, "Interpretability in the wild", section 3.1).
  HeadScore duplicate_token;
  // The weight of the tokens behind earlier ones that are the same as this, together, where there
  // are any (Olsson et al. 2022, "prefix matching"). In "aa" the second a is behind the first, and
  // looks at itself.
  HeadScore induction;
  // The weight of earlier tokens of the same class that are not the same token, together, where
  // there are any.
  HeadScore same_class;
  // The weight of token 0, of every other (an "attention sink": Xiao et al. 2023).
  HeadScore first_token;
  // The entropy of a token's weights by that of equal ones, log(t + 1), of every token but the
  // first: 1 is a mean of all, 0 one token. An equal head has 1.
  HeadScore uniform;
  // The weight of what says the next token (Sequence::source), where one token does.
  HeadScore right_position;
  // How often that token has the largest weight of all (the first of several).
  HeadScore right_position_largest;
  // The weight of earlier punctuation, where there is any; of texts alone (TextMarks), as what
  // follows.
  HeadScore punctuation;
  // The weight of the headword, from tokens behind it.
  HeadScore headword;
  // The weight of what opened the innermost bracket or quotation mark that is open.
  HeadScore opening;
};

// Gathers sequence by sequence.
class HeadMeter {
 public:
  // `classes`: of the tokens by their ids; empty: no class is scored.
  explicit HeadMeter(std::vector<TokenClass> classes = {}) : classes_(std::move(classes)) {}

  // weights (tokens, tokens), row = query. InputError for another shape.
  void add(const Sequence& sequence, const Eigen::Ref<const Matrix>& weights);
  // Adds what these tokens' marks score alone; the rest is what add() counts.
  void add_marks(const TextMarks& marks, const Eigen::Ref<const Matrix>& weights);
  // What another one gathered, too.
  void add(const HeadMeter& other);
  HeadScores scores() const;

 private:
  bool alike(std::int32_t a, std::int32_t b) const;

  std::vector<TokenClass> classes_;
  HeadScores sums_;
};

// Scores of every head, [layer][head], over sequences that the model reads. values: its parameters.
std::vector<std::vector<HeadScores>> head_scores(const SequenceModel& model, const float* values,
                                                 const std::vector<Sequence>& sequences,
                                                 int threads,
                                                 const model::Edit<float>* edit = nullptr);

}  // namespace core::task
