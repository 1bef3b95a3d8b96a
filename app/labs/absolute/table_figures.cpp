// The table and what its scheme is made of: the upper half of the page.
#include "app/labs/absolute/page.h"
#include "core/enum_array.h"

namespace lab::absolute {
namespace {

// The table takes 7 of the page's columns, its scheme 5. The cards are lower where a question
// stands below that needs the room.
constexpr int kTableSpan = 7, kSchemeSpan = 5;
Figure upper_card(const Scene& scene, std::string id, std::string title, int span) {
  const float height = scene.p.show == Show::curves ? 318 : 262;
  return new_figure(std::move(id), std::move(title), {.span = span, .height = height});
}

ColorScale table_scale(const Table& table) {
  const double largest =
      table.sinusoidal ? 1 : (table.P.size() ? table.P.cwiseAbs().maxCoeff() : 1);
  return signed_scale(largest);
}

// Rows of numbers over dimensions, the picked cell among them.
Plot rows_plot(const Scene& scene, Plot plot, std::string row_label, const Source& source,
               std::pair<const char*, Index> row) {
  const int column = scene.p.column;
  plot.x = cell_axis(scene.w("dimension"), scene.p.width, "dimension");
  plot.y = cell_axis(std::move(row_label), source->rows());
  plot.add(picked_map(source, table_scale(scene.table()), scene.p.pool,
                      {row.first, row.second, "column", column}, "cell"));
  return plot;
}

// Where training, and the table, end.
void add_learned_rules(const Scene& scene, Plot& plot) {
  const auto rule = [&](int at, std::string label) {
    if (at >= scene.p.length) return;
    plot.add(Rule{false, at, Role::text, true, std::move(label)});
  };
  rule(scene.p.seen, scene.w("trained up to here"));
  if (scene.p.rows != scene.p.seen) rule(scene.p.rows, scene.w("the table ends"));
}

std::string table_caption(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index n = model.table->n;
  switch (p.variant) {
    case Variant::grid:
      return w.format(
          "The 2-D sinusoidal encoding of a grid of {} by {} places along its two axes: half of "
          "the {} dimensions follow y, the other half x (base {}).",
          p.grid_height, p.grid_width, p.width, p.base);
    case Variant::learned:
      return w.format(
          "A learned table (rows: {}, dimensions: {}, positions: {}) after training (steps: {}) on "
          "the first {}.",
          p.rows, p.width, n, p.steps, p.seen);
    case Variant::floater:
      return w.format(
          "The course of a dynamical system in {} dimensions, read at positions 0 to {}.", p.width,
          n - 1);
    case Variant::complex:
      return w.format(
          "Complex-order embeddings of the words at {} positions: imaginary and real parts of {} "
          "complex dimensions.",
          n, p.width / 2);
    case Variant::sinusoidal: break;
  }
  return w.format(
      "The sinusoidal encoding of {} positions in {} dimensions, base {}: row p, column c holds "
      "PE(p, c).",
      n, p.width, p.base);
}

// The chosen place and its chosen number, as the card's note says them.
std::string picked_text(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (!scene.has_row()) return w("this position has no row");
  if (p.grid()) {
    return w.format("PE(y {}, x {})[{}] = {:.4f}", p.grid_y, p.grid_x, p.column, scene.cell());
  }
  return w.format("PE({}, {}) = {:.4f}", model.position, p.column, scene.cell());
}

// A plane of two dimensions.
Plot plane(const Scene& scene, std::string id, Index right, Index up, double reach) {
  return {.id = std::move(id),
          .x = {scene.w.format("dimension {}", right), -reach, reach},
          .y = {scene.w.format("dimension {}", up), -reach, reach},
          .square = true};
}

// h over the plane at the time of the picked position, the other dimensions as they are there. The
// longest arrow is as long as the arrows are apart.
Arrows field(const Scene& scene, Index even, double reach) {
  constexpr int kSide = 9;
  const core::FloaterCourse& flow = *scene.table().flow;
  const double apart = 2 * reach / kSide, tau = to_double(scene.model.position);
  VectorD place = flow.rows.row(scene.model.position).transpose();
  std::vector<Arrows::Arrow> arrows;
  double longest = 0;
  for (int r = 0; r < kSide; ++r) {
    for (int c = 0; c < kSide; ++c) {
      place(even) = -reach + (c + 0.5) * apart;
      place(even + 1) = -reach + (r + 0.5) * apart;
      const VectorD h = flow.h(tau, place);
      arrows.push_back({place(even), place(even + 1), h(even), h(even + 1)});
      longest = std::max(longest, std::hypot(h(even), h(even + 1)));
    }
  }
  const double scale = longest > 0 ? 0.9 * apart / longest : 0;
  for (auto& arrow : arrows) {
    arrow.x1 = arrow.x0 + scale * arrow.x1;
    arrow.y1 = arrow.y0 + scale * arrow.y1;
  }
  return {std::move(arrows), Role::faint, 1.2f};
}

// A stretch of rows in the plane of two dimensions; a click picks a position.
Points place_points(const MatrixD& rows, Index right, Index up, const Stretch& shown, Role color) {
  const auto& [first, count] = shown;
  Points points{.x = rows.col(right).segment(first, count),
                .y = rows.col(up).segment(first, count),
                .color = color};
  for (Index k = first; k < first + count; ++k) {
    points.picks.push_back(sets("position", k, "explain", "cell"));
  }
  return points;
}

Figure table_figure(const Scene& scene) {
  constexpr core::EnumArray<Variant> kTitles{
      {N_("The sinusoidal table"), N_("Two axes, half of the dimensions each"),
       N_("The learned table"), N_("The course at every position"),
       N_("Words rotated by their positions")}};
  const auto& [p, model, w] = scene;
  Figure figure = upper_card(scene, "table", w(kTitles[p.variant]), kTableSpan);
  figure.note = picked_text(scene);
  figure.caption = table_caption(scene);
  if (p.grid()) {
    figure.columns = 2;
    return with(
        std::move(figure),
        rows_plot(scene, {.id = "along_x", .title = w.format("along x, at y = {}", p.grid_y)},
                  w("x"), model.along_x, {"grid_x", p.grid_x}),
        rows_plot(scene, {.id = "along_y", .title = w.format("along y, at x = {}", p.grid_x)},
                  w("y"), model.along_y, {"grid_y", p.grid_y}));
  }
  Plot plot = rows_plot(scene, {.id = "table_cells"}, w("position"), model.table->source,
                        {"position", model.position});
  plot.y.link = "position";
  if (p.variant == Variant::learned) add_learned_rules(scene, plot);
  return with(std::move(figure), std::move(plot));
}

Figure wavelength_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD waves = core::wavelengths(model.table->theta);
  const double n = to_double(model.table->n), pairs = to_double(waves.size());
  const Index chosen = model.table->column(p.column).i;
  Figure figure = upper_card(scene, "wavelengths", w("Wavelengths"), kSchemeSpan);
  figure.note = w.format("pair {}: {} positions", chosen, short_number(waves(chosen)));
  figure.caption = w.format(
      "The wavelength 2π/θ of each pair of a sine and a cosine ({} in all), and the length of the "
      "table: waves above that line do not complete a turn.",
      waves.size());
  Points points{.y = waves, .color = Role::text, .radius = 3};
  if (waves.size() > 64) points.radius = 1.5f;
  for (Index i = 0; i < waves.size(); ++i) {
    points.x.push_back(to_double(i));
    points.picks.push_back(sets("column", model.table->column_at(i, true), "explain", "cell"));
  }
  const double room = std::max(0.5, 0.02 * pairs);
  return with(
      std::move(figure),
      Plot{.id = "wavelength_curve",
           .x = {w("pair i"), -room, pairs - 1 + room},
           .y = log_axis(w("wavelength (positions)"), 4, 4 * std::max({waves.maxCoeff(), n, 20.0})),
           .marks = {Rule{false, n, Role::dim, true, w.format("length {}", model.table->n)},
                     std::move(points), picked_point(to_double(chosen), waves(chosen))}});
}

Figure grid_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      upper_card(scene, "grid", w.format("Dimension {} over the grid", p.column), kSchemeSpan);
  figure.note =
      model.table->follows_x(model.table->column(p.column)) ? w("follows x") : w("follows y");
  figure.caption = w.format(
      "The number of dimension {} at every place of the grid: it depends on one coordinate alone.",
      p.column);
  const VectorD column = model.table->P.col(p.column);
  const MatrixD values = Eigen::Map<const MatrixD>(column.data(), p.grid_height, p.grid_width);
  return with(std::move(figure),
              Plot{.id = "grid_cells",
                   .x = cell_axis(w("x"), p.grid_width, "grid_x"),
                   .y = cell_axis(w("y"), p.grid_height, "grid_y"),
                   .marks = {picked_map(cells_of(values), table_scale(*model.table), p.pool,
                                        {"grid_y", p.grid_y, "grid_x", p.grid_x}, "cell")},
                   .square = true});
}

// Whether a position knows its neighbour: the wanted product where rows were trained, chance after.
Figure learned_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Table& table = *model.table;
  const double wanted = std::exp(-1 / p.reach);
  Figure figure =
      upper_card(scene, "neighbours", w("Does a position know its neighbour?"), kSchemeSpan);
  figure.caption = w.format(
      "The product p(k) · p(k-1) / d of neighbouring rows: training brings it towards the wanted "
      "{:.3f}, and rows that were never trained keep their random start.",
      wanted);
  if (table.filled < table.n) {
    figure.caption =
        w.format("{} {}", figure.caption, w.format("Beyond row {} there is none.", p.rows - 1));
  }
  Line line{.color = Role::text};
  Extent extent{-0.2, 1.2};
  for (Index k = 1; k < table.filled; ++k) {
    line.add(k, table.P.row(k).dot(table.P.row(k - 1)) / p.width);
  }
  extent.add(line.y);
  Plot plot{.id = "neighbour_curve",
            .x = value_axis(w("position k"), 0, p.length),
            .y = {w("p(k) · p(k-1) / d"), 1.05 * extent.lo, 1.05 * extent.hi},
            .click = explains("cell"),
            .x_param = "position"};
  plot.add(Rule{false, wanted, Role::dim, true, w.format("wanted {:.3f}", wanted)});
  // Each label says what lies at its right; the two lines may stand too close for both.
  const bool ends = p.rows < p.length;
  if (p.seen < std::min(p.rows, p.length)) {
    plot.add(Rule{true, p.seen, Role::dim, true, ends ? std::string() : w("never trained")});
  }
  if (ends) plot.add(Rule{true, p.rows, Role::bad, true, w("no row")});
  const Index k = model.position;
  const bool picked = scene.has_row() && k > 0;
  const double y = picked ? line.y[to_size(k - 1)] : 0;
  plot.add(std::move(line));
  if (picked) plot.add(picked_point(to_double(k), y));
  return with(std::move(figure), std::move(plot));
}

Figure flow_figure(const Scene& scene) {
  constexpr Index kAround = 24;  // positions drawn to either side of the picked one
  const auto& w = scene.w;
  const core::FloaterCourse& flow = *scene.table().flow;
  const Index even = scene.p.column / 2 * 2, at = scene.model.position;
  const Index first = std::max<Index>(at - kAround, 0);
  const Index last = std::min(at + kAround, flow.rows.rows() - 1);
  const auto near = flow.rows.block(first, even, last - first + 1, 2);
  const double reach = 1.15 * std::max(near.cwiseAbs().maxCoeff(), 1e-3);
  Figure figure = upper_card(scene, "course", w("The course and its field"), kSchemeSpan);
  figure.note = w.format("position {}", at);
  figure.caption = w.format(
      "The encoding's course through dimensions {} and {}, positions {} to {}: points are the "
      "steps of the integrator, the line a much finer integration; arrows show the derivative h at "
      "the time of position {}, lengths to scale with each other.",
      even, even + 1, first, last, at);
  const Index begin = flow.kFine * first, count = flow.kFine * (last - first) + 1;
  Plot plot = plane(scene, "course_plane", even, even + 1, reach);
  plot.marks = {field(scene, even, reach),
                Line{flow.fine.col(even).segment(begin, count),
                     flow.fine.col(even + 1).segment(begin, count), Role::dim},
                place_points(flow.rows, even, even + 1, {first, last - first + 1}, Role::text),
                picked_point(flow.rows(at, even), flow.rows(at, even + 1))};
  return with(std::move(figure), std::move(plot));
}

Figure turn_figure(const Scene& scene) {
  constexpr Index kMostShown = 48;
  const auto& w = scene.w;
  const Table& table = scene.table();
  const WordWaves& words = *table.words;
  const Index even = scene.p.column / 2 * 2, i = even / 2, at = scene.model.position;
  const Index word = words.ids[to_size(at)];
  const Index first = std::max<Index>(std::min(at - kMostShown / 2, table.n - kMostShown), 0);
  const Index last = std::min(first + kMostShown, table.n) - 1;
  const double reach = 1.15 * std::max(words.table.amplitude.col(i).cwiseAbs().maxCoeff(), 1e-3);
  const std::string& name = words.names[to_size(word)];
  Figure figure = upper_card(scene, "turns", w("A circle for each word"), kSchemeSpan);
  figure.note = w.format("\"{}\" at position {}", name, at);
  figure.caption = w.format(
      "Complex dimension {} of the words at positions {} to {}. The circle is that of \"{}\": its "
      "radius is the word's amplitude, its angle ω p + φ.",
      i, first, last, name);
  const double r = words.table.amplitude(word, i);
  // The real part, the cosine, goes to the right: dimension even + 1.
  Points same{.color = Role::text, .radius = 4};
  for (Index k = first; k <= last; ++k) {
    if (words.ids[to_size(k)] != word) continue;
    same.add(table.P(k, even + 1), table.P(k, even));
  }
  Plot plot = plane(scene, "turn_plane", even + 1, even, reach);
  plot.marks = {arc(0, kTurn, r, {.color = Role::faint}, 94),
                place_points(table.P, even + 1, even, {first, last - first + 1}, Role::dim),
                std::move(same),
                Arrows{{{0, 0, table.P(at, even + 1), table.P(at, even)}}, Role::accent, 2},
                picked_point(table.P(at, even + 1), table.P(at, even))};
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> table_figures(const Scene& scene) {
  constexpr core::EnumArray<Variant, Figure (*)(const Scene&)> kVariants{
      {wavelength_figure, grid_figure, learned_figure, flow_figure, turn_figure}};
  return {table_figure(scene), kVariants[scene.p.variant](scene)};
}

}  // namespace lab::absolute
