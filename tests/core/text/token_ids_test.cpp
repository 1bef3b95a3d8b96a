#include "core/text/token_ids.h"

#include <doctest/doctest.h>

namespace token_ids_test {

TEST_CASE("equal tokens have one id, over all texts, and reserved words the first") {
  core::TokenIds ids({"<start>", "<end>"});
  const auto read = [&](const char* text) {
    std::vector<std::int32_t> all;
    for (const core::Token& token : core::tokenize(text, core::Unit::words, 20)) {
      all.push_back(ids.of(token));
    }
    return all;
  };
  CHECK(read("The cat and the dog") == std::vector<std::int32_t>{2, 3, 4, 2, 5});
  CHECK(read("dog the bird") == std::vector<std::int32_t>{5, 2, 6});
  CHECK(ids.words() ==
        std::vector<std::string>{"<start>", "<end>", "The", "cat", "and", "dog", "bird"});
  core::TokenIds none;
  CHECK(none.words().empty());
  CHECK(none.of({U"x", "X"}) == 0);
}

}  // namespace token_ids_test
