#include "app/words/words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string>

#include "core/types.h"

namespace words_test {

using words::Language;
using words::Words;

TEST_CASE("English is its own translation, Chinese comes from the catalogue") {
  CHECK(Words()("All heads") == "All heads");
  CHECK(Words(Language::zh_CN)("All heads") == "所有头");
  CHECK(Words(Language::zh_CN)("no such message") == "no such message");
  CHECK(Words().format("{} of {}", 3, "8") == "3 of 8");
}

TEST_CASE("names follow one another as the language has it") {
  CHECK(Words().list({}).empty());
  CHECK(Words().list({"a"}) == "a");
  CHECK(Words().list({"a", "b", "c"}) == "a, b, c");
  CHECK(Words(Language::zh_CN).list({"a", "b", "c"}) == "a、b、c");
}

TEST_CASE("a language is named by its id, and nonsense gets a sentence") {
  CHECK(words::parse_language("zh_CN") == Language::zh_CN);
  CHECK(words::language_id(Language::en) == "en");
  CHECK_THROWS_WITH_AS(words::parse_language("fr"),
                       "language: expected one of en, zh_CN, got \"fr\"", core::InputError);
}

TEST_CASE("a translation fills in as many values as its message") {
  const auto values = [](std::string_view text) {
    return std::count(text.begin(), text.end(), '{');
  };
  const auto& chinese = words::catalogue(Language::zh_CN);
  CHECK(chinese.size() > 200);
  for (const auto& entry : chinese) {
    const std::string_view message = entry.first, translation = entry.second;
    CAPTURE(message);
    CHECK(values(message) == values(translation));
    CHECK(std::count(translation.begin(), translation.end(), '}') == values(translation));
  }
}

// A number that may be 1 stands behind a colon or beside a noun in the singular.
TEST_CASE("no message puts a number that may be 1 before a verb in the plural") {
  const std::regex plural(
      R"(\{[^}]*\}( of (the )?\{[^}]*\})?( [a-z]+)? (?!is )[a-z]+s( [a-z]+(ed|en|wn))? )"
      R"((are|have|see|lie|read|reach|had|do|share|turn|stand|were)\b)");
  CHECK(std::regex_search(std::string("{} queries see no key"), plural));
  CHECK(std::regex_search(std::string("{} of {} rows are empty"), plural));
  CHECK(std::regex_search(std::string("{} of the {} pairs shown read it"), plural));
  // Whose number is never 1, or which have a message of their own for 1.
  const auto larger = [](std::string_view message) {
    constexpr std::array<std::string_view, 11> kLarger{
        "heads cannot share",  "heads are not a power of two",
        "heads do not divide", "logits are largest",
        "columns turn.",       "pages are held",
        "of 8192 are",         "pairs are kept: weights",
        "queries were used",   "numbers are drawn about 0",
        "entries are not read"};
    return std::any_of(kLarger.begin(), kLarger.end(),
                       [&](std::string_view part) { return message.find(part) != message.npos; });
  };
  for (const auto& entry : words::catalogue(Language::zh_CN)) {
    const std::string message(entry.first);
    CAPTURE(message);
    if (!larger(message)) CHECK_FALSE(std::regex_search(message, plural));
  }
}

}  // namespace words_test
