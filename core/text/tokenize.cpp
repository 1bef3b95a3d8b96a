#include "core/text/tokenize.h"

#include <cstdio>

#include "core/text/characters.h"
#include "core/text/utf8.h"

namespace core {
namespace {

// A stretch of the text, [begin, end) in bytes.
struct Span {
  std::size_t begin = 0, end = 0;
};

bool is_regional_indicator(char32_t c) { return c >= 0x1f1e6 && c <= 0x1f1ff; }
bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

// Walks over the code points of valid UTF-8.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  std::size_t at() const { return at_; }
  char32_t next() { return next_code_point(text_, at_); }
  char32_t peek() const {
    std::size_t at = at_;
    return at < text_.size() ? next_code_point(text_, at) : 0;
  }
  // The code point after the next one; 0 at the end.
  char32_t peek_second() const {
    std::size_t at = at_;
    if (at < text_.size()) next_code_point(text_, at);
    return at < text_.size() ? next_code_point(text_, at) : 0;
  }

  // One character with everything that attaches to it.
  Span character() {
    Span span{at_, at_};
    const char32_t first = next();
    if (first == '\r' && peek() == '\n') next();
    if (is_regional_indicator(first) && is_regional_indicator(peek())) next();
    attach();
    span.end = at_;
    return span;
  }

  // A run of letters, or one other character. False when only white space is left.
  bool word(Span& span) {
    while (!done() && character_kind(peek()) == CharacterKind::space) next();
    if (done()) return false;
    if (character_kind(peek()) != CharacterKind::letter) {
      span = character();
      return true;
    }
    span.begin = at_;
    while (!done() && continues_word()) next();
    span.end = at_;
    return true;
  }

 private:
  void attach() {
    while (!done()) {
      const CharacterKind kind = character_kind(peek());
      if (kind == CharacterKind::mark) {
        next();
      } else if (kind == CharacterKind::joiner) {
        next();
        if (!done() && character_kind(peek()) == CharacterKind::symbol) next();
      } else {
        return;
      }
    }
  }

  bool continues_word() const {
    const char32_t c = peek();
    const CharacterKind kind = character_kind(c);
    if (is_apostrophe(c)) return character_kind(peek_second()) == CharacterKind::letter;
    return kind == CharacterKind::letter || kind == CharacterKind::mark ||
           kind == CharacterKind::joiner;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Calls `take(span)` for each token until it returns false.
template <class Take>
void each_token(std::string_view text, Unit unit, Take&& take) {
  if (unit == Unit::bytes) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!take(Span{at, at + 1})) return;
    }
    return;
  }
  Reader reader(text);
  Span span;
  while (!reader.done()) {
    if (unit == Unit::characters) {
      span = reader.character();
    } else if (!reader.word(span)) {
      return;
    }
    if (!take(span)) return;
  }
}

Token byte_token(char c) {
  const auto byte = static_cast<unsigned char>(c);
  char label[4];
  std::snprintf(label, sizeof label, "%02x", static_cast<unsigned>(byte));
  return {std::u32string(1, byte), label};
}

// What can be seen in place of white space and control characters.
std::string visible(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (text == "\n" || text == "\r\n" || text == "\r") return "⏎";
  if (text == "\t") return "⇥";
  std::size_t at = 0;
  const char32_t c = next_code_point(text, at);
  if (c < 0x20) {  // the control pictures
    std::string picture;
    append_utf8(picture, 0x2400 + first);
    return picture;
  }
  return character_kind(c) == CharacterKind::space ? "␣" : std::string(text);
}

Token text_token(std::string_view text) {
  Token token{{}, visible(text)};
  for (std::size_t at = 0; at < text.size();) {
    char32_t c = fold_case(next_code_point(text, at));
    if (c == 0x2019) c = '\'';  // one apostrophe
    token.identity.push_back(c);
  }
  return token;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text, Unit unit, Index limit) {
  require_utf8(text);
  std::vector<Token> tokens;
  each_token(text, unit, [&](const Span& span) {
    if (static_cast<Index>(tokens.size()) >= limit) return false;
    const std::string_view piece = text.substr(span.begin, span.end - span.begin);
    tokens.push_back(unit == Unit::bytes ? byte_token(piece.front()) : text_token(piece));
    return true;
  });
  return tokens;
}

Index count_tokens(std::string_view text, Unit unit, Index limit) {
  require_utf8(text);
  Index count = 0;
  each_token(text, unit, [&](const Span&) {
    if (count >= limit) return false;
    return ++count < limit;
  });
  return count;
}

}  // namespace core
