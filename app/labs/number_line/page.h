// The page of the number line lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/number_line/model.h"
#include "app/labs/shared/parts.h"

namespace lab::number_line {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  bool finite() const;  // x is
  // A number near x, with the digits that tell it from its neighbours.
  std::string near(double value) const;
  std::string x_text() const;
  std::string stored_text() const;
  // What picking this code, or this number, sets.
  Assignments pick(Code code, std::string_view explained) const;
};

void add_note(Plot& plot, double x, double y, std::string text, const Color& color,
              TextStyle style = TextStyle::small, int align = -1);

// "2^-4"
std::string power(int exponent);
// "0x3dcd", as wide as the format.
std::string hexadecimal(const Format& format, Code code);

Figure line_figure(const Scene& scene);
Figure bits_figure(const Scene& scene);
Figure spacing_figure(const Scene& scene);
Figure formats_figure(const Scene& scene);
Figure facts_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::number_line
