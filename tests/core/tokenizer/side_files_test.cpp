// What lies beside a vocabulary: added tokens, beginnings and ends, and characters and numbers as
// the published library reads them.
#include "core/tokenizer/side_files.h"

#include <doctest/doctest.h>

#include "core/tokenizer/steps/newer_characters.h"
#include "core/tokenizer/steps/pattern.h"
#include "core/tokenizer/tokenizer_file.h"
#include "refusal.h"

namespace side_files_test {

using namespace core::subword;
using Ids = std::vector<Id>;

namespace {

// Bytes by themselves, as byte-level vocabularies write them.
const PairTexts& bytes() {
  static const PairTexts texts = [] {
    PairTexts made;
    for (int c = 33; c < 127; ++c) {
      if (c == '"' || c == '\\') continue;
      made.vocabulary += (made.vocabulary.empty() ? "{\"" : ",\"") +
                         std::string(1, static_cast<char>(c)) + "\":" + std::to_string(c);
    }
    made.vocabulary += ",\"Ġ\":32,\"<s>\":1}";
    made.merges = "#version: 0.2\n";
    return made;
  }();
  return texts;
}

Tokenizer qwen(const SideTexts& side) {
  return parse_pairs(bytes(), ByteSplit::qwen2, {}, "v", parse_side_files(side));
}

Ids ids(const Tokenizer& tokenizer, std::string_view text) {
  return tokenizer.around(tokenizer.encode(text)).ids;
}

std::vector<std::string> matches(const std::string& pattern, const std::string& text) {
  std::vector<std::string> all;
  Regex(pattern).each_match(text, [&](std::size_t begin, std::size_t end) {
    all.push_back(text.substr(begin, end - begin));
    return true;
  });
  return all;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("an added token beside vocab.json and merges.txt is one token, from either file") {
  CHECK(ids(qwen({}), "<|im_start|>").size() == 12);
  const char* const kDecoder = R"({"added_tokens_decoder": {"200": {"content": "<|im_start|>",
      "lstrip": false, "normalized": false, "rstrip": false, "single_word": false,
      "special": true}}, "tokenizer_class": "Qwen2Tokenizer", "add_bos_token": false})";
  const Tokenizer listed = qwen({.config = kDecoder, .specials = "", .added = ""});
  CHECK(ids(listed, "<|im_start|>a") == Ids{200, 'a'});
  CHECK(listed.is_special(200));
  const Tokenizer added = qwen({.config = "",
                                .specials = R"({"eos_token": "<|im_end|>"})",
                                .added = R"({"<|im_end|>": 201, "<|im_start|>": 200})"});
  CHECK(ids(added, "<|im_start|>a<|im_end|>") == Ids{200, 'a', 201});
  CHECK(added.is_special(201));
  CHECK_FALSE(added.is_special(200));
  // A file that lists them is not held against the older one.
  CHECK(ids(qwen({.config = kDecoder, .specials = "", .added = R"({"<|im_end|>": 201})"}),
            "<|im_end|>")
            .size() == 10);
}

TEST_CASE("a beginning, an end and a space before, where the files ask for them") {
  CHECK(ids(qwen({}), "a") == Ids{'a'});
  CHECK(ids(qwen({.config = R"({"add_bos_token": true, "bos_token": "<s>"})",
                  .specials = "",
                  .added = ""}),
            "a") == Ids{1, 'a'});
  CHECK(ids(qwen({.config = R"({"add_bos_token": false, "add_eos_token": true,
                                "eos_token": {"content": "<s>"}})",
                  .specials = "",
                  .added = ""}),
            "a") == Ids{'a', 1});
  const SideFiles space =
      parse_side_files({.config = R"({"add_prefix_space": true})", .specials = "", .added = ""});
  CHECK(ids(parse_pairs(bytes(), ByteSplit::gpt2, {}, "v", space), "a") == Ids{' ', 'a'});
}

TEST_CASE("tokens beside a tokenizer.json, and the template that LLaMA's class makes") {
  const std::string json =
      R"({"model":{"type":"BPE","vocab":{"a":5,"<s>":1,"</s>":2,"!":6},"merges":[]},
          "added_tokens":[{"id":1,"content":"<s>","special":true}]})";
  const auto with = [&](const std::string& config) {
    return parse_tokenizer(json, "t.json",
                           parse_side_files({.config = config, .specials = "", .added = ""}));
  };
  const std::string more = R"("added_tokens_decoder": {"9": {"content": "<x>", "special": true}})";
  CHECK(ids(with("{" + more + "}"), "a<x>a") == Ids{5, 9, 5});
  const std::string ends = R"(, "bos_token": "<s>", "eos_token": "</s>")";
  CHECK(ids(with(R"({"tokenizer_class": "LlamaTokenizerFast")" + ends + "}"), "a") == Ids{1, 5});
  CHECK(ids(with(R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": false,
                     "add_eos_token": true)" +
                 ends + "}"),
            "a") == Ids{5, 2});
  // Other classes leave it to tokenizer.json.
  CHECK(ids(with(R"({"tokenizer_class": "PreTrainedTokenizerFast", "add_bos_token": true)" + ends +
                 "}"),
            "a") == Ids{5});
}

TEST_CASE("word lists: ideographs by themselves and accents, where the file says so") {
  const auto words = [](const std::string& config) {
    return parse_word_list("[UNK]\n[CLS]\n[SEP]\ncafe\ncafé\n水\n##水\n", "v.txt",
                           parse_side_files({.config = config, .specials = "", .added = ""}));
  };
  CHECK(ids(words("{}"), "café 水水") == Ids{1, 3, 5, 5, 2});
  CHECK(ids(words(R"({"strip_accents": false, "tokenize_chinese_chars": false})"), "café 水水") ==
        Ids{1, 4, 5, 6, 2});
}

TEST_CASE("keys that nothing reads are listed, and what is wrong is refused by the file") {
  const auto parse = [](const std::string& config) {
    return parse_side_files({.config = config, .specials = "", .added = ""});
  };
  CHECK(parse(R"({"padding_side": "left", "never_split": ["x"], "do_odd": true, "off": false})")
            .unread == Texts{"do_odd", "never_split"});
  const auto refused = [&](const std::string& config) {
    return refusals::sentence([&] { parse(config); });
  };
  CHECK(refused("[]").starts_with("tokenizer_config.json: "));
  CHECK(refused(R"({"added_tokens_decoder": {"x": {"content": "y"}}})").find("a whole number") !=
        std::string::npos);
  CHECK(refusals::sentence([] {
          parse_side_files({.config = "", .specials = "", .added = R"({"a": -1})"});
        }).starts_with("added_tokens.json: "));
}

TEST_CASE("letters and numbers of Unicode 15 are letters and numbers") {
  // Kawi letters, a Kawi sign, digits of Nag Mundari, an ideograph of extension H.
  const std::string kawi = "\U00011F04\U00011F05", sign = "\U00011F00";
  const std::string digits = "\U0001E4F0\U0001E4F1", ideograph = "\U00031350";
  CHECK(matches(R"(\p{L}+)", "a" + kawi + ideograph + "1") == Texts{"a" + kawi + ideograph});
  CHECK(matches(R"([^\r\n\p{L}\p{N}]+)", kawi + "!" + digits) == Texts{"!"});
  CHECK(matches(R"(\p{N}{1,3})", digits + "12") == Texts{digits + "1", "2"});
  CHECK(matches(R"(\p{M})", kawi + sign) == Texts{sign});
  CHECK(matches(R"(\P{L}+)", kawi + "-1") == Texts{"-1"});
  CHECK(matches(R"(\p{^L}+)", kawi + "-1") == Texts{"-1"});
  CHECK(matches(R"([\p{Lo}\p{M}]+)", "a" + kawi + sign) == Texts{kawi + sign});
  CHECK(matches(R"(\p{Lu})", kawi + "A") == Texts{"A"});
  CHECK(matches(R"(\w+)", kawi + digits + "!") == Texts{kawi + digits});
  // A written backslash is none.
  CHECK(matches(R"(\\p\{L\})", R"(\p{L})") == Texts{R"(\p{L})"});
  CHECK(with_newer_characters(R"(\\p{L})") == R"(\\p{L})");
}

TEST_CASE("numbers are read as the published library reads them") {
  // The digits as a double, divided by a power of ten: a bit off the nearest double.
  CHECK(number_of_digits("-2.0122928619384766") == -0x1.0192d00000001p+1);
  CHECK(-2.0122928619384766 == -0x1.0192d00000000p+1);
  CHECK(number_of_digits("0") == 0);
  CHECK(number_of_digits("-0.5") == -0.5);
  CHECK(number_of_digits("12.5e2") == 1250);
  CHECK(number_of_digits("1E-3") == 1e-3);
  CHECK(number_of_digits("1e-320") > 0);
  // Digits beyond 64 bits are left out.
  CHECK(number_of_digits("1.23456789012345678901234567890") == 12345678901234567890.0 / 1e19);
  CHECK(number_of_digits("123456789012345678901234.5") == 12345678901234567890.0 * 1e4);
  CHECK(parse_json("[-2.0122928619384766]")[0].get<double>() == -0x1.0192d00000001p+1);
}

TEST_CASE("of equal sums the way that the published library takes") {
  // By the nearest doubles both ways to cut "ab" have one sum; by the library's they differ.
  const std::string json =
      R"({"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["ab",-2.0122928619384766],
          ["a",-1.0],["b",-1.0122928619384766]]}})";
  const double one = number_of_digits("2.0122928619384766");
  const double two = 1 + number_of_digits("1.0122928619384766");
  CHECK(2.0122928619384766 == 1 + 1.0122928619384766);
  REQUIRE(one != two);
  const Ids expected = one < two ? Ids{1} : Ids{2, 3};
  CHECK(parse_tokenizer(json, "t.json").encode("ab").ids == expected);
}

}  // namespace side_files_test
