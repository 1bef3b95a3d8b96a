// What is said of each scheme, with the source of each statement, and its costs as formulas whose
// letters have values.
#pragma once

#include "app/labs/position_compare/model.h"
#include "app/labs/shared/derivation/number_text.h"

namespace lab::position_compare {

// English messages, but for the formulas. Costs are sums of products of the letters in facts.cpp.
struct Facts {
  std::string_view id, name;
  std::string_view acts, acts_source;      // absolute or relative
  std::string_view beyond, beyond_source;  // longer than trained
  std::string_view formula;                // of the score, in the small TeX of formula.h
  std::string_view learned, held;          // numbers that are learned, and held besides
};
const Facts& facts(Scheme scheme);

// What a step does, and its operations, additions and multiplications together, in one layer or
// once.
struct Step {
  std::string_view words, operations;
};
const Step& step_of(core::CostStep step);

// A product of letters and their values: h * n^2 is {{"h", 8}, {"n²", 4194304}}.
struct Factor {
  std::string symbol;
  Index value;
};
using Term = std::vector<Factor>;

Index value(const Term& term);
Index value(const std::vector<Term>& sum);
std::string symbols(const std::vector<Term>& sum);  // "h·n²", "0" for no term
std::string numbers(const std::vector<Term>& sum);  // "8·4,194,304"

Term step_term(const core::StepCost& step, Scheme scheme, const core::SchemeSize& size);
std::vector<Term> parameter_terms(Scheme scheme, const core::SchemeSize& size);
std::vector<Term> held_terms(Scheme scheme, const core::SchemeSize& size);

// All operations as one formula: "6·n·d·L", steps of one layer in brackets.
std::string operations_formula(Scheme scheme, const core::SchemeSize& size);

}  // namespace lab::position_compare
