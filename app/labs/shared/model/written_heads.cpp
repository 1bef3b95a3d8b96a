#include "app/labs/shared/model/written_heads.h"

#include "app/labs/shared/drawing/pair_map.h"

namespace lab {
namespace {

constexpr Index kMostThumbnails = 192;

}  // namespace

WrittenHeads written_heads(const std::shared_ptr<const PublishedModel>& opened,
                           const Continuation& text, const Run& run) {
  auto heads = core::checkpoint::written_heads(opened->model, text, run.threads, run.cancel);
  WrittenHeads made{.opened = opened, .text = text, .first = heads.first};
  for (std::vector<Matrix>& layer : heads.weights) {
    auto& cells = made.cells.emplace_back();
    for (Matrix& weights : layer) {
      cells.push_back(std::make_shared<const DenseSource>(std::move(weights)));
    }
  }
  return made;
}

std::string head_name(Index layer, Index head) { return fmt::format("{}.{}", layer + 1, head + 1); }

std::pair<Index, Index> sheet_layers(Index layers, Index heads, Index shown) {
  const Index most = std::max<Index>(1, kMostThumbnails / heads);
  if (layers <= most) return {0, layers};
  const Index first = std::clamp<Index>(shown - most / 2, 0, layers - most);
  return {first, first + most};
}

int sheet_columns(Index heads) { return to_int(std::clamp<Index>(heads, 2, 16)); }

float sheet_row(int columns) { return columns <= 4 ? 170.0F : columns <= 8 ? 120.0F : 86.0F; }

namespace {

Plot written_plot(const WrittenHeads& written, std::string id, std::string title, const Words& w) {
  const PublishedModel& opened = *written.opened;
  const auto names = [&](const std::vector<std::int32_t>& ids) {
    return labels(each(ids, [&](const std::int32_t one) { return opened.shown(one); }));
  };
  const std::vector<std::int32_t> read = written.text.read();
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(w("token read"), to_index(read.size()), {.labels = names(read)});
  plot.x.link = "read_then";
  plot.y = cell_axis(w("token written"), written.rows(),
                     {.labels = names({written.text.written.begin() + written.first,
                                       written.text.written.end()})});
  plot.y.link = "written_then";
  return plot;
}

// Which of the written tokens, where not all are shown.
std::string rows_note(const WrittenHeads& written, const Words& w) {
  if (written.first == 0) return {};
  return w.format("the last {} of {} tokens written", written.rows(), written.text.written.size());
}

Figure written_sheet(const WrittenHeads& written, const core::checkpoint::HeadIndex& place,
                     const Words& w) {
  const auto [first, end] = sheet_layers(written.layers(), written.heads(), place.layer);
  const int columns = sheet_columns(written.heads());
  const Index rows = (end - first) * core::ceil_div(written.heads(), Index{columns});
  Figure figure = new_figure(
      "written_heads", w("Every head, as each token was written"),
      {.height = 60 + sheet_row(columns) * to_float(std::max<Index>(rows, 2)), .columns = columns});
  figure.note = rows_note(written, w);
  if (end - first < written.layers()) {
    const std::string some = w.format("layers {} to {} of {}", first + 1, end, written.layers());
    figure.note = figure.note.empty() ? some : figure.note + " · " + some;
  }
  figure.caption =
      w("Layer and head, counted from 1. A row is what the last token read attends to when the "
        "row's token is written; column: a token that was read by then.");
  figure.pointer_caption = w("Click a head to choose it.");
  for (Index layer = first; layer < end; ++layer) {
    for (Index head = 0; head < written.heads(); ++head) {
      const std::string name = head_name(layer, head);
      Plot plot = written_plot(written, "written_" + name, name, w);
      figure.plots.push_back(thumbnail(std::move(plot),
                                       {.source = written.cells[to_size(layer)][to_size(head)],
                                        .scale = weight_scale(1),
                                        .bar_label = w("weight")},
                                       layer == place.layer && head == place.head,
                                       sets("layer", layer + 1, "head", head + 1)));
    }
  }
  return figure;
}

Figure written_map(const WrittenHeads& written, const core::checkpoint::HeadIndex& place,
                   const Words& w) {
  const std::string name = head_name(place.layer, place.head);
  Figure figure = new_figure("written_map", w.format("Head {}, as each token was written", name),
                             {.height = 150 + std::min(22 * to_float(written.rows()), 450.0F)});
  figure.note = rows_note(written, w);
  figure.caption = w("Row: the token written; column: the token that was attended to for it.");
  Plot plot = written_plot(written, "written_map", w("weights"), w);
  plot.add(Heatmap{.source = written.cells[to_size(place.layer)][to_size(place.head)],
                   .scale = weight_scale(1)});
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> written_figures(const WrittenHeads& written,
                                    const core::checkpoint::HeadIndex& place, const Words& w) {
  std::vector<Figure> figures;
  figures.push_back(written_sheet(written, place, w));
  figures.push_back(written_map(written, place, w));
  return figures;
}

}  // namespace lab
