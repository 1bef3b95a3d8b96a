#include "app/paper/style/plain_formulas.h"

#include <algorithm>
#include <cctype>

#include "app/figure/formula.h"
#include "app/figure/paper_look.h"
#include "core/types.h"

namespace paper {
namespace {

constexpr std::size_t kOneLetter = 1;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_part(char c) { return (c & 0x80) != 0; }  // of a letter beyond ASCII

// The letter or number that begins at `at`, and where it ends; `at` itself where there is none.
std::size_t base_end(const std::string& text, std::size_t at) {
  const auto digit = [&](std::size_t k) {
    return k < text.size() && std::isdigit(static_cast<unsigned char>(text[k])) != 0;
  };
  std::size_t end = at;
  while (digit(end)) ++end;
  if (end > at) return end;
  if (std::isalpha(static_cast<unsigned char>(text[at]))) return at + kOneLetter;
  const bool greek = text[at] == '\xCE' || text[at] == '\xCF';
  return greek && at + 1 < text.size() ? at + 2 : at;
}

// What stands behind "_" or "^" at `at`; where it ends is `at` afterwards. Empty: nothing.
std::string script(const std::string& text, std::size_t& at) {
  const std::size_t begin = at + 1;
  std::size_t end = begin;
  if (begin < text.size() && text[begin] == '(') {
    end = text.find(')', begin);
    if (end == text.npos) return {};
    at = end + 1;
    return text.substr(begin + 1, end - begin - 1);
  }
  while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
  const std::string word = text.substr(begin, end - begin);
  if (!word.empty()) at = end;
  const bool letters =
      word.size() > kOneLetter && !std::isdigit(static_cast<unsigned char>(word[0]));
  return letters ? "\\text{" + word + "}" : word;
}

// The formula that begins at `at`, and its end; empty: there is none.
std::string formula_at(const std::string& text, std::size_t& at) {
  std::size_t end = base_end(text, at);
  if (end == at || end >= text.size() || (text[end] != '_' && text[end] != '^')) return {};
  std::string tex = text.substr(at, end - at);
  while (end < text.size() && (text[end] == '_' || text[end] == '^')) {
    const char sign = text[end];
    const std::string inside = script(text, end);
    if (inside.empty()) return {};
    tex += sign + ("{" + inside + "}");
  }
  if (end < text.size() && (is_word(text[end]) || is_part(text[end]))) return {};
  try {
    figure::check_formula(tex);
  } catch (const core::InputError&) {
    return {};
  }
  at = end;
  std::ranges::replace(tex, ' ', '\t');  // a line is not broken there
  return tex;
}

}  // namespace

std::string with_formulas(const std::string& text) {
  if (text.find(figure::kFormulaSign) != text.npos) return text;
  std::string made;
  char before = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = !is_word(before) && !is_part(before) && before != '"';
    const std::string tex = begins ? formula_at(text, at) : std::string();
    if (tex.empty()) {
      made += before = text[at++];
      continue;
    }
    made += figure::kFormulaSign;
    made += tex;
    made += figure::kFormulaSign;
    before = text[at - 1];
  }
  return made;
}

}  // namespace paper
