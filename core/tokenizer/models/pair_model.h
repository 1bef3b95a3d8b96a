// Byte-pair encoding: Sennrich, Haddow, Birch 2016, arXiv:1508.07909, section 3.2.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>

#include "core/tokenizer/models/model.h"
#include "core/tokenizer/models/pair_map.h"

namespace core::subword {

// Two tokens of the vocabulary become one, in the order of the list. InputError names a merge whose
// parts or whose result are no tokens.
using Merge = std::pair<std::string, std::string>;

struct PairOptions {
  std::optional<std::string> unknown;  // the token of characters that have none; else they go
  bool fuse_unknown = false;           // neighbouring unknown characters are one token
  bool byte_fallback = false;          // an unknown character is the tokens of its UTF-8 bytes
  bool whole_first = false;            // a piece that is a token itself is not built from pairs
  std::string continuing_prefix;       // before every character but the first of a piece
  std::string ending_suffix;           // after the last character of a piece
};

class PairModel final : public Model {
 public:
  // InputError also when `unknown` or, with byte_fallback, a byte is no token.
  PairModel(Vocabulary vocabulary, const std::vector<Merge>& merges, PairOptions options);

  void encode(std::string_view piece, std::vector<Unit>& to) const override;

 private:
  struct Symbol;

  void add_merge(const Merge& merge);
  void allow_joins(const std::vector<Merge>& merges);
  Id part(const std::string& text, const Merge& merge) const;
  std::optional<Id> id_of_character(std::string_view character, bool first, bool last) const;
  std::vector<Symbol> symbols(std::string_view piece) const;
  void merge(Symbol* symbols, std::size_t count) const;
  bool can_join(Id before, Id after) const;

  PairOptions options_;
  std::optional<Id> unknown_;
  std::array<Id, 256> bytes_{};  // of byte_fallback
  std::array<Id, 128> ascii_{};  // of single characters without prefix or suffix; -1: none
  bool plain_ = true;            // neither prefix nor suffix
  PairMap ranks_;                // of pairs of ids
  std::vector<Id> wholes_;       // what the merge of a rank makes
  bool divides_ = false;         // whether joins_ tells all
  PairMap joins_;                // pairs of first symbols that some merge can bring together
};

}  // namespace core::subword
