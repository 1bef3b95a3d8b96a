// What one scheme alone has: tables of vectors, sinusoids, factors and row sums.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/relative/page.h"
#include "app/labs/relative/thin.h"

namespace lab::relative {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;

figure::Labels numbers(Index first, Index count) {
  std::vector<std::string> names;
  for (Index k = 0; k < count; ++k) names.push_back(fmt::format("{}", first + k));
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

// A table on its side: one column a row of the table, which a click chooses.
Plot table_plot(const Scene& scene, std::string id, std::string title, const MatrixD& table,
                const std::string& axis, Index first) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(axis, table.rows(), "table row");
  plot.x.labels = numbers(first, table.rows());
  plot.x.marked = scene.p.entry;
  plot.y = cell_axis(scene.w("dimension"), table.cols());
  auto map = dense_heatmap(table.transpose().cast<float>(),
                           signed_scale(static_cast<float>(table.cwiseAbs().maxCoeff())));
  map.pool = scene.p.pool;
  map.col_param = "entry";
  map.also = explains("own");
  map.pinned = {0, scene.p.entry};
  plot.marks.emplace_back(std::move(map));
  return plot;
}

// What query i takes along: Σ w v, and Σ w a^V.
void add_outputs(const Scene& scene, Figure& figure) {
  const Model& model = scene.model;
  const Scheme& scheme = scene.scheme();
  const Index d = model.content->d();
  VectorD content = VectorD::Zero(d), position = VectorD::Zero(d);
  for (Index j = 0; j < model.n(); ++j) {
    const double weight = model.row.weights[static_cast<std::size_t>(j)];
    content += weight * model.content->V.row(j).transpose();
    position += weight * scheme.values->row(scheme.row_of(j - model.query)).transpose();
  }
  const std::vector<double> a(content.begin(), content.end()), b(position.begin(), position.end());
  const double largest = std::max(largest_size(a), largest_size(b));
  Plot values = strip("output_content", "z", a, Role::value, largest);
  values.title = scene.w.format("Σ w v of query {}", model.query);
  Plot places = strip("output_position", "+", b, Role::text, largest);
  places.title = scene.w.format("Σ w a^V of query {}", model.query);
  for (Plot* plot : {&values, &places}) {
    plot->click = explains("own");
    figure.plots.push_back(std::move(*plot));
  }
}

Figure shaw_figure(const Scene& scene) {
  const Scheme& scheme = scene.scheme();
  const Index k = scene.p.clip;
  const std::string axis(scene.w("relative position j - i, clipped"));
  Figure figure = new_figure("tables", scene.w("The learned tables"));
  figure.note =
      scene.w.format("2k + 1 = {} rows: every distance from {} on shares one", 2 * k + 1, k);
  figure.caption = scene.w.format(
      "The tables a^K and a^V, one column for each relative position from -{} to {}, and what the "
      "output of query {} takes from the values and from the table.",
      k, k, scene.model.query);
  figure.columns = 2;
  figure.height = scheme.values ? 460.f : 300.f;
  figure.plots.push_back(
      table_plot(scene, "key_table", scene.w("a^K, added to the keys"), *scheme.keys, axis, -k));
  if (scheme.values) {
    figure.plots.push_back(table_plot(scene, "value_table", scene.w("a^V, added to the values"),
                                      *scheme.values, axis, -k));
    add_outputs(scene, figure);
  }
  return figure;
}

Figure deberta_figure(const Scene& scene) {
  const Scheme& scheme = scene.scheme();
  Figure figure = new_figure("tables", scene.w("The projected tables of relative positions"));
  figure.note =
      scene.w.format("2k = {} rows: δ from 0 to {}", 2 * scene.p.span, 2 * scene.p.span - 1);
  figure.caption = scene.w(
      "The relative positions as keys and as queries, one column for each δ; δ counts query minus "
      "key.");
  figure.columns = 2;
  figure.height = 320;
  figure.plots = {
      table_plot(scene, "key_table", scene.w("as keys: k_δ"), *scheme.keys, "δ", 0),
      table_plot(scene, "query_table", scene.w("as queries: q_δ"), *scheme.queries, "δ", 0)};
  return figure;
}

Figure sinusoid_figure(const Scene& scene) {
  const Sinusoids& s = *scene.scheme().sinusoids;
  const Index rows = std::min<Index>(64, scene.p.extent);
  const VectorD relative = -VectorD::LinSpaced(rows, 0, static_cast<double>(rows - 1));
  const MatrixD R = s.rows(relative);
  const MatrixD projected = R * s.W;
  Figure figure = new_figure(
      "sinusoids", scene.w("Sinusoids of the distance, and what their matrix makes of them"),
      {.height = 340, .columns = 2});
  figure.note = scene.w.format("keys before the query, the first {} distances", rows);
  figure.caption = scene.w(
      "R, the sines and cosines of each distance i - j, and R times W_kR, which queries and v "
      "meet.");
  const auto plot_of = [&](std::string id, std::string title, const MatrixD& cells, bool pick) {
    Plot plot{.id = std::move(id), .title = std::move(title)};
    plot.x = cell_axis(scene.w("dimension"), cells.cols());
    plot.y = cell_axis(scene.w("distance i - j"), rows, "sinusoid distance");
    auto map = dense_heatmap(cells.cast<float>(),
                             signed_scale(static_cast<float>(cells.cwiseAbs().maxCoeff())));
    map.pool = scene.p.pool;
    map.also = explains(pick ? "own" : "distance");
    const Index t = -scene.p.distance;
    if (pick) map.col_param = "entry";
    if (!pick) plot.click = explains("distance");
    if (pick && t >= 0 && t < rows) map.pinned = {t, scene.p.entry};
    plot.marks.emplace_back(std::move(map));
    return plot;
  };
  figure.plots = {
      plot_of("sinusoids_raw", scene.w("R: sines, then cosines"), R, true),
      plot_of("sinusoids_projected", scene.p.form == PositionForm::published ? "R W_kR" : "R W_k",
              projected, false)};
  return figure;
}

Figure row_sum_figure(const Scene& scene) {
  const VectorD& sums = scene.model.survey->row_sum;
  Figure figure = new_figure("row_sums", scene.w("What each row sums to after C"), {.height = 260});
  figure.note = scene.w("1 under every bias before the softmax");
  figure.caption = scene.w(
      "The sum over the keys of weight times c, for each query: softmax alone always gives 1.");
  Plot plot{.id = "row_sums_plot"};
  const Index last = scene.model.n() - 1;
  plot.x.label = scene.w("query");
  plot.x.color = Role::query;
  plot.x.lo = -0.5;
  plot.x.hi = static_cast<double>(last) + 0.5;
  plot.y = {scene.w("Σ w c"), std::min(0.0, 1.1 * sums.minCoeff()),
            std::max(1.15, 1.1 * sums.maxCoeff())};
  plot.marks.emplace_back(figure::Rule{false, 1, Role::dim, true, scene.w("softmax: 1")});
  figure::Line line = thin_line(0, last, false, [&](Index i) { return sums(i); });
  line.color = Role::query;
  plot.marks.emplace_back(std::move(line));
  const auto i = static_cast<double>(scene.model.query);
  figure::Points point{{i}, {sums(scene.model.query)}, Role::accent, 5, {}};
  plot.marks.emplace_back(std::move(point));
  plot.x_param = "query";
  plot.click = explains("own");
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> own_figures(const Scene& scene) {
  switch (scene.p.scheme) {
    case SchemeName::shaw:
      return {shaw_figure(scene)};
    case SchemeName::transformer_xl:
    case SchemeName::xlnet:
      return {sinusoid_figure(scene)};
    case SchemeName::t5:
      return bucket_figures(scene);
    case SchemeName::deberta:
      return {deberta_figure(scene)};
    case SchemeName::urpe:
      return {row_sum_figure(scene)};
    case SchemeName::alibi:
      break;
  }
  return slope_figures(scene);
}

}  // namespace lab::relative
