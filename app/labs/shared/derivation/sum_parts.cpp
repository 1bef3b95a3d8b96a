#include "app/labs/shared/derivation/sum_parts.h"

#include <fmt/format.h>

#include <functional>
#include <numeric>

#include "app/labs/shared/derivation/sum.h"
#include "app/labs/shared/lists.h"

namespace lab {

Part product_part(double a, double b, const std::string& what) {
  return part(
      kSumDigits, std::multiplies<>(),
      [&](const std::string& x, const std::string& y) {
        return fmt::format("{}·{} {}", x, y, what);
      },
      a, b);
}

std::string write_sum(Derivation& lines, const std::vector<Part>& parts, int digits) {
  const std::vector<double> values = each(parts, [](const Part& part) { return part.value; });
  const std::string text = fixed(std::accumulate(values.begin(), values.end(), 0.0), digits);
  lines
      .terms(sum_terms(
          values, {.which = Written::largest, .digits = digits + 1},
          [&](std::size_t k) { return parts[k].what; },
          [&](std::size_t count) { return lines.words().format("… smaller terms: {}", count); }))
      .about(text);
  return text;
}

std::vector<Part> cosines(const VectorD& theta, double t, const std::string& remark) {
  std::vector<Part> terms;
  for (Index i = 0; i < theta.size(); ++i) {
    const double angle = t * theta(i);
    terms.push_back(part(
        kSumDigits, [](double x) { return std::cos(x); },
        [&](const std::string& x) { return fmt::format("cos({}) [{}]{}", x, i, remark); }, angle));
  }
  return terms;
}

std::vector<Part> products(const VectorD& a, const VectorD& b) {
  std::vector<Part> terms;
  for (Index c = 0; c < a.size(); ++c) {
    if (a(c) == 0) continue;
    terms.push_back(product_part(a(c), b(c), fmt::format("[{}]", c)));
  }
  if (terms.empty()) terms.push_back({0, "0"});
  return terms;
}

}  // namespace lab
