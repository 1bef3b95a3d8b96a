// Explanations line by line, and softmax written out to its last exponential.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/labs/lab.h"
#include "app/labs/shared/parts.h"
#include "core/types.h"

namespace lab {

namespace writing {

void equation(Lines& lines, std::string left, std::string right);
// In the accent colour: what the lines before it lead to.
void result(Lines& lines, std::string right);
void say(Lines& lines, std::string_view text);
void heading(Lines& lines, std::string text);

// A sum under an equation: the printed terms, each with a dim remark; the one at `marked` stands
// out.
struct Term {
  std::string value, remark;
};
void sum(Lines& lines, const std::vector<Term>& terms, std::size_t marked = std::string::npos);

}  // namespace writing

// The same one after the other; "= " stands before what does not say `is`.
class Writer {
 public:
  Writer& is(std::string left, std::string right);
  Writer& begin(std::string left, std::string right) {
    return is(std::move(left), "= " + std::move(right));
  }
  Writer& next(std::string right) { return begin("", std::move(right)); }
  Writer& result(std::string right);
  Writer& say(std::string_view text);
  Writer& add(Explanation::Line line);
  Lines take() { return std::move(lines_); }

 private:
  Lines lines_;
};

// Softmax of `scores` at the entry `picked`, down to each exponential: the largest, the terms,
// their sum and the quotient. Entries that `takes_part` (empty: all do) leaves out are not summed.
struct WrittenSoftmax {
  const core::VectorD& scores;
  double temperature = 1;
  core::Index picked = 0, first = 1;  // `first` is the number by which people know entry 0
  std::vector<bool> takes_part = {};
  double weight = 0;  // the result as it was computed
};
void write_softmax(const words::Words& w, const WrittenSoftmax& written, Lines& lines);

}  // namespace lab
