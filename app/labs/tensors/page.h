// The page of the lab of one's own tensors: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/shared/parts.h"
#include "app/labs/tensors/model.h"
#include "core/enum_array.h"

namespace lab::tensors {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Given& given() const { return *model.given; }
  // Name of the map that is shown: "weights", "scores"...
  std::string map_name() const;
  // `"the" (3)`, or `3` without tokens.
  std::string query_name() const;
  std::string key_name() const;
  bool difference() const { return model.look.combine == Combine::difference; }
  // The weight that is taken apart, as it is shown.
  float weight() const { return model.row[to_size(model.key)]; }
};

// "3.1" of layer 2 and head 0: they are counted from 1 where somebody reads them.
std::string head_name(const HeadAt& at);
// "weight 0.125", "masked" or "NaN".
std::string cell_text(float number, const Words& w);
ColorScale map_scale(const Scene& scene, double largest);
PairMap pair_map(const Scene& scene);
// The keys, at most `most`, that weigh most in the row that is shown, the strongest first; masked
// ones are left out.
std::vector<Index> strongest_keys(const Model& model, Index most);

// The metrics' knobs: ids, names, what they mean, and their unit.
struct NamedMetric {
  std::string_view id, name, help, unit;
  double core::heads::HeadStatistics::*value;
};
const core::EnumArray<Metric, NamedMetric>& named_metrics();
inline const NamedMetric& named(Metric metric) { return named_metrics()[metric]; }

Figure sheet_figure(const Scene& scene);
Figure arrays_figure(const Scene& scene);
Figure saving_figure(const Scene& scene);
Figure map_figure(const Scene& scene, int span);
Figure links_figure(const Scene& scene);
Figure tokens_figure(const Scene& scene);
Figure row_figure(const Scene& scene);
Figure neuron_figure(const Scene& scene);
Figure products_figure(const Scene& scene);
Figure metric_figure(const Scene& scene);
Figure sorted_figure(const Scene& scene);
Figure plane_figure(const Scene& scene);

// The numbers of the picked query and key, where there are such.
std::vector<double> query_vector(const Scene& scene);
std::vector<double> key_vector(const Scene& scene, Index key);

Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::tensors
