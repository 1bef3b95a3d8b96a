// Where tokens stand in lines: by hand, and what holds for every text.
#include "app/labs/shared/drawing/token_flow.h"

#include <doctest/doctest.h>

namespace token_flow_test {

using core::Index;

TEST_CASE("letters of a token: signs of another font are as wide as two") {
  CHECK(lab::letters_of("") == 0);
  CHECK(lab::letters_of("the") == 3);
  CHECK(lab::letters_of("␣the") == 4);
  CHECK(lab::letters_of("é") == 1);
  CHECK(lab::letters_of("猫") == 2);
  CHECK(lab::letters_of("⏎") == 2);
  CHECK(lab::letters_of("\xff\xfe") == 2);
}

TEST_CASE("tokens of 20 letters: three fit in a line") {
  const auto flow = lab::token_flow(7, 0, 8, [](Index) { return 20; });
  CHECK(flow.lines == 3);
  REQUIRE(flow.places.size() == 7);
  const std::vector<Index> lines{0, 0, 0, 1, 1, 1, 2};
  for (std::size_t k = 0; k < lines.size(); ++k) CHECK(flow.places[k].line == lines[k]);
  CHECK(flow.places[1].x0 == doctest::Approx(21.6));
  CHECK(flow.places[1].x1 == doctest::Approx(42.9));
  CHECK(flow.places[3].x0 == 0);
}

TEST_CASE("whatever the tokens are: none is lost, none overlaps, and the marked one is there") {
  const auto letters = [](Index t) { return t * 7 % 40; };
  for (const Index count : {1, 5, 100, 256, 257, 5000}) {
    for (const Index marked : {Index{0}, count / 3, count - 1}) {
      CAPTURE(count);
      CAPTURE(marked);
      const auto flow = lab::token_flow(count, marked, 6, letters);
      CHECK(flow.lines <= 6);
      CHECK(flow.begin() <= marked);
      CHECK(marked < flow.end());
      CHECK(flow.end() - flow.begin() == static_cast<Index>(flow.places.size()));
      CHECK(flow.places.front().line == 0);
      CHECK(flow.places.back().line == flow.lines - 1);
      for (std::size_t k = 0; k < flow.places.size(); ++k) {
        const auto& now = flow.places[k];
        CHECK(now.x0 < now.x1);
        CHECK(now.x1 <= lab::kFlowWidth);
        if (k == 0) continue;
        const auto& before = flow.places[k - 1];
        CHECK(now.token == before.token + 1);
        CHECK((now.line == before.line ? now.x0 > before.x1
                                       : now.line == before.line + 1 && now.x0 == 0));
      }
    }
  }
  const auto none = lab::token_flow(0, 0, 6, letters);
  CHECK(none.places.empty());
  CHECK(none.lines == 1);
  CHECK(none.begin() == none.end());
}

TEST_CASE("lines stay where they are when a neighbour is marked") {
  const auto letters = [](Index) { return Index{3}; };
  const auto a = lab::token_flow(10'000, 5000, 1000, letters);
  const auto b = lab::token_flow(10'000, 5001, 1000, letters);
  CHECK(a.begin() == b.begin());
  CHECK(a.end() == b.end());
}

}  // namespace token_flow_test
