// The page of the side-by-side lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/position_compare/cost_text.h"
#include "app/labs/position_compare/schemes.h"
#include "app/labs/shared/parts.h"

namespace lab::position_compare {

using figure::Table;

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;
  const std::optional<Measured>& measured;  // nothing until it is asked for

  std::size_t count() const { return model.schemes.size(); }
  const Shown& shown(std::size_t k) const { return *model.schemes[k]; }
  Scheme scheme(std::size_t k) const { return shown(k).scored->scheme; }
  std::string name(std::size_t k) const { return w(name_of(scheme(k))); }
  bool allowed(std::size_t k, Index i, Index j) const {
    return shown(k).scored->mask->allowed(i, j);
  }
  double value(std::size_t k, Index i, Index j) const { return shown(k).values(p.quantity)(i, j); }
  // What costs are counted for.
  core::model::SchemeSize size() const { return p.size(model.n()); }
  // Where the picked distance stands in a curve.
  std::size_t at_distance() const { return to_size(model.distance + model.n() - 1); }
  // The scheme that is explained; of differences never the first.
  std::size_t chosen() const;
};

// Which colour the k-th scheme has.
Color scheme_color(const Scene& scene, std::size_t k, float alpha = 1);
// The point of a scheme on its curve, larger when it is what is explained.
Points scheme_point(const Scene& scene, std::size_t k, double x, double y, Explained explained);
// What a pick of scheme k sets.
Assignments scheme_pick(std::size_t k, const char* explained);

Figure side_figure(const Scene& scene);
Figure difference_figure(const Scene& scene);
Figure curves_figure(const Scene& scene);
Figure table_figure(const Scene& scene);
Figure operations_figure(const Scene& scene);
Figure time_figure(const Scene& scene);  // only when measured

Explanation explain(const Scene& scene);
Explanation explain_cost(const Scene& scene);
Explanation explain_time(const Scene& scene);

// One score, taken apart.
struct Breakdown {
  std::vector<Part> parts;
  Index under_root = 1;  // d_k, or 3 d_k for DeBERTa
  double score = 0;      // (sum of parts inside) / sqrt(under_root) + the others
};
Breakdown break_down(const SchemeKnobs& p, const Content& content, const Scored& scored, Index i,
                     Index j, const Words& w);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::position_compare
