// How numbers that positions make follow from what is learned: of words that turn (complex-order
// embeddings), and of a course (FLOATER).
#pragma once

#include "app/labs/shared/derivation/model_derivation.h"
#include "core/position/learned/floater.h"

namespace lab {

// One number of a word that was turned as far as its place: its number at place 0 is real + i
// imaginary (core/model/layer/embedding.h).
struct RotatedNumber {
  double real = 0, imaginary = 0, frequency = 0;
  Index place = 0;
  bool of_real = false;  // which of both parts is told

  double amplitude() const { return std::hypot(real, imaginary); }
  double phase() const { return std::atan2(imaginary, real); }
  double value() const;
};
void explain_rotated(const std::string& name, const RotatedNumber& number, const Words& w,
                     Derivation& lines);

// The course of one layer (core/model/layer/flow.h).
struct FlowCourse {
  core::FloaterMlp system;
  MatrixD places;  // a row a place, as a pass has them
  double delta = 0.1;
};
FlowCourse course_of(const core::model::Layout& layout, const std::vector<double>& values,
                     const std::string& scope, MatrixD places, double delta);
void explain_course(const std::string& letter, const FlowCourse& course, Index place, Index column,
                    const Words& w, Derivation& lines);

}  // namespace lab
