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
Figure mean_figure(const Scene& scene);  // only beside average pooling
Figure curves_figure(const Scene& scene);
Figure states_figure(const Scene& scene);  // only where a word is kept

// Rows of a level that are weighed with each other, which of them is picked, and what they are
// called: the kept words of the picked sentence, or the kept sentences.
struct LevelRows {
  const core::model::WeighedLevel& net;
  const core::task::LookedLevel& looked;
  Index first, count, picked;
  std::vector<std::string> names;

  Index row() const { return first + picked; }
  Index sequence() const { return first / looked.weights.cols(); }
};
LevelRows word_rows(const Scene& scene);
LevelRows sentence_rows(const Scene& scene);

void explain_number(const Scene& scene, Derivation& lines);
std::string number_title(const Scene& scene);
Explanation explain(const Scene& scene);
Page compute(const Parameters& p, const Context& context);

}  // namespace lab::documents
