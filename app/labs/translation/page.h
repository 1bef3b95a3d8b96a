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
Figure numbers_figure(const Scene& scene);

// --- numbers of tensors

// A tensor that a place has: "self" and "cross" of an attention, and of its feed-forward network.
struct TensorOf {
  TensorId vector = TensorId::query;
  std::string name;      // in the trace
  std::string symbol;    // "Q", "x + f(x)"
  bool of_keys = false;  // rows are what is looked at
};
// The tensors of the picked attention and of what follows it in its layer, in the order of the
// pass.
std::vector<TensorOf> tensors_of(const Scene& scene);
// The one that is taken apart, and where.
struct PickedNumber {
  TensorOf tensor;
  Index row = 0, col = 0;
};
PickedNumber picked_number(const Scene& scene);

// The title of what is taken apart, and its lines.
std::string number_title(const Scene& scene);
void explain_number(const Scene& scene, Derivation& lines);
Matrix parameter(const Scene& scene, std::string_view name);
std::vector<float> looked_at(const Scene& scene);

Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::translation
