#include "arithmetic/expression.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace expression_test {

using contract::evaluate;

namespace {

double value(const std::string& text) {
  const auto result = evaluate(text);
  CAPTURE(text);
  REQUIRE(result);
  return result->value;
}

}  // namespace

TEST_CASE("Printed arithmetic is worked out as it is meant") {
  CHECK(value("5.250 · 0.7071") == doctest::Approx(3.712275));
  CHECK(value("1.5 - -2.5 × 2") == 6.5);
  CHECK(value("-212 - (-212.5)") == 0.5);
  CHECK(value("2^(7 - 7) + 2^-1") == 1.5);
  CHECK(value("-2^2") == -4);
  CHECK(value("10000^(-12/64)") == doctest::Approx(std::pow(10000, -0.1875)));
  CHECK(value("(1.5)(-2)") == -3);
  CHECK(value("-3.714 / √2") == doctest::Approx(-3.714 / std::numbers::sqrt2));
  CHECK(value("1 / 2π") == doctest::Approx(0.5 / std::numbers::pi));
  CHECK(value("8 + ⌊8 ln(100/8) / ln(128/8)⌋") == 15);
  CHECK(value("|3 - 5| + |-1|") == 3);
  CHECK(value("max(1, 2,048 / 512)") == 4);
  CHECK(value("1,024²·512") == 536870912);
  CHECK(value("1.41·0.55·cos(-1.046)") == doctest::Approx(1.41 * 0.55 * std::cos(1.046)));
  CHECK(value("e^(-1) + exp(-1)") == doctest::Approx(2 / std::numbers::e));
  CHECK(value("1.3e-08 + 1") == 1 + 1.3e-8);
  CHECK(value("3-0.5") == 2.5);
  CHECK(value("2 sin(0.5)") == 2 * std::sin(0.5));
}

TEST_CASE("Units count behind everything") {
  CHECK(value("17.0°") == doctest::Approx(17 * std::numbers::pi / 180));
  CHECK(value("12.5 %") == 0.125);
  CHECK(value("8.39 MB") == doctest::Approx(8.39e6));
  CHECK(value("2,097,152 · 4 B") == 8388608);
  CHECK(evaluate("0.25 turns")->value == 0.25);
  CHECK(evaluate("0.25 turns")->unit == "turns");
}

TEST_CASE("A number alone knows its last digit, and what is worked out its inputs'") {
  const auto alone = evaluate("-3.750");
  REQUIRE(alone);
  CHECK(alone->literal);
  CHECK(alone->half_unit == doctest::Approx(0.0005));
  CHECK(evaluate("4,160")->half_unit == 0.5);
  CHECK(evaluate("1.5e-06")->half_unit == doctest::Approx(5e-8));
  CHECK(evaluate("12.5 %")->half_unit == doctest::Approx(0.0005));
  CHECK(evaluate("(2.50)")->literal);
  const auto product = evaluate("1.5 · 2.0");
  REQUIRE(product);
  CHECK_FALSE(product->literal);
  CHECK(product->spread == doctest::Approx(0.05 * 2 + 0.05 * 1.5));
  CHECK(evaluate("√128")->spread == 0);  // whole numbers are what they are
}

TEST_CASE("What has names, gaps or words in it is not worked out") {
  for (const char* text : {"", "q·k", "exp(s)", "2i", "1.5 +", "(1", "769 of 4096", "1.2 + …", "∞",
                           "w[12,10]", "3 4", "1.2.3", "x1", "fp8", "π", "10 -0.119", "1 / 0"}) {
    CAPTURE(text);
    CHECK_FALSE(evaluate(text));
  }
}

}  // namespace expression_test
