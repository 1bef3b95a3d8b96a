// The page of the extrapolation lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/extrapolation/model.h"

namespace lab::extrapolation {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  std::string name(Method method) const;
  std::string chosen_name() const { return name(p.method); }
  bool alibi() const { return p.method == Method::alibi; }
  // The rotation of the chosen method; of none under ALiBi.
  const Rotation& rotation() const { return model.rotation(alibi() ? Method::none : p.method); }
};

Color method_color(Method method, float alpha = 1);
// Four significant digits, or all before the point of a number below ten million.
std::string number(double value);

// Pairs or heads along an axis of cells: a value each at the middle of its cell.
struct Style {
  Color color;
  std::string label = {};
  float width = 1.5f;
  bool dashed = false;
};
Line over_cells(const VectorD& values, const Style& style);
// Discs whose clicks choose their pair or head (the first being `first`), and the chosen one's.
void add_discs(const VectorD& x, const VectorD& y, const Color& color, std::string_view param,
               int first, int chosen, std::string_view explained, Plot& plot);
VectorD cell_middles(Index count);
Labels head_names(int heads);

// How far each pair turns, and how far it turned in training.
Figure angles_figure(const Scene& scene);
Figure penalties_figure(const Scene& scene);  // the same of ALiBi's heads
Figure waves_figure(const Scene& scene);
Figure ramp_figure(const Scene& scene);
Figure scores_figure(const Scene& scene);
Figure cells_figure(const Scene& scene);
Figure bias_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::extrapolation
