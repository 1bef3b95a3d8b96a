#include "core/tokenizer/models/pair_training.h"

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/tokenizer/models/byte_alphabet.h"

namespace pair_training_test {

namespace {

using namespace core::subword;
using core::Index;

// The definition, word by word: all pairs are counted anew for each merge.
struct Naive {
  std::vector<std::vector<Id>> words;
  std::vector<std::string> tokens;

  explicit Naive(std::string_view text) {
    const Tokenizer bytes = parse_pairs(texts_of({}), ByteSplit::gpt2, {}, "bytes");
    for (Id id = 0; id < bytes.end(); ++id) tokens.push_back(*bytes.token(id));
    Regex(pre_tokenize::kGpt2Split).each_match(text, [&](std::size_t begin, std::size_t end) {
      words.push_back(bytes.encode(text.substr(begin, end - begin)).ids);
      return true;
    });
  }

  TrainedPairs run(Index size) {
    TrainedPairs trained;
    while (static_cast<Index>(tokens.size()) < size) {
      std::map<std::pair<Id, Id>, Index> counts;
      for (const auto& word : words) {
        for (std::size_t k = 0; k + 1 < word.size(); ++k) ++counts[{word[k], word[k + 1]}];
      }
      std::pair<Id, Id> best;
      Index most = 1;
      for (const auto& [pair, count] : counts) {  // in rising order of ids
        if (count > most) std::tie(best, most) = std::pair(pair, count);
      }
      if (most < 2) break;
      trained.merges.emplace_back(tokens[static_cast<std::size_t>(best.first)],
                                  tokens[static_cast<std::size_t>(best.second)]);
      trained.counts.push_back(most);
      merge(best, static_cast<Id>(tokens.size()));
      tokens.push_back(trained.merges.back().first + trained.merges.back().second);
    }
    trained.vocabulary_size = static_cast<Index>(tokens.size());
    return trained;
  }

  void merge(std::pair<Id, Id> pair, Id whole) {
    for (auto& word : words) {
      std::vector<Id> merged;
      for (std::size_t k = 0; k < word.size(); ++k) {
        const bool stands =
            k + 1 < word.size() && word[k] == pair.first && word[k + 1] == pair.second;
        merged.push_back(stands ? whole : word[k]);
        if (stands) ++k;
      }
      word = merged;
    }
  }
};

std::string random_text(std::uint64_t seed, int words) {
  static const std::vector<std::string> kSyllables = {"a", "b",  "ab", "ba",  "aa", "c",
                                                      "é", "水", "1",  "...", "'s", "  "};
  core::Random random(seed);
  std::string text;
  for (int k = 0; k < words; ++k) {
    for (std::uint32_t n = 1 + random.below(4); n > 0; --n) {
      text += kSyllables[random.below(static_cast<std::uint32_t>(kSyllables.size()))];
    }
    text += random.below(5) == 0 ? "\n" : " ";
  }
  return text;
}

}  // namespace

TEST_CASE("pairs of a text worked by hand") {
  // " low" stands three times and "low" once: l o and o w stand 4 times, Ġ l 3 times. Among equal
  // counts the smaller ids come first: l is below o; then lo w stands 4 times, and Ġ low 3 times.
  const TrainedPairs trained = train_pairs("low low lower low", 260);
  CHECK(trained.merges == std::vector<Merge>{{"l", "o"}, {"lo", "w"}, {"Ġ", "low"}});
  CHECK(trained.counts == std::vector<Index>{4, 4, 3});
  CHECK(trained.vocabulary_size == 259);  // e r stands once
  // Overlapping neighbours all count: "aaaa" has three, and becomes aa aa.
  const TrainedPairs runs = train_pairs("aaaa", 300);
  CHECK(runs.merges == std::vector<Merge>{{"a", "a"}});
  CHECK(runs.counts == std::vector<Index>{3});
}

TEST_CASE("training finds what counting anew for each merge finds") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::string text = random_text(seed, 60 * static_cast<int>(seed));
    CAPTURE(seed);
    const TrainedPairs fast = train_pairs(text, 400), slow = Naive(text).run(400);
    CHECK(fast.merges == slow.merges);
    CHECK(fast.counts == slow.counts);
    CHECK(fast.vocabulary_size == slow.vocabulary_size);
    CHECK(fast.merges.size() > 20);
  }
}

TEST_CASE("a trained tokenizer is written, read, and gives a text back") {
  const std::string text = random_text(3, 400);
  const TrainedPairs trained = train_pairs(text, 330);
  const PairTexts texts = texts_of(trained, {"<|endoftext|>"});
  const Tokenizer tokenizer = parse_pairs(texts, ByteSplit::gpt2, {"<|endoftext|>"}, "trained");
  CHECK(tokenizer.end() == trained.vocabulary_size + 1);
  CHECK(tokenizer.is_special(tokenizer.end() - 1));
  const Encoding encoding = tokenizer.encode(text);
  CHECK(tokenizer.decode(encoding.ids) == text);
  CHECK(encoding.ids.size() < text.size() * 2 / 3);
  std::size_t covered = 0;
  for (const Id id : encoding.ids) covered += tokenizer.bytes(id).size();
  CHECK(covered == text.size());
  // Other texts too: every byte is a token.
  const std::string other = "Zażółć 🎉\t\n\x01";
  CHECK(tokenizer.decode(tokenizer.encode(other).ids) == other);
}

TEST_CASE("what cannot be trained on is refused, and training stops when asked to") {
  CHECK_THROWS_WITH_AS(train_pairs("a", 255),
                       "expected a vocabulary of 256 to 32768 tokens, got 255", core::InputError);
  CHECK_THROWS_AS(train_pairs("a", 40000), core::InputError);
  CHECK_THROWS_AS(train_pairs("\xff", 256), core::InputError);
  CHECK(train_pairs("", 300).merges.empty());
  std::atomic<std::int64_t> questions = 5;
  CHECK_THROWS_AS(train_pairs(random_text(1, 300), 400, core::Cancel(questions)), core::Cancelled);
  std::atomic<float> progress = 0;
  train_pairs(random_text(1, 300), 280, core::Cancel({}, &progress));
  CHECK(progress == doctest::Approx(1));
}

}  // namespace pair_training_test
