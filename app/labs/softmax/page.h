// The page of the softmax lab: figures, readouts, explanation, as data.
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/writing.h"
#include "app/labs/softmax/model.h"

namespace lab::softmax {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;

  Index n() const { return p.count; }
  // Of the picked weight, logit and true class, counted from 0.
  Index weight() const { return p.weight - 1; }
  Index logit() const { return p.logit - 1; }
  Index label() const { return p.label - 1; }
  const Hidden& hidden() const;  // in the picked way
  const Sequence& sequence() const { return model.batch[static_cast<std::size_t>(p.sequence - 1)]; }
  std::string way_name(Way way) const;
  std::string arithmetic_name() const;
  std::string fill_name() const;
};

// --- parts that several figures have

// Of the palette for heads: weights, logits, and what stands beside the weights.
inline constexpr int kWeightColor = 4, kLogitColor = 0, kOtherColor = 1;

// An axis of weights or logits, counted from 1.
figure::Axis counted_axis(std::string label, Index count);
// Bars over such an axis, `picks[k]` what a click on the k-th sets.
figure::Plot bar_plot(std::string id, std::string title, const VectorD& values, figure::Color color,
                      std::vector<figure::Assignments> picks);
// {{id, "k"}} and `also`, for k from 1 to n.
std::vector<figure::Assignments> picks_of(Index n, const std::string& id,
                                          const figure::Assignments& also = {});
// Logits whose bars can be dragged; the last ones, from `visible` on, are dim.
figure::Plot logit_plot(const Scene& scene, Index visible);
// Cells of which those that the mask hides are drawn as absent.
figure::Heatmap masked_heatmap(const MatrixD& cells, const core::Mask& mask,
                               const figure::ColorScale& scale);
// A logarithmic axis of temperatures that a click or a drag sets.
figure::Plot temperature_plot(const Scene& scene, std::string id);

// --- figures

figure::Figure row_figure(const Scene& scene);
figure::Figure forms_figure(const Scene& scene);
figure::Figure pair_figure(const Scene& scene);
figure::Figure melting_figure(const Scene& scene);
figure::Figure entropy_figure(const Scene& scene);
figure::Figure jacobian_figure(const Scene& scene);
figure::Figure column_figure(const Scene& scene);
figure::Figure gradient_figure(const Scene& scene);
figure::Figure slope_figure(const Scene& scene);
figure::Figure step_figure(const Scene& scene);
figure::Figure batch_figure(const Scene& scene);
figure::Figure batch_row_figure(const Scene& scene);
figure::Figure steps_figure(const Scene& scene);
figure::Figure steps_row_figure(const Scene& scene);
figure::Figure hidden_figure(const Scene& scene);
figure::Figure ways_figure(const Scene& scene);
figure::Figure leak_figure(const Scene& scene);
figure::Figure formats_figure(const Scene& scene);

// --- explanations

Explanation explain(const Scene& scene);
Explanation explain_form(const Scene& scene);
Explanation explain_jacobian(const Scene& scene);
Explanation explain_loss(const Scene& scene);
Explanation explain_length(const Scene& scene);
Explanation explain_steps(const Scene& scene);
Explanation explain_way(const Scene& scene);

std::vector<Readout> readouts(const Scene& scene);
std::vector<Card> cards(const words::Words& w);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::softmax
