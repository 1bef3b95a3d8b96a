#include "app/labs/position_compare/cost_text.h"

namespace lab::position_compare {
namespace {

using core::model::cost_terms, core::model::SchemeSize;

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

std::string symbols(const std::vector<Term>& sum) { return joined(sum, true); }
std::string numbers(const std::vector<Term>& sum) { return joined(sum, false); }

std::vector<Term> parameter_terms(Scheme scheme, const SchemeSize& size) {
  return cost_terms(core::model::entry(scheme).cost.parameters, size);
}

std::vector<Term> held_terms(Scheme scheme, const SchemeSize& size) {
  return cost_terms(core::model::entry(scheme).cost.held, size);
}

std::string operations_formula(Scheme scheme, const SchemeSize& size) {
  std::vector<Term> once, layer;
  for (const core::model::CostStep& step : core::model::entry(scheme).cost.steps) {
    for (Term& term : cost_terms(step.operations, size)) {
      (step.every_layer ? layer : once).push_back(std::move(term));
    }
  }
  if (layer.empty()) return symbols(once);
  return layer.size() == 1 ? symbols(layer) + "·L" : "(" + symbols(layer) + ")·L";
}

}  // namespace lab::position_compare
