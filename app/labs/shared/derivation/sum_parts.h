// Sums of explanations, each term with what it is made of.
#pragma once

#include <string>
#include <vector>

#include "app/labs/shared/derivation/derivation.h"

namespace lab {

// Decimals of a sum; its terms have one more, what they are made of two or more.
inline constexpr int kSumDigits = 4;

struct Part {
  double value;
  std::string what;
};

// of(numbers...), a term of a sum with so many digits, and what write(texts...) says of them: with
// so many decimals that the term as printed follows from the numbers as printed.
template <class Of, class Write, class... Number>
Part part(int digits, Of of, Write write, Number... numbers) {
  const double value = of(numbers...);
  constexpr int kMostDecimals = 15;
  int decimals = digits + 2;
  const auto read = [&](double number) { return std::stod(fixed(number, decimals)); };
  while (decimals < kMostDecimals &&
         fixed(of(read(numbers)...), digits + 1) != fixed(value, digits + 1)) {
    ++decimals;
  }
  return {value, write(fixed(numbers, decimals)...)};
}

// a b, and what that is of.
Part product_part(double a, double b, const std::string& what);

// The terms, the smallest of many as one, and "≈" their sum, which is returned as printed.
std::string write_sum(Derivation& lines, const std::vector<Part>& parts, int digits = kSumDigits);

// cos(t θ_i), one a frequency.
std::vector<Part> cosines(const VectorD& theta, double t, const std::string& remark = "");
// a_c b_c, but for those where a is 0.
std::vector<Part> products(const VectorD& a, const VectorD& b);

}  // namespace lab
