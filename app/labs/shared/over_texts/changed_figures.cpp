// What heads do over held-out texts: sinks, knock-outs, and whether attention explains.
#include "app/labs/shared/drawing/bars.h"
#include "app/labs/shared/over_texts/over_texts.h"
#include "app/labs/shared/parts.h"

namespace lab {
namespace {

using What = OverTexts::What;
using core::task::HeadIndex;

std::string head_name(const HeadIndex& at) {
  return fmt::format("{}.{}", at.layer + 1, at.head + 1);
}

// (layers, heads); a click chooses a head.
Plot heads_plot(const OverView& view, std::string id, std::string title, const MatrixD& cells,
                const ColorScale& scale) {
  const Words& w = view.w;
  Heatmap map = lab::heatmap(cells, scale);
  map.pinned = std::pair{view.place.layer, view.place.head};
  return {.id = std::move(id),
          .title = std::move(title),
          .x = counted_axis(w("head"), cells.cols(), "head"),
          .y = counted_axis(w("layer"), cells.rows(), "layer"),
          .marks = {std::move(map)},
          .x_param = "head",
          .y_param = "layer"};
}

std::string over(const OverView& view) {
  return view.w.format("Over the first {} tokens of {} texts that it did not learn from.",
                       view.over.most, view.opened.held_out.size());
}

HeadIndex largest(const MatrixD& cells) {
  HeadIndex at;
  cells.maxCoeff(&at.layer, &at.head);
  return at;
}

Figure sinks_figure(const OverView& view) {
  const Words& w = view.w;
  const auto& scores = view.scores;
  MatrixD cells(to_index(scores.size()), to_index(scores.front().size()));
  for (Index k = 0; k < cells.size(); ++k) {
    const Index layer = k / cells.cols(), head = k % cells.cols();
    cells(layer, head) = scores[to_size(layer)][to_size(head)].first_token.mean;
  }
  const VectorD means = cells.rowwise().mean();
  const double even = scores.front().front().first_token.even;
  Index layer = 0;
  const double most = means.maxCoeff(&layer);
  Figure figure = new_figure("sinks", w("What the first token gets"), {.span = 5, .height = 430});
  figure.columns = 1;
  figure.caption = w.format(
      "The weight on the first token, from every other one, by head and on average over the heads "
      "of each layer: {:.2f} in layer {}, the most. Equal weights would give it {:.2f}.",
      most, layer + 1, even);
  figure.pointer_caption = w("Click a head to choose it.");
  return with(std::move(figure),
              heads_plot(view, "sink_heads", w("by head"), cells, weight_scale(1)),
              bar_plot({.id = "sink_layers",
                        .title = w("by layer"),
                        .values = means,
                        .color = Role::key,
                        .top = kWeightTop,
                        .x = counted_axis(w("layer"), means.size())}));
}

Figure windows_figure(const OverView& view) {
  const Words& w = view.w;
  const auto& losses = view.over.windows;
  Line alone{.color = Color::of_head(0), .label = w("the window alone")};
  Line with_first{.color = Color::of_head(4), .label = w("and the first token")};
  for (const auto& one : losses.windows) {
    alone.add(to_double(one.window), one.alone);
    with_first.add(to_double(one.window), one.with_first);
  }
  const auto& shown = losses.windows[losses.windows.size() / 2];
  Plot plot{.id = "windows",
            .x = log_axis(w("tokens of the window"), losses.windows.front().window,
                          losses.windows.back().window),
            .marks = {std::move(alone), std::move(with_first)}};
  Extent extent = heights(plot.marks);
  extent.add(losses.whole);
  plot.y = fitted_axis(w("loss (nats per token)"), extent);
  plot.add(Rule{false, losses.whole, Color(Role::accent, 0.6F)});
  Figure figure = new_figure("windows", w("A sliding window, with the first token and without"),
                             {.span = 7, .height = 430});
  figure.note = w.format("all keys: {:.3f} nats", losses.whole);
  figure.caption = w.format(
      "{} With the last {} tokens alone the loss is {:.3f} nats a token, with the first one as "
      "well {:.3f}, with all {:.3f}.",
      over(view), shown.window, shown.alone, shown.with_first, losses.whole);
  return with(std::move(figure), std::move(plot));
}

Figure ablated_figure(const OverView& view) {
  const Words& w = view.w;
  const MatrixD& cells = view.over.cells;
  const HeadIndex most = largest(cells);
  constexpr double kLittle = 0.01;
  Figure figure = new_figure("knocked_losses", w("The loss without each head"), {.height = 360});
  figure.caption = w.format(
      "{} Each cell: by how many nats a token the loss rises when the output of that head alone is "
      "0. Head {} counts most, {:.3f} nats; {} of {} heads change it by less than {}.",
      over(view), head_name(most), cells(most.layer, most.head),
      (cells.array().abs() < kLittle).count(), cells.size(), kLittle);
  figure.pointer_caption = w("Click a head to choose it.");
  return with(std::move(figure), heads_plot(view, "knocked_losses", w("rise of the loss (nats)"),
                                            cells, signed_scale(cells)));
}

Figure explained_figure(const OverView& view) {
  const Words& w = view.w;
  const auto& explained = view.over.explained;
  const MatrixD& rho = explained.rho;
  const HeadIndex most = largest(rho);
  Figure figure = new_figure("explained", w("Does what is attended to count?"), {.height = 360});
  figure.caption = w.format(
      "{} How far the prediction moves when a token is hidden, against the weight that a head "
      "gives that token from the last one: their rank correlation, the mean over texts. It is "
      "{:.2f} on average, {:.2f} for head {}, the most, and {:.2f} for the mean weights of all "
      "heads.",
      over(view), rho.mean(), rho(most.layer, most.head), head_name(most), explained.mean_weights);
  figure.pointer_caption = w("Click a head to choose it.");
  return with(std::move(figure),
              heads_plot(view, "explained", w("rank correlation"), rho, signed_scale(1)));
}

}  // namespace

std::vector<Figure> over_figures(const OverView& view) {
  switch (view.over.what) {
    case What::sinks: return {sinks_figure(view), windows_figure(view)};
    case What::ablated: return {ablated_figure(view)};
    case What::explained: break;
  }
  return {explained_figure(view)};
}

}  // namespace lab
