#include "app/figure/formula.h"

#include <doctest/doctest.h>

#include "core/types.h"
#include "fake_measure.h"

namespace formula_test {

using namespace figure;

namespace {

std::vector<draw::Text> texts(const std::string& tex) {
  const FakeOptions o;
  std::vector<draw::Text> found;
  for (const Primitive& p : formula(tex, {0, 0}, o.options).primitives) {
    if (const auto* t = std::get_if<draw::Text>(&p)) found.push_back(*t);
  }
  return found;
}

std::string complaint(const std::string& tex) {
  try {
    texts(tex);
  } catch (const core::InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("letters are italic; words, digits and symbols upright; colours where they are asked") {
  const auto t = texts("\\softmax\\Q{Q} 0.5\\theta \\text{a word}");
  REQUIRE(t.size() == 5);
  CHECK(t[0].text == "softmax");
  CHECK(t[0].style == TextStyle::math);
  CHECK(t[1].style == TextStyle::math_italic);
  CHECK(t[1].color == theme(ThemeName::dark).query);
  CHECK(t[2].text == "0.5");
  CHECK(t[3].text == "θ");
  CHECK(t[4].text == "a word");
  CHECK(t[4].color == theme(ThemeName::dark).text);
}

TEST_CASE("what authors write in TeX for words and signs is understood") {
  const auto t = texts("\\operatorname{softmax} \\mathrm{KL} \\leq \\geq \\neq \\mathbb{R}");
  REQUIRE(t.size() == 6);
  CHECK(t[0].text == "softmax");
  CHECK(t[0].style == TextStyle::math);
  CHECK(t[1].text == "KL");
  CHECK(t[2].text == "≤");
  CHECK(t[3].text == "≥");
  CHECK(t[4].text == "≠");
  CHECK(t[5].text == "ℝ");
  CHECK(complaint("\\mathbb{x}").starts_with("formula, character 8: expected one of R, N"));
  CHECK(complaint("\\text{a\\_b}") == "formula, character 8: a command in a text");
}

TEST_CASE("accents lie over their letter, nearer to a low one") {
  const FakeOptions o;
  const auto lowest = [&](const std::string& tex) {
    float y = 0;
    for (const Primitive& p : formula_on(tex, {0, 0}, o.options).primitives) {
      if (const auto* path = std::get_if<draw::Path>(&p)) y = path->points[0].y;
    }
    return y;
  };
  CHECK(lowest("\\hat{k}") < lowest("\\hat{y}"));
  CHECK(lowest("\\hat{k}") == lowest("\\hat{W}"));
  CHECK(lowest("\\hat{y}") < 0);
  for (const std::string tex : {"\\hat{k}", "\\tilde{k}"}) {
    const Drawing drawn = formula(tex, {0, 0}, o.options), plain = formula("k", {0, 0}, o.options);
    CHECK(drawn.bounds.h > plain.bounds.h);
    const draw::Path* accent = nullptr;
    const draw::Text* letter = nullptr;
    for (const Primitive& p : drawn.primitives) {
      if (const auto* path = std::get_if<draw::Path>(&p)) accent = path;
      if (const auto* text = std::get_if<draw::Text>(&p)) letter = text;
    }
    REQUIRE(accent);
    REQUIRE(letter);
    for (const Point& point : accent->points) CHECK(drawn.bounds.contains(point));
  }
}

TEST_CASE("pieces stand from left to right; scripts up and down") {
  const auto t = texts("x_i^2 - y");
  REQUIRE(t.size() == 5);
  CHECK(t[1].text == "2");
  CHECK(t[2].text == "i");
  CHECK(t[1].at.y < t[2].at.y);
  CHECK(t[1].style == TextStyle::math_small);
  CHECK(t[2].style == TextStyle::math_small_italic);
  CHECK(t[3].text == "−");
  CHECK(t[0].at.x < t[1].at.x);
  CHECK(t[1].at.x < t[3].at.x);
  CHECK(t[3].at.x < t[4].at.x);
  // A sign of one thing has no room around it.
  const auto sign = texts("-y"), minus = texts("x-y");
  CHECK(sign[1].at.x - sign[0].at.x < minus[2].at.x - minus[1].at.x);
}

TEST_CASE("a formula lies in its bounds, which scale") {
  const char* all =
      "\\left(\\frac{a+b}{\\sqrt{c_k}}\\right)^2 = \\sum \\bar{k} \\left[\\frac{1}{2}\\right]";
  const FakeOptions one, two(2);
  const Drawing d = formula(all, {30, 40}, one.options);
  CHECK(d.bounds.x == 30);
  CHECK(d.bounds.y == 40);
  for (const Primitive& p : d.primitives) {
    if (const auto* path = std::get_if<draw::Path>(&p)) {
      for (const Point at : path->points) {
        CHECK(at.x >= d.bounds.x - 0.01f);
        CHECK(at.x <= d.bounds.right() + 0.01f);
        CHECK(at.y >= d.bounds.y - 1);
        CHECK(at.y <= d.bounds.bottom() + 1);
      }
    }
  }
  const Point size = formula_size(all, one.options), twice = formula_size(all, two.options);
  CHECK(size.x == doctest::Approx(d.bounds.w));
  CHECK(twice.x == doctest::Approx(2 * size.x).epsilon(0.001));
  CHECK(twice.y == doctest::Approx(2 * size.y).epsilon(0.001));
  CHECK(formula_size("\\frac{a}{b}", one.options).y > 1.5f * formula_size("a", one.options).y);
  CHECK(formula_size("", one.options) == Point{0, 0});
}

TEST_CASE("what is malformed is refused, saying where") {
  CHECK(complaint("a^") == "formula, character 3: expected something in braces or one letter");
  CHECK(complaint("^2") == "formula, character 1: \"^\" with nothing before it");
  CHECK(complaint("a^2^3") == "formula, character 4: a second \"^\" on one thing");
  CHECK(complaint("a+{b") == "formula, character 3: \"{\" without its \"}\"");
  CHECK(complaint("a}b") == "formula, character 2: \"}\" without its \"{\"");
  CHECK(complaint("\\frac{a}") == "formula, character 9: expected \"{\"");
  CHECK(complaint("x \\nothing") == "formula, character 3: unknown command \\nothing");
  CHECK(complaint("\\left( a") == "formula, character 1: \\left without its \\right");
  CHECK(complaint("a \\right)") == "formula, character 3: \\right without its \\left");
  CHECK(complaint("a\\") == "formula, character 2: \"\\\" with no name after it");
  CHECK(complaint("\\text{a") == "formula, character 6: \"{\" without its \"}\"");
  CHECK(complaint(std::string(10000, '{')).find("too deep") != std::string::npos);
}

}  // namespace formula_test
