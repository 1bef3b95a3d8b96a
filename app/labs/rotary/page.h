// The page of the rotary lab: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/rotary/model.h"

namespace lab::rotary {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  // A token as a sentence has it, with its place: "bank" (12).
  std::string token(Index at) const;
  // What a pick sets so that the pair stands at this distance, n - m, and that it is then
  // explained.
  Assignments at_distance(Index distance, std::string_view explained) const;
};

// The line of positions, the dials and the plane.
Figure places_figure(const Scene& scene);
Figure dials_figure(const Scene& scene);
Figure plane_figure(const Scene& scene);
// Scores: over distance, at other places, by pair, of every pair of places.
Figure score_figure(const Scene& scene);
Figure moved_figure(const Scene& scene);
Figure terms_figure(const Scene& scene);
Figure every_figure(const Scene& scene);
// The bound, xPos, which columns make a pair.
Figure decay_figure(const Scene& scene);
Figure xpos_figure(const Scene& scene);
Figure columns_figure(const Scene& scene);
// The text's attention without position, with it, and the difference; needs a token.
Figure text_figure(const Scene& scene);

// What is explained: the score where there is no text to have a weight.
Explained explained(const Scene& scene);
Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::rotary
