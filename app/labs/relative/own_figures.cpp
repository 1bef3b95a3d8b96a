// What one scheme alone has: tables of vectors, sinusoids, factors and row sums.
#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

figure::Labels numbers(Index first, Index count) {
  std::vector<std::string> names;
  for (Index k = 0; k < count; ++k) names.push_back(fmt::format("{}", first + k));
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

// Cells of a table of its own, a pick of which is explained.
figure::Heatmap table_cells(const Scene& scene, const MatrixD& table, std::string_view explained) {
  auto map = dense_heatmap(table.cast<float>(),
                           signed_scale(static_cast<float>(table.cwiseAbs().maxCoeff())));
  map.pool = scene.p.pool;
  map.also = explains(explained);
  return map;
}

// A table on its side: one column a row of the table, which a click chooses.
Plot table_plot(const Scene& scene, std::string id, std::string title, const MatrixD& table,
                const std::string& axis, Index first) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(axis, table.rows(), "table row");
  plot.x.labels = numbers(first, table.rows());
  plot.x.marked = scene.p.entry;
  plot.y = cell_axis(scene.w("dimension"), table.cols());
  auto map = table_cells(scene, table.transpose(), "own");
  map.col_param = "entry";
  map.pinned = {0, scene.p.entry};
  plot.marks.emplace_back(std::move(map));
  return plot;
}

// What query i takes along: Σ w v, and Σ w a^V.
void add_outputs(const Scene& scene, Figure& figure) {
  const auto& [p, model, w] = scene;
  const Scheme& scheme = scene.scheme();
  const Index d = model.content->d();
  VectorD content = VectorD::Zero(d), position = VectorD::Zero(d);
  for (Index j = 0; j < model.n(); ++j) {
    const double weight = model.row.weights[to_size(j)];
    content += weight * model.content->V.row(j).transpose();
    position += weight * scheme.values->row(scheme.row_of(j - model.query)).transpose();
  }
  const std::vector<double> a(content.begin(), content.end()), b(position.begin(), position.end());
  const double largest = std::max(largest_size(a), largest_size(b));
  const auto add = [&](std::string id, std::string lead, std::string title, const auto& values,
                       Role role) {
    Plot plot = strip(std::move(id), std::move(lead), values, role, largest);
    plot.title = std::move(title);
    plot.click = explains("own");
    figure.plots.push_back(std::move(plot));
  };
  add("output_content", "z", w.format("Σ w v of query {}", model.query), a, Role::value);
  add("output_position", "+", w.format("Σ w a^V of query {}", model.query), b, Role::text);
}

Figure shaw_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Scheme& scheme = scene.scheme();
  const Index k = p.clip;
  const std::string axis = w("relative position j - i, clipped");
  Figure figure = new_figure("tables", w("The learned tables"),
                             {.height = scheme.values ? 460.f : 300.f, .columns = 2});
  figure.note = w.format("2k + 1 = {} rows: every distance from {} on shares one", 2 * k + 1, k);
  figure.caption = w.format(
      "The tables a^K and a^V, one column for each relative position from -{} to {}, and what the "
      "output of query {} takes from the values and from the table.",
      k, k, model.query);
  figure.plots.push_back(
      table_plot(scene, "key_table", w("a^K, added to the keys"), *scheme.keys, axis, -k));
  if (!scheme.values) return figure;
  figure.plots.push_back(
      table_plot(scene, "value_table", w("a^V, added to the values"), *scheme.values, axis, -k));
  add_outputs(scene, figure);
  return figure;
}

Figure deberta_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Scheme& scheme = scene.scheme();
  Figure figure =
      new_figure("tables", w("The projected tables of relative positions"), {.columns = 2});
  figure.note = w.format("2k = {} rows: δ from 0 to {}", 2 * p.span, 2 * p.span - 1);
  figure.caption =
      w("The relative positions as keys and as queries, one column for each δ; δ counts query "
        "minus key.");
  return with(std::move(figure),
              table_plot(scene, "key_table", w("as keys: k_δ"), *scheme.keys, "δ", 0),
              table_plot(scene, "query_table", w("as queries: q_δ"), *scheme.queries, "δ", 0));
}

Figure sinusoid_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Sinusoids& s = *scene.scheme().sinusoids;
  const Index rows = std::min<Index>(64, p.extent), t = -p.distance;
  const MatrixD R = s.rows(-VectorD::LinSpaced(rows, 0, to_double(rows - 1)));
  Figure figure =
      new_figure("sinusoids", w("Sinusoids of the distance, and what their matrix makes of them"),
                 {.height = 340, .columns = 2});
  figure.note = w.format("keys before the query, the first {} distances", rows);
  figure.caption =
      w("R, the sines and cosines of each distance to a key before the query, and R times W_kR, "
        "which queries and v meet.");
  const auto plot_of = [&](std::string id, std::string title, figure::Heatmap map) {
    Plot plot{.id = std::move(id), .title = std::move(title)};
    plot.x = cell_axis(scene.w("dimension"), map.source->cols());
    plot.y = cell_axis(scene.w("distance |j - i|"), rows, "sinusoid distance");
    plot.marks.emplace_back(std::move(map));
    return plot;
  };
  figure::Heatmap raw = table_cells(scene, R, "own");
  raw.col_param = "entry";
  if (t >= 0 && t < rows) raw.pinned = {t, p.entry};
  Plot projected =
      plot_of("sinusoids_projected", p.form == PositionForm::published ? "R W_kR" : "R W_k",
              table_cells(scene, R * s.W, "distance"));
  projected.click = explains("distance");
  return with(std::move(figure),
              plot_of("sinusoids_raw", w("R: sines, then cosines"), std::move(raw)),
              std::move(projected));
}

Figure row_sum_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD& sums = model.survey->row_sum;
  Figure figure = new_figure("row_sums", w("What each row sums to after C"), {.height = 260});
  figure.note = w("1 under every bias before the softmax");
  figure.caption =
      w("The sum over the keys of weight times c, for each query: softmax alone always gives 1.");
  Plot plot{.id = "row_sums_plot"};
  plot.x = {w("query"), -0.5, to_double(model.n()) - 0.5};
  plot.x.color = Role::query;
  plot.y = {w("Σ w c"), std::min(0.0, 1.1 * sums.minCoeff()),
            std::max(1.15, 1.1 * sums.maxCoeff())};
  Line line = thin_line(0, model.n() - 1, false, [&](Index i) { return sums(i); });
  line.color = Role::query;
  plot.marks = {Rule{false, 1, Role::dim, true, w("softmax: 1")}, std::move(line),
                Points{{to_double(model.query)}, {sums(model.query)}, Role::accent, 5}};
  plot.x_param = "query";
  plot.click = explains("own");
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> own_figures(const Scene& scene) {
  switch (scene.p.scheme) {
    case SchemeName::shaw: return {shaw_figure(scene)};
    case SchemeName::transformer_xl:
    case SchemeName::xlnet: return {sinusoid_figure(scene)};
    case SchemeName::t5: return bucket_figures(scene);
    case SchemeName::deberta: return {deberta_figure(scene)};
    case SchemeName::urpe: return {row_sum_figure(scene)};
    case SchemeName::alibi: break;
  }
  return slope_figures(scene);
}

}  // namespace lab::relative
