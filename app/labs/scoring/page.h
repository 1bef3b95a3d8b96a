// The page of the scoring lab: figures, readouts, explanation, as data. Each view has a file.
#pragma once

#include "app/labs/scoring/model.h"
#include "app/labs/shared/drawing/bars.h"
#include "app/labs/shared/parts.h"

namespace lab::scoring {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;
};

// A number of a knob or near one, in full: "1.5", "-2.0341".
std::string number(double value);
// Softmax of all scores, the entries counted from 0.
SoftmaxRow written_row(const VectorD& scores, Index picked);

Page plane_page(const Scene& scene);
Page heights_page(const Scene& scene);
Page width_page(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::scoring
