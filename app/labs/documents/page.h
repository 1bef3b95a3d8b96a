// The page of the lab of documents: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/documents/model.h"

namespace lab::documents {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Trained& trained() const { return model.trained; }
  const Reading& reading() const { return *model.reading; }
};

// A class as people call it.
std::string class_name(const core::task::DocumentTask& task, Index label, const Words& w);

Figure document_figure(const Scene& scene);
Figure weights_figure(const Scene& scene);
Figure outcome_figure(const Scene& scene);
Figure worth_figure(const Scene& scene);
Figure found_figure(const Scene& scene);
Figure mean_figure(const Scene& scene);  // only beside mean pooling
Figure curves_figure(const Scene& scene);

Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::documents
