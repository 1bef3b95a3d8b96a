// How alike encodings are: every pair, and against distance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Line;

Figure matrix_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Table& table = *model.table;
  const Index n = table.P.rows();
  Figure figure =
      new_figure("similarity", w("Every position with every other"), {.span = 5, .height = 380});
  figure.caption = w.format("The products PE(p) · PE(q) of {} positions.", n);
  const double largest = table.P.rowwise().squaredNorm().maxCoeff();
  Plot plot{.id = "similarity_cells",
            .x = cell_axis(w("position q"), n, "other"),
            .y = cell_axis(w("position p"), n, "position"),
            .marks = {picked_map(scene, model.products, signed_scale(static_cast<float>(largest)),
                                 {"position", model.position}, {"other", p.other}, "similarity")},
            .square = true};
  if (n < table.n) plot.note = w.format("the first {} of {} positions", n, table.n);
  return with(std::move(figure), std::move(plot));
}

// From the picked place to all others.
Figure place_figure(const Scene& scene, const VectorD& products) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure(
      "similarity", w.format("How alike every place is to (y {}, x {})", p.grid_y, p.grid_x),
      {.span = 7, .height = 380});
  figure.caption = w.format(
      "The product of the encoding of place (y {}, x {}) with that of every place of the grid: the "
      "sum of what each axis gives, so the likeness forms a cross and not a disc.",
      p.grid_y, p.grid_x);
  const MatrixD cells = Eigen::Map<const MatrixD>(products.data(), p.grid_height, p.grid_width);
  // Far from 0, differences show on a scale of their own only.
  figure::ColorScale scale = signed_scale(static_cast<float>(products.maxCoeff()));
  if (products.minCoeff() > 0) {
    scale = {.map = figure::MapName::viridis,
             .transform = figure::Transform::linear,
             .lo = static_cast<float>(products.minCoeff()) * (1 - 1e-5f),
             .hi = static_cast<float>(products.maxCoeff()) * kScaleMargin};
  }
  auto source = std::make_shared<figure::DenseSource>(core::Matrix(cells.cast<float>()));
  return with(std::move(figure),
              Plot{.id = "similarity_cells",
                   .x = cell_axis(w("x"), p.grid_width, "grid_x"),
                   .y = cell_axis(w("y"), p.grid_height, "grid_y"),
                   .marks = {picked_map(scene, std::move(source), scale, {"other_y", p.other_y},
                                        {"other_x", p.other_x}, "similarity")},
                   .square = true});
}

// What the two axes give along each line through the place.
Figure axes_figure(const Scene& scene, const VectorD& products) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("decay", w("Along the two axes"), {.span = 5, .height = 380});
  figure.caption =
      w.format("The same product along the row and the column of the grid through (y {}, x {}).",
               p.grid_y, p.grid_x);
  Line along_x{.label = w("along x")};
  Line along_y{.color = Role::dim, .dashed = true, .label = w("along y")};
  for (Index x = 0; x < p.grid_width; ++x) {
    along_x.x.push_back(to_double(x - p.grid_x));
    along_x.y.push_back(products(p.grid_y * p.grid_width + x));
  }
  for (Index y = 0; y < p.grid_height; ++y) {
    along_y.x.push_back(to_double(y - p.grid_y));
    along_y.y.push_back(products(y * p.grid_width + p.grid_x));
  }
  Extent extent{.hi = products.maxCoeff()};
  extent.add(along_x.y);
  extent.add(along_y.y);
  const double room = 0.08 * std::max(extent.hi - extent.lo, 1e-3);
  return with(std::move(figure),
              Plot{.id = "axis_curves",
                   .x = {w("places away"), to_double(-std::max(p.grid_x, p.grid_y)),
                         std::max(p.grid_width - p.grid_x, p.grid_height - p.grid_y) - 1.0},
                   .y = {w("PE(p) · PE(q)"), extent.lo - room, extent.hi + room},
                   .marks = {std::move(along_x), std::move(along_y)}});
}

std::vector<figure::Mark> decay_marks(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Decay& decay = *model.decay;
  std::vector<figure::Mark> marks;
  if (!decay.exact) {
    figure::Band band{.lo = doubles(decay.least),
                      .hi = doubles(decay.largest),
                      .color = figure::Color(Role::text, 0.15f)};
    for (Index t = 0; t < decay.mean.size(); ++t) band.x.push_back(to_double(t));
    marks.emplace_back(std::move(band));
  }
  Line envelope = thinned(decay.envelope), curve = thinned(decay.mean);
  envelope.color = Role::dim;
  envelope.dashed = true;
  envelope.label = w("envelope");
  curve.label = decay.exact ? w("product") : w("mean");
  marks.emplace_back(std::move(envelope));
  marks.emplace_back(std::move(curve));
  if (const auto rise = decay.facts.first_rise; rise && *rise > 0) {
    marks.emplace_back(figure::Rule{true, to_double(*rise), Role::dim, true,
                                    w.format("rises first at {}", *rise)});
  }
  if (p.lag < decay.mean.size()) marks.emplace_back(picked_point(p.lag, decay.mean(p.lag)));
  return marks;
}

Figure decay_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Decay& decay = *model.decay;
  const Index last = decay.mean.size() - 1;
  Figure figure =
      new_figure("decay", w("Against distance: it oscillates"), {.span = 7, .height = 380});
  figure.caption = w.format(
      "The product PE(p) · PE(p+t) against the distance t, {}. It falls under an envelope (the "
      "largest value still to come), not steadily: it rises at {} of {} steps.",
      decay.exact ? w("the same for every p") : w("mean and range over all p"), decay.facts.rises,
      last);
  const double most = (decay.exact ? decay.mean : decay.largest).maxCoeff();
  const double least = (decay.exact ? decay.mean : decay.least).minCoeff();
  Plot plot{.id = "decay_curve",
            .x = value_axis(w("distance t (positions)"), 0, to_double(last)),
            .y = value_axis(w("PE(p) · PE(p+t)"), std::min(0.0, 1.1 * least), 1.08 * most),
            .marks = decay_marks(scene),
            .click = explains("distance"),
            .x_param = "lag"};
  if (model.table->sinusoidal && last + 1 < model.table->n) {
    plot.note = w.format("distances up to {} of {}", last, model.table->n - 1);
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> similarity_figures(const Scene& scene) {
  if (!scene.p.grid()) return {matrix_figure(scene), decay_figure(scene)};
  const VectorD products = scene.table().P * scene.row();
  return {place_figure(scene, products), axes_figure(scene, products)};
}

}  // namespace lab::absolute
