// Every malformed file is one sentence, which names the file and what is wrong.
#include <doctest/doctest.h>

#include <string>

#include "core/tokenizer/steps/precompiled_map.h"
#include "core/tokenizer/tokenizer_file.h"

namespace tokenizer_refusals_test {

namespace {

using namespace core::subword;

// The sentence with which a text is refused; empty when it is taken.
template <class Read>
std::string sentence(Read&& read) {
  try {
    read();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return {};
}
std::string refusal(const std::string& json) {
  return sentence([&] { parse_tokenizer(json, "t.json"); });
}

const std::string kModel =
    R"("model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]})";
std::string with(const std::string& more) { return "{" + kModel + "," + more + "}"; }
std::string bpe(const std::string& vocabulary, const std::string& merges,
                const std::string& more = "") {
  return R"({"model":{"type":"BPE","vocab":)" + vocabulary + R"(,"merges":)" + merges + more + "}}";
}
std::string unigram(const std::string& vocabulary, const std::string& more) {
  return R"({"model":{"type":"Unigram","vocab":)" + vocabulary + more + "}}";
}

}  // namespace

TEST_CASE("a sound file is taken") {
  CHECK(refusal("{" + kModel + "}") == "");
  CHECK(refusal(with(R"("version":"1.0","normalizer":null,"truncation":{"max_length":4})")) == "");
}

TEST_CASE("texts that are no JSON, not UTF-8, nested too deeply or say a key twice") {
  CHECK(refusal("{") == "t.json: expected JSON, but it is not valid JSON from line 1, column 2 on");
  CHECK(refusal("{\"\xff\":1}") == "t.json: expected UTF-8 text, got the byte 0xff at offset 2");
  CHECK(refusal(std::string(100, '[') + std::string(100, ']')) ==
        "t.json: expected JSON, but its nesting is deeper than 32 levels");
  CHECK(refusal(bpe(R"({"a":0,"a":1})", "[]")) ==
        "t.json: expected JSON, but it has the key \"a\" twice in one object");
  CHECK(refusal("[1]") == "t.json: expected an object as the whole file, got a list of 1");
  CHECK(refusal("{}") == "t.json: expected an object as model, got nothing");
  CHECK(refusal(with(R"("version":"2.0")")) ==
        "t.json: expected version 1.0 as version, got \"2.0\"");
}

TEST_CASE("steps that are not known are named") {
  CHECK(refusal(R"({"model":{"type":"WordLevel","vocab":{}}})") ==
        "t.json: the model \"WordLevel\" at model is not supported, and nothing else is used in "
        "its place");
  CHECK(refusal(with(R"("normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},
                        {"type":"Rot13"}]})")) ==
        "t.json: the normalizer \"Rot13\" at normalizer.normalizers[1] is not supported, and "
        "nothing else is used in its place");
  CHECK(refusal(with(R"("pre_tokenizer":{"type":"UnicodeScripts"})")) ==
        "t.json: the pre-tokenizer \"UnicodeScripts\" at pre_tokenizer is not supported, and "
        "nothing else is used in its place");
  CHECK(refusal(with(R"("decoder":{"type":"CTC"})")) ==
        "t.json: the decoder \"CTC\" at decoder is not supported, and nothing else is used in its "
        "place");
  CHECK(refusal(with(R"("post_processor":{"type":"Odd"})")) ==
        "t.json: the post-processor \"Odd\" at post_processor is not supported, and nothing else "
        "is used in its place");
}

TEST_CASE("steps whose options are not what they may be") {
  CHECK(refusal(with(R"("pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a"},
                        "behavior":"Isolated"})")) ==
        "t.json: the regular expression \"(a\" does not compile: end pattern with unmatched "
        "parenthesis");
  CHECK(refusal(with(R"("pre_tokenizer":{"type":"Split","pattern":{"String":"a"},
                        "behavior":"Sideways"})")) ==
        "t.json: expected Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous as "
        "pre_tokenizer.behavior, got \"Sideways\"");
  CHECK(refusal(with(R"("pre_tokenizer":{"type":"Split","pattern":{},"behavior":"Isolated"})")) ==
        "t.json: expected an object with a String or a Regex as pre_tokenizer.pattern, got an "
        "object");
  CHECK(refusal(with(R"("pre_tokenizer":{"type":"Metaspace","replacement":"ab"})")) ==
        "t.json: expected a string of one character as pre_tokenizer.replacement, got \"ab\"");
  CHECK(refusal(with(R"("pre_tokenizer":{"type":"Metaspace","replacement":"a",
                        "add_prefix_space":false,"prepend_scheme":"first"})")) ==
        "t.json: expected never, where add_prefix_space is false, as pre_tokenizer.prepend_scheme, "
        "got "
        "\"first\"");
  CHECK(refusal(with(R"("normalizer":{"type":"Lowercase","type2":1,"x":[]},
                        "pre_tokenizer":{"type":"ByteLevel","use_regex":1})")) ==
        "t.json: expected true or false as pre_tokenizer.use_regex, got 1");
  CHECK(refusal(with(R"("decoder":{"type":"Strip","content":"a","start":-1,"stop":0})")) ==
        "t.json: expected a whole number from 0 to 1000000 as decoder.start, got -1");
  CHECK(refusal(with(R"("normalizer":{"kind":"NFC"})")) ==
        "t.json: expected a string as normalizer.type, got nothing");
}

TEST_CASE("ids that are negative, huge, twice, or no ids") {
  const auto id = [](const std::string& one) { return refusal(bpe("{\"a\":" + one + "}", "[]")); };
  CHECK(id("-1") == "t.json: expected a whole number from 0 to 53 as model.vocab.a, got -1");
  CHECK(id("1.0") == "t.json: expected a whole number from 0 to 54 as model.vocab.a, got 1.0");
  CHECK(id("\"1\"").ends_with("as model.vocab.a, got \"1\""));
  CHECK(id("1e300") == "t.json: expected a whole number from 0 to 56 as model.vocab.a, got 1e+300");
  CHECK(id("4000000000").ends_with("as model.vocab.a, got 4000000000"));
  CHECK(id("18446744073709551615").ends_with("as model.vocab.a, got 18446744073709551615"));
  CHECK(refusal(bpe(R"({"a":0,"b":0})", "[]")) ==
        "t.json: expected a token for each id, got both \"a\" and \"b\" for 0");
  CHECK(refusal(with(R"("added_tokens":[{"id":1,"content":"<s>"}])")) ==
        "t.json: expected a token for each id, got both \"b\" and \"<s>\" for 1");
  CHECK(refusal(with(R"("added_tokens":[{"id":3,"content":"<s>"},{"id":3,"content":"<t>"}])")) ==
        "t.json: expected a token for each id, got both \"<s>\" and \"<t>\" for 3");
  CHECK(refusal(with(R"("added_tokens":[{"id":3,"content":"a"}])")) ==
        "t.json: expected each token once, got \"a\" with the ids 0 and 3");
  CHECK(refusal(with(R"("added_tokens":[{"id":3,"content":"x"},{"id":4,"content":"x"}])")) ==
        "t.json: expected each token once, got \"x\" with the ids 3 and 4");
  CHECK(refusal(with(R"("added_tokens":[{"id":900000000,"content":"x"}])"))
            .ends_with("as added_tokens[0].id, got 900000000"));
}

TEST_CASE("merges of tokens that there are not, or that are no merges") {
  CHECK(refusal(bpe(R"({"a":0,"b":1})", R"(["a b"])")) ==
        "t.json: merge 0, of \"a\" and \"b\", needs the token \"ab\", which is not in the "
        "vocabulary");
  CHECK(
      refusal(bpe(R"({"a":0,"ac":1})", R"(["a c"])")) ==
      "t.json: merge 0, of \"a\" and \"c\", needs the token \"c\", which is not in the vocabulary");
  CHECK(refusal(bpe(R"({"a":0})", R"(["aa"])")) ==
        "t.json: expected two tokens with a space between them as merge 0, got \"aa\"");
  CHECK(refusal(bpe(R"({"a":0})", R"(["a a a"])")) ==
        "t.json: expected two tokens with a space between them as merge 0, got \"a a a\"");
  CHECK(refusal(bpe(R"({"a":0})", R"([["a"]])")) ==
        "t.json: expected two tokens as model.merges[0], got a list of 1");
  CHECK(refusal(bpe(R"({"a":0})", R"([7])")) ==
        "t.json: expected a list as model.merges[0], got 7");
  CHECK(refusal(bpe(R"({"a":0})", "{}")) ==
        "t.json: expected a list as model.merges, got an object");
  CHECK(refusal(bpe("[]", "[]")) == "t.json: expected an object as model.vocab, got a list of 0");
}

TEST_CASE("tokens that a model needs and lacks") {
  CHECK(refusal(bpe(R"({"a":0})", "[]", R"(,"unk_token":"<unk>")")) ==
        "t.json: the unknown token, \"<unk>\", is not in the vocabulary");
  CHECK(refusal(bpe(R"({"a":0,"<0x00>":1})", "[]", R"(,"byte_fallback":true)")) ==
        "t.json: unknown characters fall back to bytes, but the token <0x01> is not in the "
        "vocabulary");
  CHECK(refusal(bpe(R"({"a":0})", "[]", R"(,"byte_fallback":true,"end_of_word_suffix":"</w>")")) ==
        "t.json: expected either bytes for unknown characters or marks at the ends of words, got "
        "byte_fallback with \"</w>\"");
  CHECK(
      refusal(bpe(R"({"a":0})", "[]", R"(,"dropout":0.1)")) ==
      "t.json: expected no dropout, which would make tokens a matter of chance, as model.dropout, "
      "got 0.1");
  CHECK(refusal(R"({"model":{"type":"WordPiece","vocab":{"a":0}}})") ==
        "t.json: the unknown token, \"[UNK]\", is not in the vocabulary");
  CHECK(refusal(R"({"model":{"type":"WordPiece","vocab":{"[UNK]":0},
                    "max_input_chars_per_word":0}})") ==
        "t.json: expected a whole number from 1 to 10000 as model.max_input_chars_per_word, got 0");
  CHECK(refusal(unigram(R"([["a",-1]])", R"(,"unk_id":1)")) ==
        "t.json: expected a whole number from 0 to 0 as model.unk_id, got 1");
  CHECK(refusal(unigram(R"([["a",-1],["a",-2]])", R"(,"unk_id":null)")) ==
        "t.json: expected each token once, got \"a\" with the ids 0 and 1");
  CHECK(refusal(unigram(R"([["a",-1]])", R"(,"byte_fallback":true)")) ==
        "t.json: unknown characters fall back to bytes, but the token <0x00> is not in the "
        "vocabulary");
  CHECK(refusal(unigram(R"([["a"]])", "")) ==
        "t.json: expected a string and a score as model.vocab[0], got a list of 1");
  CHECK(refusal(unigram(R"([["a","x"]])", "")) ==
        "t.json: expected a number as model.vocab[0][1], got \"x\"");
}

TEST_CASE("templates of tokens that there are not") {
  const auto around = [](const std::string& single, const std::string& specials) {
    return refusal(with(R"("post_processor":{"type":"TemplateProcessing","single":)" + single +
                        R"(,"pair":[],"special_tokens":)" + specials + "}"));
  };
  CHECK(around(R"([{"SpecialToken":{"id":"<s>","type_id":0}}])", "{}") ==
        "t.json: expected an object as post_processor.special_tokens.<s>, got nothing");
  CHECK(around(R"([{"SpecialToken":{"id":"<s>","type_id":0}}])",
               R"({"<s>":{"id":"<s>","ids":[77],"tokens":["<s>"]}})") ==
        "t.json: the template inserts a token with the id 77, which is not in the vocabulary");
  CHECK(around(R"([{"SpecialToken":{"id":"<s>","type_id":0}}])",
               R"({"<s>":{"id":"<s>","ids":[],"tokens":[]}})")
            .starts_with("t.json: expected at least one id as"));
  CHECK(around(R"([{"Sequence":{"id":"B","type_id":0}}])", "{}") ==
        "t.json: expected a template of one text as post_processor.single, got a list of 1");
  CHECK(around(R"([{"Sequence":{"id":"C","type_id":0}}])", "{}") ==
        "t.json: expected A or B as post_processor.single[0].Sequence.id, got \"C\"");
  CHECK(refusal(with(R"("post_processor":{"type":"BertProcessing","sep":["[SEP]"],
                        "cls":["[CLS]",0]})"))
            .starts_with("t.json: expected a string and an id as post_processor."));
}

TEST_CASE("precompiled maps whose parts lie outside of it") {
  const auto map = [](const std::string& base64) {
    return refusal(
        with(R"("normalizer":{"type":"Precompiled","precompiled_charsmap":")" + base64 + R"("})"));
  };
  CHECK(map("A!==") ==
        "t.json: expected a base64 string as normalizer.precompiled_charsmap, got \"A!==\"");
  CHECK(map("AAAA") == "t.json: the precompiled map has 3 bytes, too few for the size of its trie");
  const auto blob = [](std::initializer_list<std::uint32_t> numbers, const std::string& texts) {
    std::string bytes;
    for (const std::uint32_t n : numbers) {
      for (unsigned shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<char>(n >> shift & 0xff));
      }
    }
    return sentence([&] { PrecompiledMap(bytes + texts); });
  };
  CHECK(blob({400}, "abc") ==
        "the precompiled map gives its trie 400 bytes, which is not a multiple of 4 within the 3 "
        "that follow");
  CHECK(blob({4, 100 << 10}, "") ==
        "the precompiled map has a node whose children lie at 100 of its 1 units");
  // Unit 1 is the edge "\x01" from the root, with a leaf at itself and unit 0's value: byte 0.
  const std::uint32_t edge = 1U | 1U << 8 | 1U << 10;
  CHECK(blob({8, 0, edge}, std::string("x\0", 2)) == "");
  CHECK(blob({8, 0, edge}, "x") ==
        "the precompiled map has a leaf that points to byte 0 of 1, where no text begins");
  CHECK(blob({8, 0, edge}, std::string("\xff\0", 2)) ==
        "the precompiled map has a leaf that points to byte 0 of 2, where no text begins");
}

TEST_CASE("vocabularies without a tokenizer.json") {
  const auto pairs = [](const std::string& vocabulary, const std::string& merges) {
    return sentence([&] { parse_pairs({vocabulary, merges}, ByteSplit::gpt2, {}, "v + m"); });
  };
  CHECK(pairs(R"({"a":0,"aa":1})", "#version: 0.2\na a\n") == "");
  CHECK(pairs(R"({"a":0,"aa":1})", "a b\n").starts_with("v + m: merge 0, of \"a\" and \"b\","));
  CHECK(pairs(R"({"a":0})", "a\n").starts_with("v + m: expected two tokens with a space between"));
  CHECK(pairs("[]", "") == "v + m: expected an object as the whole file, got a list of 0");
  CHECK(pairs(R"({"a":0})", "\xff\n").starts_with("v + m: expected UTF-8 text"));
  const auto list = [](const std::string& text) {
    return sentence([&] { parse_word_list(text, "v.txt"); });
  };
  CHECK(list("[UNK]\na\n") == "");
  CHECK(list("a\n") == "v.txt: the unknown token, \"[UNK]\", is not in the vocabulary");
  CHECK(list("[UNK]\na\na\n") == "v.txt: expected each token once, got \"a\" with the ids 1 and 2");
  CHECK(sentence([] { read_tokenizer("/nowhere/tokenizer.json"); }) != "");
}

}  // namespace tokenizer_refusals_test
