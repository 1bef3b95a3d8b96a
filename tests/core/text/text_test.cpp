#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/text/characters.h"
#include "core/text/embed.h"
#include "core/text/tokenize.h"
#include "core/text/utf8.h"

namespace text_test {

using core::Index;
using core::Matrix;
using core::Unit;

namespace {

constexpr Index kAll = 1 << 30;

std::vector<std::string> labels(std::string_view text, Unit unit, Index limit = kAll) {
  std::vector<std::string> result;
  for (const core::Token& token : core::tokenize(text, unit, limit)) result.push_back(token.label);
  CHECK(core::count_tokens(text, unit, limit) == static_cast<Index>(result.size()));
  return result;
}

using Words = std::vector<std::string>;

float cosine(std::string_view a, std::string_view b, std::uint64_t seed, Index d = 256) {
  std::string both = std::string(a) + " " + std::string(b);
  const Matrix x = core::embed(core::tokenize(both, Unit::words, kAll), d, seed);
  REQUIRE(x.rows() == 2);
  return x.row(0).dot(x.row(1)) / static_cast<float>(d);
}

}  // namespace

TEST_CASE("Words: runs of letters and digits, punctuation by itself") {
  CHECK(labels("The cat, 2 dogs.", Unit::words) == Words{"The", "cat", ",", "2", "dogs", "."});
  CHECK(labels("  don't say 'no'  ", Unit::words) == Words{"don't", "say", "'", "no", "'"});
  CHECK(labels("naïve Ärger, être", Unit::words) == Words{"naïve", "Ärger", ",", "être"});
  CHECK(labels("e\xcc\x81t\xcc\x83o x", Unit::words) == Words{"e\xcc\x81t\xcc\x83o", "x"});
  CHECK(labels("снег идёт", Unit::words) == Words{"снег", "идёт"});
  CHECK(labels("한국어 문장", Unit::words) == Words{"한국어", "문장"});
  CHECK(labels("", Unit::words).empty());
  CHECK(labels(" \t\n ", Unit::words).empty());
}

TEST_CASE("Words: Chinese and Japanese go by character, among Latin too") {
  CHECK(labels("我爱GPT模型。", Unit::words) == Words{"我", "爱", "GPT", "模", "型", "。"});
  CHECK(labels("ねこ、犬", Unit::words) == Words{"ね", "こ", "、", "犬"});
  CHECK(labels("𠀀𠀁", Unit::words) == Words{"𠀀", "𠀁"});  // beyond 16 bits
}

TEST_CASE("a text is mostly ideographs where it has more of them than of other letters") {
  CHECK(core::mostly_ideographs("床前明月光，"));
  CHECK(core::mostly_ideographs("GP 模型很小"));
  CHECK_FALSE(core::mostly_ideographs("the word 模型"));
  CHECK_FALSE(core::mostly_ideographs("ab 模型"));
  CHECK_FALSE(core::mostly_ideographs("，。!"));
  CHECK_FALSE(core::mostly_ideographs(""));
  CHECK_THROWS_AS(core::mostly_ideographs("\xe5\xba"), core::InputError);
}

TEST_CASE("Characters: what attaches stays together, white space can be seen") {
  CHECK(labels("a b\tc\r\nd", Unit::characters) == Words{"a", "␣", "b", "⇥", "c", "⏎", "d"});
  CHECK(labels("e\xcc\x81x", Unit::characters) == Words{"e\xcc\x81", "x"});
  CHECK(labels("👍🏽👩‍💻❤️", Unit::characters) ==
        Words{"👍🏽", "👩‍💻", "❤️"});
  CHECK(labels("🇩🇪🇨🇳", Unit::characters) == Words{"🇩🇪", "🇨🇳"});
  CHECK(labels("\xe3\x80\x80", Unit::characters) == Words{"␣"});  // the ideographic space
  CHECK(labels("\x01", Unit::characters) == Words{"␁"});
}

TEST_CASE("Bytes: the UTF-8 form in hexadecimal") {
  CHECK(labels("a中", Unit::bytes) == Words{"61", "e4", "b8", "ad"});
}

TEST_CASE("A limit cuts, and counting agrees") {
  CHECK(labels("a b c d", Unit::words, 2) == Words{"a", "b"});
  CHECK(labels("abcd", Unit::characters, 3) == Words{"a", "b", "c"});
  CHECK(labels("abcd", Unit::bytes, 0).empty());
}

TEST_CASE("Joined characters or bytes give the text again") {
  const std::string text = "Ünïcode: 中文 e\xcc\x81 👩‍💻\r\nend";
  std::string bytes;
  for (const core::Token& token : core::tokenize(text, Unit::bytes, kAll)) {
    bytes.push_back(static_cast<char>(token.identity.at(0)));
  }
  CHECK(bytes == text);
  std::u32string points;
  for (const core::Token& token : core::tokenize("x中👩‍💻\r\ny", Unit::characters, kAll)) {
    points += token.identity;
  }
  CHECK(points == U"x中👩‍💻\r\ny");
}

TEST_CASE("Identity ignores case where labels keep it") {
  const auto tokens = core::tokenize("The the ÄRGER ärger Δ δ Ж ж", Unit::words, kAll);
  REQUIRE(tokens.size() == 8);
  for (std::size_t k = 0; k < 8; k += 2) CHECK(tokens[k].identity == tokens[k + 1].identity);
  CHECK(tokens[0].label == "The");
  CHECK(core::fold_case(0xd7) == 0xd7);  // the multiplication sign is no letter
  CHECK(core::fold_case(0x179) == 0x17a);
  CHECK(core::fold_case(0x17a) == 0x17a);
}

TEST_CASE("What is not UTF-8 is refused with the byte and its place") {
  CHECK_THROWS_WITH_AS(core::tokenize("ab\xff", Unit::words, kAll),
                       "expected UTF-8 text, got the byte 0xff at offset 2", core::InputError);
  for (const std::string_view bad : {"\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                                     "\xf4\x90\x80\x80", "\xe4\xb8", "\xf5"}) {
    CHECK(core::invalid_utf8(bad) == 0);
  }
  CHECK(core::invalid_utf8("中\xe4") == 3);
  CHECK_FALSE(core::invalid_utf8("a中👩‍💻\xf4\x8f\xbf\xbf"));
}

TEST_CASE("Every code point survives UTF-8") {
  for (const char32_t c : {U'\0', U'a', U'\x7f', U'\x80', U'\x7ff', U'\x800', U'中', U'\xffff',
                           U'\x10000', U'\x10ffff'}) {
    std::string text;
    core::append_utf8(text, c);
    CHECK_FALSE(core::invalid_utf8(text));
    std::size_t at = 0;
    CHECK(core::next_code_point(text, at) == c);
    CHECK(at == text.size());
  }
}

TEST_CASE("Embeddings: equal tokens are equal, lengths are sqrt(d_model)") {
  const Matrix x = core::embed(core::tokenize("The cat sat the", Unit::words, kAll), 64, 3);
  CHECK(x.row(0) == x.row(3));
  CHECK(x.row(0) != x.row(1));
  for (Index i = 0; i < x.rows(); ++i) CHECK(x.row(i).norm() == doctest::Approx(8).epsilon(1e-6));
  CHECK(core::embed(core::tokenize("The cat", Unit::words, kAll), 64, 4).row(0) != x.row(0));
  CHECK(core::embed({}, 8, 1).rows() == 0);
  CHECK_THROWS_AS(core::embed({}, 0, 1), core::InputError);
}

TEST_CASE("Embeddings: similar words point alike, unrelated ones do not") {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    // Shared n-grams give 0.54 and 0.68 in expectation; 1/sqrt(256) = 0.06 is one standard error.
    CHECK(cosine("cat", "cats", seed) > 0.35f);
    CHECK(cosine("river", "rivers", seed) > 0.5f);
    CHECK(std::abs(cosine("river", "cat", seed)) < 0.3f);
    CHECK(std::abs(cosine("steep", "bank", seed)) < 0.25f);
    CHECK(std::abs(cosine("中", "文", seed)) < 0.25f);
  }
}

TEST_CASE("Embeddings do not change between versions or machines") {
  const Matrix x = core::embed(core::tokenize("attention", Unit::words, kAll), 4, 1);
  // From a second implementation of the definition in embed.h, in Python: saved sessions rely on
  // it.
  const float expected[] = {-0.76492829f, 0.87662441f, 0.15865121f, -1.61902568f};
  for (Index c = 0; c < 4; ++c) CHECK(x(0, c) == doctest::Approx(expected[c]).epsilon(1e-6));
}

TEST_CASE("Synthetic sequences: repeated repeats, clusters cluster, smooth is smooth") {
  const Index d = 256;
  const auto cosine_of = [&](const Matrix& x, Index a, Index b) {
    return x.row(a).dot(x.row(b)) / static_cast<float>(d);
  };
  const Matrix repeated = core::synthetic_sequence(core::Sequence::repeated, 20, d, 6, 1);
  CHECK(repeated.row(19) == repeated.row(1));
  CHECK(std::abs(cosine_of(repeated, 0, 1)) < 0.25f);

  // Centre plus half of noise: expected cosine 1 / 1.25 inside of a run, 0 between centres.
  const Matrix clusters = core::synthetic_sequence(core::Sequence::clusters, 24, d, 5, 1);
  CHECK(cosine_of(clusters, 0, 4) > 0.6f);
  CHECK(std::abs(cosine_of(clusters, 0, 5)) < 0.25f);
  CHECK(cosine_of(clusters, 0, 20) > 0.6f);  // the first centre comes back

  const Matrix smooth = core::synthetic_sequence(core::Sequence::smooth, 60, d, 8, 1);
  CHECK(cosine_of(smooth, 10, 11) == doctest::Approx(std::exp(-1 / 8.0)).epsilon(0.05));
  CHECK(std::abs(cosine_of(smooth, 0, 59)) < 0.3f);

  const Matrix random = core::synthetic_sequence(core::Sequence::random, 3, d, 1, 1);
  CHECK(random.row(0).norm() == doctest::Approx(16).epsilon(1e-6));
  CHECK(std::abs(cosine_of(random, 0, 1)) < 0.25f);
  CHECK_THROWS_AS(core::synthetic_sequence(core::Sequence::random, 3, d, 0, 1), core::InputError);
}

}  // namespace text_test
