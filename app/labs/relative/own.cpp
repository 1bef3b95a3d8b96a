// What a scheme has of its own: its figures, and why they are so.
#include "app/labs/relative/page.h"
#include "app/labs/shared/derivation/sum.h"
#include "app/labs/shared/drawing/stairs.h"
#include "core/enum_array.h"

namespace lab::relative {
namespace {

// Cells of a table of its own, a pick of which is explained.
Heatmap table_cells(const Scene& scene, const MatrixD& table, std::string_view explained) {
  auto map = lab::heatmap(table);
  map.pool = scene.p.pool;
  map.also = explains(explained);
  return map;
}

// A table on its side: one column a row of the table, which a click chooses.
Plot table_plot(const Scene& scene, std::string id, std::string title, const MatrixD& table,
                const std::string& axis, Index first) {
  auto map = table_cells(scene, table.transpose(), "own");
  map.col_param = "entry";
  map.pinned = {0, scene.p.entry};
  const auto number = [&](Index k) { return fmt::format("{}", first + k); };
  return {.id = std::move(id),
          .title = std::move(title),
          .x = cell_axis(axis, table.rows(),
                         {.link = "table row",
                          .labels = labels(each(table.rows(), number)),
                          .marked = scene.p.entry,
                          .named = true}),
          .y = cell_axis(scene.w("dimension"), table.cols()),
          .marks = {std::move(map)}};
}

// What query i takes along: Σ w v, and Σ w a^V.
void add_outputs(const Scene& scene, Figure& figure) {
  const auto& [p, model, w] = scene;
  const RelativeScores& scores = scene.scores();
  const Index d = model.content->d();
  VectorD content = VectorD::Zero(d), position = VectorD::Zero(d);
  for (Index j = 0; j < model.n(); ++j) {
    const double weight = model.row.weights[to_size(j)];
    content += weight * model.content->V.row(j).transpose();
    position += weight * scores.values->row(scores.row_of(j - model.query)).transpose();
  }
  const double largest = std::max(largest_size(content), largest_size(position));
  const auto add = [&](std::string id, std::string lead, std::string title, const VectorD& values,
                       Role role) {
    Plot plot = strip(std::move(id), std::move(lead), values, role, largest);
    plot.title = std::move(title);
    plot.click = explains("own");
    figure.plots.push_back(std::move(plot));
  };
  add("output_content", "z", w.format("Σ w v of query {}", model.query), content, Role::value);
  add("output_position", "+", w.format("Σ w a^V of query {}", model.query), position, Role::text);
}

Figure shaw_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const RelativeScores& scores = scene.scores();
  const Index k = p.clip;
  const std::string axis = w("relative position j - i, clipped");
  Figure figure = new_figure("tables", w("The learned tables"),
                             {.height = scores.values ? 460.f : 300.f, .columns = 2});
  figure.note = w.format("2k + 1 = {} vectors; every distance from {} on shares one", 2 * k + 1, k);
  figure.caption =
      scores.values
          ? w.format(
                "The tables a^K and a^V, one column for each relative position from -{} to {}, and "
                "what the output of query {} takes from the values and from the table.",
                k, k, model.query)
          : w.format("The table a^K, one column for each relative position from -{} to {}.", k, k);
  figure.plots.push_back(
      table_plot(scene, "key_table", w("a^K, added to the keys"), *scores.keys, axis, -k));
  if (!scores.values) return figure;
  figure.plots.push_back(
      table_plot(scene, "value_table", w("a^V, added to the values"), *scores.values, axis, -k));
  add_outputs(scene, figure);
  return figure;
}

Figure deberta_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const RelativeScores& scores = scene.scores();
  Figure figure =
      new_figure("tables", w("The projected tables of relative positions"), {.columns = 2});
  figure.note = w.format("2k = {} rows: δ from 0 to {}", 2 * p.span, 2 * p.span - 1);
  figure.caption =
      w("The relative positions as keys and as queries, one column for each δ; δ counts query "
        "minus key.");
  return with(std::move(figure),
              table_plot(scene, "key_table", w("as keys: k_δ"), *scores.keys, "δ", 0),
              table_plot(scene, "query_table", w("as queries: q_δ"), *scores.queries, "δ", 0));
}

Figure sinusoid_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Sinusoids& s = *scene.scores().sinusoids;
  const Index rows = std::min<Index>(64, p.extent), t = -p.distance;
  const MatrixD R = s.rows(-VectorD::LinSpaced(rows, 0, to_double(rows - 1)));
  Figure figure =
      new_figure("sinusoids", w("Sinusoids of the distance, and what their matrix makes of them"),
                 {.height = 340, .columns = 2});
  figure.note = w.format("keys before the query, the first {} distances", rows);
  const bool published = p.form == PositionMatrix::published;
  figure.caption = w.format(
      "R, the sines and cosines of each distance to a key before the query, and R times {}, which "
      "queries and v meet.",
      published ? "W_kR" : "W_k");
  const auto plot_of = [&](std::string id, std::string title, Heatmap map) {
    const Index columns = map.source->cols();
    return Plot{.id = std::move(id),
                .title = std::move(title),
                .x = cell_axis(scene.w("dimension"), columns),
                .y = cell_axis(scene.w("distance |j - i|"), rows, "sinusoid distance"),
                .marks = {std::move(map)}};
  };
  Heatmap raw = table_cells(scene, R, "own");
  raw.col_param = "entry";
  if (t >= 0 && t < rows) raw.pinned = {t, p.entry};
  Plot projected = plot_of("sinusoids_projected", published ? "R W_kR" : "R W_k",
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
  Line line = thinned(
      {.begin = 0, .end = model.n(), .value = {}, .height = [&](Index i) { return sums(i); }},
      kMostPoints, kMostPoints / 2);
  line.color = Role::query;
  return with(
      std::move(figure),
      Plot{.id = "row_sums_plot",
           .x = value_axis(w("query"), -0.5, to_double(model.n()) - 0.5, {.color = Role::query}),
           .y = {w("Σ w c"), std::min(0.0, 1.1 * sums.minCoeff()),
                 std::max(1.15, 1.1 * sums.maxCoeff())},
           .marks = {Rule{false, 1, Role::dim, true, w("softmax: 1")}, std::move(line),
                     picked_point(model.query, sums(model.query))},
           .click = explains("own"),
           .x_param = "query"});
}

// --- explanations: a row of its table, a bucket, a head, a row sum

// How many pairs of the sequence, masked ones left out, read the chosen row.
void write_readers(const Scene& scene, Index row, Derivation& lines) {
  const Index n = scene.model.n();
  const bool causal = scene.model.pairs->causal;
  const Index count =
      core::count_pairs(n, causal, [&](Index r) { return scene.scores().row_of(r) == row; });
  lines.say(scene.w.format("Pairs shown that read it: {} of {}", count,
                           causal ? n * (n + 1) / 2 : n * n));
}

std::string own_shaw(const Scene& scene, Index row, Derivation& lines) {
  const auto& w = scene.w;
  const Index k = scene.p.clip, r = row - k;
  lines.begin("j - i", fmt::format("{} - {} = {}", row, k, r));
  if (std::abs(r) == k) {
    lines.say(r < 0   ? w.format("and every distance below {}", -k)
              : r > 0 ? w.format("and every distance above {}", k)
                      : w("every distance: with k = 0 there is one row only"));
  }
  write_readers(scene, row, lines);
  write_shaw(scene, fmt::format("q·a^K_{}", r), row, lines);
  return w.format("Row {} of the tables", row);
}

std::string own_deberta(const Scene& scene, Index row, Derivation& lines) {
  const auto& w = scene.w;
  const Index k = scene.p.span;
  lines.begin("j - i", fmt::format("{} - {} = {}", k, row, k - row));
  if (row == 0) lines.say(w.format("and every j - i above {}", k));
  if (row == 2 * k - 1) lines.say(w.format("and every j - i below {}", 1 - k));
  write_readers(scene, row, lines);
  write_deberta(scene, row, row, lines);
  return w.format("Row δ = {} of the tables", row);
}

// One entry of R.
std::string own_sinusoid(const Scene& scene, Index column, Derivation& lines) {
  const Sinusoids& s = *scene.scores().sinusoids;
  const Index half = s.width / 2, f = column % half, t = -scene.p.distance;
  const double theta = std::pow(scene.p.base, -2 * to_double(f) / to_double(s.width));
  const double value = s.rows(VectorD::Constant(1, -to_double(t)))(0, column);
  const char* name = column < half ? "sin" : "cos";
  lines.begin("t", fmt::format("-(j - i) = {}", t));
  lines.begin("θ", fmt::format("{:g}^(-2·{}/{})", scene.p.base, f, s.width));
  lines.is("", equated(theta, significant(theta)));
  lines.begin("R", fmt::format("{}(t θ)", name));
  lines.about(fmt::format("{}({})", name, fixed(to_double(t) * theta, 5)));
  lines.about_result(value, 4);
  lines.say(scene.w.format("one turn in {:.4g} tokens", kTurn / theta));
  return scene.w.format("Column {} of R at relative position j - i = {}", column, -t);
}

std::string own_bucket(const Scene& scene, Index bucket, Derivation& lines) {
  const auto& w = scene.w;
  const auto& first = scene.scores().buckets->first_distances();
  const Index side = scene.scores().buckets->side();
  const bool ahead = bucket >= side, last = bucket % side + 1 == side;
  const std::size_t at = to_size(bucket % side);
  const Index from = first[at], to = last ? from + 1 : first[at + 1];
  if (last) {
    lines.is("t", fmt::format("≥ {}", from));
  } else if (to <= from) {
    lines.say(w("no whole distance falls into it"));
  } else if (ahead && from == 0 && to == 1) {
    lines.say(w("distance 0 counts as before: no pair is ever in it"));
  } else {
    lines.begin("t", fmt::format("{} … {}", from, to - 1));
  }
  lines.say(ahead ? w("keys ahead of the query") : w("keys before the query, and itself"));
  write_readers(scene, bucket, lines);
  const double bias = scene.scores().scalars(bucket);
  lines.line(fmt::format("b[{}]", bucket), {accented(equated(bias, fixed(bias, 4)))});
  return w.format("Bucket {}", bucket);
}

std::string own_head(const Scene& scene, Index /*entry*/, Derivation& lines) {
  const auto& [p, model, w] = scene;
  const double slope = scene.scores().slope, drop = std::log(1 / p.epsilon);
  const Index reach = core::alibi_reach(slope, 1 - p.epsilon);
  write_slope(scene, lines);
  lines.say(
      w("The penalty m t is ln(1/ε) at the distance t where an equal key has ε times the weight of "
        "one at the query's position:"));
  lines.begin("t", fmt::format("ln(1/{:g}) / m", p.epsilon));
  lines.about(fmt::format("{} / {}", fixed(drop, 5), significant(slope)));
  lines.about_result(significant(drop / slope));
  lines.say(w.format(
      "With all contents equal and an endless past, the keys up to distance {} hold at least {:g} "
      "of the weight: 1 - e^(-m (r + 1)) ≈ {:.6f}",
      reach, 1 - p.epsilon, 1 - std::exp(-slope * to_double(reach + 1))));
  return w.format("The reach of head {}", p.head);
}

// Σ w c of the query: its largest parts, and the rest.
std::string own_row_sum(const Scene& scene, Index /*entry*/, Derivation& lines) {
  const core::PairRow& row = scene.model.row;
  const Index query = scene.model.query, seen = scene.model.pairs->seen(query);
  const auto factors = [&](std::size_t j) {
    const Index r = to_index(j) - query;
    return fmt::format("≈ {} × {}  c[{:+}]", fixed(row.weights[j], 5),
                       bracketed(fixed(scene.scores().after_at(r), 4)), r);
  };
  lines.about_picked("Σ w c", std::accumulate(row.after.begin(), row.after.end(), 0.0), 4)
      .terms(sum_terms({row.after.begin(), row.after.begin() + seen},
                       {.shown = 16, .which = Written::largest_in_order}, factors,
                       [&](std::size_t count) { return scene.w.format("… more keys: {}", count); }))
      .say(scene.w("The weights w alone sum to 1"));
  return scene.w.format("What row {} sums to", query);
}

}  // namespace

std::vector<Figure> own_figures(const Scene& scene) {
  constexpr core::EnumArray<Variant, Figure (*)(const Scene&)> kFigures{
      {shaw_figure, sinusoid_figure, sinusoid_figure, nullptr, deberta_figure, row_sum_figure,
       nullptr}};
  if (scene.p.is(Variant::t5)) return bucket_figures(scene);
  if (scene.p.is(Variant::alibi)) return slope_figures(scene);
  return {kFigures[scene.p.variant](scene)};
}

Explanation explain_own(const Scene& scene) {
  constexpr core::EnumArray<Variant, std::string (*)(const Scene&, Index, Derivation&)> kWriters{
      {own_shaw, own_sinusoid, own_sinusoid, own_bucket, own_deberta, own_row_sum, own_head}};
  const Index entry = std::clamp(scene.p.entry, 0, std::max(1, scene.p.entry_count()) - 1);
  Derivation lines(scene.w);
  std::string title = kWriters[scene.p.variant](scene, entry, lines);
  return {std::move(title), lines.take()};
}

}  // namespace lab::relative
