// Score plus bias: exact, rounded, their difference; which neighbours it makes equal; its bits.
#include "app/labs/alibi_rounding/page.h"
#include "app/labs/shared/bit_rows.h"

namespace lab::alibi_rounding {
namespace {

constexpr int kMostDropped = 16;

// Queries begin `start` after the keys.
PairMap map_of(const Scene& scene) {
  const auto& p = scene.p;
  return {.queries = p.tokens,
          .keys = p.tokens,
          .query = -1,
          .key = -1,
          .pool = p.pool,
          .query_label = scene.w("query i"),
          .key_label = scene.w("key j")};
}

Plot pair_plot(const Scene& scene, std::string id, std::string title,
               std::shared_ptr<const figure::TileSource> source, const figure::ColorScale& scale) {
  const auto& p = scene.p;
  const PairMap map = map_of(scene);
  Plot plot = map.plot(std::move(id), std::move(title));
  plot.y.lo = p.start;
  plot.y.hi = to_double(p.start) + p.tokens;
  figure::Heatmap cells = map.cells(std::move(source), scale, explains("score"));
  cells.pinned = {p.query, p.key};
  plot.marks.emplace_back(std::move(cells));
  return plot;
}

// Sums of far keys all lie near one value: the colours span what there is.
figure::ColorScale sum_scale(const MatrixD& sums) {
  Extent extent;
  for (const double x : sums.reshaped()) extent.add(x);
  if (extent.empty()) extent = {-1, 1};
  const auto [lo, hi] = extent;
  const double room = hi > lo ? 1e-3 * (hi - lo) : std::max(1e-3, 1e-3 * std::abs(hi));
  return {.lo = static_cast<float>(lo - room), .hi = static_cast<float>(hi + room)};
}

Plot strip_plot(const Scene& scene, std::string id, std::string title,
                std::shared_ptr<const figure::TileSource> source) {
  const auto& [p, model, w] = scene;
  figure::Heatmap map{.source = std::move(source),
                      .scale = {figure::MapName::groups, figure::Transform::linear, 0, 256},
                      .pinned = {{p.head - 1, p.key}},
                      .color_bar = false};
  Plot plot{.id = std::move(id),
            .title = std::move(title),
            .x = map_of(scene).key_axis(),
            .y = cell_axis(w("head"), p.heads + 1, "head"),
            .marks = {std::move(map)},
            .click = explains("score"),
            .x_param = "key",
            .y_param = "head"};
  plot.y.lo = 1;
  plot.y.marked = p.head;
  plot.y.color = Role::accent;
  return plot;
}

BitRow exact_row(std::string lead, double value, std::string result) {
  return {.lead = std::move(lead), .value = value, .result = std::move(result)};
}

// A number that a step stores or leaves: only a stored one is drawn as a number of the format.
BitRow step_row(std::string lead, double value, bool stored, bool marked = false) {
  return {.lead = std::move(lead),
          .value = value,
          .rounded = stored || !std::isfinite(value),
          .result = value_text(value),
          .marked = marked};
}

std::vector<BitRow> score_rows(const Scene& scene) {
  const Sum sum = scene.sum();
  const auto& p = scene.p;
  std::vector<BitRow> rows{step_row("s", sum.stored_score, p.round_score),
                           step_row("b", sum.bias, p.round_bias)};
  if (std::isfinite(sum.before)) {
    rows.push_back(exact_row("s + b", sum.before, value_text(sum.before)));
  }
  rows.push_back(step_row(scene.w("sum"), sum.result, p.round_sum, true));
  return rows;
}

std::vector<BitRow> bias_rows(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<BitRow> rows;
  for (Index at = std::max(0, p.distance - 1); at <= std::min(p.distance + 1, p.length - 1); ++at) {
    BitRow row = exact_row(fmt::format("-m·{}", at), model.rounder.exact(at),
                           "→ " + value_text(model.rounder.bias(at)));
    row.marked = at == p.distance;
    row.pick = sets("distance", at, "explain", "bias");
    rows.push_back(std::move(row));
  }
  rows.push_back(step_row(w("bias"), model.rounder.bias(p.distance), p.round_bias, true));
  return rows;
}

}  // namespace

Figure matrices_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Pairs& pairs = *model.pairs;
  Figure figure = new_figure("matrices", w("Score plus bias, exact and rounded"),
                             {.height = 330, .columns = 3});
  figure.note = w.format("head {}, queries {} positions after the keys", p.head, p.start);
  figure.caption = w.format(
      "Scores plus ALiBi biases of head {} for the same queries and keys: exact, with rounding to "
      "{} ({}), and the difference; row: query, column: key.",
      p.head, scene.format_name(), scene.rounding_name());
  const auto share = [&](Index count) {
    return percent(to_double(count) / to_double(std::max<Index>(1, pairs.neighbours)), 2);
  };
  const auto footer = [](std::string text) {
    return figure::Span{std::move(text), Role::dim, TextStyle::label};
  };
  figure.footer = {footer(w.format("neighbouring keys made equal: {}", share(pairs.equal))),
                   footer(w.format("put in the other order: {}", share(pairs.swapped)))};
  const figure::ColorScale scale = sum_scale(pairs.exact);
  return with(std::move(figure), pair_plot(scene, "exact", w("exact"), pairs.exact_cells, scale),
              pair_plot(scene, "rounded", w("rounded"), pairs.rounded_cells, scale),
              pair_plot(scene, "error", w("rounded - exact"), pairs.error_cells,
                        signed_scale(static_cast<float>(pairs.largest_error))));
}

Figure strips_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure(
      "strips", w("Which neighbouring keys become one"),
      {.height = 110 + 18 * static_cast<float>(std::clamp(p.heads, 4, 20)), .columns = 2});
  figure.note = w.format("query {}; a run of one colour is one value", p.start + p.query);
  figure.caption = w.format(
      "For query {}, head by head: keys whose rounded bias, and whose rounded score plus bias, "
      "equal that of their neighbour stand in one colour; {} ({}).",
      p.start + p.query, scene.format_name(), scene.rounding_name());
  return with(
      std::move(figure), strip_plot(scene, "bias_groups", w("bias alone"), model.strips->biases),
      strip_plot(scene, "sum_groups",
                 w.format("score + bias: {} of {} told apart at head {}",
                          model.strips->distinct[to_size(p.head - 1)], model.strips->keys, p.head),
                 model.strips->sums));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool pair = p.explained == Explained::score && scene.pair_distance() >= 0;
  const std::vector<BitRow> rows = pair ? score_rows(scene) : bias_rows(scene);
  const core::Format format = format_of(p.format);
  int dropped = 0;
  for (const BitRow& row : rows) {
    if (!row.rounded) dropped = std::max(dropped, dropped_bits(format, row.value, kMostDropped));
  }
  Figure figure =
      new_figure("bits", pair ? w("The picked sum, bit by bit") : w("The picked bias, bit by bit"),
                 {.height = 60 + 40 * static_cast<float>(rows.size() + 1)});
  figure.note = pair ? w.format("query {}, key {}", p.start + p.query, p.key)
                     : w.format("distance {}", p.distance);
  figure.caption = w.format(
      "Numbers of the picked value in {}: sign, exponent and mantissa, and the bits it has no room "
      "for.",
      scene.format_name());
  return with(std::move(figure), bit_plot("bits", format, rows, dropped, w));
}

}  // namespace lab::alibi_rounding
