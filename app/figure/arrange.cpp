// Where the figures of a page stand.
#include <algorithm>
#include <vector>

#include "app/figure/layout.h"

namespace figure {
namespace {

constexpr int kColumns = 12;
constexpr float kGap = 12;      // between cards, at 100 %
constexpr float kNarrow = 720;  // below this width cards do not stand side by side

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
    int before = 0;
    float highest = 0;
    for (std::size_t k = row.first; k < row.end; ++k) {
      const int span = span_of(figures[k], narrow);
      const float w = std::max(0.0f, unit * static_cast<float>(span) - gap);
      highest = std::max(highest, height ? height(k, w) : figures[k].height * scale);
      boxes.push_back({unit * static_cast<float>(before), y, w, 0});
      before += span;
    }
    for (std::size_t k = row.first; k < row.end; ++k) boxes[k].h = highest;
    y += highest + gap;
  }
  return boxes;
}

}  // namespace figure
