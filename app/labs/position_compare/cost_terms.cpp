// The costs of core/position/scheme_cost.h as formulas.
#include <fmt/format.h>

#include "app/labs/position_compare/facts.h"

namespace lab::position_compare {
namespace {

using core::CostStep;
using core::Index;
using core::SchemeSize;

Factor n(const SchemeSize& s) { return {"n", s.model.n}; }
Factor d(const SchemeSize& s) { return {"d", s.model.d_model}; }
Factor h(const SchemeSize& s) { return {"h", s.model.heads}; }
Factor layers(const SchemeSize& s) { return {"L", s.model.layers}; }
Factor d_head(const SchemeSize& s) { return {"d_k", s.model.d_model / s.model.heads}; }
Factor number(Index value) { return {fmt::format("{}", value), value}; }
Factor pairs(const SchemeSize& s) {
  return s.causal ? Factor{"n(n+1)/2", s.model.n * (s.model.n + 1) / 2}
                  : Factor{"n²", s.model.n * s.model.n};
}
Factor distances(const SchemeSize& s) {
  return s.causal ? n(s) : Factor{"(2n-1)", 2 * s.model.n - 1};
}
// Additions and multiplications of an inner product.
Factor product_over_d(const SchemeSize& s) { return {"(2d-1)", 2 * s.model.d_model - 1}; }
Factor product_over_head(const SchemeSize& s) { return {"(2d_k-1)", 2 * d_head(s).value - 1}; }
Factor shaw_rows(const SchemeSize& s) { return {"(2k+1)", 2 * s.clip + 1}; }
Factor deberta_rows(const SchemeSize& s) { return {"2k", 2 * s.clip}; }

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

Term step_term(const core::StepCost& step, Scheme scheme, const SchemeSize& s) {
  switch (step.step) {
    case CostStep::add_position:
    case CostStep::add_to_output:
      return {n(s), d(s)};
    case CostStep::rotate:
      return {number(6), n(s), d(s)};
    case CostStep::add_bias:
    case CostStep::sum_weights:
    case CostStep::multiply_weight:
      return {h(s), pairs(s)};
    case CostStep::add_to_score:
      if (scheme == Scheme::deberta) return {number(2), h(s), pairs(s)};
      return {h(s), pairs(s)};
    case CostStep::key_table:
      return {h(s), n(s), shaw_rows(s), product_over_head(s)};
    case CostStep::value_table:
      return {n(s), d(s), {"(4k+1)", 4 * s.clip + 1}};
    case CostStep::project_distances:
      return {distances(s), d(s), product_over_d(s)};
    case CostStep::add_u_and_v:
      return {number(2), n(s), d(s)};
    case CostStep::distance_product:
      return {h(s), pairs(s), product_over_head(s)};
    case CostStep::project_table:
      return {number(2), deberta_rows(s), d(s), product_over_d(s)};
    case CostStep::content_to_position:
    case CostStep::position_to_content:
      return {h(s), n(s), deberta_rows(s), product_over_head(s)};
  }
  return {};
}

std::vector<Term> parameter_terms(Scheme scheme, const SchemeSize& s) {
  const Factor rows{"N", s.learned_rows};
  switch (scheme) {
    case Scheme::learned:
      return {{rows, d(s)}};
    case Scheme::t5:
      return {{{"b", s.buckets}, h(s)}};
    case Scheme::shaw:
      return {{number(2), shaw_rows(s), d_head(s), layers(s)}};
    case Scheme::transformer_xl:
      return {{d(s), d(s), layers(s)}, {number(2), d(s)}};
    case Scheme::deberta:
      return {{deberta_rows(s), d(s)}, {number(2), d(s), d(s), layers(s)}};
    case Scheme::urpe:
      return {{s.causal ? rows : Factor{"(2N-1)", 2 * s.learned_rows - 1}, h(s), layers(s)}};
    case Scheme::none:
    case Scheme::sinusoidal:
    case Scheme::rotary:
    case Scheme::xpos:
    case Scheme::alibi:
      break;
  }
  return {};
}

std::vector<Term> held_terms(Scheme scheme, const SchemeSize& s) {
  switch (scheme) {
    case Scheme::sinusoidal:
      return {{n(s), d(s)}};
    case Scheme::rotary:
      return {{n(s), d_head(s)}};
    case Scheme::xpos:
      return {{number(2), n(s), d_head(s)}};
    case Scheme::alibi:
    case Scheme::t5:
      return {{h(s), distances(s)}};
    case Scheme::shaw:
      return {{h(s), n(s), shaw_rows(s)}};
    case Scheme::transformer_xl:
      return {{number(2), distances(s), d(s)}};
    case Scheme::deberta:
      return {{number(2), deberta_rows(s), d(s)}, {number(2), h(s), n(s), deberta_rows(s)}};
    case Scheme::none:
    case Scheme::learned:
    case Scheme::urpe:
      break;
  }
  return {};
}

std::string operations_formula(Scheme scheme, const SchemeSize& size) {
  std::vector<Term> once, layer;
  for (const core::StepCost& step : core::scheme_cost(scheme, size).steps) {
    (step.every_layer ? layer : once).push_back(step_term(step, scheme, size));
  }
  if (layer.empty()) return symbols(once);
  if (layer.size() == 1) return fmt::format("{}·L", symbols(layer));
  return fmt::format("({})·L", symbols(layer));
}

}  // namespace lab::position_compare
