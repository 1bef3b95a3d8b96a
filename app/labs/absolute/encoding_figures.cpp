// The linear map of encodings, how alike they are, and the table read by column and by row.
#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

Figure map_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Shift& shift = *model.shift;
  // Where no two rows are as far apart, the map is that of the farthest there are.
  const Index most = model.table->filled - 1;
  const Index offset = shift.fit ? std::clamp<Index>(p.offset, -most, most) : Index{p.offset};
  Figure figure = new_figure(
      "map",
      shift.fit  ? w.format(N_("The nearest linear map to p → p{0:+}"), offset)
      : p.grid() ? w.format(N_("The map M: PE(p{0:+}) = M PE(p)"), offset)
                 : w.format(N_("The map M: PE({}) = M PE({})"), p.position + offset, p.position),
      {.span = 6, .height = 380});
  if (shift.fit) {
    figure.caption = w.format(
        "The linear map that comes nearest, in least squares over all pairs ({}), to taking each "
        "row to the one further on by {}; it misses by {} (root mean square).",
        shift.fit->pairs, offset, short_number(shift.fit->rms));
  } else if (p.grid()) {
    figure.caption = w.format(
        "The map M_k for k = {} along x: the pairs that encode x are rotated by k θ, those that "
        "encode y stay the same, and no entry depends on the position.",
        offset);
  } else {
    figure.caption = w.format(
        "The map M_k for k = {}: each pair of sine and cosine is rotated by k θ, no entry mixes "
        "two frequencies, and none depends on p.",
        offset);
  }
  const auto scale = signed_scale(shift.map);
  return with(
      std::move(figure),
      Plot{.id = "map_cells",
           .x = cell_axis(w("from dimension"), p.width, "map_column"),
           .y = cell_axis(w("to dimension"), p.width, "map_row"),
           .marks = {picked_map(shift.cells, scale, p.pool,
                                {"map_row", p.map_row, "map_column", p.map_column}, "shift")},
           .square = true});
}

// One encoding as bars that choose the map's column or row.
Plot encoding_bars(std::string id, std::string lead, const VectorD& values, Role color,
                   double largest, const char* param, int marked) {
  Plot plot = strip(std::move(id), std::move(lead), values, color, largest);
  auto& bars = std::get<Bars>(plot.marks.front());
  bars.marked = marked;
  bars.picks = each(values.size(), [&](Index c) { return sets(param, c, "explain", "shift"); });
  bars.numbers = values.size() <= 16;
  plot.x.link = "dimension";
  return plot;
}

Figure moved_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index from = model.position, to = scene.target();
  Figure figure = new_figure("moved", w.format("From position {} to {}", from, to),
                             {.span = 6, .height = 380, .columns = 1});
  const VectorD before = scene.row(), moved = model.shift->map * before;
  const double largest = std::max(before.cwiseAbs().maxCoeff(), moved.cwiseAbs().maxCoeff());
  figure.plots = {
      encoding_bars("moved_from", "PE(p)", before, Role::text, largest, "map_column", p.map_column),
      encoding_bars("moved_by", "M PE", moved, Role::text, largest, "map_row", p.map_row)};
  if (!scene.has_target()) {
    figure.caption = w.format("The encoding of position {} and what the map makes of it.", from);
    figure.footer = {{w.format("the table has no position {} to compare with", to), Role::bad}};
    return figure;
  }
  figure.caption = w.format(
      "The encoding of position {}, what the map makes of it, and the encoding of position {}.",
      from, to);
  const VectorD target = model.table->row(to);
  const double missed = (moved - target).cwiseAbs().maxCoeff();
  figure.footer = {{w.format("largest difference {}", short_number(missed)), Role::text}};
  return with(std::move(figure), encoding_bars("moved_to", "PE(p+k)", target, Role::dim, largest,
                                               "map_row", p.map_row));
}

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
            .marks = {picked_map(model.products, signed_scale(largest), p.pool,
                                 {"position", model.position, "other", p.other}, "similarity")},
            .square = true};
  if (n < table.n) plot.note = w.format("the first {} of {} positions", n, table.n);
  return with(std::move(figure), std::move(plot));
}

// From the picked place to all others.
Figure place_figure(const Scene& scene, const VectorD& products) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure(
      "similarity", w.format("Similarity of every place to (y {}, x {})", p.grid_y, p.grid_x),
      {.span = 7, .height = 380});
  figure.caption = w.format(
      "The product of the encoding of place (y {}, x {}) with that of every place of the grid: the "
      "sum of one term for each axis, so the similarity forms a cross and not a disc.",
      p.grid_y, p.grid_x);
  const MatrixD cells = Eigen::Map<const MatrixD>(products.data(), p.grid_height, p.grid_width);
  // Far from 0, differences show on a scale of their own only.
  ColorScale scale = signed_scale(products.maxCoeff());
  if (products.minCoeff() > 0) {
    scale = {.map = MapName::viridis,
             .transform = figure::Transform::linear,
             .lo = to_float(products.minCoeff()) * (1 - 1e-5f),
             .hi = to_float(products.maxCoeff()) * kScaleMargin};
  }
  return with(
      std::move(figure),
      Plot{.id = "similarity_cells",
           .x = cell_axis(w("x"), p.grid_width, "grid_x"),
           .y = cell_axis(w("y"), p.grid_height, "grid_y"),
           .marks = {picked_map(cells_of(cells), scale, p.pool,
                                {"other_y", p.other_y, "other_x", p.other_x}, "similarity")},
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
    along_x.add(x - p.grid_x, products(p.grid_y * p.grid_width + x));
  }
  for (Index y = 0; y < p.grid_height; ++y) {
    along_y.add(y - p.grid_y, products(y * p.grid_width + p.grid_x));
  }
  Extent extent{.hi = products.maxCoeff()};
  extent.add(along_x.y);
  extent.add(along_y.y);
  const double room = 0.08 * std::max(extent.hi - extent.lo, 1e-3);
  return with(
      std::move(figure),
      Plot{.id = "axis_curves",
           .x = value_axis(w("places away"), -std::max(p.grid_x, p.grid_y),
                           std::max(p.grid_width - p.grid_x, p.grid_height - p.grid_y) - 1.0),
           .y = {w("PE(p) · PE(q)"), extent.lo - room, extent.hi + room},
           .marks = {std::move(along_x), std::move(along_y)}});
}

std::vector<Mark> decay_marks(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::ProductDecay& decay = *model.decay;
  std::vector<Mark> marks;
  if (!decay.exact) {
    marks.emplace_back(Band{.x = places(decay.mean.size()),
                            .lo = decay.least,
                            .hi = decay.largest,
                            .color = Color(Role::text, 0.15f)});
  }
  Line envelope = curve_of(decay.envelope), curve = curve_of(decay.mean);
  envelope.color = Role::dim;
  envelope.dashed = true;
  envelope.label = w("envelope");
  curve.label = decay.exact ? w("product") : w("mean");
  marks.emplace_back(std::move(envelope));
  marks.emplace_back(std::move(curve));
  if (const auto rise = decay.facts.first_rise; rise && *rise > 0) {
    marks.emplace_back(Rule{true, *rise, Role::dim, true, w.format("rises first at {}", *rise)});
  }
  if (p.lag < decay.mean.size()) marks.emplace_back(picked_point(p.lag, decay.mean(p.lag)));
  return marks;
}

Figure decay_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::ProductDecay& decay = *model.decay;
  const Index last = decay.mean.size() - 1;
  const bool rises = decay.facts.rises > 0;
  Figure figure = new_figure("decay", w("Against distance"), {.span = 7, .height = 380});
  const std::string of_what =
      decay.exact ? w("the same for every p") : w("mean and range over all p");
  figure.caption =
      rises
          ? w.format(
                "The product PE(p) · PE(p+t) against the distance t, {}. Under its envelope, the "
                "largest value still to come, it does not fall steadily: it rises at {} of {} "
                "steps.",
                of_what, decay.facts.rises, last)
          : w.format("The product PE(p) · PE(p+t) against the distance t, {}. Here it never rises.",
                     of_what);
  const double most = (decay.exact ? decay.mean : decay.largest).maxCoeff();
  const double least = (decay.exact ? decay.mean : decay.least).minCoeff();
  Plot plot{.id = "decay_curve",
            .x = value_axis(w("distance t (positions)"), 0, last),
            .y = value_axis(w("PE(p) · PE(p+t)"), std::min(0.0, 1.1 * least), 1.08 * most),
            .marks = decay_marks(scene),
            .click = explains("distance"),
            .x_param = "lag"};
  if (model.table->sinusoidal && last + 1 < model.table->n) {
    plot.note = w.format("distances up to {} of {}", last, model.table->n - 1);
  }
  return with(std::move(figure), std::move(plot));
}

Figure column_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("by_column", w("By column"), {.span = 7, .height = 300});
  const VectorD& theta = model.table->theta;
  const bool slower = model.table->sinusoidal && theta.minCoeff() < theta.maxCoeff();
  figure.caption =
      slower ? w.format(
                   "Columns of the table against position, dimension {} in the accent colour: a "
                   "column of the first dimensions oscillates fast, one of the last slowly.",
                   p.column)
             : w.format("Columns of the table against position, dimension {} in the accent colour.",
                        p.column);
  const auto [first, count] = model.stretch;
  const Index last = first + count - 1;
  if (count < model.table->n) figure.note = w.format("positions {} to {}", first, last);
  Plot plot{.id = "column_curves",
            .x = value_axis(p.grid() ? w("place y · width + x") : w("position"), first, last)};
  if (!p.grid()) {
    plot.x_param = "position";
    plot.click = explains("cell");
  }
  double size = 1e-3;
  int color = 0;
  for (const auto& [column, curve] : model.columns) {
    size = std::max(size, largest_size(curve->y));
    const bool picked = column == p.column;
    plot.add(Line{curve->x, curve->y, picked ? Color(Role::accent) : Color::of_head(color++, 0.75f),
                  picked ? 2.2f : 1.2f, false, w.format("dim {}", column)});
  }
  plot.y = {w("value"), -1.08 * size, 1.08 * size};
  if (scene.has_row()) plot.add(picked_point(to_double(model.position), scene.cell()));
  return with(std::move(figure), std::move(plot));
}

// Sines and cosines as lines of their own; NaN where a grid's halves meet.
void add_row_lines(const Scene& scene, const VectorD& row, Plot& plot) {
  const auto& [p, model, w] = scene;
  if (p.variant == Variant::learned) {
    plot.add(curve_of(row));
    return;
  }
  const bool waves = p.variant == Variant::sinusoidal || p.grid();
  Line sine{.color = Role::text, .label = waves ? w("sine") : w("even")};
  Line cosine{.color = Role::dim, .dashed = true, .label = waves ? w("cosine") : w("odd")};
  bool second = false;
  for (Index c = 0; c < row.size(); ++c) {
    const core::TableColumn column = model.table->column(c);
    if (column.second != second) {
      for (Line* line : {&sine, &cosine}) line->add(c, std::numeric_limits<double>::quiet_NaN());
      second = column.second;
    }
    Line& line = column.sine ? sine : cosine;
    line.add(c, row(c));
  }
  plot.add(std::move(sine));
  plot.add(std::move(cosine));
}

Figure row_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("by_position", w("By position"), {.span = 5, .height = 300});
  figure.note = w.format("the row of {}", model.position);
  figure.caption = w.format("The row of position {} against dimension.", model.position);
  const VectorD row = scene.has_row() ? scene.row() : VectorD();
  const MatrixD& P = model.table->P;
  const double largest = row.size() > 0 ? row.cwiseAbs().maxCoeff()
                         : P.size() > 0 ? P.cwiseAbs().maxCoeff()
                                        : 1;
  const double size = 1.08 * std::max(largest, 1e-3);
  Plot plot{.id = "row_curve",
            .x = value_axis(w("dimension"), 0, p.width - 1.0),
            .y = {w("value"), -size, size},
            .click = explains("cell"),
            .x_param = "column"};
  if (row.size() == 0) {
    plot.add(Note{(p.width - 1) / 2.0, 0, w("the table has no such row"), Role::bad,
                  TextStyle::label, 0});
  } else {
    add_row_lines(scene, row, plot);
    plot.add(picked_point(p.column, row(p.column)));
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> shift_figures(const Scene& scene) {
  std::vector<Figure> figures = {map_figure(scene)};
  if (scene.has_row()) figures.push_back(moved_figure(scene));
  return figures;
}

std::vector<Figure> similarity_figures(const Scene& scene) {
  if (!scene.p.grid()) return {matrix_figure(scene), decay_figure(scene)};
  const VectorD products = scene.table().P * scene.row();
  return {place_figure(scene, products), axes_figure(scene, products)};
}

std::vector<Figure> curve_figures(const Scene& scene) {
  return {column_figure(scene), row_figure(scene)};
}

}  // namespace lab::absolute
