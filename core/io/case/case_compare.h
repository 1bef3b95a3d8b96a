// Holding computed values to those of a reference case.
#pragma once

#include <string>

#include "core/io/case/case_value.h"

namespace core {

struct CaseTolerance {
  double atol = 0, rtol = 0;
};

struct CaseDifference {
  std::string message;  // one sentence on the worst disagreement; empty when there is none
  Index compared = 0;   // how many values were compared
  Index disagreed = 0;  // how many of them did not agree
  double largest = 0;   // the largest |got - want| of all finite pairs
  bool agrees() const { return message.empty(); }
};

// A real number agrees when |got - want| <= atol + rtol |want|; NaN agrees with NaN only, an
// infinity with itself only. Integers, texts, booleans, null, shapes and lengths must be equal.
// atol = rtol = 0 asks for the same bits, so 0 is not -0. A list agrees with an array of the same
// numbers. Every key that an object in `want` has must be in `got`; what else `got` holds is not
// looked at.
CaseDifference compare_values(const CaseValue& want, const CaseValue& got, CaseTolerance tolerance,
                              const std::string& path = "");

}  // namespace core
