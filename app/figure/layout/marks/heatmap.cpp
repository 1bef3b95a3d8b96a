// Cells, the numbers in them and the pinned one.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"
#include "core/types.h"

namespace figure::parts {
namespace {

constexpr float kNumberWidth = 44, kNumberHeight = 18;  // cells with room for a number
constexpr float kBetweenNumbers = 8;                    // of one row, at least

constexpr float kCornerShare = 0.34f, kMostCorner = 12;  // of a cell's side, in its corner

constexpr double kTiny = 1e-3;  // of which one digit says enough: 7e-7

// Which cells the plot's view covers; the axes may be in other units than cells.
View cells_shown(const Heatmap& map, const Placed& p) {
  const View full = full_view(*p.plot);
  const auto to_cells = [](double v, double lo, double hi, Index count) {
    return (v - lo) / (hi - lo) * static_cast<double>(count);
  };
  const View& s = p.shown;
  return {to_cells(s.x0, full.x0, full.x1, map.source->cols()),
          to_cells(s.x1, full.x0, full.x1, map.source->cols()),
          to_cells(s.y0, full.y0, full.y1, map.source->rows()),
          to_cells(s.y1, full.y0, full.y1, map.source->rows())};
}

// The part of the view where there are cells, and where that lies.
struct Window {
  View cells;
  Rect rect;
  float cell_w() const { return rect.w / static_cast<float>(cells.x1 - cells.x0); }
  float cell_h() const { return rect.h / static_cast<float>(cells.y1 - cells.y0); }
  Rect cell(double row, double col) const {
    return {rect.x + static_cast<float>(col - cells.x0) * cell_w(),
            rect.y + static_cast<float>(row - cells.y0) * cell_h(), cell_w(), cell_h()};
  }
  bool empty() const { return !(rect.w > 0 && rect.h > 0); }
};

Window window_of(const Heatmap& map, const Placed& p) {
  const View all = cells_shown(map, p);
  const auto rows = static_cast<double>(map.source->rows());
  const auto cols = static_cast<double>(map.source->cols());
  const View kept = {std::clamp(all.x0, 0.0, cols), std::clamp(all.x1, 0.0, cols),
                     std::clamp(all.y0, 0.0, rows), std::clamp(all.y1, 0.0, rows)};
  if (!(kept.x1 > kept.x0 && kept.y1 > kept.y0)) return {};
  const auto part = [](float from, float length, double a, double b, double lo, double hi) {
    const auto share = [&](double v) { return static_cast<float>((v - a) / (b - a)); };
    return std::pair{from + length * share(lo), length * (share(hi) - share(lo))};
  };
  const auto [x, w] = part(p.area.x, p.area.w, all.x0, all.x1, kept.x0, kept.x1);
  const auto [y, h] = part(p.area.y, p.area.h, all.y0, all.y1, kept.y0, kept.y1);
  return {kept, {x, y, w, h}};
}

Rgba ink_on(Rgba cell) {
  const Rgba light{255, 255, 255, 255}, dark{14, 17, 22, 255};
  return contrast(light, cell) >= contrast(dark, cell) ? light : dark;
}

void draw_each_number(const Heatmap& map, const Window& window, const ValueColors& colors,
                      const Pen& pen) {
  const float room = window.cell_w() - pen.px(kBetweenNumbers);
  const auto fits = [&](const std::string& text) {
    return pen.size(text, TextStyle::mono_small).x <= room;
  };
  for (auto row = static_cast<Index>(window.cells.y0); static_cast<double>(row) < window.cells.y1;
       ++row) {
    for (auto col = static_cast<Index>(window.cells.x0); static_cast<double>(col) < window.cells.x1;
         ++col) {
      const float value = map.source->value(row, col);
      if (core::is_masked(value)) continue;
      const auto number = static_cast<double>(value);
      std::string text = number_text(number, 3);
      if (!fits(text)) text = number_text(number, 2);
      if (!fits(text) && std::abs(number) < kTiny) text = number_text(number, 1);
      if (!fits(text)) continue;
      const Rect cell = window.cell(static_cast<double>(row), static_cast<double>(col));
      pen.text({cell.x + cell.w / 2, cell.y + cell.h / 2}, text, TextStyle::mono_small,
               ink_on(colors.color(value)), 0.5f);
    }
  }
}

// None beyond a cell that cannot be read any more; what the cells themselves are drawn of says why.
void draw_numbers(const Heatmap& map, const Window& window, const ValueColors& colors,
                  const Pen& pen) {
  try {
    draw_each_number(map, window, colors, pen);
  } catch (const core::InputError&) {
  }
}

// One amber square; thin outlines along its row and column lead the eye to it.
void draw_pinned(const Heatmap& map, const Placed& p, const Window& window, const Pen& pen) {
  const auto [row, col] = *map.pinned;
  if (row < 0 || col < 0 || row >= map.source->rows() || col >= map.source->cols()) return;
  const Rect cell = window.cell(static_cast<double>(row), static_cast<double>(col));
  if (!p.plot->thumbnail && !pen.paper()) {
    const Rgba band = pen.theme().dim.with_alpha(0.7f);
    pen.outline({window.rect.x, cell.y, window.rect.w, cell.h}, band, pen.px(1));
    pen.outline({cell.x, window.rect.y, cell.w, window.rect.h}, band, pen.px(1));
  }
  const float w = std::max(cell.w, pen.px(6)), h = std::max(cell.h, pen.px(6));
  pen.outline({cell.x + (cell.w - w) / 2, cell.y + (cell.h - h) / 2, w, h}, pen.theme().accent,
              pen.px(2), pen.px(2));
}

}  // namespace

Pooling pooling_of(const Heatmap& map, const Placed& p, const Pen& pen) {
  if (!map.source) return {};
  const View cells = cells_shown(map, p);
  const auto ratio = static_cast<double>(pen.options().pixel_ratio);
  const int cols = level_for(std::abs(cells.x1 - cells.x0), static_cast<double>(p.area.w) * ratio);
  const int rows = level_for(std::abs(cells.y1 - cells.y0), static_cast<double>(p.area.h) * ratio);
  const int both = std::max(rows, cols);
  if (rows != cols) {
    auto repeated = map.source->repeated(both - rows, both - cols);
    if (repeated) return {rows, cols, std::move(repeated)};
  }
  return {both, both, map.source};
}

void draw_heatmap(const Heatmap& map, const Placed& p, const Pen& pen) {
  if (!map.source) return;
  const Window window = window_of(map, p);
  if (window.empty()) return;
  const auto colors = std::make_shared<const ValueColors>(map.scale, pen.theme());
  const Pooling pooling = pooling_of(map, p, pen);
  const int level = pooling.level();
  View drawn = window.cells;
  const auto repeats = [&](int own) { return std::ldexp(1.0, level - own); };
  drawn.x0 *= repeats(pooling.col_level);
  drawn.x1 *= repeats(pooling.col_level);
  drawn.y0 *= repeats(pooling.row_level);
  drawn.y1 *= repeats(pooling.row_level);
  pen.add(draw::Cells{window.rect, drawn, pooling.source, colors, map.pool, level,
                      pooling.row_level, pooling.col_level});
  const bool roomy = window.cell_w() >= pen.px(kNumberWidth) &&
                     window.cell_h() >= pen.px(kNumberHeight) && p.detail < Detail::no_notes;
  if (roomy && level == 0 && !p.plot->thumbnail) draw_numbers(map, window, *colors, pen);
  if (map.pinned) draw_pinned(map, p, window, pen);
}

void add_corners(const Plot& then, const Placed& p, const Pen& pen, std::vector<Primitive>& over) {
  if (!has_corners(*p.plot, then)) return;
  const Heatmap &live = *heatmap_in(*p.plot), &held = *heatmap_in(then);
  const Window window = window_of(live, p);
  if (window.empty()) return;
  const ValueColors colors(live.scale, pen.theme());
  const float room = std::min(window.cell_w(), window.cell_h());
  const float side = std::min(room * kCornerShare, pen.px(kMostCorner)), rim = pen.px(1);
  for (auto row = static_cast<Index>(window.cells.y0); static_cast<double>(row) < window.cells.y1;
       ++row) {
    for (auto col = static_cast<Index>(window.cells.x0); static_cast<double>(col) < window.cells.x1;
         ++col) {
      if (!changed_color(colors, live, held, row, col)) continue;
      const Rect cell = window.cell(static_cast<double>(row), static_cast<double>(col));
      const Rect square{cell.right() - side - 2 * rim, cell.y + 2 * rim, side, side};
      over.emplace_back(draw::Fill{
          {square.x - rim, square.y - rim, side + 2 * rim, side + 2 * rim}, pen.theme().card, 0});
      over.emplace_back(draw::Fill{square, colors.color(held.source->value(row, col)), 0});
    }
  }
}

}  // namespace figure::parts
