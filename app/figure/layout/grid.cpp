// How many plots stand side by side.
#include <algorithm>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kLeastPlot = 220;  // a plot with axes wants this width
constexpr float kLeastOnPaper = 165, kLeastSquare = 104, kLeastInARow = 56;
constexpr float kFigureGap = 12;

std::size_t rows_for(std::size_t count, std::size_t columns) {
  return (count + columns - 1) / columns;
}

// The number of columns that gives the largest pictures.
std::size_t contact_columns(std::size_t count, const Rect& inner, const Pen& pen) {
  const float gap = pen.px(kFigureGap), caption = caption_height(pen);
  std::size_t best = 1;
  float best_side = -1e9f;
  for (std::size_t columns = 1; columns <= count; ++columns) {
    const std::size_t rows = rows_for(count, columns);
    const auto c = static_cast<float>(columns), r = static_cast<float>(rows);
    const float side = std::min((inner.w + gap) / c - gap, (inner.h + gap) / r - gap - caption);
    if (side > best_side) best = columns, best_side = side;
  }
  return best;
}

std::size_t fitting(const Rect& inner, float least, const Pen& pen) {
  const float gap = pen.px(kFigureGap);
  return static_cast<std::size_t>(std::max(1.0f, (inner.w + gap) / (pen.px(least) + gap)));
}

// Columns of maps that share their axes: the fewest that make a sheet a quarter wider than high, as
// far as each map can be seen beside the names at the left.
std::size_t shared_columns(std::size_t count, const Rect& inner, const Pen& pen) {
  constexpr float kNames = 40;
  const Rect room{inner.x, inner.y, std::max(0.0f, inner.w - pen.px(kNames)), inner.h};
  const std::size_t most = std::min(count, fitting(room, kLeastInARow, pen));
  std::size_t columns = 1;
  while (columns < most && 4 * rows_for(count, columns) > 3 * columns) ++columns;
  return rows_for(count, rows_for(count, columns));
}

std::size_t columns_of(const Figure& figure, const Rect& inner, const Pen& pen) {
  const std::size_t count = figure.plots.size();
  const auto all = [&](auto&& is) {
    return std::all_of(figure.plots.begin(), figure.plots.end(), is);
  };
  if (count > 1 && all([&](const Plot& p) { return shares_axes(p, pen); })) {
    return shared_columns(count, inner, pen);
  }
  if (figure.columns > 0) {
    const std::size_t desired = std::min(count, static_cast<std::size_t>(figure.columns));
    const bool small = all([](const Plot& p) { return p.thumbnail; });
    // One row of small pictures becomes several; a table of them keeps its shape.
    if (small && count <= desired) {
      const std::size_t fit = std::min(desired, fitting(inner, kLeastInARow, pen));
      return rows_for(count, rows_for(count, fit));
    }
    // On screen the height of a card follows squares alone.
    if (small || (!pen.paper() && !all([](const Plot& p) { return p.square; }))) return desired;
    return std::min(desired, fitting(inner, pen.paper() ? kLeastOnPaper : kLeastSquare, pen));
  }
  if (all([](const Plot& p) { return p.thumbnail; })) return contact_columns(count, inner, pen);
  if (all([](const Plot& p) { return !p.lead.empty(); })) return 1;
  return std::min(count, fitting(inner, pen.paper() ? kLeastOnPaper : kLeastPlot, pen));
}

// Rows of `desired` plots in blocks of fewer columns, one under the other: plots that stand over
// each other still do.
std::vector<std::vector<std::size_t>> in_blocks(std::size_t count, std::size_t desired,
                                                std::size_t columns) {
  std::vector<std::vector<std::size_t>> rows;
  // As evenly filled as they can be: three of which two fit stand as two and one.
  for (std::size_t first = 0; first < std::min(desired, count); first += columns) {
    for (std::size_t row = 0; row < count; row += desired) {
      std::vector<std::size_t> members;
      const std::size_t end = std::min({first + columns, desired, count - row});
      for (std::size_t k = first; k < end; ++k) members.push_back(row + k);
      if (!members.empty()) rows.push_back(std::move(members));
    }
  }
  return rows;
}

// Whether plots of later rows belong to those above them, which then have the titles of both.
bool columns_belong_together(const Figure& figure) {
  const auto desired = static_cast<std::size_t>(figure.columns);
  bool any = false;
  for (std::size_t k = desired; k < figure.plots.size(); ++k) {
    if (!figure.plots[k].title.empty()) return false;
    any = any || !figure.plots[k % desired].title.empty();
  }
  return any;
}

}  // namespace

std::vector<std::vector<std::size_t>> grid(const Figure& figure, const Rect& inner,
                                           const Pen& pen) {
  const std::size_t count = figure.plots.size();
  if (count == 0) return {};
  std::size_t columns = columns_of(figure, inner, pen);
  const bool fewer = figure.columns > 0 && columns < static_cast<std::size_t>(figure.columns);
  if (fewer && columns_belong_together(figure)) {
    return in_blocks(count, static_cast<std::size_t>(figure.columns), columns);
  }
  // Rows are filled evenly: five plots of which four fit stand as three and two.
  if (figure.columns <= 0 || fewer) {
    columns = rows_for(count, rows_for(count, columns));
  }
  std::vector<std::vector<std::size_t>> rows(rows_for(count, columns));
  for (std::size_t k = 0; k < count; ++k) rows[k / columns].push_back(k);
  return rows;
}

}  // namespace figure::parts
