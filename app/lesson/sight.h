// Context in which a lesson's expressions are evaluated: a page, the knobs that made it, and what
// the learner has done since the stop began.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/text/elements.h"

namespace lesson {

struct Sight {
  const lab::Page* page = nullptr;
  const lab::Lab* lab = nullptr;
  const param::Values* knobs = nullptr;
  // Figures and plots that were picked in, and knobs that were moved; null: nothing was.
  const std::set<std::string>* picked = nullptr;
  const std::set<std::string>* moved = nullptr;
  // The page as the stop began, for was(); null: this one.
  const Sight* begun = nullptr;
};

// A number, a word (of a knob that is none), or whether a condition holds.
using Value = std::variant<double, std::string, bool>;

// Each throws core::InputError in one sentence where the page has no such thing.
Value evaluate(const Expression& expression, const Sight& sight);
double number(const Expression& expression, const Sight& sight);
bool holds(const Expression& condition, const Sight& sight);

// Claims of the stop about its page (`check:`): before its answer, or with `answered` after it,
// when earlier claims count as long as the answer changes nothing on the page.
std::vector<const Stated*> claims_of(const Stop& stop, bool answered);
// Whether all claims hold on this page. False, too, where the page lacks what a claim names.
bool claims_hold(const Stop& stop, bool answered, const Sight& sight);

// Elements that the reference means on this page, all of them where it says so. Throws as above;
// also where there are more than kMostElements.
std::vector<Element> elements(const Reference& reference, const Sight& sight);

// The value as a person reads it: a readout as the page shows it, a knob by its label of the value,
// any other number with so many digits.
std::string text_of(const Expression& expression, int digits, const Sight& sight,
                    const words::Words& words);

// The value of a knob as text; null: there is none.
const std::string* knob_text(const Sight& sight, std::string_view id);

// Whether two numbers are as near as `within` says, in percent of the second or as it is.
bool near(double one, double other, double within, bool percent);

// Whether one number is less than, at most, ... another. What is near is equal: 0.1 + 0.2 is not
// more than 0.3.
bool compares(double one, Expression::Does how, double other);

}  // namespace lesson
