// Curves and points that many figures have.
#pragma once

#include "app/labs/lab.h"

namespace lab {

// What is picked on a curve or in a plane.
inline Points picked_point(figure::Number x, figure::Number y, float radius = 5) {
  return {.x = {x}, .y = {y}, .color = Role::accent, .radius = radius};
}
// 0, 1, 2, ...: the places of so many values.
inline figure::Numbers places(Index count, figure::Number first = 0) {
  figure::Numbers all;
  for (Index k = 0; k < count; ++k) all.push_back(first + to_double(k));
  return all;
}
// An arc about the origin from one angle to another, in radians, with `steps` to a whole turn;
// `line` has the look.
Line arc(double from, double to, double radius, Line line, int steps = 96);

}  // namespace lab
