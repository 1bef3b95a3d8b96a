// The linear map that moves every encoding k positions on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

Figure map_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Shift& shift = *model.shift;
  Figure figure = new_figure("map",
                             w.format(shift.fit ? N_("The nearest linear map to p → p{0:+}")
                                                : N_("The map M: PE(p{0:+}) = M PE(p)"),
                                      p.offset),
                             {.span = 6, .height = 380});
  figure.caption =
      shift.fit
          ? w.format(
                "The linear map that comes nearest, in least squares over {} pairs, to taking each "
                "row to the one {} positions on; it misses by {} (root mean square).",
                shift.fit->pairs, p.offset, short_number(shift.fit->rms))
          : w.format(
                "The map M_k for k = {}: each sine and cosine is turned by k θ, nothing mixes two "
                "frequencies, and no entry knows p.",
                p.offset);
  const auto scale = signed_scale(static_cast<float>(shift.map.cwiseAbs().maxCoeff()));
  return with(std::move(figure),
              Plot{.id = "map_cells",
                   .x = cell_axis(w("from dimension"), p.width, "map_column"),
                   .y = cell_axis(w("to dimension"), p.width, "map_row"),
                   .marks = {picked_map(scene, shift.cells, scale, {"map_row", p.map_row},
                                        {"map_column", p.map_column}, "shift")},
                   .square = true});
}

// One encoding as bars that choose the map's column or row.
Plot encoding_bars(std::string id, std::string lead, const VectorD& values, Role color,
                   double largest, const char* param, int marked) {
  Plot plot = strip(std::move(id), std::move(lead), doubles(values), color, largest);
  auto& bars = std::get<figure::Bars>(plot.marks.front());
  bars.marked = marked;
  for (Index c = 0; c < values.size(); ++c) {
    bars.picks.push_back(sets(param, c, "explain", "shift"));
  }
  bars.numbers = values.size() <= 16;
  plot.x.link = "dimension";
  return plot;
}

Figure moved_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index from = model.position, to = scene.target();
  Figure figure = new_figure("moved", w.format("From position {} to {}", from, to),
                             {.span = 6, .height = 380, .columns = 1});
  figure.caption = w.format(
      "The encoding of position {}, what the map makes of it, and the encoding of position {}.",
      from, to);
  const VectorD before = scene.row(), moved = model.shift->map * before;
  const double largest = std::max(before.cwiseAbs().maxCoeff(), moved.cwiseAbs().maxCoeff());
  figure.plots = {
      encoding_bars("moved_from", "PE(p)", before, Role::text, largest, "map_column", p.map_column),
      encoding_bars("moved_by", "M PE", moved, Role::text, largest, "map_row", p.map_row)};
  if (!scene.has_target()) {
    figure.footer = {{w.format("the table has no position {} to compare with", to), Role::bad}};
    return figure;
  }
  const VectorD target = model.table->row(to);
  const double missed = (moved - target).cwiseAbs().maxCoeff();
  figure.footer = {{w.format("largest difference {}", short_number(missed)), Role::text}};
  return with(std::move(figure), encoding_bars("moved_to", "PE(p+k)", target, Role::dim, largest,
                                               "map_row", p.map_row));
}

}  // namespace

std::vector<Figure> shift_figures(const Scene& scene) {
  std::vector<Figure> figures = {map_figure(scene)};
  if (scene.has_row()) figures.push_back(moved_figure(scene));
  return figures;
}

}  // namespace lab::absolute
