// The page of the lab of translation: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/translation/model.h"

namespace lab::translation {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Learned& learned() const { return model.learned; }
  const Reading& reading() const { return *model.reading; }
  // Names of the queries and keys of a kind of attention.
  Labels queries(Part part) const;
  Labels keys(Part part) const;
  std::string query_name() const { return (*queries(model.place.part))[to_size(model.row)]; }
};

std::string part_name(Part part, const Words& w);

Figure maps_figure(const Scene& scene);
Figure map_figure(const Scene& scene);
std::vector<float> looked_at(const Scene& scene);

Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::translation
