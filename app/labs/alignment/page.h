// The page of the lab of alignment: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/alignment/model.h"

namespace lab::alignment {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Learned& learned() const { return model.shown.learned; }
  const Reading& reading() const { return model.reading(); }
  Index steps() const { return reading().steps(); }
  // The token of the source that is looked at; the first where none is.
  Index read() const { return std::clamp<Index>(p.token, 0, reading().source_tokens() - 1); }
  int stage() const { return std::min(p.stage, to_int(model.slow->stages.size()) - 1); }
};

Figure alignment_figure(const Scene& scene);
Figure states_figure(const Scene& scene);
Figure slow_figure(const Scene& scene);

// A parameter of the model, or a tensor of its pass.
Matrix parameter(const Scene& scene, std::string_view name);
Matrix traced(const Scene& scene, std::string_view name);

void explain_state(const Scene& scene, Derivation& lines);
Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::alignment
