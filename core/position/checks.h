// Checks of arguments that core/position shares; each throws InputError.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "core/refuse.h"
#include "core/types.h"

namespace core::position {

inline std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// Refuses an odd width: sines and cosines, or the two numbers that rotate together, come in pairs.
inline void require_even_width(const char* where, Index d, Index least = 2) {
  if (d < least || d % 2 != 0) {
    refuse(where, "an even width of at least " + std::to_string(least), std::to_string(d));
  }
}

inline void require_positive(const char* where, const char* what, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    refuse(where, std::string("a finite ") + what + " > 0", number_text(value));
  }
}

inline void require_at_least(const char* where, const char* what, Index least, Index value) {
  if (value < least) {
    refuse(where, std::string(what) + " of at least " + std::to_string(least),
           std::to_string(value));
  }
}

template <class Derived>
void require_shape(const char* where, const char* what, const Eigen::EigenBase<Derived>& m,
                   Index rows, Index cols) {
  if (m.rows() != rows || m.cols() != cols) {
    refuse(where, std::string(what) + " of " + shape_text(rows, cols), shape_text(m));
  }
}

}  // namespace core::position
