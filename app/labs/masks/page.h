// The page of the mask workbench: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/masks/model.h"
#include "app/labs/shared/parts.h"

namespace lab::masks {

struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  // A token with its place: "bank" (12), or 12.
  std::string indexed(Index token) const;
  std::string name(Index token) const;
  bool kept() const { return model.key && model.mask->allowed(model.query, *model.key); }
  // Whether pictures of what several layers do are worth their room.
  bool shows_reach() const { return model.reached && (p.layers > 1 || p.alternates()); }
  // What the shown mask is: the whole stack, or the item whose turn it is.
  std::string mask_words() const;
  // Maps over the same queries and keys, zoomed and pointed at together.
  PairMap map() const;
};

Figure mask_figure(const Scene& scene);
Figure pairs_figure(const Scene& scene);
Figure row_figure(const Scene& scene);
Figure seen_figure(const Scene& scene);
Figure field_figure(const Scene& scene);
Figure reach_figure(const Scene& scene);
Figure items_figure(const Scene& scene);

std::vector<Readout> readouts(const Scene& scene);
Explanation explain(const Scene& scene);

// "12,345,678".
inline std::string count_text(double count) { return grouped(std::llround(count)); }
// "3.1 %"; more digits where they are few.
std::string share_text(double share);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::masks
