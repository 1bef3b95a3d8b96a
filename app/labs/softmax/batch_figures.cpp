// A small batch whose sequences, or queries, have valid lengths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

using figure::Color;
using figure::Figure;
using figure::Plot;
using figure::Role;

// A heatmap of one sequence. Its columns are counted by their edges: the tick 3 is where a length
// of 3 ends.
Plot cell_plot(const Scene& scene, Index b, std::string id, std::string title, const MatrixD& cells,
               const core::Mask& mask, const figure::ColorScale& scale) {
  const auto& [p, m, w] = scene;
  Plot plot{.id = fmt::format("{}_{}", id, b + 1), .title = std::move(title)};
  plot.x.label = w("keys");
  plot.x.hi = p.keys;
  plot.x.color = Role::key;
  plot.y = cell_axis(w("query i"), p.queries);
  plot.y.color = Role::query;
  figure::Heatmap map = masked_heatmap(cells, mask, scale);
  map.row_param = "query";
  map.col_param = "key";
  map.also = {{"sequence", fmt::format("{}", b + 1)}};
  if (b + 1 == p.sequence) map.pinned = {p.query, p.key};
  map.color_bar = false;
  plot.marks.emplace_back(std::move(map));
  return plot;
}

// Where the valid keys end, as a line that can be dragged: one for the sequence, or one a query.
void add_lengths(const Scene& scene, Index b, Plot& plot) {
  const auto& p = scene.p;
  const bool each = p.form == LengthForm::per_query;
  for (Index i = 0; i < (each ? p.queries : 1); ++i) {
    const std::size_t at = p.length_at(b, i);
    const double edge = std::min(p.lengths[at], p.keys);
    const double top = each ? static_cast<double>(i) : 0;
    const double bottom = each ? top + 1 : p.queries;
    plot.marks.emplace_back(figure::Line{{edge, edge}, {top, bottom}, Role::accent, 3});
    figure::Handle handle;
    handle.x = edge;
    handle.y = (top + bottom) / 2;
    handle.radius = 5;
    handle.x_param = fmt::format("length_{}", at + 1);
    handle.also = {{"sequence", fmt::format("{}", b + 1)}};
    plot.marks.emplace_back(std::move(handle));
  }
}

std::string lengths_text(const Scene& scene, Index b) {
  const auto& p = scene.p;
  if (p.form == LengthForm::per_sequence) {
    return fmt::format("{}", p.lengths[static_cast<std::size_t>(b)]);
  }
  std::string text;
  for (Index i = 0; i < p.queries; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", p.lengths[p.length_at(b, i)]);
  }
  return text;
}

}  // namespace

Figure batch_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("batch", w("Valid lengths on a batch of two sequences"),
                             {.height = 110 + 84 * static_cast<float>(p.queries), .columns = 3});
  figure.note = p.form == LengthForm::per_sequence ? w("1-D: one length for each sequence")
                                                   : w("2-D: one length for each query");
  figure.caption = w.format(
      "Two sequences, one a row: their scores with the edge of what is valid, the softmax of the "
      "scores with padding overwritten by {}, and the weights with padding left out.",
      scene.fill_name());
  const auto scale = signed_scale(static_cast<float>(
      std::max(m.batch[0].scores.cwiseAbs().maxCoeff(), m.batch[1].scores.cwiseAbs().maxCoeff())));
  figure::ColorScale weights;
  weights.hi = 1;
  const core::Mask all = core::Mask::none(p.queries, p.keys);
  for (Index b = 0; b < kSequences; ++b) {
    const Sequence& one = m.batch[static_cast<std::size_t>(b)];
    Plot scores = cell_plot(scene, b, "scores", w.format("sequence {}: scores", b + 1), one.scores,
                            all, scale);
    scores.note = w.format("length {}", lengths_text(scene, b));
    add_lengths(scene, b, scores);
    figure.plots.push_back(std::move(scores));
    figure.plots.push_back(cell_plot(scene, b, "filled",
                                     w.format("padding overwritten by {}", scene.fill_name()),
                                     one.of_fill, all, weights));
    figure.plots.push_back(
        cell_plot(scene, b, "right", w("padding left out"), one.right, one.mask, weights));
  }
  return figure;
}

Figure batch_row_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Sequence& one = scene.sequence();
  Figure figure = new_figure("batch_row", w.format("Sequence {}, query {}", p.sequence, p.query));
  figure.caption =
      w.format("The picked row: softmax with padding overwritten by {}, and with padding left out.",
               scene.fill_name());
  figure.columns = 2;
  figure.height = 220;
  const VectorD of_fill = one.of_fill.row(p.query), right = one.right.row(p.query);
  for (const bool filled : {true, false}) {
    Plot plot = bar_plot(filled ? "row_filled" : "row_right",
                         filled ? w.format("overwritten by {}", scene.fill_name()) : w("left out"),
                         filled ? of_fill : right,
                         filled ? Color::of_head(kWeightColor) : Color(Role::good), {});
    plot.x = cell_axis(w("key j"), p.keys);
    plot.x.color = Role::key;
    plot.y.lo = 0;
    plot.y.hi = 1.18;
    auto& bars = std::get<figure::Bars>(plot.marks.front());
    bars.marked = p.key;
    for (int j = 0; j < p.keys; ++j) bars.picks.push_back({{"key", fmt::format("{}", j)}});
    plot.note = w.format("Σ p = {}", weight_text((filled ? of_fill : right).sum()));
    figure.plots.push_back(std::move(plot));
  }
  return figure;
}

}  // namespace lab::softmax
