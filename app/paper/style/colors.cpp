#include "app/paper/style/colors.h"

#include <algorithm>
#include <cmath>

#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace paper {
namespace {

using core::InputError;
using figure::Heatmap;
using figure::Index;

constexpr double kDecades = 1e4;  // of a logarithmic scale with one end

// Multiply-adds that take some ten milliseconds, and cells a side, for color_range.
constexpr double kQuick = 2e7, kCells = 512;

bool of_numbers(const Heatmap& map) {
  return map.source && map.scale.map != figure::MapName::groups && map.legend.empty();
}

// Calls visit(heatmap) for those of numbers that `id`, the figure's own or a plot's, names; Figure
// may be const.
template <class Figure, class Visit>
void each_map(Figure& figure, const std::string& id, Visit&& visit) {
  for (auto& plot : figure.plots) {
    if (id != figure.id && id != plot.id) continue;
    for (auto& mark : plot.marks) {
      auto* map = std::get_if<Heatmap>(&mark);
      if (map && of_numbers(*map)) visit(*map);
    }
  }
}

figure::MapName map_of(ColorMap map) {
  switch (map) {
    case ColorMap::cividis: return figure::MapName::cividis;
    case ColorMap::magma: return figure::MapName::magma;
    case ColorMap::gray: return figure::MapName::gray;
    case ColorMap::diverging: return figure::MapName::diverging;
    default: return figure::MapName::viridis;
  }
}

float number_in(const std::string& text) { return static_cast<float>(numbers("", text)[0]); }

figure::ColorScale recolored(figure::ColorScale scale, const Style& style) {
  const bool was_log = scale.transform == figure::Transform::log;
  if (style.colors != ColorMap::figure) scale.map = map_of(style.colors);
  if (style.color_scale == ColorChoice::linear) scale.transform = figure::Transform::linear;
  if (style.color_scale == ColorChoice::log) scale.transform = figure::Transform::log;
  if (!style.vmax.empty()) scale.hi = number_in(style.vmax);
  if (!style.vmin.empty()) scale.lo = number_in(style.vmin);
  if (scale.transform == figure::Transform::log) {
    if (!(scale.hi > 0)) scale.hi = scale.lo > 0 ? static_cast<float>(kDecades) * scale.lo : 1;
    const bool own = was_log && scale.lo < scale.hi;  // its ends are its own
    if (!(scale.lo > 0) || (style.vmin.empty() && !own)) {
      scale.lo = scale.hi / static_cast<float>(kDecades);
    }
  }
  // A diverging scale is centred on zero, and what one end is the other is with it.
  const bool centered = scale.map == figure::MapName::diverging && style.vmin.empty() &&
                        scale.transform != figure::Transform::log;
  if (centered) {
    scale.hi = std::max(std::abs(scale.lo), std::abs(scale.hi));
    if (!style.vmax.empty()) scale.hi = number_in(style.vmax);
    scale.lo = -scale.hi;
  }
  // A difference that no number at the bar would show is none.
  const float least = 1e-4F * std::max(std::abs(scale.lo), std::abs(scale.hi));
  if (scale.hi - scale.lo > least) return scale;
  words::refuse<InputError>(N_("{}: expected a colour scale from a smaller to a larger number, got "
                               "one from {} to {}"),
                            style.vmin.empty() ? "vmax" : "vmin", scale.lo, scale.hi);
}

Style checked(const param::Values& values) {
  Style style;
  set(style, values);
  check(style);
  return style;
}

// All of a figure's heatmaps, or of the plot of this id; none where one cannot be.
void recolor(figure::Figure& figure, const std::string& id, const Style& style) {
  std::vector<std::pair<Heatmap*, figure::ColorScale>> scales;
  each_map(figure, id,
           [&](Heatmap& map) { scales.emplace_back(&map, recolored(map.scale, style)); });
  for (auto& [map, scale] : scales) map->scale = scale;
}

}  // namespace

bool has_colors(const figure::Figure& figure) {
  std::optional<figure::ColorScale> first;
  bool same = true;
  each_map(figure, figure.id, [&](const Heatmap& map) {
    same = same && map.scale == first.value_or(map.scale);
    first = map.scale;
  });
  return first && same;
}

bool has_colors(const figure::Figure& figure, const std::string& id) {
  bool any = false;
  each_map(figure, id, [&](const Heatmap&) { any = true; });
  return any;
}

void check_colors(const std::map<std::string, param::Values>& chosen) {
  for (const auto& [id, colors] : chosen) {
    try {
      checked(colors);
    } catch (const InputError& error) {
      words::refuse<InputError>(N_("colours of \"{}\": {}"), core::printable(id),
                                core::message_of(error));
    }
  }
}

void set_colors(std::vector<figure::Figure>& figures, const Style& style) {
  const bool as_they_are = style.colors == ColorMap::figure && style.vmin.empty() &&
                           style.vmax.empty() && style.color_scale == ColorChoice::figure;
  if (as_they_are) return;
  for (figure::Figure& figure : figures) recolor(figure, figure.id, style);
  const char* id = style.colors != ColorMap::figure ? "colors"
                   : !style.vmin.empty()            ? "vmin"
                   : !style.vmax.empty()            ? "vmax"
                                                    : "color_scale";
  // A look goes from figure to figure, to those without heatmaps too.
  if (std::string_view(id) == "colors") return;
  for (const figure::Figure& figure : figures) {
    if (has_colors(figure, figure.id)) return;
  }
  words::refuse<InputError>(N_("{}: these figures have no {}"), id,
                            words::Sentence(N_("heatmap of numbers")));
}

void recolor(lab::Page& page, const std::map<std::string, param::Values>& chosen,
             const words::Words& words) {
  for (const auto& [id, colors] : chosen) {
    try {
      const Style style = checked(colors);
      for (figure::Figure& figure : page.figures) recolor(figure, id, style);
    } catch (const InputError& error) {
      page.note(words.format(N_("The colours chosen for \"{}\" are not shown: {}."), id,
                             words::translated(error, words)));
    }
  }
}

std::optional<std::pair<float, float>> color_range(const figure::Figure& figure,
                                                   const std::string& id) {
  std::optional<std::pair<float, float>> range;
  double cost = 0;
  each_map(figure, id, [&](const Heatmap& map) {
    const figure::TileSource& source = *map.source;
    const int level =
        figure::level_for(static_cast<double>(std::max(source.rows(), source.cols())), kCells);
    const figure::Region all{0, 0, figure::pooled_size(source.rows(), level),
                             figure::pooled_size(source.cols(), level)};
    cost += source.cost(level, all, figure::Pool::max) + static_cast<double>(all.rows * all.cols);
    if (cost > kQuick) return;
    std::vector<float> cells(static_cast<std::size_t>(all.rows * all.cols));
    source.pooled(level, all, figure::Pool::max, cells.data(), {});
    for (const float cell : cells) {
      if (!std::isfinite(cell)) continue;
      if (!range) range = {cell, cell};
      range = {std::min(range->first, cell), std::max(range->second, cell)};
    }
  });
  return cost > kQuick ? std::nullopt : range;
}

}  // namespace paper
