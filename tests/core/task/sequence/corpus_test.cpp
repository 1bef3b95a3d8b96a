// A person's own text as tokens, the sequences that are drawn from it, and texts that are none.
#include "core/task/sequence/corpus.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/task/sequence/sequence_fit.h"
#include "core/task/sequence/sequences.h"
#include "refusal.h"

namespace corpus_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index;

namespace {

std::string refusal(const std::string& text) {
  return refusals::sentence([&] { corpus_of_characters(text, "rhyme.txt"); });
}

// 0 to 9 again and again: each next token is known from this one.
std::string digits(std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += static_cast<char>('0' + k % 10);
  return text;
}

SequenceTask task_of(const std::string& text, Index length) {
  SequenceTask task;
  task.story = Story::own;
  task.length = length;
  task.corpus = corpus_of_characters(text, "it");
  return task;
}

}  // namespace

TEST_CASE(
    "a token is a code point, in the order of code points; carriage returns count for nothing") {
  const Corpus corpus = corpus_of_characters("小b\r\na小ba, a小ab, 小", "it");
  CHECK(corpus.tokens == std::vector<std::string>{"\n", " ", ",", "a", "b", "小"});
  CHECK(corpus.ids == std::vector<std::uint16_t>{5, 4, 0, 3, 5, 4, 3, 2, 1, 3, 5, 3, 4, 2, 1, 5});
  CHECK(!corpus.holds_out());
  CHECK(corpus.longest() == 15);
  CHECK(corpus.pieces("a\r小z") == std::vector<std::string>{"a", "小", "z"});
  CHECK(corpus.shown(0) == "⏎");
  CHECK(corpus.shown(5) == "小");
}

TEST_CASE(
    "byte pairs of the text itself: pairs that come often are one token, and nothing is lost") {
  std::string text;
  for (int k = 0; k < 60; ++k) text += "the cat 猫 sat\n";
  const Corpus corpus = corpus_of_pairs(text, 300, "it");
  CHECK(corpus.tokens.size() <= 300);
  CHECK(corpus.tokens.size() > 256);
  CHECK(corpus.ids.size() < text.size() / 2);
  std::string again;
  for (const std::uint16_t id : corpus.ids) again += corpus.tokens[id];
  CHECK(again == text);
  std::string typed;
  for (const std::string& piece : corpus.pieces("the dog 狗")) {
    CHECK(std::find(corpus.tokens.begin(), corpus.tokens.end(), piece) != corpus.tokens.end());
    typed += piece;
  }
  CHECK(typed == "the dog 狗");
  const Corpus made = corpus_of_merges(corpus.merges);
  CHECK(made.tokens == corpus.tokens);
  CHECK(corpus == corpus_of_pairs(text, 300, "it"));
  CHECK(!(corpus == corpus_of_pairs(text, 262, "it")));
  CHECK_THROWS_AS(corpus_of_pairs(text, 255, "it"), core::InputError);
  CHECK_THROWS_AS(corpus_of_pairs("a", 300, "it"), core::InputError);
  CHECK_THROWS_AS(corpus_of_merges({{"ab", "c"}}), core::InputError);
}

TEST_CASE("a long text is cut in stretches, where no piece is" * doctest::test_suite("long")) {
  std::string text;
  while (text.size() < (std::size_t{2} << 20)) text += "so many words, and then a line\n";
  const Corpus corpus = corpus_of_pairs(text, 280, "it");
  std::string again;
  for (const std::uint16_t id : corpus.ids) again += corpus.tokens[id];
  CHECK(again == text);
  const auto whole = corpus.pairs->encode(text).ids;
  CHECK(std::equal(whole.begin(), whole.end(), corpus.ids.begin(), corpus.ids.end()));
}

TEST_CASE("the last tenth is held out, once that is enough to be measured by") {
  CHECK(corpus_of_characters(digits(2559), "it").held == 2559);
  const Corpus corpus = corpus_of_characters(digits(2560), "it");
  CHECK(corpus.held == 2560 - 256);
  CHECK(corpus.longest() == 255);
}

TEST_CASE("what is trained on and what is held out are stretches of the text's two parts") {
  // The first nine tenths are letters, the rest digits.
  std::string text(9 * 400, 'a');
  for (std::size_t k = 0; k < text.size(); ++k) text[k] = static_cast<char>('a' + k % 26);
  text += digits(400);
  const SequenceTask task = task_of(text, 20);
  const auto names = tokens(task);
  for (const bool held : {false, true}) {
    for (const Sequence& one : draw_sequences(task, 5, 50, held)) {
      CHECK(one.ids.size() == 20);
      std::string read;
      for (const std::int32_t id : one.ids) read += names[static_cast<std::size_t>(id)];
      CHECK((text.find(read) >= 3600) == held);
      CHECK(std::all_of(one.evaluated.begin(), one.evaluated.end(), [](int j) { return j == 1; }));
      for (std::size_t t = 0; t + 1 < one.ids.size(); ++t) CHECK(one.next[t] == one.ids[t + 1]);
      CHECK(one.next.back() >= 3);
    }
  }
  // The longest that there is: the whole of what is held out.
  SequenceTask whole = task;
  whole.length = task.corpus->longest();
  CHECK(draw_sequences(whole, 1, 3, true).back().ids.size() == 399);
  whole.length += 1;
  CHECK_THROWS_AS(draw_sequences(whole, 1, 1, true), core::InputError);
  CHECK(longest_sequence(task) == 20);
  CHECK(!held_out(task, draw_sequences(task, 5, 1, true).front()));
}

TEST_CASE("a text of one's own is learned, with sequences as short as it needs") {
  const SequenceTask task = task_of(digits(400), 12);
  const core::model::DecoderForm form{
      .layer = {.d_model = 16, .feed_forward = {.width = 0}, .norm_first = true},
      .positions = {.scheme = core::model::Scheme::none}};
  const SequenceFit fit(task, form, {.schedule = {.rate = 0.02}, .batch = 8});
  SequenceFit::State state = fit.begin(1);
  for (int step = 0; step < 60; ++step) fit.step(state, 1);
  const auto held = draw_sequences(task, 3, 20, true);
  CHECK(score(*fit.model(), state.values.data(), held, 1).accuracy() == 1);
}

TEST_CASE("texts are the same by what they hold") {
  CHECK(task_of(digits(40), 8) == task_of(digits(40), 8));
  CHECK(!(task_of(digits(40), 8) == task_of(digits(41), 8)));
}

TEST_CASE("what is no text for a decoder to learn is told in one sentence") {
  CHECK(refusal("a") == "rhyme.txt: expected at least 16 characters, got 1");
  CHECK(refusal("") == "rhyme.txt: expected at least 16 characters, got 0");
  CHECK(refusal("\r\r\r\r\r\r\r\r\r\r\r\r\r\r\r\r\r") ==
        "rhyme.txt: expected at least 16 characters, got 0");
  CHECK(refusal("abc\xff") == "rhyme.txt: expected UTF-8, got something else at byte 3");
  std::string many;
  for (int c = 0x4E00; c < 0x4E00 + 4097; ++c) {
    many += static_cast<char>(0xE0 | c >> 12);
    many += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    many += static_cast<char>(0x80 | (c & 0x3F));
  }
  CHECK(refusal(many) == "rhyme.txt: expected at most 4096 different characters, got 4097");
  CHECK(refusal(std::string(kMostCorpusBytes + 1, 'a')) ==
        "rhyme.txt: expected at most 67108864 bytes of text, got 67108865");
  SequenceTask none;
  none.story = Story::own;
  CHECK_THROWS_AS(check(none), core::InputError);
  // One character again and again is a text.
  CHECK(corpus_of_characters(std::string(16, 'a'), "it").tokens.size() == 1);
}

TEST_CASE("a cancelled reading stops") {
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(corpus_of_characters(digits(100), "it", core::Cancel(source.get_token())),
                  core::Cancelled);
}

}  // namespace corpus_test
