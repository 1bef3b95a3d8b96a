// How functions of core refuse input: one sentence, what was expected, what came.
#pragma once

#include <string>

#include "core/types.h"

namespace core {

[[noreturn]] inline void refuse(const std::string& where, const std::string& expected,
                                const std::string& came) {
  throw InputError(where + ": expected " + expected + ", got " + came);
}

// "3 by 4"
inline std::string shape_text(Index rows, Index cols) {
  return std::to_string(rows) + " by " + std::to_string(cols);
}
template <class Derived>
std::string shape_text(const Eigen::EigenBase<Derived>& m) {
  return shape_text(m.rows(), m.cols());
}

}  // namespace core
