#include "core/heads/words.h"

#include <doctest/doctest.h>

#include <random>

#include "heads/given_rows.h"

namespace words_test {

using namespace core::heads;
using given::check_row, given::kMasked, given::kNaN, given::rows;
using Names = std::vector<std::string>;
using Places = std::vector<core::Index>;

TEST_CASE("words begin where tokenizers mark it") {
  // WordPiece marks what goes on.
  const Names pieces{"[CLS]", "un", "##believ", "##able", ",", "he", "said", "[SEP]"};
  CHECK(word_starts(pieces) == Places{0, 1, 4, 5, 6, 7});
  CHECK(word_names(pieces, word_starts(pieces)) ==
        Names{"[CLS]", "unbelievable", ",", "he", "said", "[SEP]"});
  // Byte pairs and SentencePiece mark what begins, each in its way.
  for (const std::string mark : {" ", "␣", "Ġ", "▁"}) {
    CAPTURE(mark);
    const Names pairs{"<s>", "The", mark + "cat", "s", mark + "sat", ".", mark + "It", "'s", "1"};
    CHECK(word_starts(pairs) == Places{0, 1, 2, 4, 5, 6});
    CHECK(word_names(pairs, word_starts(pairs)) ==
          Names{"<s>", "The", "cats", "sat", ".", "It's1"});
  }
  // Without a mark each token is a word; so is a Chinese character beside marks.
  const Names letters{"t", "h", "e"};
  CHECK(word_starts(letters) == Places{0, 1, 2});
  CHECK(word_names(letters, word_starts(letters)) == letters);
  CHECK(word_starts({"▁", "猫", "坐"}) == Places{0, 1, 2});
  CHECK(word_starts({}).empty());
  // A mark may be a token of its own; alone it is a word.
  const Names spaced{"t", "h", "e", "␣", "c", "a", "t", "␣", "␣", "s"};
  CHECK(word_starts(spaced) == Places{0, 3, 7, 8});
  CHECK(word_names(spaced, word_starts(spaced)) == Names{"the", "cat", "␣", "s"});
}

TEST_CASE("a word's weights: summed over its keys, averaged over its queries") {
  const HeadPointer tokens =
      rows({{0.5F, 0.25F, 0.25F}, {0.125F, 0.5F, 0.375F}, {1, kMasked, kMasked}});
  const HeadPointer words = joined_rows(tokens, {0, 2}, {0, 1});
  CHECK(words->queries() == 2);
  CHECK(words->keys() == 2);
  check_row(words, 0, {0.3125F, 0.6875F});
  check_row(words, 1, {1, kMasked});  // masked where all of it is
  // Each token a word: nothing changes, NaN stays.
  const HeadPointer odd = rows({{0.5F, kNaN, kMasked}});
  check_row(joined_rows(odd, {0}, {0, 1, 2}), 0, {0.5F, kNaN, kMasked});
  check_row(joined_rows(odd, {0}, {0, 1}), 0, {0.5F, kNaN});
}

TEST_CASE("rows of words add up to 1 where those of tokens do") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const auto starts = [&](core::Index count) {
      Places all{0};
      for (core::Index k = 1; k < count; ++k) {
        if (random() % 2) all.push_back(k);
      }
      return all;
    };
    const core::Index n = 1 + random() % 9, m = 1 + random() % 9;
    core::Matrix weights(n, m);
    for (core::Index i = 0; i < n; ++i) {
      for (core::Index j = 0; j < m; ++j) weights(i, j) = 1 + static_cast<float>(random() % 100);
      weights.row(i) /= weights.row(i).sum();
    }
    const HeadPointer words = joined_rows(dense_rows(weights), starts(n), starts(m));
    for (core::Index i = 0; i < words->queries(); ++i) {
      double sum = 0;
      for (const float weight : words->row(i)) sum += static_cast<double>(weight);
      CHECK(sum == doctest::Approx(1).epsilon(1e-6));
    }
  }
}

TEST_CASE("places that are none are refused") {
  const HeadPointer tokens = rows({{1, 2}, {3, 4}});
  for (const Places& wrong : {Places{}, Places{1}, Places{0, 0}, Places{0, 2}}) {
    CHECK_THROWS_AS(joined_rows(tokens, wrong, {0}), core::InputError);
    CHECK_THROWS_AS(joined_rows(tokens, {0}, wrong), core::InputError);
  }
}

}  // namespace words_test
