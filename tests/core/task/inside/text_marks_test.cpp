// What tokens of texts are, and the scores that follow from it.
#include "core/task/inside/text_marks.h"

#include <doctest/doctest.h>

#include "core/task/inside/head_scores.h"

namespace text_marks_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index, core::Matrix;

namespace {

using Flags = std::vector<std::uint8_t>;
using Places = std::vector<Index>;

TextMarks marks_of(std::initializer_list<const char*> tokens) {
  return text_marks(std::vector<std::string>(tokens.begin(), tokens.end()));
}

}  // namespace

TEST_CASE("a definition: its headword, what is punctuation, what is open") {
  // A start of no bytes, as a template puts it around a text.
  const TextMarks m =
      marks_of({"", "dog", " house", ":", " a", " (", "small", ")", " house", "; \"", "in", "\""});
  CHECK(m.headword == Flags{0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(m.punctuation == Flags{0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(m.opened == Places{-1, -1, -1, -1, -1, 5, 5, -1, -1, 9, 9, -1});
}

TEST_CASE("without a colon and a space, or a line's end, there is no headword") {
  CHECK(marks_of({"at", " 10", ":", "30", " the", " cat"}).headword == Flags(6, 0));
  CHECK(marks_of({"word", ":"}).headword == Flags(2, 0));
  CHECK(marks_of({"word", ":", " "}).headword == Flags{1, 0, 0});
  CHECK(marks_of({"\xE9\x9D\x99", "\xE5\xA4\x9C", "\n", "\xE5\xBA\x8A"}).headword ==
        Flags{1, 1, 0, 0});
  CHECK(marks_of({}).headword.empty());
}

TEST_CASE("brackets within brackets, one that is never closed, one that closes nothing") {
  CHECK(marks_of({"(", "[", "a", "]", ")", ")"}).opened == Places{0, 1, 1, 0, -1, -1});
  CHECK(marks_of({"(", "\"", "a", ")", "b"}).opened == Places{0, 1, 1, -1, -1});
  CHECK(marks_of({"《", "a", "》", "“", "b"}).opened == Places{0, 0, -1, 3, 3});
}

TEST_CASE("a character whose bytes lie in several tokens belongs to the last of them") {
  // The comma of Chinese, U+FF0C, in three tokens and in two.
  CHECK(marks_of({"\xEF", "\xBC", "\x8C", "a"}).punctuation == Flags{0, 0, 1, 0});
  CHECK(marks_of({"a", "\xEF\xBC", "\x8C"}).punctuation == Flags{0, 0, 1});
  // What is no character is no punctuation, and nothing waits for ever.
  CHECK(marks_of({"\xFF", ",", "\xEF\xBC"}).punctuation == Flags{0, 1, 0});
}

TEST_CASE("scores of marks by hand, and of equal weights") {
  const TextMarks m = marks_of({"dog", ":", " a", " (", "b"});
  Matrix weights = Matrix::Zero(5, 5);
  weights(0, 0) = 1;
  weights.row(1) << 0.5F, 0.5F, 0, 0, 0;
  weights.row(2) << 0.25F, 0.75F, 0, 0, 0;
  weights.row(3) << 0, 0.5F, 0.5F, 0, 0;
  weights.row(4) << 0.125F, 0.25F, 0.125F, 0.5F, 0;
  HeadMeter meter;
  meter.add_marks(m, weights);
  const HeadScores s = meter.scores();
  CHECK(s.headword.positions == 4);
  CHECK(s.headword.mean == doctest::Approx((0.5 + 0.25 + 0 + 0.125) / 4));
  CHECK(s.punctuation.positions == 3);
  CHECK(s.punctuation.mean == doctest::Approx((0.75 + 0.5 + 0.75) / 3));
  CHECK(s.opening.positions == 1);
  CHECK(s.opening.mean == doctest::Approx(0.5));
  CHECK(s.opening.even == doctest::Approx(1.0 / 5));
  CHECK(s.punctuation.even == doctest::Approx((1.0 / 3 + 1.0 / 4 + 2.0 / 5) / 3));
  CHECK(s.previous_token.positions == 0);
  CHECK_THROWS_AS(meter.add_marks(m, Matrix::Zero(4, 4)), core::InputError);
}

}  // namespace text_marks_test
