// The page of the lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/rope_rounding/model.h"
#include "app/labs/shared/parts.h"

namespace lab::rope_rounding {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  std::string format() const { return format_name(p.format); }
  std::string carrier() const;
  // What is rounded to the format: "id, product", or "nothing".
  std::string rounded() const;
  std::string place(std::string_view id) const;
};

// "1.57 rad", "∞ rad".
std::string radians(double angle);
// What the hand that is picked is off by, or that it has no angle.
std::string error_text(const Scene& scene);
// Four significant digits, "∞" or "NaN".
std::string short_number(double value);
// The exact and the rounded thing, in every figure.
Color exact_color(float alpha = 1);
Color rounded_color(float alpha = 1);
Assignments explained_by(std::string_view what);

// A number's bits by field; a NaN that the format does not have gives empty ones.
struct Bits {
  std::string sign, exponent, mantissa;
  std::string text() const { return sign + " " + exponent + " " + mantissa; }
};
Bits bits_of(const core::Format& format, double value);

// Attention exact, rounded, and the difference.
Figure attention_figure(const Scene& scene);
// Errors of all angles, of some pairs over position, of one as a clock and bit by bit.
Figure phase_figure(const Scene& scene);
Figure curves_figure(const Scene& scene);
Figure dial_figure(const Scene& scene);
Figure bits_figure(const Scene& scene);
// How many rows differ; what each place does alone.
Figure rows_figure(const Scene& scene);
Figure steps_figure(const Scene& scene);
// Scores of the picked q and k.
Figure distance_figure(const Scene& scene);
Figure position_figure(const Scene& scene);

Explanation explain(const Scene& scene);
Explanation explain_score(const Scene& scene);
Explanation explain_weight(const Scene& scene);

std::vector<Readout> readouts(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::rope_rounding
