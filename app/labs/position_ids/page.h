// The page of the lab of position ids: figures, readouts, explanation, as data.
#pragma once

#include <string>
#include <vector>

#include "app/labs/position_ids/model.h"
#include "app/labs/shared/parts.h"

namespace lab::position_ids {

struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;

  std::string format_name() const { return lab::format_name(p.format); }
  std::string rounding_name() const { return w(lab::rounding_name(p.rounding.rounding)); }
  double rounded(Index id) const { return model.rounded(id); }
  const FormatCurve& chosen() const;
};

// "532", "∞", "NaN".
std::string value_text(double value);
// "10.94 %".
std::string percent(double share);

// One of the counts that "exact" may mean.
struct Counted {
  double value = 0;
  double share = 0;  // of all ids; NaN where it is no share
};
Counted counted(const Scene& scene, Definition definition);
std::string_view definition_id(Definition definition);
std::string definition_name(const words::Words& w, Definition definition);

figure::Figure stairs_figure(const Scene& scene);
figure::Figure strips_figure(const Scene& scene);
figure::Figure lengths_figure(const Scene& scene);
figure::Figure definitions_figure(const Scene& scene);
figure::Figure context_figure(const Scene& scene);
figure::Figure distances_figure(const Scene& scene);
figure::Figure bits_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::position_ids
