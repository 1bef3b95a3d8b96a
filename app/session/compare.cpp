#include "app/session/compare.h"

#include <array>
#include <set>
#include <utility>
#include <variant>

#include "app/figure/layout.h"
#include "app/figure/marks/first_mark.h"
#include "app/session/beside_plot.h"

namespace session {

namespace {

using figure::Apart, figure::CellsShown, figure::Difference;

std::string signed_number(double value, int digits) {
  const std::string text = figure::number_text(value, digits);
  return value > 0 ? "+" + text : text;
}

std::string joined(const std::string& note, const std::string& text, const Words& w) {
  return note.empty() ? text : w.format(N_("{} · {}"), note, text);
}

void add_note(Plot& plot, const std::string& text, const Words& w) {
  plot.note = joined(plot.note, text, w);
}

// Small pictures have no room for their own notes: the figure says it for them all.
struct OfAll {
  std::string why;     // the first one is apart
  Difference largest;  // of all of them
  std::string of;      // whose that is
  bool any = false;
};

std::string text_of(const Difference& d, const Words& w) {
  std::string text = d.row < 0 ? w("no cell can be compared")
                     : d.largest == 0
                         ? w("no difference")
                         : w.format(N_("largest difference {0} at row {1}, column {2}"),
                                    signed_number(static_cast<double>(d.largest), 4), d.row, d.col);
  if (d.apart > 0) {
    text = w.format(N_("{} · {}"), text, w.format(N_("cells masked in only one: {}"), d.apart));
  }
  return text;
}

void take_difference(Plot& plot, Heatmap& map, const Heatmap& held, const DifferenceOf& find,
                     OfAll& all, const Words& w) {
  if (!figure::can_differ(map, held)) {
    return add_note(plot,
                    map.scale.map == MapName::groups ? w("names cannot be subtracted")
                                                     : w("too many cells for a difference"),
                    w);
  }
  const auto found = find(map.source, held.source);
  if (!found) return add_note(plot, w("computing the difference…"), w);
  map.source = found->source;
  map.scale = figure::difference_scale(*found);
  map.bar_label = w("now − held");
  map.legend.clear();
  if (!plot.thumbnail) return add_note(plot, text_of(*found, w), w);
  if (all.any && !(std::abs(found->largest) > std::abs(all.largest.largest))) return;
  all.any = true;
  all.largest = *found;
  all.of = plot.title;
}

// True when the plot is to be drawn otherwise than it stands.
bool change(Plot& plot, const Plot& held, CellsShown shown, const DifferenceOf& find, OfAll& all,
            const Words& w) {
  if (const std::string why = why_apart(plot, held, w); !why.empty()) {
    if (!plot.thumbnail) {
      add_note(plot, why, w);
    } else if (all.why.empty()) {
      all.why = why;
    }
    return true;
  }
  const Heatmap* then = figure::heatmap_in(held);
  if (!then || (shown != CellsShown::held && shown != CellsShown::difference)) return false;
  for (Mark& mark : plot.marks) {
    auto* map = std::get_if<Heatmap>(&mark);
    if (!map) continue;
    if (shown == CellsShown::difference) {
      take_difference(plot, *map, *then, find, all, w);
    } else {
      map->source = then->source;
      if (!plot.thumbnail) add_note(plot, w("Held"), w);
    }
    return true;
  }
  return false;
}

// Tables that had one scale have one for their differences, too. Where nothing differs it is one
// that can be drawn.
void share_scales(const Figure& live, Figure& changed) {
  const auto map_of = [](Plot& plot) {
    const auto found = std::find_if(plot.marks.begin(), plot.marks.end(), [](const Mark& mark) {
      return std::holds_alternative<Heatmap>(mark);
    });
    return found == plot.marks.end() ? nullptr : &std::get<Heatmap>(*found);
  };
  const auto differs = [&](std::size_t k) {
    const Heatmap* was = figure::heatmap_in(live.plots[k]);
    return was && was->source != map_of(changed.plots[k])->source;
  };
  for (std::size_t k = 0; k < live.plots.size(); ++k) {
    if (!differs(k)) continue;
    const ColorScale& own = figure::heatmap_in(live.plots[k])->scale;
    ColorScale& scale = map_of(changed.plots[k])->scale;
    for (std::size_t j = 0; j < live.plots.size(); ++j) {
      if (!differs(j) || !(figure::heatmap_in(live.plots[j])->scale == own)) continue;
      scale.hi = std::max(scale.hi, map_of(changed.plots[j])->scale.hi);
    }
    if (!(scale.hi > 0)) scale.hi = 1;
    scale.lo = -scale.hi;
  }
}

// Heatmaps stand side by side; drawings, which are wide, under each other.
void place_beside(Figure& changed, const Figure& live, const std::vector<Figure>& held,
                  std::vector<Plot> added) {
  const bool cells = std::any_of(added.begin(), added.end(), [](const Plot& plot) {
    return figure::heatmap_in(plot) != nullptr;
  });
  if (!cells) {
    changed.columns = 1;
    const auto then = std::find_if(held.begin(), held.end(),
                                   [&](const Figure& one) { return one.id == live.id; });
    // Both have as much room as the larger one wants.
    changed.height = 2 * std::max(live.height, then == held.end() ? 0 : then->height);
  } else if (changed.columns == 1) {
    changed.columns = 2;
  }
  for (Plot& plot : added) changed.plots.push_back(std::move(plot));
}

}  // namespace

std::string why_apart(const Plot& live, const Plot& held, const Words& w) {
  switch (figure::apart(live, held)) {
    case Apart::none: return {};
    case Apart::axes: return w("held: different axes, not comparable");
    case Apart::names: return w("held: different words, not comparable");
    case Apart::size: break;
  }
  const auto& now = *figure::heatmap_in(live)->source;
  const auto& then = *figure::heatmap_in(held)->source;
  return w.format(N_("held: {0} × {1} cells, now {2} × {3}: not comparable"), then.rows(),
                  then.cols(), now.rows(), now.cols());
}

std::shared_ptr<const Figure> beside(const Figure& live, const std::vector<Figure>& held,
                                     CellsShown shown, const DifferenceOf& find, const Words& w) {
  auto changed = std::make_shared<Figure>(live);
  bool any = false;
  OfAll all;
  std::vector<Plot> added;
  for (Plot& plot : changed->plots) {
    const Plot* then = figure::find_plot(held, plot.id);
    if (!then) continue;
    if (shown != CellsShown::live && shown_beside(plot, *then)) {
      added.push_back(beside_plot(plot, *then, w));
      any = true;
    } else if (change(plot, *then, shown, find, all, w)) {
      any = true;
    } else if (describe_held_cells(plot, *then, w)) {
      any = true;
    }
  }
  if (!any) return nullptr;
  if (!added.empty()) place_beside(*changed, live, held, std::move(added));
  if (!all.why.empty()) changed->note = joined(changed->note, all.why, w);
  if (all.any) {
    const std::string where = w.format(N_("{}: {}"), all.of, text_of(all.largest, w));
    changed->note = joined(changed->note, where, w);
  }
  if (shown == CellsShown::difference) share_scales(live, *changed);
  return changed;
}

bool compared(const Figure& live, const std::vector<Figure>& held) {
  return std::any_of(live.plots.begin(), live.plots.end(), [&](const Plot& plot) {
    const Plot* then = figure::find_plot(held, plot.id);
    return then && (figure::apart(plot, *then) == Apart::none || shown_beside(plot, *then));
  });
}

bool draws_ghosts(const Figure& live, const std::vector<Figure>& held) {
  return std::any_of(live.plots.begin(), live.plots.end(), [&](const Plot& plot) {
    const Plot* then = figure::find_plot(held, plot.id);
    const bool table = !plot.marks.empty() && std::holds_alternative<figure::Table>(plot.marks[0]);
    return then && !table && !figure::heatmap_in(plot) && !shown_beside(plot, *then) &&
           figure::apart(plot, *then) == Apart::none;
  });
}

bool draws_corners(const Figure& live, const std::vector<Figure>& held) {
  return std::any_of(live.plots.begin(), live.plots.end(), [&](const Plot& plot) {
    const Plot* then = figure::find_plot(held, plot.id);
    return then && figure::apart(plot, *then) == Apart::none && figure::has_corners(plot, *then);
  });
}

bool compares_cells(const Figure& live, const std::vector<Figure>& held) {
  return std::any_of(live.plots.begin(), live.plots.end(), [&](const Plot& plot) {
    const Plot* then = figure::find_plot(held, plot.id);
    return then && figure::heatmap_in(plot) && figure::apart(plot, *then) == Apart::none;
  });
}

namespace {

// How what is held of a mark looks (app/figure/layout/marks/ghost.cpp).
struct LookOfGhost {
  using Named = const char*;
  Named operator()(const figure::Line&) const { return N_("with rings"); }
  Named operator()(const figure::Bars&) const { return N_("outlined"); }
  Named operator()(const figure::Boxes&) const { return N_("outlined"); }
  Named operator()(const figure::Points&) const { return N_("hollow"); }
  Named operator()(const figure::Links&) const { return N_("dashed"); }
  template <class Other>
  Named operator()(const Other&) const {
    return nullptr;
  }
};

template <std::size_t... kinds>
std::array<const char*, sizeof...(kinds)> looks_of(std::index_sequence<kinds...>) {
  return {LookOfGhost{}(std::variant_alternative_t<kinds, figure::AnyMark>())...};
}

std::set<std::size_t> kinds_in(const Figure& figure) {
  std::set<std::size_t> kinds;
  for (const Plot& plot : figure.plots)
    for (const figure::Mark& mark : plot.marks) kinds.insert(mark.index());
  return kinds;
}

}  // namespace

std::string look_of_ghosts(const std::set<std::size_t>& kinds, const Words& w) {
  static const auto all =
      looks_of(std::make_index_sequence<std::variant_size_v<figure::AnyMark>>());
  std::set<std::string_view> looks;
  for (const std::size_t kind : kinds)
    if (all[kind]) looks.insert(all[kind]);
  if (looks.empty()) return {};
  if (looks.contains("dashed")) return w("dashed");
  return looks.size() == 1 ? w(*looks.begin()) : w("with rings, outlined or hollow");
}

std::vector<std::string> held_legend(const Figure& live, const std::vector<Figure>& held,
                                     CellsShown shown, const std::string& then, const Words& w) {
  const bool divided = compares_cells(live, held) && shown == CellsShown::split;
  const bool others = draws_ghosts(live, held);
  std::vector<std::string> lines;
  if (!compared(live, held)) return lines;
  const std::string look = others ? look_of_ghosts(kinds_in(live), w) : std::string();
  if (!look.empty()) {
    lines.push_back(w.format(N_("{}, held: {}"), look, then));
  } else {
    lines.push_back(w.format(divided ? N_("right of the line, held: {}") : N_("held: {}"), then));
  }
  if (divided && others) {
    lines.push_back(w.format(N_("heatmaps: {}"), w("left of the line now, right of it held")));
  }
  return lines;
}

std::string against(double live, double held, const Words& w) {
  const std::string then = figure::number_text(held, 6);
  if (std::isnan(live) || std::isnan(held)) return w.format(N_("held {}"), then);
  return w.format(N_("held {0} · difference {1}"), then, signed_number(live - held, 6));
}

}  // namespace session
