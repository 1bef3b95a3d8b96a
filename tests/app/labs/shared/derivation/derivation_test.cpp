#include "app/labs/shared/derivation/derivation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <regex>

namespace derivation_test {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const words::Words kWords;

std::vector<std::string> texts(const lab::Lines& lines) {
  std::vector<std::string> all;
  for (const auto& line : lines) {
    std::string text = line.left;
    for (const auto& span : line.right) text += span.text;
    all.push_back(text);
  }
  return all;
}

std::vector<std::string> softmax_of(const lab::SoftmaxRow& row) {
  lab::Derivation d(kWords);
  d.softmax("p", row);
  return texts(d.take());
}

lab::SoftmaxRow row_of(std::vector<double> scores, std::size_t picked) {
  return {.scores = std::move(scores),
          .picked = picked,
          .name = [](std::size_t j) { return "#" + std::to_string(j); },
          .in_full = true};
}

// One unit of the last digit of a printed number.
double unit_of(const std::string& number) {
  const auto e = number.find('e'), dot = number.find('.');
  const double scale = e == std::string::npos ? 1 : std::pow(10, std::stod(number.substr(e + 1)));
  const std::size_t end = e == std::string::npos ? number.size() : e;
  return dot == std::string::npos ? scale : scale * std::pow(10, -double(end - dot - 1));
}

}  // namespace

TEST_CASE("Every printed exponential is what its printed score gives") {
  // "+ 0.3679  ≈ exp(-1.00000)  #1", "1.234e-05  ≈ exp((1.00000 - 13.00000) / 0.5)  #3".
  const std::regex term(
      "[ +] ?([0-9.e+-]+)  ≈ exp\\(\\(?(-?[0-9.]+)(?: - \\(?(-?[0-9.]+)\\)?\\)?)?(?: / "
      "([0-9.]+))?\\)"
      "  #[0-9]+");
  for (const double temperature : {0.01, 0.3, 1.0, 17.0}) {
    for (const double offset : {0.0, 3.7, -40.0, 1000.0}) {
      CAPTURE(temperature);
      CAPTURE(offset);
      lab::SoftmaxRow row = row_of({}, 2);
      for (int j = 0; j < 9; ++j) {
        row.scores.push_back(offset + 8.1 * temperature * std::sin(2.3 * j));
      }
      row.temperature = temperature;
      std::size_t found = 0;
      for (const std::string& text : softmax_of(row)) {
        std::smatch match;
        if (!std::regex_match(text, match, term)) continue;
        ++found;
        CAPTURE(text);
        const double shift = match[3].matched ? std::stod(match[3]) : 0;
        const double T = match[4].matched ? std::stod(match[4]) : 1;
        const double again = std::exp((std::stod(match[2]) - shift) / T);
        CHECK(std::abs(again - std::stod(match[1])) <= unit_of(match[1]));
      }
      CHECK(found == row.scores.size());
    }
  }
}

TEST_CASE("A row without a quotient says so") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(softmax_of(row_of({1, nan, 2}, 0)) ==
        std::vector<std::string>{"One score of the row is NaN, and so is its sum: every weight is.",
                                 "p= NaN"});
  CHECK(softmax_of(row_of({-kInfinity, -kInfinity}, 1)) ==
        std::vector<std::string>{"Every score is -∞: the largest is subtracted, -∞ - (-∞) = NaN.",
                                 "p= NaN"});
  CHECK(softmax_of(row_of({0, kInfinity}, 1)) ==
        std::vector<std::string>{"The largest score is ∞: subtracted from itself, ∞ - ∞ = NaN.",
                                 "p= NaN"});
  // What is left out hides even a NaN.
  lab::SoftmaxRow row = row_of({1, nan, 1}, 0);
  row.allowed = {true, false, true};
  CHECK(softmax_of(row).front() == "p≈ 0.5000");
  row.picked = 1;
  CHECK(softmax_of(row) == std::vector<std::string>{"p= 0"});
}

TEST_CASE("A score of minus infinity is a term of 0") {
  const auto lines = softmax_of(row_of({-kInfinity, 0, 0}, 0));
  CHECK(lines.at(0) == "p≈ 0.0000");
  CHECK(lines.at(5) == "  0.0000  ≈ exp(-∞)  #0");
}

TEST_CASE("Products: all of them, or the first few and the rest") {
  lab::Product product{{1, 2, 3, 4}, {0.5, 0.25, -1, 2}};
  lab::Derivation all(kWords);
  CHECK(all.product("q·k", product) == "6.0000");
  CHECK(texts(all.take()).at(3) == "+ (3.0000)(-1.0000) ≈ -3.0000");
  product.most = 3;
  product.first = 2;
  lab::Derivation few(kWords);
  few.products(product);
  const auto lines = texts(few.take());
  CHECK(lines.at(1) == "+ (2.0000)(0.2500) ≈ 0.5000");
  CHECK(lines.at(2) == "+ … more terms: 2 ≈ 5.0000");
  product = {
      {1.23456789, -20}, {3.3333333, 1.5}, figure::Role::query, figure::Role::key, 64, 12, 0};
  lab::Derivation redone(kWords);
  redone.products(product);
  CHECK(texts(redone.take()).at(0) == "  (1.234568)(3.333333) ≈ 4.1152");
}

}  // namespace derivation_test
