// The page of the multi-head lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/multi_head/model.h"
#include "app/labs/shared/parts.h"

namespace lab::multi_head {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  // A token's name in a sentence: its label, or its number.
  std::string name(Index token) const;
  // The same as a sentence has it: "bank" in quotes, or token 12.
  std::string quoted(Index token) const;
  // With its place: "bank" (12), or 12.
  std::string indexed(Index token) const;
  // The shown pair: its weight, whether the mask allows it, and the query's and the key's numbers.
  double weight() const { return model.row.weights[to_size(model.key)]; }
  bool shown_allowed() const { return model.row.allowed[to_size(model.key)]; }
  std::vector<double> q() const;
  std::vector<double> k() const;
  // Whether scores are divided by anything before the softmax.
  bool divides() const { return p.scaled || p.temperature != 1; }
};

std::vector<Figure> figures(const Scene& scene);
Figure links_figure(const Scene& scene);
Figure output_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::multi_head
