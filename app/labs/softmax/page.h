// The page of the softmax lab: figures, readouts, explanation, as data. Each view has a file.
#pragma once

#include "app/labs/shared/drawing/bars.h"
#include "app/labs/shared/readouts.h"
#include "app/labs/softmax/model.h"

namespace lab::softmax {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  Index n() const { return p.count; }
  // The picked weight, logit and true class, counted from 0.
  Index weight() const { return p.weight - 1; }
  Index logit() const { return p.logit - 1; }
  Index label() const { return p.label - 1; }
  std::string fill_name() const;
};

// --- parts that several views have

// Colours from the palette for heads: weights, logits, and what stands beside the weights.
inline constexpr int kWeightColor = 4, kLogitColor = 0, kOtherColor = 1;

// {{id, "k"}} and `also`, for k from `first` to `last`.
std::vector<Assignments> picks_of(Index first, Index last, const std::string& id,
                                  const Assignments& also = {});
// Logits whose bars can be dragged; the last ones, from `visible` on, are dim.
Plot logit_plot(const Scene& scene, Index visible);
Figure row_figure(const Scene& scene);
// A logarithmic axis of temperatures that a click or a drag sets.
Plot temperature_plot(const Scene& scene, std::string id, std::string label);
// The chosen temperature, with a point at `y` that can be dragged.
void mark_temperature(const Scene& scene, double y, Plot& plot);

// The readouts of a row, with what is shown of it.
std::vector<Readout> row_readouts(const Scene& scene);

// Softmax of `scores` as a row of the lab; entry 0 is known as `first`.
SoftmaxRow written_row(const VectorD& scores, Index picked, Index first = 1);

// --- the views

Page weights_page(const Scene& scene);
Page jacobian_page(const Scene& scene);
Page loss_page(const Scene& scene);
Page lengths_page(const Scene& scene);
Page masks_page(const Scene& scene);
Page fills_page(const Scene& scene);
std::string row_status(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::softmax
