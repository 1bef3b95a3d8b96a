// Score plus bias: exact, rounded, their difference; which neighbours it makes equal; its bits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/alibi_rounding/page.h"
#include "app/labs/shared/bit_rows.h"

namespace lab::alibi_rounding {
namespace {

using figure::ColorScale;
using figure::Figure;
using figure::Heatmap;
using figure::Plot;
using figure::Role;

constexpr int kMostDropped = 16;

figure::Axis key_axis(const Scene& scene) {
  figure::Axis axis = cell_axis(scene.w("key j"), scene.p.tokens, "key");
  axis.color = Role::key;
  return axis;
}

Plot pair_plot(const Scene& scene, std::string id, std::string title,
               std::shared_ptr<const figure::TileSource> source, double largest) {
  const auto& p = scene.p;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = key_axis(scene);
  plot.y = cell_axis(scene.w("query i"), p.tokens, "query");
  plot.y.lo = p.start;
  plot.y.hi = static_cast<double>(p.start) + p.tokens;
  plot.y.color = Role::query;
  plot.square = true;
  Heatmap map;
  map.source = std::move(source);
  map.scale = signed_scale(static_cast<float>(largest));
  map.pool = p.pool;
  map.row_param = "query";
  map.col_param = "key";
  map.also = {{"explain", "score"}};
  map.pinned = {p.query, p.key};
  plot.marks.emplace_back(std::move(map));
  return plot;
}

// Sums of far keys all lie near one value: the colours span what there is.
ColorScale sum_scale(const MatrixD& sums) {
  ColorScale scale;
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (const double x : sums.reshaped()) {
    if (!std::isfinite(x)) continue;
    lo = std::min(lo, x);
    hi = std::max(hi, x);
  }
  if (!(hi >= lo)) lo = -1, hi = 1;
  const double room = hi > lo ? 1e-3 * (hi - lo) : std::max(1e-3, 1e-3 * std::abs(hi));
  scale.lo = static_cast<float>(lo - room);
  scale.hi = static_cast<float>(hi + room);
  return scale;
}

Plot strip_plot(const Scene& scene, std::string id, std::string title,
                std::shared_ptr<const figure::TileSource> source) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = key_axis(scene);
  plot.y = cell_axis(w("head"), p.heads, "head");
  plot.y.lo = 1;
  plot.y.hi = p.heads + 1.0;
  plot.y.marked = p.head;
  plot.y.color = Role::accent;
  plot.x_param = "key";
  plot.y_param = "head";
  plot.click = {{"explain", "score"}};
  Heatmap map;
  map.source = std::move(source);
  map.scale = {figure::MapName::groups, figure::Transform::linear, 0, 256};
  map.color_bar = false;
  map.pinned = {p.head - 1, p.key};
  plot.marks.emplace_back(std::move(map));
  return plot;
}

BitRow exact_row(std::string lead, double value, std::string result) {
  BitRow row;
  row.lead = std::move(lead);
  row.value = value;
  row.result = std::move(result);
  return row;
}

BitRow stored_row(std::string lead, double value, bool marked = false) {
  BitRow row;
  row.lead = std::move(lead);
  row.value = value;
  row.rounded = true;
  row.result = value_text(value);
  row.marked = marked;
  return row;
}

// A number that a step stores or leaves: only a stored one is drawn as a number of the format.
BitRow step_row(std::string lead, double value, bool stored, bool marked = false) {
  if (stored || !std::isfinite(value)) return stored_row(std::move(lead), value, marked);
  BitRow row = exact_row(std::move(lead), value, value_text(value));
  row.marked = marked;
  return row;
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
    row.pick = {{"distance", fmt::format("{}", at)}, {"explain", "bias"}};
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
  figure.plots = {
      pair_plot(scene, "exact", w("exact"), pairs.exact_cells, 1),
      pair_plot(scene, "rounded", w("rounded"), pairs.rounded_cells, 1),
      pair_plot(scene, "error", w("rounded - exact"), pairs.error_cells, pairs.largest_error)};
  const ColorScale scale = sum_scale(pairs.exact);
  for (int k = 0; k < 2; ++k) {
    std::get<Heatmap>(figure.plots[static_cast<std::size_t>(k)].marks[0]).scale = scale;
  }
  const auto share = [&](Index count) {
    const auto all = static_cast<double>(std::max<Index>(1, pairs.neighbours));
    return percent(static_cast<double>(count) / all);
  };
  using figure::TextStyle;
  figure.footer = {
      {w.format("neighbouring keys made equal: {}", share(pairs.equal)), Role::dim,
       TextStyle::label},
      {w.format("put in the other order: {}", share(pairs.swapped)), Role::dim, TextStyle::label}};
  return figure;
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
  figure.plots = {strip_plot(scene, "bias_groups", w("bias alone"), model.strips->biases),
                  strip_plot(scene, "sum_groups",
                             w.format("score + bias: {} of {} told apart at head {}",
                                      model.strips->distinct[static_cast<std::size_t>(p.head - 1)],
                                      model.strips->keys, p.head),
                             model.strips->sums)};
  return figure;
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
  figure.plots.push_back(bit_plot("bits", format, rows, dropped, w));
  return figure;
}

}  // namespace lab::alibi_rounding
