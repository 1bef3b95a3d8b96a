// The page of the mask workbench: figures, readouts, explanation, as data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/labs/masks/model.h"
#include "app/labs/shared/parts.h"

namespace lab::masks {

struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;

  // A token with its place: "bank" (12), or 12.
  std::string indexed(Index token) const;
  std::string name(Index token) const;
  bool kept() const { return model.key && model.mask->allowed(model.query, *model.key); }
  // Whether pictures of what several layers do are worth their room.
  bool shows_reach() const { return model.reached && (p.layers > 1 || p.turns()); }
  // What the shown mask is: the whole stack, or the item whose turn it is.
  std::string mask_words() const;
};

// Two heatmaps over the same queries and keys, zoomed and pointed at together.
figure::Figure mask_figure(const Scene& scene);
figure::Figure pairs_figure(const Scene& scene);
figure::Figure row_figure(const Scene& scene);
figure::Figure seen_figure(const Scene& scene);
figure::Figure field_figure(const Scene& scene);
figure::Figure reach_figure(const Scene& scene);
figure::Figure items_figure(const Scene& scene);
figure::Plot token_plot(const Scene& scene, std::string id, std::string title);

std::vector<Readout> readouts(const Scene& scene);
Explanation explain(const Scene& scene);
std::vector<Card> cards(const words::Words& w);

// "12,345,678", and of what is beyond that "1.72e+10".
std::string count_text(double count);
// "3.1 %"; more digits where they are few.
std::string share_text(double share);
// "1.2 MB", in powers of 1000.
std::string bytes_text(double bytes);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::masks
