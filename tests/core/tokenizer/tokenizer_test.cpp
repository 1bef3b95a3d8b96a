// Small vocabularies worked by hand; tests/reference_check holds real shapes to the published
// library's numbers.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "core/tokenizer/models/pair_model.h"
#include "core/tokenizer/models/unigram_model.h"
#include "core/tokenizer/models/word_piece_model.h"
#include "core/tokenizer/tokenizer_file.h"

namespace tokenizer_test {

namespace {

using namespace core::subword;
using Ids = std::vector<Id>;

Vocabulary words(const std::vector<std::string>& tokens) {
  Vocabulary all;
  for (const std::string& one : tokens) all.add(one, static_cast<Id>(all.size()));
  return all;
}

Ids ids_of(const Model& model, std::string_view piece) {
  std::vector<Unit> units;
  model.encode(piece, units);
  Ids ids;
  for (const Unit& unit : units) ids.push_back(unit.id);
  return ids;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const std::vector<ByteRange>& all) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const ByteRange& one : all) pairs.emplace_back(one.begin, one.end);
  return pairs;
}
using Offsets = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Tokenizer of_json(const std::string& json) { return parse_tokenizer(json, "t.json"); }

// Byte pairs without a word: every byte by itself, and "th", "the".
std::string byte_level(const std::string& more = "", const std::string& after = "null") {
  std::string vocabulary;
  for (int c = 33; c < 127; ++c) {
    if (c == '"' || c == '\\') continue;
    vocabulary += std::string("\"") + static_cast<char>(c) + "\":" + std::to_string(c) + ",";
  }
  vocabulary += R"("Ġ":32,"Ċ":10,"Ã":1,"©":2,"th":127,"the":128,"Ġthe":129)";
  return R"({"model":{"type":"BPE","vocab":{)" + vocabulary +
         R"(},"merges":["t h","th e",["Ġ","the"]]},
          "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},
          "decoder":{"type":"ByteLevel"},"post_processor":)" +
         after + more + "}";
}

}  // namespace

TEST_CASE("pairs are merged by rank, and from the left among equal ranks") {
  // "aaa" is aa a and never a aa; in "abab" the merge of rank 0 comes first wherever it stands.
  const PairModel repeated(words({"a", "aa"}), {{"a", "a"}}, {});
  CHECK(ids_of(repeated, "aaa") == Ids{1, 0});
  CHECK(ids_of(repeated, "aaaa") == Ids{1, 1});
  const PairModel ranked(words({"a", "b", "c", "bc", "ab", "abc"}),
                         {{"b", "c"}, {"a", "b"}, {"ab", "c"}, {"a", "bc"}}, {});
  CHECK(ids_of(ranked, "abc") == Ids{5});  // bc, then a bc
  CHECK(ids_of(ranked, "abab") == Ids{4, 4});
  CHECK(ids_of(ranked, "") == Ids{});
}

TEST_CASE("a long text without a split is merged as if it were one word") {
  // Merges reach over the space, so nothing may be cut there.
  const PairModel model(words({"a", "b", "▁", "b▁", "b▁a", "ab"}),
                        {{"b", "▁"}, {"b▁", "a"}, {"a", "b"}}, {});
  CHECK(ids_of(model, "ab▁ab▁") == Ids{0, 4, 3});
  std::string text;
  for (int k = 0; k < 20000; ++k) text += "ab▁";
  const Ids ids = ids_of(model, text);
  CHECK(ids.size() == 20001);
  CHECK(ids[1] == 4);
  CHECK(ids.back() == 3);
}

TEST_CASE("unknown characters: left out, one token, fused, or bytes") {
  CHECK(ids_of(PairModel(words({"a"}), {}, {}), "aéa") == Ids{0, 0});
  PairOptions options;
  options.unknown = "?";
  CHECK(ids_of(PairModel(words({"a", "?"}), {}, options), "aéüa") == Ids{0, 1, 1, 0});
  options.fuse_unknown = true;
  CHECK(ids_of(PairModel(words({"a", "?"}), {}, options), "aéüa") == Ids{0, 1, 0});
  std::vector<std::string> tokens = {"a"};
  for (int byte = 0; byte < 256; ++byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
    tokens.emplace_back(name);
  }
  PairOptions bytes;
  bytes.byte_fallback = true;
  CHECK(ids_of(PairModel(words(tokens), {}, bytes), "aé") == Ids{0, 1 + 0xc3, 1 + 0xa9});
}

TEST_CASE("WordPiece takes the longest beginning, and gives up a whole word") {
  const WordPieceModel model(words({"[UNK]", "un", "##aff", "##able", "##a", "u"}), {});
  CHECK(ids_of(model, "unaffable") == Ids{1, 2, 3});
  CHECK(ids_of(model, "unaffx") == Ids{0});
  CHECK(ids_of(model, "ué") == Ids{0});
  WordPieceOptions options;
  options.most_characters = 3;
  const WordPieceModel narrow(words({"[UNK]", "un", "##a"}), options);
  CHECK(ids_of(narrow, "una") == Ids{1, 2});
  CHECK(ids_of(narrow, "unaa") == Ids{0});
}

TEST_CASE("Unigram takes the cut with the best sum of scores") {
  // ab c: -3 - 1 = -4; a bc: -1 - 2.5 = -3.5; a b c: -1 - 2 - 1 = -4.
  const UnigramModel model(words({"<unk>", "a", "b", "c", "ab", "bc"}), {0, -1, -2, -1, -3, -2.5},
                           0, false);
  CHECK(ids_of(model, "abc") == Ids{1, 5});
  // Unknown characters are one token, and its text is the characters'.
  std::vector<Unit> units;
  model.encode("aéüc", units);
  REQUIRE(units.size() == 3);
  CHECK(units[1].id == 0);
  CHECK(units[1].begin == 1);
  CHECK(units[1].end == 5);
  const UnigramModel closed(words({"a"}), {-1}, std::nullopt, false);
  CHECK_THROWS_AS(ids_of(closed, "b"), core::InputError);
}

TEST_CASE("a byte-level text: offsets are those of whole characters, bytes those of the token") {
  const Tokenizer tokenizer = of_json(byte_level());
  const Encoding text = tokenizer.encode("the the é");
  CHECK(text.ids == Ids{128, 129, 32, 1, 2});
  CHECK(pairs_of(text.offsets) == Offsets{{0, 3}, {3, 7}, {7, 8}, {8, 10}, {8, 10}});
  CHECK(tokenizer.decode(text.ids) == "the the é");
  CHECK(tokenizer.decode(Ids{128, 1}) == "the\ufffd");
  CHECK(tokenizer.bytes(1) == "\xc3");
  CHECK(tokenizer.shown(1) == "\\xc3");
  CHECK(tokenizer.shown(129) == "␣the");
  CHECK(tokenizer.shown(10) == "⏎");
  CHECK(tokenizer.end() == 130);
  CHECK(tokenizer.token(0) == nullptr);
  CHECK(tokenizer.decode(Ids{0, 128, 5000, -1}) == "the");
}

TEST_CASE("spaces go from offsets where a file says so") {
  const auto offsets = [](const char* after) {
    return pairs_of(of_json(byte_level("", after)).encode(" the the").offsets);
  };
  CHECK(offsets("null") == Offsets{{0, 4}, {4, 8}});
  CHECK(offsets(R"({"type":"ByteLevel","trim_offsets":true,"add_prefix_space":false})") ==
        Offsets{{1, 4}, {5, 8}});
  CHECK(offsets(R"({"type":"ByteLevel","trim_offsets":true,"add_prefix_space":true})") ==
        Offsets{{0, 4}, {5, 8}});
}

TEST_CASE("added tokens: the longest of the leftmost, with their white space, as words") {
  const auto added = [](const std::string& flags, const std::string& text) {
    const Tokenizer tokenizer =
        of_json(byte_level(R"(,"added_tokens":[{"id":200,"content":"<m>","special":true)" + flags +
                           R"(},{"id":201,"content":"<m>>","normalized":false}])"));
    return tokenizer.encode(text);
  };
  CHECK(added("", "a<m> b").ids == Ids{'a', 200, 32, 'b'});
  CHECK(added("", "a<m>>b").ids == Ids{'a', 201, 'b'});
  CHECK(added(R"(,"rstrip":true)", "a<m> b").ids == Ids{'a', 200, 'b'});
  CHECK(pairs_of(added(R"(,"lstrip":true,"rstrip":true)", "a <m>  b").offsets) ==
        Offsets{{0, 1}, {1, 7}, {7, 8}});
  CHECK(added(R"(,"single_word":true)", "a<m>b").ids == Ids{'a', '<', 'm', '>', 'b'});
  CHECK(added(R"(,"single_word":true)", "a <m> b").ids == Ids{'a', 32, 200, 32, 'b'});
}

TEST_CASE("special tokens are put around a text and left out again") {
  const Tokenizer tokenizer =
      of_json(byte_level(R"(,"added_tokens":[{"id":200,"content":"<s>","special":true}])",
                         R"({"type":"TemplateProcessing",
          "single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
          "pair":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"<s>","type_id":1}},
                  {"Sequence":{"id":"B","type_id":1}}],
          "special_tokens":{"<s>":{"id":"<s>","ids":[200],"tokens":["<s>"]}}})"));
  const Encoding a = tokenizer.encode("the"), b = tokenizer.encode("th");
  const Encoding one = tokenizer.around(a), two = tokenizer.around(a, b);
  CHECK(one.ids == Ids{200, 128});
  CHECK(one.put_in == std::vector<std::uint8_t>{1, 0});
  CHECK(pairs_of(one.offsets) == Offsets{{0, 0}, {0, 3}});
  CHECK(two.ids == Ids{128, 200, 127});
  CHECK(two.types == std::vector<std::uint8_t>{0, 1, 1});
  CHECK(tokenizer.is_special(200));
  CHECK(tokenizer.decode(one.ids) == "<s>the");
  CHECK(tokenizer.decode(one.ids, Tokenizer::Specials::skip) == "the");
}

TEST_CASE("offsets lead back through a text that was changed") {
  // NFC makes one character of two; lower case makes two of one; "ab" is dropped.
  const Tokenizer tokenizer = of_json(
      R"({"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase"},
            {"type":"Replace","pattern":{"String":"ab"},"content":""}]},
          "model":{"type":"BPE","unk_token":"?","vocab":{"?":0,"é":1,"i":2,"\u0307":3,"x":4},
                   "merges":[]}})");
  const Encoding text = tokenizer.encode("abe\u0301\u0130abx");
  CHECK(text.ids == Ids{1, 2, 3, 4});
  CHECK(pairs_of(text.offsets) == Offsets{{2, 3}, {5, 7}, {5, 7}, {9, 10}});
}

TEST_CASE("what NFD puts in is aligned with the character before it") {
  const Tokenizer tokenizer = of_json(
      R"({"normalizer":{"type":"NFD"},
          "model":{"type":"BPE","vocab":{"e":0,"\u0301":1,"x":2},"merges":[]}})");
  CHECK(pairs_of(tokenizer.encode("x\u00e9x").offsets) == Offsets{{0, 1}, {1, 3}, {1, 3}, {3, 4}});
}

TEST_CASE("metaspaces come first always, at the beginning, or never") {
  const auto ids = [](const std::string& scheme) {
    const Tokenizer tokenizer = of_json(
        R"({"model":{"type":"BPE","vocab":{"▁":0,"a":1,"<s>":2},"merges":[]},
            "added_tokens":[{"id":2,"content":"<s>","special":true}],
            "pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":")" +
        scheme + R"("},"decoder":{"type":"Metaspace","replacement":"▁"}})");
    CHECK(tokenizer.shown(0) == "␣");
    return tokenizer.encode("a a<s>a").ids;
  };
  CHECK(ids("always") == Ids{0, 1, 0, 1, 2, 0, 1});
  CHECK(ids("first") == Ids{0, 1, 0, 1, 2, 1});
  CHECK(ids("never") == Ids{1, 0, 1, 2, 1});
}

TEST_CASE("a vocab.txt is BERT's") {
  const Tokenizer lower = parse_word_list("[UNK]\r\n[CLS]\n[SEP]\ncafe\n##s\n!\n水", "v.txt");
  const Encoding text = lower.encode("Cafés! 水水[SEP]");
  CHECK(text.ids == Ids{3, 4, 5, 6, 6, 2});
  CHECK(lower.around(text).ids == Ids{1, 3, 4, 5, 6, 6, 2, 2});
  CHECK(lower.decode(Ids{3, 4, 5}) == "cafes!");
  CHECK(lower.shown(4) == "s");
}

TEST_CASE("what is no text is refused, and a cancelled text stops") {
  const Tokenizer tokenizer = of_json(byte_level());
  CHECK_THROWS_WITH_AS(tokenizer.encode("a\xff"),
                       "expected UTF-8 text, got the byte 0xff at offset 1", core::InputError);
  std::atomic<std::int64_t> questions = 1;
  CHECK_THROWS_AS(tokenizer.encode("the the", core::Cancel(questions)), core::Cancelled);
}

TEST_CASE("a pattern that never ends is given up with a sentence") {
  const Tokenizer tokenizer = of_json(
      R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"pre_tokenizer":{"type":"Split",
          "behavior":"Isolated","pattern":{"Regex":"(a|a|aa)+$"}}})");
  CHECK_THROWS_AS(tokenizer.encode(std::string(64, 'a') + "b"), core::InputError);
}

}  // namespace tokenizer_test
