// How a figure on paper is to look: what an author asks of the layout.
#pragma once

#include <string_view>
#include <vector>

namespace figure {

// Begins and ends a formula in an author's text: a "$" with a word joiner behind it, as no text of
// data has them. Every other "$" is a sign.
inline constexpr std::string_view kFormulaSign = "$\u2060";

struct PaperLook {
  enum class Legend { automatic, beside, below };
  Legend legend = Legend::automatic;  // of lines
  // Names at axes are written in TextStyle::reading, and marked ones in TextStyle::title, which
  // nothing else on a figure has: their measure makes them as large as the numbers there.
  bool tick_names = false;
  bool dashes = false, markers = false;  // lines differ by them
  // Units of formulas in texts; 0: there are none. Where their baseline lies in a
  // line, and that of other texts, as a share of its height.
  float math = 0, math_baseline = 0.797f, text_baseline = 0.8f;
  // Small maps in rows share their axes: names stand at the left of each row and under each column.
  bool shared_axes = false;
  bool alone = false;  // it has the paper to itself: a square fills the width
};

}  // namespace figure
