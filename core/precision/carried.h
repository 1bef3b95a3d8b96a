// Arithmetic whose every result is first a number of the format it is computed in, the carrier, and
// then, where a step says so, of a lower one: what frameworks do that compute in float32 and store
// in 16 bits. Two roundings, which now and then differ from one (see rounding.h).
#pragma once

#include "core/precision/rounding.h"
#include "core/refuse.h"

namespace core {

class Carried {
 public:
  // With kFloat64 as carrier there is one rounding, straight to `low`. InputError for bad formats
  // and stochastic rounding. The rule is that of `low`; the carrier rounds to nearest, ties to
  // even.
  Carried(const Format& low, const Format& carrier, RoundingRule rule = {})
      : low_(low, rule), carrier_(carrier), in_float_(carrier == kFloat32) {
    if (rule.rounding == Rounding::stochastic) {
      refuse("rounding", "one that needs no random bits", "stochastic");
    }
  }

  double carry(double x) const {
    return in_float_ ? static_cast<double>(static_cast<float>(x)) : carrier_(x);
  }
  double operator()(double x, bool lower) const {
    const double carried = carry(x);
    return lower ? low_(carried) : carried;
  }

 private:
  Rounder low_, carrier_;
  bool in_float_;
};

}  // namespace core
