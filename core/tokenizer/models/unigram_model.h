// The unigram language model: of all ways to cut a piece into tokens the one whose scores have the
// largest sum (Kudo 2018, arXiv:1804.10959, section 3.2; SentencePiece).
#pragma once

#include <optional>

#include "core/tokenizer/models/byte_trie.h"
#include "core/tokenizer/models/model.h"

namespace core::subword {

class UnigramModel final : public Model {
 public:
  // scores: of ids 0 to vocabulary.size() - 1, logarithms of probabilities. unknown: the id of
  // characters that are no token, which score kUnknownPenalty less than the worst one;
  // neighbouring ones are one token. Without it each character must be a token, else encode throws
  // InputError. byte_fallback: what is unknown becomes the tokens of its bytes.
  // InputError when `unknown` is no id, or a byte of byte_fallback no token.
  UnigramModel(Vocabulary vocabulary, std::vector<double> scores, std::optional<Id> unknown,
               bool byte_fallback);
  static constexpr double kUnknownPenalty = 10;

  void encode(std::string_view piece, std::vector<Unit>& to) const override;

 private:
  struct Step;
  std::vector<Step> best_steps(std::string_view piece) const;
  void append(std::string_view piece, Unit unit, std::vector<Unit>& to) const;

  std::vector<double> scores_;
  std::optional<Id> unknown_;
  bool byte_fallback_;
  double unknown_score_ = 0;
  ByteTrie tokens_;
};

}  // namespace core::subword
