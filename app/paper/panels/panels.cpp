#include "app/paper/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "app/param/reading.h"
#include "app/words/sentence.h"

namespace paper {
namespace {

using core::InputError;
using figure::Figure;
using figure::Heatmap;
using figure::Plot;

constexpr float kPanelGap = 12, kLeastPanel = 165;

// Those whose colours are amounts.
void each_heatmap(std::vector<Figure>& figures, auto&& visit) {
  for (Figure& figure : figures) {
    for (Plot& plot : figure.plots) {
      for (figure::Mark& mark : plot.marks) {
        auto* map = std::get_if<Heatmap>(&mark);
        if (map && map->legend.empty() && map->scale.map != figure::MapName::groups) visit(*map);
      }
    }
  }
}

// One range for all heatmaps of one map, transform and linear part.
void share_scales(std::vector<Figure>& figures) {
  std::vector<figure::ColorScale> all;
  const auto of = [&](const figure::ColorScale& scale) {
    return std::find_if(all.begin(), all.end(), [&](const figure::ColorScale& other) {
      return std::tie(other.map, other.transform, other.linear_below) ==
             std::tie(scale.map, scale.transform, scale.linear_below);
    });
  };
  each_heatmap(figures, [&](Heatmap& map) {
    const auto found = of(map.scale);
    if (found == all.end()) return all.push_back(map.scale);
    found->lo = std::min(found->lo, map.scale.lo);
    found->hi = std::max(found->hi, map.scale.hi);
  });
  each_heatmap(figures, [&](Heatmap& map) { map.scale = *of(map.scale); });
}

bool has_heatmap(const Figure& figure) {
  bool found = false;
  std::vector<Figure> one = {figure};
  each_heatmap(one, [&](Heatmap&) { found = true; });
  return found;
}

// The plot of a panel that is to become one of several.
void take_plot_title(Figure& figure) {
  const std::string& own = figure.plots.front().title;
  if (own.empty() || own == figure.title) return;
  figure.title = figure.title.empty() ? own : fmt::format("{} · {}", figure.title, own);
}

void check_shared(const std::vector<Figure>& figures) {
  for (const Figure& figure : figures) {
    if (figure.plots.size() != 1) {
      words::refuse<InputError>(
          N_("--share-colors: expected panels of one plot each, got {} with {}: name one of its "
             "plots"),
          figure.id, figure.plots.size());
    }
    if (!has_heatmap(figure)) {
      words::refuse<InputError>(
          N_("--share-colors: expected heatmaps whose colours are numbers, got {}"), figure.id);
    }
  }
}

// One figure with a plot for each, so that the layout draws one bar under all of them.
Figure put_in_one(std::vector<Figure> figures, int columns) {
  each_heatmap(figures, [](Heatmap& map) { map.color_bar = false; });
  Figure all = figures.front();
  all.id = "panels";
  all.title = all.note = all.caption = all.pointer_note = all.pointer_caption = all.plays = "";
  all.plots.clear();
  all.footer.clear();
  const auto in_row = static_cast<std::size_t>(columns);
  const std::size_t rows = (figures.size() + in_row - 1) / in_row;
  float highest = 0;
  for (Figure& figure : figures) {
    Plot plot = std::move(figure.plots.front());
    plot.title = figure.title;
    plot.thumbnail = plot.selected = false;
    highest = std::max(highest, figure.height);
    // Plots of one figure have its caption.
    if (all.caption.find(figure.caption) == std::string::npos) {
      all.caption += (all.caption.empty() ? "" : " ") + figure.caption;
    }
    all.plots.push_back(std::move(plot));
  }
  all.height = highest * static_cast<float>(rows);
  all.columns = columns;
  all.span = 12;
  return all;
}

}  // namespace

PanelLayout parse_layout(std::string_view text) {
  const std::size_t x = text.find('x');
  const auto rows = param::whole<int>(text.substr(0, x));
  const auto columns =
      x == std::string_view::npos ? std::nullopt : param::whole<int>(text.substr(x + 1));
  const bool fits = rows && columns && *rows >= 1 && *columns >= 1 && *rows <= kMostPanels &&
                    *columns <= kMostPanels && *rows * *columns <= kMostPanels;
  if (fits) return {*rows, *columns};
  words::refuse<InputError>(
      N_("--layout: expected ROWSxCOLUMNS with 1 to {} panels such as 2x1, got {}"), kMostPanels,
      param::shown(text));
}

std::vector<Figure> as_panels(std::vector<Figure> figures, const PanelLayout& layout,
                              PaperOptions& options) {
  const int count = static_cast<int>(figures.size());
  if (layout.rows > 0 && count > layout.rows * layout.columns) {
    words::refuse<InputError>(
        N_("--layout: expected room for {} panels, got {}x{}; --figure chooses which"), count,
        layout.rows, layout.columns);
  }
  if (count > kMostPanels) {
    words::refuse<InputError>(N_("expected at most {} panels, got {}"), kMostPanels, count);
  }
  if (layout.share_colors) check_shared(figures);
  const int columns = layout.columns > 0 ? layout.columns : layout.share_colors ? count : 0;
  options.panel_columns = std::min(columns, count);
  for (Figure& figure : figures) {
    if (!options.heading) figure.title = figure.note = "";
    if (layout.share_colors && options.heading) take_plot_title(figure);
  }
  options.heading = options.heading || options.style.letters;
  if (!layout.share_colors) return figures;
  share_scales(figures);
  if (figures.size() == 1) return figures;
  return {put_in_one(std::move(figures), options.panel_columns)};
}

std::vector<figure::Rect> panel_boxes(std::size_t count, float width, int columns,
                                      const figure::HeightOf& height) {
  const auto in_row = static_cast<std::size_t>(columns);
  const float each = (width + kPanelGap) / static_cast<float>(columns) - kPanelGap;
  std::vector<figure::Rect> boxes;
  float y = 0;
  for (std::size_t first = 0; first < count; first += in_row) {
    const std::size_t end = std::min(first + in_row, count);
    float highest = 0;
    for (std::size_t k = first; k < end; ++k) {
      highest = std::max(highest, height(k, each));
      boxes.push_back({static_cast<float>(k - first) * (each + kPanelGap), y, each, 0});
    }
    for (std::size_t k = first; k < end; ++k) boxes[k].h = highest;
    y += highest + kPanelGap;
  }
  return boxes;
}

float least_panels_width(int columns) {
  return static_cast<float>(columns) * (kLeastPanel + kPanelGap) - kPanelGap;
}

}  // namespace paper
