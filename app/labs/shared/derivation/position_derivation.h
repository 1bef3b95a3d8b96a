// How numbers that positions make follow from what is learned: of words that turn (complex-order
// embeddings), of pairs that RoPE rotates, of sines and cosines, and of a course (FLOATER).
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
// The one of this column, out of a token's embedding and its word's frequencies.
RotatedNumber rotated_number(const VectorD& embedded, const VectorD& frequencies, Index place,
                             Index column);
void explain_rotated(const std::string& name, const RotatedNumber& number, const Words& w,
                     Derivation& lines);

// A number of a query or key that RoPE rotated: of the pair (a, b) the first, a cos φ - b sin φ, or
// the second, a sin φ + b cos φ, with φ = place base^(-within / width).
struct RopeNumber {
  double a = 0, b = 0;
  Index place = 0, column = 0;
  Index width = 1;  // of a head
  double base = 10000;

  Index pair() const { return column / 2 * 2; }  // the column of a
  bool first() const { return column == pair(); }
  double angle() const;
  // "0.1·cos(0.3) - 0.2·sin(0.3)", and "3 / 10000^(2/16)".
  std::string sum_text() const;
  std::string angle_text() const;
};

// "sin(3 / 10000^(2/32))": a number of the sinusoidal table of this width.
std::string sinusoidal_text(Index place, Index column, Index width, double base = 10000);

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
