// The page of the lab of absolute positions: figures, readouts, explanation, as data.
#pragma once

#include <string>

#include "app/labs/absolute/model.h"
#include "app/labs/lab.h"
#include "app/labs/shared/parts.h"

namespace lab::absolute {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const words::Words& w;
  const Context& context;

  const Table& table() const { return *model.table; }
  // What is explained: what was asked for, if the page shows it.
  Explain explained() const;
  // The shown position has a row in the table.
  bool has_row() const { return table().has(model.position); }
  std::string word(Index token) const {
    return (*model.pairs->labels)[static_cast<std::size_t>(token)];
  }
};

// The upper half: the table, and what its scheme is made of.
figure::Figure table_figure(const Scene& scene);
figure::Figure wavelength_figure(const Scene& scene);
figure::Figure grid_figure(const Scene& scene);
figure::Figure learned_figure(const Scene& scene);
figure::Figure flow_figure(const Scene& scene);
figure::Figure turn_figure(const Scene& scene);

// The lower half: one question.
std::vector<figure::Figure> curve_figures(const Scene& scene);
std::vector<figure::Figure> shift_figures(const Scene& scene);
std::vector<figure::Figure> similarity_figures(const Scene& scene);
std::vector<figure::Figure> collision_figures(const Scene& scene);
std::vector<figure::Figure> score_figures(const Scene& scene);
std::vector<figure::Figure> order_figures(const Scene& scene);

// --- what figures share

// A card of the upper half; the table takes 7 of the page's columns, its scheme 5.
inline constexpr int kTableSpan = 7, kSchemeSpan = 5;
figure::Figure upper_card(const Scene& scene, std::string id, std::string title, int span);

// What a click sets besides: that its figure is the one that is explained.
figure::Assignments explained_by(const char* which);
std::vector<double> doubles(const VectorD& v);
// 0 to a little above 0; 1 when all values are equal: an axis is never empty.
figure::Axis value_axis(std::string label, double lo, double hi);
// A curve over 0, 1, 2, ..., thinned out to at most some thousand points that keep the least and
// the largest value of each stretch.
figure::Line thinned(const VectorD& y, double first_x = 0);
// "0.0123", "1.2e-07".
std::string short_number(double value);

Explanation explain(const Scene& scene);
Explanation explain_cell(const Scene& scene);
Explanation explain_shift(const Scene& scene);
Explanation explain_similarity(const Scene& scene);
Explanation explain_distance(const Scene& scene);
Explanation explain_score(const Scene& scene);
Explanation explain_order(const Scene& scene);

std::vector<Readout> readouts(const Scene& scene);
void add_notes(const Scene& scene, Page& page);
std::vector<Card> cards(const Scene& scene);
std::string formula(const Parameters& p);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::absolute
