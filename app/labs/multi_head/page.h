// The page of the multi-head lab: figures, readouts, explanation, as data.
#pragma once

#include <string>

#include "app/labs/lab.h"
#include "app/labs/multi_head/model.h"
#include "app/labs/shared/parts.h"

namespace lab::multi_head {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;

  // A token's name in a sentence: its label, or its number.
  std::string name(Index token) const;
  // The same as a sentence has it: "bank" in quotes, or token 12.
  std::string quoted(Index token) const;
  // With its place: "bank" (12), or 12.
  std::string indexed(Index token) const;
  // The weight of the shown pair.
  double weight() const { return model.row.weights[static_cast<std::size_t>(model.key)]; }
  bool shown_allowed() const { return model.row.allowed[static_cast<std::size_t>(model.key)]; }
};

std::vector<figure::Figure> figures(const Scene& scene);
figure::Figure heads_figure(const Scene& scene);
figure::Figure head_figure(const Scene& scene);
figure::Figure links_figure(const Scene& scene);
figure::Figure neuron_figure(const Scene& scene);
figure::Figure output_figure(const Scene& scene);

// Three decimals, or three digits when that would leave nothing.
std::string weight_text(double weight);

Explanation explain(const Scene& scene);
// Why a pair is masked, in a sentence without its end: "key 10 comes after query 3".
std::string mask_reason(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::multi_head
