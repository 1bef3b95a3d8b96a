#include "core/task/inside/text_marks.h"

#include <utility>

#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace core::task {
namespace {

// Each character that ends in a token, token by token.
std::vector<std::u32string> characters_of(std::span<const std::string> tokens) {
  std::vector<std::u32string> characters(tokens.size());
  std::string rest;  // of a character that is not whole yet
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    rest += tokens[t];
    std::size_t at = 0;
    while (at < rest.size()) {
      const std::string_view left = std::string_view(rest).substr(at);
      const std::size_t bad = invalid_utf8(left).value_or(left.size());
      if (bad > 0) {
        std::size_t within = 0;
        while (within < bad) characters[t] += next_code_point(left.substr(0, bad), within);
        at += bad;
        continue;
      }
      // Cut short, it waits for the next token; else it is no character.
      const std::size_t length = invalid_length(left);
      const auto lead = static_cast<unsigned char>(left.front());
      if (at + length == rest.size() && lead >= 0xC2 && lead <= 0xF4 && t + 1 < tokens.size()) {
        break;
      }
      characters[t] += U'\uFFFD';
      at += length;
    }
    rest.erase(0, at);
  }
  return characters;
}

bool is_closed_by(char32_t open, char32_t close) {
  constexpr std::pair<char32_t, char32_t> kPairs[] = {
      {U'(', U')'},   {U'[', U']'},   {U'{', U'}'},   {U'“', U'”'},   {U'‘', U'’'},  {U'（', U'）'},
      {U'《', U'》'}, {U'〈', U'〉'}, {U'「', U'」'}, {U'『', U'』'}, {U'【', U'】'}};
  if (open == U'"') return close == U'"';
  for (const auto& [first, second] : kPairs) {
    if (first == open) return close == 0 || second == close;
  }
  return false;
}

struct OpenMark {
  char32_t mark;
  Index token;
};

void follow(char32_t c, Index token, std::vector<OpenMark>& open) {
  for (std::size_t k = open.size(); k > 0; --k) {
    if (!is_closed_by(open[k - 1].mark, c)) continue;
    open.resize(k - 1);  // with what was not closed within
    return;
  }
  if (c == U'"' || is_closed_by(c, 0)) open.push_back({c, token});
}

}  // namespace

TextMarks text_marks(std::span<const std::string> tokens) {
  const std::vector<std::u32string> characters = characters_of(tokens);
  TextMarks marks;
  marks.punctuation.resize(tokens.size());
  marks.headword.resize(tokens.size());
  std::vector<OpenMark> open;
  std::size_t head = 0;  // tokens of the headword
  bool ended = false, colon = false;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    bool any = false, all = true;
    for (const char32_t c : characters[t]) {
      const bool space = unicode::is_white_space(c);
      if (!space) any = true;
      if (!space && !unicode::is_punctuation(c)) all = false;
      if (!ended && (c == U'\n' || (colon && c == U' '))) {
        ended = true;
        head = t;
      }
      colon = c == U':';
      follow(c, static_cast<Index>(t), open);
    }
    marks.punctuation[t] = any && all ? 1 : 0;
    marks.opened.push_back(open.empty() ? -1 : open.back().token);
  }
  for (std::size_t t = 0; ended && t < head; ++t) {
    marks.headword[t] = !tokens[t].empty() && marks.punctuation[t] == 0 ? 1 : 0;
  }
  return marks;
}

}  // namespace core::task
