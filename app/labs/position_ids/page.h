// The page of the lab of position ids: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/position_ids/model.h"
#include "app/labs/shared/parts.h"

namespace lab::position_ids {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  std::string format_name() const { return lab::format_name(p.format); }
  std::string rounding_name() const { return w(lab::rounding_name(p.rounding.rounding)); }
  double rounded(Index id) const { return model.rounded(id); }
  // The window's ids.
  Axis window_axis(std::string label, std::string link, Color color) const;
};

// Numbers of groups as colours.
Heatmap groups_map(std::shared_ptr<const TileSource> source);

// "532", "∞", "NaN".
inline std::string value_text(double value) {
  return std::isfinite(value) ? significant(value, 12) : fixed(value);
}

// One of the counts that "exact" may mean.
struct Counted {
  double value = 0;
  double share = 0;  // of all ids, or of those it is taken from
};
Counted counted(const IdFacts& facts, Definition definition);

Figure stairs_figure(const Scene& scene);
Figure strips_figure(const Scene& scene);
Figure lengths_figure(const Scene& scene);
Figure definitions_figure(const Scene& scene);
Figure context_figure(const Scene& scene);
Figure distances_figure(const Scene& scene);
Figure bits_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::position_ids
