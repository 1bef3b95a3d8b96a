#include "core/tokenizer/models/word_piece_model.h"

#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core::subword {
namespace {

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
  return count;
}

}  // namespace

WordPieceModel::WordPieceModel(Vocabulary words, WordPieceOptions options)
    : Model(std::move(words)), options_(std::move(options)) {
  const auto id = vocabulary().find(options_.unknown);
  if (!id) {
    throw InputError(Message(N_("the unknown token, \"{}\", is not in the vocabulary"),
                             printable(options_.unknown)));
  }
  unknown_ = *id;
}

void WordPieceModel::encode(std::string_view piece, std::vector<Unit>& to) const {
  const std::size_t before = to.size();
  const auto whole_unknown = [&] {
    to.resize(before);
    to.push_back({unknown_, 0, static_cast<std::uint32_t>(piece.size())});
  };
  if (count_characters(piece) > options_.most_characters) return whole_unknown();
  std::string tried;
  for (std::size_t begin = 0; begin < piece.size();) {
    tried = begin > 0 ? options_.continuing_prefix : "";
    const std::size_t prefix = tried.size();
    tried += piece.substr(begin);
    std::optional<Id> id = vocabulary().find(tried);
    while (!id && tried.size() > prefix) {
      // Back by one character.
      do {
        tried.pop_back();
      } while (tried.size() > prefix &&
               (static_cast<unsigned char>(piece[begin + tried.size() - prefix]) & 0xc0) == 0x80);
      if (tried.size() > prefix) id = vocabulary().find(tried);
    }
    if (!id) return whole_unknown();
    const std::size_t end = begin + tried.size() - prefix;
    to.push_back({*id, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    begin = end;
  }
}

}  // namespace core::subword
