// The equations of an explanation, redone from what is printed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/labs/lab.h"

namespace contract {

// One line as a person reads it: the pieces of `right` one after the other.
struct PrintedLine {
  std::string left, right;
  bool heading = false;
};

// A printed result beside what the printed numbers give.
struct Redone {
  std::size_t line = 0;  // on which the result stands
  std::string from;      // what was worked out
  std::string printed;
  double redone = 0, allowed = 0;
  bool holds = false;
  bool exact = false;  // of all digits that are printed
  bool equal = false;  // it stands behind "="
};

struct Audit {
  std::vector<Redone> checks;
  std::size_t with_numbers = 0;  // lines
  std::size_t taking_part = 0;   // of these, in some check
};

// Reads the lines as they are meant: each continues the equation of the one before unless it has a
// left side of its own or stands under a heading. "= a", "≈ a" and "a → b" behind something to be
// worked out claim a result; indented lines with "+" are the terms of a sum, each a value with
// remarks behind two spaces, and the line after them, or else the line before, is their sum. A
// result must follow from the numbers before it to half a unit of its last digit; behind "≈", to a
// whole one and what half units of their last digits make of the inputs.
Audit audit(const std::vector<PrintedLine>& lines);
Audit audit(const lab::Explanation& explanation);

// Those that hold to half a unit of the last digit only, where "=" says all: "=" before what was
// rounded.
std::vector<Redone> rounded_behind_equal(const Audit& audit);
// The first failing check of each line that has one.
std::map<std::size_t, Redone> failing_lines(const Audit& audit);
// "line 3: 5.250 · 0.7071 gives 3.712275, not 3.713 (to 0.0005)"
std::string describe(const Redone& check);

}  // namespace contract
