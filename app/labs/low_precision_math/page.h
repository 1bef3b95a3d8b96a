// The page of the lab of arithmetic in low precision: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/low_precision_math/model.h"
#include "app/labs/shared/parts.h"

namespace lab::low_precision_math {

// One addition: what was there, what came, and what became of it.
struct Addition {
  double before = 0, term = 0, exact = 0, after = 0;
};

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  std::string method_name(Method method) const;
  // What the steps are taken from: by halves there is no running sum, and the format's is shown.
  const core::LowRunning& running() const { return model.run->running(p.method); }
  const Format& arithmetic() const { return model.how.arithmetic; }
  Addition addition() const;
  std::size_t method() const { return to_size(p.method); }
};

// The same wherever the method is chosen.
Color method_color(Method method, float alpha = 1);

Figure run_figure(const Scene& scene);
Figure bits_figure(const Scene& scene);
Figure dot_errors_figure(const Scene& scene);
Figure softmax_errors_figure(const Scene& scene);
Figure total_figure(const Scene& scene);
Figure row_figure(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::low_precision_math
