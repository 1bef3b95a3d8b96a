// Costs as formulas: with the letters, and with numbers in their place.
#pragma once

#include "app/labs/position_compare/model.h"
#include "app/labs/shared/derivation/number_text.h"

namespace lab::position_compare {

using Term = core::model::CostTerm;

std::string symbols(const std::vector<Term>& sum);  // "h·n²", "0" for no term
std::string numbers(const std::vector<Term>& sum);  // "8·4,194,304"

std::vector<Term> parameter_terms(Scheme scheme, const core::model::SchemeSize& size);
std::vector<Term> held_terms(Scheme scheme, const core::model::SchemeSize& size);

// All operations as one formula: "6·n·d·L", steps of one layer in brackets.
std::string operations_formula(Scheme scheme, const core::model::SchemeSize& size);

}  // namespace lab::position_compare
