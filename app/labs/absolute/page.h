// The page of the lab of absolute positions: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/absolute/model.h"
#include "app/labs/shared/drawing/token_map.h"
#include "app/labs/shared/parts.h"

namespace lab::absolute {

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Model& model;
  const Words& w;

  const Table& table() const { return *model.table; }
  // What is explained: what was asked for, if the page shows it.
  Explain explained() const;
  // The shown position has a row in the table.
  bool has_row() const { return table().has(model.position); }
  VectorD row() const { return table().row(model.position); }
  double cell() const { return row()(p.column); }
  // How many numbers the rows are, kept or computed where they are looked at.
  double table_numbers() const { return to_double(table().filled) * to_double(table().d); }
  // Where the offset leads, if that place is there.
  Index target() const { return model.position + p.offset; }
  bool has_target() const;
  std::string word(Index token) const { return (*model.pairs->labels)[to_size(token)]; }
};

// The upper half: the table, and what its scheme is made of.
std::vector<Figure> table_figures(const Scene& scene);

// The lower half: one question.
std::vector<Figure> curve_figures(const Scene& scene);
std::vector<Figure> shift_figures(const Scene& scene);
std::vector<Figure> similarity_figures(const Scene& scene);
std::vector<Figure> collision_figures(const Scene& scene);
std::vector<Figure> score_figures(const Scene& scene);
std::vector<Figure> order_figures(const Scene& scene);

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::absolute
