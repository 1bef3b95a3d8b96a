// How alike encodings are: every pair, and against distance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;

Figure matrix_figure(const Scene& scene) {
  const Table& table = scene.table();
  const Index n = table.P.rows();
  Figure figure = new_figure("similarity", scene.w("Every position with every other"),
                             {.span = 5, .height = 380});
  figure.caption = scene.w.format("The products PE(p) · PE(q) of {} positions.", n);
  Plot plot{.id = "similarity_cells"};
  plot.square = true;
  if (n < table.n) plot.note = scene.w.format("the first {} of {} positions", n, table.n);
  plot.x = cell_axis(scene.w("position q"), n, "other");
  plot.y = cell_axis(scene.w("position p"), n, "position");
  const auto source = scene.context.memo.get("similarity cells", scene.model.table, [&] {
    const MatrixD products = table.P * table.P.transpose();
    return std::shared_ptr<const figure::TileSource>(
        std::make_shared<figure::DenseSource>(core::Matrix(products.cast<float>())));
  });
  figure::Heatmap map;
  map.source = *source;
  map.scale = signed_scale(static_cast<float>(table.P.rowwise().squaredNorm().maxCoeff()));
  map.pool = scene.p.pool;
  map.row_param = "position";
  map.col_param = "other";
  map.also = explained_by("similarity");
  map.pinned = {scene.model.position, scene.p.other};
  plot.marks.emplace_back(std::move(map));
  figure.plots = {std::move(plot)};
  return figure;
}

// From the picked place to all others.
Figure place_figure(const Scene& scene) {
  const Parameters& p = scene.p;
  const Table& table = scene.table();
  const VectorD products = table.P * table.row(scene.model.position);
  core::Matrix cells(p.grid_height, p.grid_width);
  for (Index k = 0; k < products.size(); ++k) {
    cells(k / p.grid_width, k % p.grid_width) = static_cast<float>(products(k));
  }
  Figure figure = new_figure(
      "similarity", scene.w.format("How alike every place is to (y {}, x {})", p.grid_y, p.grid_x),
      {.span = 7, .height = 380});
  figure.caption = scene.w.format(
      "The product of the encoding of place (y {}, x {}) with that of every place of the grid: the "
      "sum of what each axis gives, so the likeness forms a cross and not a disc.",
      p.grid_y, p.grid_x);
  Plot plot{.id = "similarity_cells"};
  plot.square = true;
  plot.x = cell_axis(scene.w("x"), p.grid_width, "grid_x");
  plot.y = cell_axis(scene.w("y"), p.grid_height, "grid_y");
  // Far from 0, differences show on a scale of their own only.
  figure::ColorScale scale = signed_scale(static_cast<float>(products.maxCoeff()));
  if (products.minCoeff() > 0) {
    scale = {.map = figure::MapName::viridis,
             .transform = figure::Transform::linear,
             .lo = static_cast<float>(products.minCoeff()) * (1 - 1e-5f),
             .hi = static_cast<float>(products.maxCoeff()) * (1 + 1e-5f)};
  }
  figure::Heatmap map = dense_heatmap(std::move(cells), scale);
  map.row_param = "other_y";
  map.col_param = "other_x";
  map.also = explained_by("similarity");
  map.pinned = {p.other_y, p.other_x};
  plot.marks.emplace_back(std::move(map));
  figure.plots = {std::move(plot)};
  return figure;
}

// What the two axes give along each line through the place.
Figure axes_figure(const Scene& scene) {
  const Parameters& p = scene.p;
  const Table& table = scene.table();
  const VectorD products = table.P * table.row(scene.model.position);
  Figure figure = new_figure("decay", scene.w("Along the two axes"), {.span = 5, .height = 380});
  figure.caption = scene.w.format(
      "The same product along the row and the column of the grid through (y {}, x {}).", p.grid_y,
      p.grid_x);
  figure::Line along_x, along_y;
  along_x.label = scene.w("along x");
  along_y.label = scene.w("along y");
  along_y.dashed = true;
  along_y.color = Role::dim;
  for (Index x = 0; x < p.grid_width; ++x) {
    along_x.x.push_back(static_cast<double>(x - p.grid_x));
    along_x.y.push_back(products(p.grid_y * p.grid_width + x));
  }
  for (Index y = 0; y < p.grid_height; ++y) {
    along_y.x.push_back(static_cast<double>(y - p.grid_y));
    along_y.y.push_back(products(y * p.grid_width + p.grid_x));
  }
  Plot plot{.id = "axis_curves"};
  plot.x = value_axis(scene.w("places away"), -std::max(p.grid_x, p.grid_y),
                      std::max(p.grid_width - p.grid_x, p.grid_height - p.grid_y) - 1.0);
  const double least = std::min(*std::min_element(along_x.y.begin(), along_x.y.end()),
                                *std::min_element(along_y.y.begin(), along_y.y.end()));
  const double room = 0.08 * std::max(products.maxCoeff() - least, 1e-3);
  plot.y = value_axis(scene.w("PE(p) · PE(q)"), least - room, products.maxCoeff() + room);
  plot.marks.emplace_back(std::move(along_x));
  plot.marks.emplace_back(std::move(along_y));
  figure.plots = {std::move(plot)};
  return figure;
}

void add_decay_marks(const Scene& scene, Plot& plot) {
  const Decay& decay = *scene.model.decay;
  if (!decay.exact) {
    figure::Band band;
    band.color = figure::Color(Role::text, 0.15f);
    for (Index t = 0; t < decay.mean.size(); ++t) {
      band.x.push_back(static_cast<double>(t));
      band.lo.push_back(decay.least(t));
      band.hi.push_back(decay.largest(t));
    }
    plot.marks.emplace_back(std::move(band));
  }
  figure::Line envelope = thinned(decay.envelope);
  envelope.color = Role::dim;
  envelope.dashed = true;
  envelope.label = scene.w("envelope");
  plot.marks.emplace_back(std::move(envelope));
  figure::Line curve = thinned(decay.mean);
  curve.label = decay.exact ? scene.w("product") : scene.w("mean");
  plot.marks.emplace_back(std::move(curve));
  if (decay.facts.first_rise && *decay.facts.first_rise > 0) {
    const Index t = *decay.facts.first_rise;
    plot.marks.emplace_back(figure::Rule{true, static_cast<double>(t), Role::dim, true,
                                         scene.w.format("rises first at {}", t)});
  }
  if (scene.p.lag < decay.mean.size()) {
    plot.marks.emplace_back(figure::Points{.x = {static_cast<double>(scene.p.lag)},
                                           .y = {decay.mean(scene.p.lag)},
                                           .color = Role::accent,
                                           .radius = 5});
  }
}

Figure decay_figure(const Scene& scene) {
  const Decay& decay = *scene.model.decay;
  Figure figure =
      new_figure("decay", scene.w("Against distance: it oscillates"), {.span = 7, .height = 380});
  figure.caption = scene.w.format(
      "The product PE(p) · PE(p+t) against the distance t, {}. It falls under an envelope (the "
      "largest value still to come), not steadily: it rises at {} of {} steps.",
      decay.exact ? scene.w("the same for every p") : scene.w("mean and range over all p"),
      decay.facts.rises, decay.mean.size() - 1);
  const double most = decay.exact ? decay.mean.maxCoeff() : decay.largest.maxCoeff();
  const double least = decay.exact ? decay.mean.minCoeff() : decay.least.minCoeff();
  Plot plot{.id = "decay_curve"};
  plot.x =
      value_axis(scene.w("distance t (positions)"), 0, static_cast<double>(decay.mean.size() - 1));
  plot.y = value_axis(scene.w("PE(p) · PE(p+t)"), std::min(0.0, 1.1 * least), 1.08 * most);
  plot.x_param = "lag";
  plot.click = explained_by("distance");
  if (scene.table().sinusoidal && decay.mean.size() < scene.table().n) {
    plot.note =
        scene.w.format("distances up to {} of {}", decay.mean.size() - 1, scene.table().n - 1);
  }
  add_decay_marks(scene, plot);
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace

std::vector<Figure> similarity_figures(const Scene& scene) {
  if (scene.p.grid()) return {place_figure(scene), axes_figure(scene)};
  return {matrix_figure(scene), decay_figure(scene)};
}

}  // namespace lab::absolute
