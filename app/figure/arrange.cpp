// Where the figures of a page stand.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/figure/layout.h"

namespace figure {
namespace {

constexpr int kColumns = 12;
constexpr float kGap = 12;            // between cards, at 100 %
constexpr float kNarrow = 720;        // below this width cards do not stand side by side
constexpr float kLeastShare = 0.33f;  // of a row's width, of two cards of pictures
constexpr float kEven = 24;           // heights that differ by less are left as they are

struct Row {
  std::size_t first = 0, end = 0;
  int span = 0;
};

int span_of(const Figure& figure, bool narrow) {
  return narrow ? kColumns : std::clamp(figure.span, 1, kColumns);
}

std::vector<Row> rows_of(const std::vector<Figure>& figures, bool narrow) {
  std::vector<Row> rows;
  for (std::size_t k = 0; k < figures.size(); ++k) {
    const int span = span_of(figures[k], narrow);
    if (rows.empty() || rows.back().span + span > kColumns) rows.push_back({k, k, 0});
    Row& row = rows.back();
    row.end = k + 1;
    row.span += span;
  }
  return rows;
}

// Cards that are as high as their width makes them, the wider the higher: not small pictures that
// fill as many rows as they need.
bool pictures(const Figure& figure) {
  return !figure.plots.empty() &&
         std::all_of(figure.plots.begin(), figure.plots.end(),
                     [&](const Plot& p) { return p.thumbnail ? figure.columns > 0 : p.square; });
}

// How much of the width the first of two cards of pictures gets, so that both end up equally high
// and neither is left empty below: the wider a card, the higher its pictures.
float even_share(float share, float room, float scale, const Row& row, const HeightOf& height) {
  const auto higher = [&](float s) {
    return height(row.first, s * room) - height(row.first + 1, (1 - s) * room);
  };
  const float before = std::abs(higher(share));
  if (before < kEven * scale) return share;
  float lo = kLeastShare, hi = 1 - kLeastShare;
  for (int step = 0; step < 6; ++step) {
    const float middle = (lo + hi) / 2;
    (higher(middle) > 0 ? hi : lo) = middle;
  }
  const float found = (lo + hi) / 2;
  return std::abs(higher(found)) < before ? found : share;
}

}  // namespace

std::vector<Rect> arrange(const std::vector<Figure>& figures, float width, float scale,
                          const HeightOf& height) {
  const bool narrow = width < kNarrow * scale;
  const float gap = kGap * scale;
  std::vector<Rect> boxes;
  float y = 0;
  for (const Row& row : rows_of(figures, narrow)) {
    // Spans count against what the row holds, so that a row is always full.
    const float unit = std::max(0.0f, width + gap) / static_cast<float>(row.span);
    std::vector<float> widths;
    for (std::size_t k = row.first; k < row.end; ++k) {
      const auto span = static_cast<float>(span_of(figures[k], narrow));
      widths.push_back(std::max(0.0f, unit * span - gap));
    }
    const bool two = widths.size() == 2 && height && width > gap;
    if (two && pictures(figures[row.first]) && pictures(figures[row.first + 1])) {
      const float room = widths[0] + widths[1];
      const float share = even_share(widths[0] / room, room, scale, row, height);
      widths = {std::round(share * room), room - std::round(share * room)};
    }
    float highest = 0, x = 0;
    for (std::size_t k = row.first; k < row.end; ++k) {
      const float w = widths[k - row.first];
      highest = std::max(highest, height ? height(k, w) : figures[k].height * scale);
      boxes.push_back({x, y, w, 0});
      x += w + gap;
    }
    for (std::size_t k = row.first; k < row.end; ++k) boxes[k].h = highest;
    y += highest + gap;
  }
  return boxes;
}

}  // namespace figure
