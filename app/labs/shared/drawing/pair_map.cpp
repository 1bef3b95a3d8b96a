#include "app/labs/shared/drawing/pair_map.h"
#include "app/labs/shared/parts.h"

namespace lab {
namespace {

using figure::Pool, figure::Region;

class CellSource final : public TileSource {
 public:
  explicit CellSource(Cells cells) : cells_(std::move(cells)) {}

  Index rows() const override { return cells_.rows; }
  Index cols() const override { return cells_.cols; }
  float value(Index row, Index col) const override { return cells_.value(row, col); }
  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    if (cells_.pooled) return cells_.pooled(level, region, pool, out, cancel);
    for (Index r = 0; r < region.rows; ++r) {
      cancel.poll();
      for (Index c = 0; c < region.cols; ++c) {
        *out++ = value((region.row + r) << level, (region.col + c) << level);
      }
    }
  }
  double cost(int level, const Region& region, Pool /*pool*/) const override {
    return cells_.cost(level, region);
  }

 private:
  Cells cells_;
};

}  // namespace

ColorScale weight_scale(double largest) {
  ColorScale scale;
  scale.hi = kScaleMargin * to_float(largest > 0.5 || !(largest > 0) ? 1 : largest);
  return scale;
}

Axis PairMap::query_axis() const {
  Axis axis = cell_axis(query_label, queries, query_link);
  axis.labels = labels;
  axis.color = Role::query;
  axis.marked = to_int(query);
  return axis;
}

Axis PairMap::key_axis() const {
  Axis axis = cell_axis(key_label, keys, key_link);
  axis.labels = labels;
  axis.color = Role::key;
  axis.marked = to_int(key);
  return axis;
}

Plot PairMap::plot(std::string id, std::string title) const {
  return {.id = std::move(id),
          .title = std::move(title),
          .x = key_axis(),
          .y = query_axis(),
          .square = true};
}

Heatmap PairMap::cells(std::shared_ptr<const TileSource> source, const ColorScale& scale,
                       Assignments also) const {
  Heatmap map{.source = std::move(source),
              .scale = scale,
              .pool = pool,
              .row_param = query_param,
              .col_param = key_param,
              .also = std::move(also)};
  if (pinned) map.pinned = {query, key};
  return map;
}

Plot PairMap::plot(std::string id, std::string title, std::shared_ptr<const TileSource> source,
                   const ColorScale& scale, Assignments also) const {
  Plot plot = this->plot(std::move(id), std::move(title));
  plot.add(cells(std::move(source), scale, std::move(also)));
  return plot;
}

Plot thumbnail(Plot plot, Heatmap map, bool selected, Assignments click) {
  plot.thumbnail = true;
  plot.selected = selected;
  plot.click = std::move(click);
  map.color_bar = false;
  plot.add(std::move(map));
  return plot;
}

Region Cells::under(int level, const Region& region, Index rows, Index cols) {
  const Index row = region.row << level, col = region.col << level;
  return {row, col, std::min(region.rows << level, rows - row),
          std::min(region.cols << level, cols - col)};
}

std::shared_ptr<const TileSource> cell_source(Cells cells) {
  return std::make_shared<const CellSource>(std::move(cells));
}

}  // namespace lab
