// WordPiece: the longest token that fits, again and again (Wu et al. 2016, arXiv:1609.08144,
// section 4.1; the greedy form is that of BERT's published code).
#pragma once

#include "core/tokenizer/models/model.h"

namespace core::subword {

struct WordPieceOptions {
  std::string unknown = "[UNK]";
  std::string continuing_prefix = "##";  // of tokens inside a word
  std::size_t most_characters = 100;     // a longer word is unknown
};

class WordPieceModel final : public Model {
 public:
  // InputError when `unknown` is no token.
  WordPieceModel(Vocabulary vocabulary, WordPieceOptions options);

  // A word of which a rest fits nothing is unknown as a whole.
  void encode(std::string_view piece, std::vector<Unit>& to) const override;

 private:
  WordPieceOptions options_;
  Id unknown_;
};

}  // namespace core::subword
