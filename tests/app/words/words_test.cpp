#include "app/words/words.h"

#include <doctest/doctest.h>

#include <algorithm>

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

}  // namespace words_test
