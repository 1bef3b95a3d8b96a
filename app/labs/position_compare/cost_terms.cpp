// The costs of core/position/scheme_cost.h as formulas.
#include <array>
#include <charconv>

#include "app/labs/position_compare/facts.h"

namespace lab::position_compare {
namespace {

using core::Index;
using core::SchemeSize;

// What a letter of a formula stands for. A number is itself; (2d-1) are the additions and
// multiplications of an inner product; pairs, distances and known distances depend on the mask.
Factor factor(std::string_view letter, const SchemeSize& s) {
  const auto [n, d, h, L] = s.model;
  const Index k = s.clip, N = s.learned_rows;
  const auto of_mask = [&](Factor causal, Factor full) { return s.causal ? causal : full; };
  if (letter == "pairs") return of_mask({"n(n+1)/2", n * (n + 1) / 2}, {"n²", n * n});
  if (letter == "distances") return of_mask({"n", n}, {"(2n-1)", 2 * n - 1});
  if (letter == "known") return of_mask({"N", N}, {"(2N-1)", 2 * N - 1});
  const std::array letters{Factor{"n", n},
                           Factor{"d", d},
                           Factor{"h", h},
                           Factor{"L", L},
                           Factor{"N", N},
                           Factor{"b", s.buckets},
                           Factor{"d_k", d / h},
                           Factor{"2k", 2 * k},
                           Factor{"(2k+1)", 2 * k + 1},
                           Factor{"(4k+1)", 4 * k + 1},
                           Factor{"(2d-1)", 2 * d - 1},
                           Factor{"(2d_k-1)", 2 * (d / h) - 1}};
  for (const Factor& one : letters) {
    if (one.symbol == letter) return one;
  }
  Factor number{std::string(letter), 0};
  std::from_chars(letter.data(), letter.data() + letter.size(), number.value);
  return number;
}

// The text up to `mark`, which is cut off with it.
std::string_view next(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::string_view first = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
  return first;
}

std::vector<Term> terms(std::string_view formula, const SchemeSize& size) {
  std::vector<Term> sum;
  while (!formula.empty()) {
    sum.emplace_back();
    for (std::string_view product = next(formula, " + "); !product.empty();) {
      sum.back().push_back(factor(next(product, "·"), size));
    }
  }
  return sum;
}

std::string joined(const std::vector<Term>& sum, bool letters) {
  std::string text;
  for (const Term& term : sum) {
    if (!text.empty()) text += " + ";
    for (std::size_t k = 0; k < term.size(); ++k) {
      if (k > 0) text += "·";
      text += letters ? term[k].symbol : grouped(term[k].value);
    }
  }
  return text.empty() ? "0" : text;
}

}  // namespace

Index value(const Term& term) {
  Index product = 1;
  for (const Factor& factor : term) product *= factor.value;
  return product;
}

Index value(const std::vector<Term>& sum) {
  Index total = 0;
  for (const Term& term : sum) total += value(term);
  return total;
}

std::string symbols(const std::vector<Term>& sum) { return joined(sum, true); }
std::string numbers(const std::vector<Term>& sum) { return joined(sum, false); }

Term step_term(const core::StepCost& step, Scheme scheme, const SchemeSize& size) {
  Term term = terms(step_of(step.step).operations, size).front();
  // DeBERTa adds two products to each score, the others one.
  const bool twice = step.step == core::CostStep::add_to_score && scheme == Scheme::deberta;
  if (twice) term.insert(term.begin(), {"2", 2});
  return term;
}

std::vector<Term> parameter_terms(Scheme scheme, const SchemeSize& size) {
  return terms(facts(scheme).learned, size);
}

std::vector<Term> held_terms(Scheme scheme, const SchemeSize& size) {
  return terms(facts(scheme).held, size);
}

std::string operations_formula(Scheme scheme, const SchemeSize& size) {
  std::vector<Term> once, layer;
  for (const core::StepCost& step : core::scheme_cost(scheme, size).steps) {
    (step.every_layer ? layer : once).push_back(step_term(step, scheme, size));
  }
  if (layer.empty()) return symbols(once);
  return layer.size() == 1 ? symbols(layer) + "·L" : "(" + symbols(layer) + ")·L";
}

}  // namespace lab::position_compare
