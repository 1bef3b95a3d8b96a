#include "app/session/beside_plot.h"

#include <map>

#include "app/figure/ghost.h"
#include "app/figure/marks/first_mark.h"

namespace session {

namespace {

using figure::Apart, figure::Diagram, figure::Table;

// All boxes of a plot's drawings, those behind wires, too.
std::vector<const Diagram::Node*> nodes_of(const Plot& plot) {
  std::vector<const Diagram::Node*> all;
  for (const Mark& mark : plot.marks) {
    const auto* diagram = std::get_if<Diagram>(&mark);
    for (std::size_t k = 0; diagram && k < diagram->nodes.size(); ++k) {
      all.push_back(&diagram->nodes[k]);
    }
  }
  return all;
}

bool same_place(const Diagram::Node& a, const Diagram::Node& b) {
  return a.x0 == b.x0 && a.x1 == b.x1 && a.y0 == b.y0 && a.y1 == b.y1;
}

bool another_drawing(const Plot& live, const Plot& held) {
  const auto now = nodes_of(live), then = nodes_of(held);
  if (now.empty() || then.empty()) return false;
  if (now.size() != then.size()) return true;
  const auto has_picture = [](const Diagram::Node* node) { return node->picture != nullptr; };
  const bool pictures = std::any_of(now.begin(), now.end(), has_picture);
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (!same_place(*now[k], *then[k])) return true;
    const bool words = now[k]->title != then[k]->title || now[k]->note != then[k]->note;
    if (!pictures && words) return true;
  }
  return false;
}

// Nothing in it sets a parameter.
struct Rest {
  void operator()(figure::Heatmap& map) const {
    map.row_param.clear(), map.col_param.clear(), map.paint_param.clear();
    map.also.clear(), map.pinned.reset();
  }
  void operator()(figure::Bars& bars) const { bars.picks.clear(), bars.losses.clear(); }
  void operator()(figure::Points& points) const {
    points.picks.clear(), points.points_param.clear();
  }
  void operator()(figure::Links& links) const {
    links.left_param.clear(), links.right_param.clear();
  }
  void operator()(figure::Handle& handle) const {
    handle.x_param.clear(), handle.y_param.clear(), handle.also.clear();
    handle.points_param.clear(), handle.text_param.clear();
  }
  void operator()(figure::Table& table) const { table.picks.clear(); }
  void operator()(figure::Boxes& boxes) const {
    for (auto& box : boxes.boxes) box.pick.clear();
  }
  void operator()(figure::Interval& interval) const {
    interval.from_param.clear(), interval.to_param.clear(), interval.tooltip.clear();
  }
  void operator()(Diagram& diagram) const {
    for (auto& node : diagram.nodes) {
      node.pick.clear(), node.picture_pick.clear(), node.pointer_note.clear();
    }
  }
  void operator()(figure::Line&) const {}
  void operator()(figure::Band&) const {}
  void operator()(figure::Rule&) const {}
  void operator()(figure::Note&) const {}
  void operator()(figure::Arrows&) const {}
};

std::string text_of(const Table::Cell& cell) {
  std::string text;
  for (const figure::Span& span : cell) text += (text.empty() ? "" : " ") + span.text;
  return text;
}

// What a cell held and does not say now; of as many lines those that are others.
std::string but_now(const Table::Cell& held, const Table::Cell& live, const Words& w) {
  const bool lines = held.size() == live.size();
  std::string text;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const std::string& line = held[k].text;
    if (line.empty() || (lines && line == live[k].text)) continue;
    text = text.empty() ? line : w.format(N_("{} · {}"), text, line);
  }
  return text;
}

// For each row the held one that it is compared with; none where there is none.
std::vector<const std::vector<Table::Cell>*> partners(const Table& live, const Table& held) {
  std::vector<const std::vector<Table::Cell>*> found(live.rows.size(), nullptr);
  const auto by_name = [](const Table& table) {
    std::map<std::string, const std::vector<Table::Cell>*> rows;
    for (const auto& row : table.rows) {
      if (!row.empty()) rows.emplace(text_of(row.front()), &row);
    }
    return rows;
  };
  const auto now = by_name(live), then = by_name(held);
  const bool named = now.size() == live.rows.size() && then.size() == held.rows.size();
  const bool alike = live.rows.size() == held.rows.size();
  bool any = false;
  for (std::size_t k = 0; named && k < live.rows.size(); ++k) {
    const auto partner = then.find(text_of(live.rows[k].front()));
    if (partner != then.end()) found[k] = partner->second, any = true;
  }
  for (std::size_t k = 0; !any && alike && k < live.rows.size(); ++k) found[k] = &held.rows[k];
  return found;
}

}  // namespace

bool shown_beside(const Plot& live, const Plot& held) {
  const Apart apart = figure::apart(live, held);
  const bool cells = figure::heatmap_in(live) && figure::heatmap_in(held);
  if (cells) return apart == Apart::size || apart == Apart::names;
  return apart != Apart::axes && another_drawing(live, held);
}

Plot beside_plot(const Plot& live, const Plot& held, const Words& w) {
  Plot plot = held;
  plot.id = live.id + ".held";
  plot.title = held.title.empty() ? w("Held") : w.format(N_("{} · held"), held.title);
  plot.selected = false;
  plot.click.clear();
  plot.x_param.clear(), plot.y_param.clear(), plot.points_param.clear();
  plot.pointer_note.clear();
  plot.x.link.clear(), plot.y.link.clear();
  const figure::Heatmap* now = figure::heatmap_in(live);
  for (Mark& mark : plot.marks) {
    std::visit(Rest{}, mark);
    auto* map = std::get_if<figure::Heatmap>(&mark);
    if (map && now && map->scale.map == now->scale.map) map->scale = now->scale;
  }
  return plot;
}

bool describe_held_cells(Plot& live, const Plot& held, const Words& w) {
  const auto* then = figure::first_mark<Table>(held);
  bool any = false;
  for (Mark& mark : live.marks) {
    auto* table = std::get_if<Table>(&mark);
    if (!table || !then || table->columns.size() != then->columns.size()) continue;
    const auto rows = partners(*table, *then);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      auto& row = table->rows[k];
      for (std::size_t c = 0; rows[k] && c < std::min(row.size(), rows[k]->size()); ++c) {
        const Table::Cell& then_cell = (*rows[k])[c];
        if (text_of(then_cell) == text_of(row[c])) continue;
        const std::string old = but_now(then_cell, row[c], w);
        row[c].push_back({w.format(N_("held {}"), old.empty() ? "–" : old), figure::Role::dim,
                          figure::TextStyle::small});
        any = true;
      }
    }
  }
  return any;
}

}  // namespace session
