#include "core/tokenizer/steps/pre_tokenizer.h"

#include <utility>

#include "core/text/unicode.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace core::subword::pre_tokenize {
namespace {

std::string_view view(const Pieces& pieces, const Stretch& one) {
  return std::string_view(pieces.text.text).substr(one.begin, one.end - one.begin);
}

// Splits each piece by itself: what a pattern sees ends with the piece.
void split_pieces(Pieces& pieces, const Pattern& pattern, Behavior behavior, bool inverted) {
  std::vector<Stretch> finer;
  finer.reserve(pieces.all.size());
  for (const Stretch& piece : pieces.all) {
    for (const Stretch& one : split(pattern.stretches(view(pieces, piece)), behavior, inverted)) {
      finer.push_back({piece.begin + one.begin, piece.begin + one.end});
    }
  }
  pieces.all = std::move(finer);
}

// The same pieces of another text, which `write(to, piece)` writes one by one.
template <class Write>
void rewrite(Pieces& pieces, Write&& write) {
  AlignedText other;
  other.text.reserve(pieces.text.text.size() * 5 / 4);
  other.origins.reserve(pieces.text.text.size() * 5 / 4);
  for (Stretch& piece : pieces.all) {
    const std::size_t begin = other.text.size();
    write(other, std::as_const(piece));
    piece = {begin, other.text.size()};
  }
  pieces.text = std::move(other);
}

void make_visible(Pieces& pieces) {
  rewrite(pieces, [&](AlignedText& to, const Stretch& piece) {
    for (std::size_t at = piece.begin; at < piece.end; ++at) {
      const auto byte = static_cast<unsigned char>(pieces.text.text[at]);
      to.append(byte_characters()[byte], pieces.text.origins[at]);
    }
  });
}

void put_space_first(Pieces& pieces) {
  rewrite(pieces, [&](AlignedText& to, const Stretch& piece) {
    const bool has_one = view(pieces, piece).starts_with(' ');
    append_prefixed(to, has_one ? "" : " ", pieces.text, piece.begin, piece.end);
  });
}

void put_metaspaces(Pieces& pieces, const Metaspace& options) {
  rewrite(pieces, [&](AlignedText& to, const Stretch& piece) {
    const std::string_view text = view(pieces, piece);
    const bool at_beginning = pieces.text.origins[piece.begin].begin == 0;
    const bool wanted = options.first == Metaspace::First::always ||
                        (options.first == Metaspace::First::at_the_beginning && at_beginning);
    const bool has_one = text.starts_with(' ') || text.starts_with(options.replacement);
    if (wanted && !has_one) {
      to.text += options.replacement;
      to.origins.resize(to.text.size(), pieces.text.origins[piece.begin]);
    }
    for (std::size_t at = piece.begin; at < piece.end; ++at) {
      if (pieces.text.text[at] == ' ') {
        to.text += options.replacement;
      } else {
        to.text += pieces.text.text[at];
      }
      to.origins.resize(to.text.size(), pieces.text.origins[at]);
    }
  });
}

}  // namespace

const char* const kGpt2Split =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

PreTokenizerStep split_at(Pattern pattern, Behavior behavior, bool inverted) {
  return [pattern = std::move(pattern), behavior, inverted](Pieces& pieces) {
    split_pieces(pieces, pattern, behavior, inverted);
  };
}

PreTokenizerStep byte_level(ByteLevel options) {
  return [options, pattern = Pattern::regex(kGpt2Split)](Pieces& pieces) {
    if (options.space_first) put_space_first(pieces);
    if (options.splits) split_pieces(pieces, pattern, Behavior::isolated, false);
    make_visible(pieces);
  };
}

PreTokenizerStep metaspace(const Metaspace& options) {
  return [options, pattern = Pattern::literal(options.replacement)](Pieces& pieces) {
    put_metaspaces(pieces, options);
    if (options.splits) split_pieces(pieces, pattern, Behavior::merged_with_next, false);
  };
}

PreTokenizerStep bert() {
  return [](Pieces& pieces) {
    split_pieces(pieces, Pattern::characters(unicode::is_white_space), Behavior::removed, false);
    split_pieces(pieces, Pattern::characters(is_bert_punctuation), Behavior::isolated, false);
  };
}

bool is_bert_punctuation(char32_t c) {
  const bool ascii = (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
                     (c >= '{' && c <= '~');
  return ascii || unicode::is_punctuation(c);
}

}  // namespace core::subword::pre_tokenize
