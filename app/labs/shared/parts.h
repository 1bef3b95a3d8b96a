// Small pieces that the pages of all labs are made of.
#pragma once

#include "app/labs/shared/derivation/derivation.h"
#include "app/labs/shared/drawing/axes.h"
#include "app/labs/shared/drawing/curves.h"
#include "app/labs/shared/drawing/maps.h"
#include "app/labs/shared/drawing/pair_map.h"
#include "app/labs/shared/lists.h"

namespace lab {

inline constexpr double kTurn = 2 * std::numbers::pi;  // in radians

// --- figures

struct FigureSize {
  int span = 12;       // of the page's 12 columns
  float height = 320;  // pixels at 100 %
  int columns = 0;     // plots a row; 0: as many as fit
};
inline Figure new_figure(std::string id, std::string title, const FigureSize& size = {}) {
  return {.id = std::move(id),
          .title = std::move(title),
          .columns = size.columns,
          .span = size.span,
          .height = size.height};
}
// The figure with these plots after its own.
template <class... Plots>
Figure with(Figure figure, Plots&&... plots) {
  (figure.plots.push_back(std::forward<Plots>(plots)), ...);
  return figure;
}

// The figure with this table alone.
inline Figure with_table(Figure figure, figure::Table table) {
  Plot plot{.id = figure.id};
  plot.add(std::move(table));
  return with(std::move(figure), std::move(plot));
}

// What a pick sets: sets("pair", 3, "explain", "dial").
inline void add_sets(Assignments&) {}
template <class Value, class... More>
void add_sets(Assignments& all, std::string id, const Value& value, const More&... more) {
  all.emplace_back(std::move(id), fmt::format("{}", value));
  add_sets(all, more...);
}
template <class... Args>
Assignments sets(const Args&... args) {
  Assignments all;
  add_sets(all, args...);
  return all;
}
inline Assignments explains(std::string_view what) { return sets("explain", what); }

// A strip of bars, one a dimension, with a letter at the left; `largest` is the height it shows.
Plot strip(std::string id, std::string lead, figure::Numbers values, Color color, double largest);

// What stands between spaces and ends of lines.
std::vector<std::string> typed_words(std::string_view text);

// "\"a\", \"b\"".
std::string quoted(const std::vector<std::string>& words);

}  // namespace lab
