// Derivatives by differences, to hold analytic ones against.
#pragma once

#include <functional>

#include "core/types.h"

namespace core {

using ScalarField = std::function<double(const VectorD&)>;

// (f(x + h e_i) - f(x - h e_i)) / 2h for each i: the error is of order h^2 from the curve and of
// order eps |f| / h from rounding. x: (m), result (m). h > 0 and finite, else InputError. The step
// is what x really moves by, so that x + h need not be exact; a step that x swallows gives NaN.
VectorD central_difference(const ScalarField& f, const VectorD& x, double h);

// (f(x + h e_i) - f(x)) / h: one evaluation less for each i, and an error of order h. Otherwise as
// above.
VectorD forward_difference(const ScalarField& f, const VectorD& x, double h);

}  // namespace core
