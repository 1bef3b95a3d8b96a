#include "app/sweep/steady.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sweep {
namespace {

using figure::Axis;
using figure::Heatmap;
using figure::Plot;

// "weight, n = 16" and "weight, n = 32" are one quantity.
std::string without_numbers(const std::string& label) {
  std::string out;
  for (const char c : label) {
    if (!(c >= '0' && c <= '9') && c != '.') out += c;
  }
  return out;
}

std::string axis_key(const Plot& plot, const Axis& axis, char which) {
  return fmt::format("{}/{}/{}/{}", plot.id, which, static_cast<int>(axis.scale),
                     without_numbers(axis.label));
}

std::string color_key(const Plot& plot, const Heatmap& map, std::size_t mark) {
  return fmt::format("{}/colour {}/{}/{}/{}", plot.id, mark, static_cast<int>(map.scale.map),
                     static_cast<int>(map.scale.transform), without_numbers(map.bar_label));
}

bool has_heatmap(const Plot& plot) {
  return std::any_of(plot.marks.begin(), plot.marks.end(), [](const figure::Mark& mark) {
    return std::holds_alternative<Heatmap>(mark);
  });
}

bool is_amount(const Heatmap& map) { return map.scale.map != figure::MapName::groups; }

// Calls visit(key, axis) for the axes of a plot that can be held.
template <class AnyPlot, class Visit>
void each_axis(AnyPlot& plot, const Visit& visit) {
  if (has_heatmap(plot)) return;
  if (!plot.x.cells) visit(axis_key(plot, plot.x, 'x'), plot.x);
  if (!plot.y.cells) visit(axis_key(plot, plot.y, 'y'), plot.y);
}

// The same for its heatmaps' colours.
template <class AnyPlot, class Visit>
void each_scale(AnyPlot& plot, const Visit& visit) {
  for (std::size_t m = 0; m < plot.marks.size(); ++m) {
    auto* map = std::get_if<Heatmap>(&plot.marks[m]);
    if (map && is_amount(*map)) visit(color_key(plot, *map, m), map->scale);
  }
}

}  // namespace

void Steady::widen(const std::string& key, double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return;
  const double lo = std::min(a, b), hi = std::max(a, b);
  const auto [at, fresh] = extents_.try_emplace(key, Extent{lo, hi, lo, hi});
  Extent& all = at->second;
  all.lo = std::min(all.lo, lo), all.hi = std::max(all.hi, hi);
  all.last_lo = std::max(all.last_lo, lo), all.first_hi = std::min(all.first_hi, hi);
}

bool Steady::wanders(const Plot& plot) const {
  const auto x = extents_.find(axis_key(plot, plot.x, 'x'));
  return x != extents_.end() && !x->second.common();
}

void Steady::add(const std::vector<figure::Figure>& figures) {
  for (const figure::Figure& figure : figures) {
    for (const Plot& plot : figure.plots) {
      each_axis(plot,
                [&](const std::string& key, const Axis& axis) { widen(key, axis.lo, axis.hi); });
      each_scale(plot, [&](const std::string& key, const figure::ColorScale& scale) {
        widen(key, static_cast<double>(scale.lo), static_cast<double>(scale.hi));
      });
    }
  }
}

void Steady::apply(std::vector<figure::Figure>& figures) const {
  for (figure::Figure& figure : figures) {
    for (Plot& plot : figure.plots) {
      each_axis(plot, [&](const std::string& key, Axis& axis) {
        const auto found = extents_.find(key);
        if (found == extents_.end() || wanders(plot)) return;
        const bool falls = axis.lo > axis.hi;
        axis.lo = falls ? found->second.hi : found->second.lo;
        axis.hi = falls ? found->second.lo : found->second.hi;
      });
      each_scale(plot, [&](const std::string& key, figure::ColorScale& scale) {
        const auto found = extents_.find(key);
        if (found == extents_.end()) return;
        scale.lo = static_cast<float>(found->second.lo);
        scale.hi = static_cast<float>(found->second.hi);
      });
    }
  }
}

}  // namespace sweep
