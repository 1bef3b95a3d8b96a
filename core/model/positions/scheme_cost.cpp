#include "core/model/positions/scheme_cost.h"

#include <algorithm>
#include <charconv>

#include "core/position/checks.h"
#include "core/refuse.h"

namespace core::model {
namespace {

void check(const SchemeSize& size) {
  const auto [n, d, heads, layers] = size.model;
  const Index least = std::min({n, d, heads, layers, size.learned_rows, size.buckets, size.clip,
                                size.words, size.flow_width});
  position::require_at_least("scheme_cost", "sizes", 1, least);
  if (d % heads != 0) {
    refuse("scheme_cost", "a number of heads that divides d_model = " + std::to_string(d),
           std::to_string(heads));
  }
}

// A number is its own value; (2d-1) are the additions and multiplications of an inner product.
CostFactor factor(std::string_view letter, const SchemeSize& s) {
  const auto [n, d, h, L] = s.model;
  const Index k = s.clip, N = s.learned_rows, d_k = d / h;
  const auto of_mask = [&](const CostFactor& causal, const CostFactor& full) {
    return s.causal ? causal : full;
  };
  if (letter == "pairs") return of_mask({"n(n+1)/2", n * (n + 1) / 2}, {"n²", n * n});
  if (letter == "distances") return of_mask({"n", n}, {"(2n-1)", 2 * n - 1});
  if (letter == "known") return of_mask({"N", N}, {"(2N-1)", 2 * N - 1});
  const std::pair<std::string_view, Index> letters[] = {{"n", n},
                                                        {"d", d},
                                                        {"h", h},
                                                        {"L", L},
                                                        {"N", N},
                                                        {"V", s.words},
                                                        {"b", s.buckets},
                                                        {"f", s.flow_width},
                                                        {"d_k", d_k},
                                                        {"2k", 2 * k},
                                                        {"(2k+1)", 2 * k + 1},
                                                        {"(4k+1)", 4 * k + 1},
                                                        {"(d/2)", d / 2},
                                                        {"(d-1)", d - 1},
                                                        {"(d+1)", d + 1},
                                                        {"(n-1)", n - 1},
                                                        {"(2d-1)", 2 * d - 1},
                                                        {"(d_k-1)", d_k - 1},
                                                        {"(2d_k-1)", 2 * d_k - 1}};
  for (const auto& [symbol, value] : letters) {
    if (symbol == letter) return {std::string(symbol), value};
  }
  CostFactor number{std::string(letter), 0};
  const char* end = letter.data() + letter.size();
  if (std::from_chars(letter.data(), end, number.value).ptr != end) {
    refuse("scheme_cost", "a number or a letter of scheme_cost.cpp", number.symbol);
  }
  return number;
}

// Removes the text up to and including `mark`, and returns what was before it.
std::string_view next(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view first = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
  return first;
}

}  // namespace

std::vector<CostTerm> cost_terms(std::string_view formula, const SchemeSize& size) {
  std::vector<CostTerm> sum;
  while (!formula.empty()) {
    sum.emplace_back();
    for (std::string_view product = next(formula, " + "); !product.empty();) {
      sum.back().push_back(factor(next(product, "·"), size));
    }
  }
  return sum;
}

Index value(const CostTerm& term) {
  Index product = 1;
  for (const CostFactor& factor : term) product *= factor.value;
  return product;
}

Index value(const std::vector<CostTerm>& sum) {
  Index total = 0;
  for (const CostTerm& term : sum) total += value(term);
  return total;
}

SchemeCost scheme_cost(Scheme scheme, const SchemeSize& size) {
  check(size);
  const auto counted = [&](std::string_view formula) { return value(cost_terms(formula, size)); };
  const CostTerms& terms = entry(scheme).cost;
  SchemeCost cost;
  cost.parameters = counted(terms.parameters);
  cost.held = counted(terms.held);
  cost.functions = counted(terms.functions);
  for (const CostStep& step : terms.steps) {
    const Index additions = counted(step.additions);
    cost.steps.push_back({&step, additions, counted(step.operations) - additions});
    const Index times = step.every_layer ? size.model.layers : 1;
    cost.additions += times * additions;
    cost.multiplications += times * cost.steps.back().multiplications;
  }
  return cost;
}

}  // namespace core::model
