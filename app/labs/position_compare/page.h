// The page of the side-by-side lab: figures, readouts, explanation, as data.
#pragma once

#include <memory>
#include <string>

#include "app/labs/lab.h"
#include "app/labs/position_compare/breakdown.h"
#include "app/labs/position_compare/facts.h"
#include "app/labs/position_compare/measure.h"
#include "app/labs/position_compare/model.h"
#include "app/labs/shared/parts.h"

namespace lab::position_compare {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;
  std::shared_ptr<const Measured> measured;  // null until it is asked for

  std::size_t count() const { return model.schemes.size(); }
  const Shown& shown(std::size_t k) const { return *model.schemes[k]; }
  Scheme scheme(std::size_t k) const { return shown(k).scored->scheme; }
  std::string name(std::size_t k) const { return w(facts(scheme(k)).name); }
  // The scheme that is explained; of differences never the first.
  std::size_t chosen() const;
  // A token with its place: "bank" (12), or 12.
  std::string indexed(Index token) const;
};

// Which colour a scheme has, by its place.
figure::Color scheme_color(std::size_t k, float alpha = 1);

std::vector<figure::Figure> figures(const Scene& scene);
figure::Figure side_figure(const Scene& scene);
figure::Figure difference_figure(const Scene& scene);
figure::Figure curves_figure(const Scene& scene);
figure::Figure table_figure(const Scene& scene);
figure::Figure operations_figure(const Scene& scene);
figure::Figure time_figure(const Scene& scene);  // only when measured

Explanation explain(const Scene& scene);
// What explain() is made of: the lines behind one score, without its first, and behind a cost.
Lines score_lines(const Scene& scene, std::size_t k);
Explanation explain_cost(const Scene& scene);
Explanation explain_time(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::position_compare
