// A subword tokenizer as published models use it: text to ids and back, exactly.
//
// The steps are those of a tokenizer.json, as the published library runs them: added tokens are cut
// out of the text; the rest is normalised, split into pieces and cut into tokens of the vocabulary;
// a template puts special tokens around. Ids, offsets and decoded texts are the library's.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tokenizer/models/model.h"
#include "core/tokenizer/steps/added_tokens.h"
#include "core/tokenizer/steps/decoder.h"
#include "core/tokenizer/steps/normalizer.h"
#include "core/tokenizer/steps/pre_tokenizer.h"

namespace core::subword {

// Tokens of a text. What a template put in stands for nothing, [0, 0).
struct Encoding {
  std::vector<Id> ids;
  std::vector<ByteRange> offsets;    // bytes of the text as given, widened to whole characters
  std::vector<std::uint8_t> types;   // 0: the first text, 1: the second
  std::vector<std::uint8_t> put_in;  // 1: by the template

  void append(Id id, ByteRange range, int type = 0, bool by_template = false);
};

// What stands around a text, or around two: special tokens, and the texts, 0 and 1.
struct TemplateItem {
  std::vector<Id> ids;  // empty: a text
  int text = 0;
  int type = 0;
};
struct Template {
  std::vector<TemplateItem> single, pair;
};

// What the spelling of a token leaves to be guessed when it is looked at alone.
struct Spelling {
  bool bytes_visible = false;     // byte_alphabet.h
  bool byte_tokens = false;       // "<0x0A>" is a byte
  std::string space;              // what stands for a space; empty: itself
  std::string continuing_prefix;  // "##": goes on in a word
  std::string ending_suffix;      // ends a word
};

// Spaces that are taken out of offsets, as some byte-level tokenizers do.
struct OffsetTrim {
  bool space_first = false;  // the first token's one space was put in, and stays
};

struct TokenizerParts {
  std::shared_ptr<const Model> model;
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  std::vector<AddedToken> added;
  Template around;
  std::optional<OffsetTrim> trim;
  std::optional<Decoder> decoder;  // without one tokens are joined by spaces
  Spelling spelling;
};

class Tokenizer {
 public:
  // InputError when an added token's id or text is another token's, or the template speaks of ids
  // that no token has.
  explicit Tokenizer(TokenizerParts parts);

  // Without the template. Special tokens that are written out in the text are recognised.
  // InputError when the text is not UTF-8 or longer than kMostTextBytes; Cancelled between pieces.
  Encoding encode(std::string_view text, const Cancel& cancel = {}) const;
  // With the template around one text, or around two.
  Encoding around(const Encoding& text) const;
  Encoding around(const Encoding& first, const Encoding& second) const;

  // Ids that no token has are left out.
  enum class Specials { keep, skip };
  std::string decode(std::span<const Id> ids, Specials specials = Specials::keep) const;

  // One more than the largest id: the rows that a table of embeddings needs.
  Id end() const { return end_; }
  // As the vocabulary spells it; null for an id that no token has.
  const std::string* token(Id id) const;
  std::optional<Id> find(const std::string& token) const;
  bool is_special(Id id) const;

  // The bytes of text that a token stands for by itself: perhaps a part of a character.
  std::string bytes(Id id) const;
  // The same to be read: spaces, tabs and line ends are visible, bytes that are no whole character
  // are written \xe4.
  std::string shown(Id id) const;

 private:
  struct Pass;
  void check_added() const;
  void check_template(const std::vector<TemplateItem>& items) const;
  void encode_stretch(std::string_view stretch, std::size_t begin, Pass& pass) const;
  void encode_pieces(AlignedText text, Pass& pass) const;
  void trim_spaces(std::string_view text, Pass& pass) const;
  Encoding filled(const std::vector<TemplateItem>& items, const Encoding* first,
                  const Encoding* second) const;

  TokenizerParts parts_;
  AddedTokens added_;
  Id end_ = 0;
};

}  // namespace core::subword
