// Sums of explanations, each term with what it is made of.
#pragma once

#include <string>
#include <vector>

#include "app/labs/absolute/page.h"

namespace lab::absolute {

inline constexpr int kDigits =
    4;  // of a sum; its terms have one more, what they are made of two or more
inline constexpr int kMostDigits = 15;

struct Part {
  double value;
  std::string what;
};

// of(numbers...), a term of a sum with so many digits, and what write(texts...) says of them: with
// so many decimals that the term as printed follows from the numbers as printed.
template <class Of, class Write, class... Number>
Part part(int digits, Of of, Write write, Number... numbers) {
  const double value = of(numbers...);
  int decimals = digits + 2;
  const auto read = [&](double number) { return std::stod(fixed(number, decimals)); };
  while (decimals < kMostDigits &&
         fixed(of(read(numbers)...), digits + 1) != fixed(value, digits + 1)) {
    ++decimals;
  }
  return {value, write(fixed(numbers, decimals)...)};
}

// a b, and what that is of.
Part product_part(double a, double b, const std::string& what);

// The terms, the smallest of many as one, and "≈" their sum, which is returned as printed.
std::string write_sum(const Scene& scene, Derivation& lines, const std::vector<Part>& parts,
                      int digits = kDigits);

// cos(t θ_i), one a frequency.
std::vector<Part> cosines(const VectorD& theta, double t, const std::string& remark = "");
// a_c b_c, but for those where a is 0.
std::vector<Part> products(const VectorD& a, const VectorD& b);

}  // namespace lab::absolute
