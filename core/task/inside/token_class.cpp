#include "core/task/inside/token_class.h"

#include <string_view>

#include "core/task/sequence/stories.h"

namespace core::task {
namespace {

bool is_one_of(std::string_view all, const std::string& token) {
  return all.find(token) != std::string_view::npos;
}

TokenClass class_of_byte(const std::string& token, bool of_text) {
  const char c = token.front();
  if (c >= 'a' && c <= 'z') {
    if (!of_text) return TokenClass::small_letter;
    return is_one_of("aeiou", token) ? TokenClass::vowel : TokenClass::consonant;
  }
  if (c >= 'A' && c <= 'Z') return TokenClass::capital;
  if (c >= '0' && c <= '9') return TokenClass::digit;
  if (is_one_of("()", token)) return TokenClass::round_bracket;
  if (is_one_of("[]", token)) return TokenClass::square_bracket;
  if (is_one_of(" \n", token)) return TokenClass::space;
  return of_text ? TokenClass::punctuation : TokenClass::sign;
}

TokenClass class_of(const SequenceTask& task, const std::string& token) {
  if (token.size() == 1) return class_of_byte(token, flows(task.story));
  if (token == "⏎") return TokenClass::space;  // as core::tokenize calls a line's end
  if (token == "，" || token == "。") return TokenClass::punctuation;
  switch (word_class(task.language, token)) {
    case WordClass::name: return TokenClass::name;
    case WordClass::pronoun: return TokenClass::pronoun;
    case WordClass::noun: return TokenClass::noun;
    case WordClass::measure_word: return TokenClass::measure_word;
    case WordClass::none: break;
  }
  return TokenClass::none;
}

}  // namespace

std::vector<TokenClass> token_classes(const SequenceTask& task) {
  std::vector<TokenClass> out;
  for (const std::string& token : tokens(task)) {
    out.push_back(token.empty() ? TokenClass::none : class_of(task, token));
  }
  return out;
}

}  // namespace core::task
