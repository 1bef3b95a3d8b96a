// The page of the scoring lab: figures, readouts, explanation, as data.
#pragma once

#include <string>
#include <vector>

#include "app/labs/lab.h"
#include "app/labs/scoring/model.h"
#include "app/labs/shared/parts.h"
#include "app/labs/shared/writing.h"

namespace lab::scoring {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;

  const Plane& plane() const { return *model.plane; }
  const Answer& answer() const { return plane().answers[static_cast<std::size_t>(p.scoring)]; }
  const Heights& heights() const { return *model.heights; }
  const Guess& guess() const { return heights().guesses[static_cast<std::size_t>(p.method)]; }
  const OneWidth& width() const { return *model.width; }
  std::string score_name(Scoring scoring) const;
  std::string method_name(Method method) const;
  std::string key_name(Index key) const;  // "k0"
};

// The ids of the choices.
std::string_view scoring_id(Scoring scoring);
std::string_view method_id(Method method);

// Bars of weights from 0 to 1, or of scores about 0, over cells counted from 0; `picks[k]` is what
// a click on the k-th sets.
figure::Plot weight_bars(std::string id, std::string title, const VectorD& weights,
                         figure::Color color, int marked, std::vector<figure::Assignments> picks);

figure::Figure plane_figure(const Scene& scene);
figure::Figure compare_figure(const Scene& scene);
figure::Figure fields_figure(const Scene& scene);
figure::Figure people_figure(const Scene& scene);
figure::Figure shares_figure(const Scene& scene);
figure::Figure methods_figure(const Scene& scene);
figure::Figure spread_figure(const Scene& scene);
figure::Figure variance_figure(const Scene& scene);
figure::Figure saturation_figure(const Scene& scene);

Explanation explain(const Scene& scene);
Explanation explain_plane(const Scene& scene);
Explanation explain_guess(const Scene& scene);
Explanation explain_width(const Scene& scene);

std::vector<Readout> readouts(const Scene& scene);
std::vector<Card> cards(const words::Words& w);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::scoring
