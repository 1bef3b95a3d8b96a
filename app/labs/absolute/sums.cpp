#include "app/labs/absolute/sums.h"

#include <functional>

namespace lab::absolute {
namespace {

constexpr std::size_t kMostTerms = 16;  // written out; beyond, the largest few and the rest
constexpr std::size_t kLargestTerms = 10;

}  // namespace

Part product_part(double a, double b, const std::string& what) {
  return part(
      kDigits, std::multiplies<>(),
      [&](const std::string& x, const std::string& y) {
        return fmt::format("{}·{} {}", x, y, what);
      },
      a, b);
}

std::string write_sum(const Scene& scene, Derivation& lines, std::vector<Part> parts, int digits) {
  double sum = 0, rest = 0;
  for (const Part& part : parts) sum += part.value;
  if (parts.size() > kMostTerms) {
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
      return std::abs(a.value) > std::abs(b.value);
    });
    const std::size_t left_out = parts.size() - kLargestTerms;
    for (std::size_t k = kLargestTerms; k < parts.size(); ++k) rest += parts[k].value;
    parts.resize(kLargestTerms);
    parts.push_back({rest, scene.w.format("… smaller terms: {}", left_out)});
  }
  std::vector<Derivation::Term> terms;
  for (Part& part : parts) terms.push_back({fixed(part.value, digits + 1), std::move(part.what)});
  const std::string text = fixed(sum, digits);
  lines.terms(terms).about(text);
  return text;
}

std::vector<Part> cosines(const VectorD& theta, double t, const std::string& remark) {
  std::vector<Part> terms;
  for (Index i = 0; i < theta.size(); ++i) {
    const double angle = t * theta(i);
    terms.push_back(part(
        kDigits, [](double x) { return std::cos(x); },
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

}  // namespace lab::absolute
