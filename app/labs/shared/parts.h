// Small pieces that the pages of all labs are made of.
#pragma once

#include "app/labs/shared/derivation/derivation.h"
#include "app/labs/shared/drawing/pair_map.h"

namespace lab {

inline constexpr double kTurn = 2 * std::numbers::pi;  // in radians

// Indices are signed everywhere but in std::vector; numbers of axes are doubles.
inline std::size_t to_size(Index index) { return static_cast<std::size_t>(index); }
template <class Number>
double to_double(Number number) {
  return static_cast<double>(number);
}

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

// The finite values that an axis has to hold.
struct Extent {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;

  void add(double value);
  void add(const std::vector<double>& values);
  bool empty() const { return !(lo <= hi); }
};
// The axis holds them, with `room` of their span to both sides (of a single value, a tenth of it).
// Nothing to hold: 0 to 1.
void fit(Axis& axis, const Extent& extent, double room = 0.08);

// The largest magnitude; 0 when there is nothing.
double largest_size(const std::vector<double>& values);

// A diverging scale about zero that holds values up to `largest`, or up to 1 when that is 0 or not
// finite.
ColorScale signed_scale(float largest);

// An axis of `count` cells.
Axis cell_axis(std::string label, Index count, std::string link = {});
// The same counted from 1, as layers, heads and other things are that have no place in a text.
Axis counted_axis(std::string label, Index count, std::string link = {});

// A strip of bars, one a dimension, with a letter at the left; `largest` is the height it shows.
Plot strip(std::string id, std::string lead, std::vector<double> values, Color color,
           double largest);

// A heatmap of a matrix that is kept.
Heatmap dense_heatmap(Matrix cells, const ColorScale& scale);

// "\"a\", \"b\"".
std::string quoted(const std::vector<std::string>& words);

}  // namespace lab
