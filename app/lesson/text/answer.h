// What a learner answers, what is right, and the sentence that is said to it.
#pragma once

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

// One of these, after the question's kind; none: nothing was answered, the truth is just shown.
struct Answer {
  std::optional<std::size_t> option = {};
  std::optional<bool> truth = {};
  std::optional<double> number = {};
  bool percent = false;  // typed with its sign, as 0.11 for "11 %": 11 where so many are asked
  std::vector<Element> elements = {};             // clicked, or marked
  std::vector<std::array<double, 2>> curve = {};  // drawn, in data units, from left to right
  bool empty() const { return !option && !truth && !number && elements.empty() && curve.empty(); }
};

struct Verdict {
  bool right = false;
  Paragraph said;  // to this wrong answer; may be empty
};

// The answer that the page (as it is after the question) has; of several right ones the first.
// Throws core::InputError.
Answer right_answer(const Question& question, const Sight& sight);
// Every element that is right to be clicked (equal ones are), or to be marked.
std::vector<Element> right_elements(const Question& question, const Sight& sight);

// An answer of another kind than the question's is wrong.
Verdict grade(const Question& question, const Answer& answer, const Sight& sight);

// An answer in words: an option's, "true", a number; empty of what is seen on a figure.
std::string answer_text(const Question& question, const Answer& answer, const Sight& sight,
                        const words::Words& words);

// Which plot is clicked, marked or drawn on, and what in it; none: the question asks for no such.
std::optional<Reference> asked_about(const Question& question);

// The mean distance of a drawn curve from a line, in percent of the axis' height, over where both
// are; infinity when the curve leaves out more than a fifth of the line.
double drawn_off(const std::vector<std::array<double, 2>>& curve, const figure::Line& line,
                 const figure::Axis& x, const figure::Axis& y);

// "flat", "rising", "falling" or "" of a curve as it looks along the axis `y`, which may be
// logarithmic. Of two points at least.
std::string drawn_shape(const std::vector<std::array<double, 2>>& curve, const figure::Axis& y);

}  // namespace lesson
