#include "app/paper/paper_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/paper/style/lettering.h"

namespace paper_text_test {

namespace {

using figure::TextStyle;

TEST_CASE("a line is as high as its style, whichever font serves") {
  const paper::PaperMeasure measure;
  for (int k = 0; k < static_cast<int>(TextStyle::kCount); ++k) {
    const auto style = static_cast<TextStyle>(k);
    const float height = measure.size("x", style).y;
    const float size = figure::text_spec(style).size;
    CHECK(height > 1.0f * size);
    CHECK(height < 1.5f * size);
    CHECK(measure.size("第三个头", style).y == height);
    CHECK(measure.size("∈ ℝ → ⊙", style).y == height);
    CHECK(measure.size("", style).y == height);
    CHECK(measure.size("", style).x == 0);
    CHECK(measure.size("a\nb\nc", style).y == doctest::Approx(3 * height));
  }
}

// Of its size Noto Serif CJK's line is 1.45, Inter's 1.21, JetBrains Mono's 1.32.
TEST_CASE("a tall font's line is no higher than the program's own, a low one's as it says") {
  const std::string family = "Noto Serif CJK SC";
  const std::vector<std::string> there = paper::families();
  if (std::ranges::find(there, family) == there.end()) {
    MESSAGE("SKIPPED: " << family << " is not installed");
    return;
  }
  const paper::PaperMeasure own, tall({.family = family}), low({.family = "DejaVu Sans"});
  for (const TextStyle style : {TextStyle::label, TextStyle::mono_small, TextStyle::card_title}) {
    const float height = own.size("x", style).y;
    CHECK(tall.size("x", style).x != own.size("x", style).x);  // it serves
    CHECK(tall.size("x", style).y == doctest::Approx(height));
    CHECK(low.size("x", style).y < height);
  }
}

TEST_CASE("widths") {
  const paper::PaperMeasure measure;
  const float one = measure.size("0", TextStyle::mono).x;
  CHECK(one > 6);
  CHECK(one < 9);
  CHECK(measure.size("0000000000", TextStyle::mono).x == doctest::Approx(10 * one));
  CHECK(measure.size("-12.50", TextStyle::mono).x == doctest::Approx(6 * one));
  // A Chinese character is one em square.
  CHECK(measure.size("注意力", TextStyle::label).x == doctest::Approx(3 * 12).epsilon(0.01));
  CHECK(measure.size("weights", TextStyle::label_bold).x >
        measure.size("weights", TextStyle::label).x);
  // Measured twice, or by another instance: the same.
  CHECK(measure.size("weights", TextStyle::label) ==
        paper::PaperMeasure().size("weights", TextStyle::label));
}

TEST_CASE("bytes that are no text do no harm") {
  const paper::PaperMeasure measure;
  for (const std::string& text : {std::string("\xff\xfe\x80"), std::string("a\0b", 3),
                                  std::string("\xe4\xb8"), std::string("\x01\x02\x7f")}) {
    const figure::Point size = measure.size(text, TextStyle::label);
    CHECK(std::isfinite(size.x));
    CHECK(size.y > 0);
    CHECK_FALSE(measure.wrap(text, TextStyle::label, 50).empty());
  }
}

TEST_CASE("wrapped lines fit and lose nothing but spaces") {
  const paper::PaperMeasure measure;
  const std::string text =
      "Rows are queries and columns are keys; 因果掩码遮住了以后的位置，所以右上角是空的。 "
      "AnUnbrokenWordThatIsLongerThanTheLineItself and an end.";
  const auto without_spaces = [](std::string s) {
    std::erase(s, ' ');
    return s;
  };
  for (const float width : {90.0f, 200.0f, 5000.0f}) {
    std::string joined;
    const auto lines = measure.wrap(text, TextStyle::label, width);
    for (const std::string& line : lines) {
      CHECK(measure.size(line, TextStyle::label).x <= width + 0.01f);
      joined += line;
    }
    CHECK(without_spaces(joined) == without_spaces(text));
    CHECK((lines.size() == 1) == (width == 5000.0f));
  }
}

}  // namespace

}  // namespace paper_text_test
