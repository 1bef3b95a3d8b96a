// The linear map that moves every encoding k positions on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;

std::string map_title(const Scene& scene) {
  if (!scene.model.shift->fit) {
    return scene.w.format("The map M: PE(p{0:+}) = M PE(p)", scene.p.offset);
  }
  return scene.w.format("The nearest linear map to p → p{0:+}", scene.p.offset);
}

Figure map_figure(const Scene& scene) {
  const Shift& shift = *scene.model.shift;
  Figure figure = new_figure("map", map_title(scene), {.span = 6, .height = 380});
  figure.caption =
      shift.fit
          ? scene.w.format(
                "The linear map that comes nearest, in least squares over {} pairs, to taking each "
                "row to the one {} positions on; it misses by {} (root mean square).",
                shift.fit->pairs, scene.p.offset, short_number(shift.fit->rms))
          : scene.w.format(
                "The map M_k for k = {}: each sine and cosine is turned by k θ, nothing mixes two "
                "frequencies, and no entry knows p.",
                scene.p.offset);
  Plot plot{.id = "map_cells"};
  plot.square = true;
  plot.x = cell_axis(scene.w("from dimension"), scene.p.width, "map_column");
  plot.y = cell_axis(scene.w("to dimension"), scene.p.width, "map_row");
  const auto source = scene.context.memo.get("map cells", scene.model.shift, [&] {
    return std::shared_ptr<const figure::TileSource>(
        std::make_shared<figure::DenseSource>(core::Matrix(shift.map.cast<float>())));
  });
  figure::Heatmap map;
  map.source = *source;
  map.scale = signed_scale(static_cast<float>(shift.map.cwiseAbs().maxCoeff()));
  map.pool = scene.p.pool;
  map.row_param = "map_row";
  map.col_param = "map_column";
  map.also = explained_by("shift");
  map.pinned = {scene.p.map_row, scene.p.map_column};
  plot.marks.emplace_back(std::move(map));
  figure.plots = {std::move(plot)};
  return figure;
}

// One encoding as bars that choose the map's column or row.
Plot bars(std::string id, std::string lead, const VectorD& values, figure::Color color,
          double largest, const char* param, int marked) {
  Plot plot = strip(std::move(id), std::move(lead), doubles(values), color, largest);
  auto& mark = std::get<figure::Bars>(plot.marks.front());
  mark.marked = marked;
  for (Index c = 0; c < values.size(); ++c) {
    mark.picks.push_back({{param, fmt::format("{}", c)}, {"explain", "shift"}});
  }
  mark.numbers = values.size() <= 16;
  plot.x.link = "dimension";
  return plot;
}

Figure moved_figure(const Scene& scene) {
  const Table& table = scene.table();
  const Index p = scene.model.position, to = p + scene.p.offset;
  Figure figure = new_figure("moved", scene.w.format("From position {} to {}", p, to),
                             {.span = 6, .height = 380, .columns = 1});
  figure.caption = scene.w.format(
      "The encoding of position {}, what the map makes of it, and the encoding of position {}.", p,
      to);
  const VectorD before = table.row(p), moved = scene.model.shift->map * before;
  const bool known = scene.p.grid() || table.has(to);
  double largest = std::max(before.cwiseAbs().maxCoeff(), moved.cwiseAbs().maxCoeff());
  figure.plots.push_back(
      bars("moved_from", "PE(p)", before, Role::text, largest, "map_column", scene.p.map_column));
  figure.plots.push_back(
      bars("moved_by", "M PE", moved, Role::text, largest, "map_row", scene.p.map_row));
  const Index x = scene.p.grid_x + scene.p.offset;
  const bool inside = !scene.p.grid() || (x >= 0 && x < scene.p.grid_width);
  if (known && inside) {
    const VectorD target = table.row(to);
    figure.plots.push_back(
        bars("moved_to", "PE(p+k)", target, Role::dim, largest, "map_row", scene.p.map_row));
    const double missed = (moved - target).cwiseAbs().maxCoeff();
    figure.footer.push_back(
        {scene.w.format("largest difference {}", short_number(missed)), Role::text});
  } else {
    figure.footer.push_back(
        {scene.w.format("the table has no position {} to compare with", to), Role::bad});
  }
  return figure;
}

}  // namespace

std::vector<Figure> shift_figures(const Scene& scene) {
  std::vector<Figure> figures = {map_figure(scene)};
  if (scene.has_row()) figures.push_back(moved_figure(scene));
  return figures;
}

}  // namespace lab::absolute
