#include "sound_picks.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/figure/picking.h"
#include "app/session/pick.h"

namespace contract {

namespace {

using figure::Assignments;
using figure::Pick;
using figure::Plot;
using figure::PointEdit;

// Takes every pick that it is shown, each once, as the window would: on a copy of the state.
class Picker {
 public:
  explicit Picker(const State& state) : state_(state.clone()) {}

  void take(const Pick& pick) {
    if (pick.empty() ||
        (!pick.point && !pick.shift && !taken_.insert({pick.exact, pick.near}).second))
      return;
    const auto changed = state_->clone();
    std::string refusal;
    try {
      session::apply(changed->describe(), pick);
    } catch (const core::InputError& error) {
      refusal = error.what();
    }
    CHECK(refusal == "");
  }
  void number(const std::string& id, double at) {
    if (!id.empty()) take({{}, {{id, at}}});
  }
  void painted(const std::string& id) {
    if (id.empty()) return;
    const param::List list = state_->list();
    const Parameter* p = find(list, id);
    CHECK((p && std::holds_alternative<param::Painted>(p->kind)));
  }
  void adds_point(const std::string& id) {
    if (id.empty()) return;
    const param::List list = state_->list();
    const Parameter* p = find(list, id);
    const auto* points = p ? std::get_if<param::Points>(&p->kind) : nullptr;
    CHECK(points);
    if (points && points->value->size() < points->most) take({{}, {}, PointEdit{{}, id, 0, 0, 0}});
  }
  void keeps_apart(const figure::Shift& shift) {
    const auto changed = state_->clone();
    session::apply(changed->describe(), {{}, {}, {}, shift});
    const param::List list = changed->list();
    const auto number = [&list](const std::string& id) { return *param::number(*find(list, id)); };
    const auto& [a, from_a] = shift.from.at(0);
    const auto& [b, from_b] = shift.from.at(1);
    CHECK(number(b) - number(a) == from_b - from_a);
  }
  void moves_point(const std::string& id, std::size_t index, const Assignments& also) {
    if (!id.empty()) take({also, {}, PointEdit{PointEdit::Kind::move, id, index, 0, 0}});
  }

 private:
  static const Parameter* find(const param::List& list, std::string_view id) {
    for (const Parameter& p : list.items()) {
      if (p.info.id == id) return &p;
    }
    return nullptr;
  }

  std::unique_ptr<State> state_;
  std::set<std::pair<Assignments, std::vector<std::pair<std::string, double>>>> taken_;
};

// Each kind of mark, so that a new one does not compile before its picks are known here.
struct MarkPicks {
  Picker& picker;
  const Plot& plot;

  // Its corners and middle: what lies between them differs by the index alone.
  void operator()(const figure::Heatmap& map) const {
    picker.painted(map.paint_param);
    CHECK(map.brush >= 1);
    const double x0 = plot.x.lo, x1 = plot.x.hi, y0 = plot.y.lo, y1 = plot.y.hi;
    for (const double x : {0.001, 0.5, 0.999}) {
      for (const double y : {0.001, 0.5, 0.999}) {
        picker.take(figure::pick_in(plot, x0 + x * (x1 - x0), y0 + y * (y1 - y0)));
      }
    }
  }
  void operator()(const figure::Bars& bars) const {
    CHECK((bars.picks.empty() || bars.picks.size() == bars.values.size()));
    CHECK((bars.losses.empty() || bars.losses.size() == bars.values.size()));
    for (const Assignments& pick : bars.picks) picker.take({pick});
  }
  void operator()(const figure::Points& points) const {
    CHECK((points.picks.empty() || points.picks.size() == points.x.size()));
    for (const Assignments& pick : points.picks) picker.take({pick});
    for (std::size_t k = 0; k < points.x.size(); ++k) {
      picker.moves_point(points.points_param, k, {});
    }
  }
  void operator()(const figure::Handle& handle) const {
    for (const double share : {0.0, 1.0}) {
      Pick pick{handle.also};
      const auto add = [&](const std::string& id, const figure::Axis& axis) {
        const double at = axis.lo + share * (axis.hi - axis.lo);
        if (!id.empty()) pick.near.emplace_back(id, (at - axis.origin) / axis.unit);
      };
      add(handle.x_param, plot.x);
      add(handle.y_param, plot.y);
      if (!handle.text_param.empty()) {
        const double at = plot.y.lo + share * (plot.y.hi - plot.y.lo);
        pick.exact.emplace_back(handle.text_param,
                                fmt::format("{}{}{}", handle.before, at, handle.after));
      }
      picker.take(pick);
    }
    picker.moves_point(handle.points_param, handle.point, handle.also);
  }
  // To both ends of the axis and beyond: what is between its ends stays as it is.
  void operator()(const figure::Interval& interval) const {
    const auto place = [this](double at) { return (at - plot.x.origin) / plot.x.unit; };
    const double wide = plot.x.hi - plot.x.lo;
    for (const double by : {-2 * wide, -0.3 * wide, 0.3 * wide, 2 * wide}) {
      figure::Shift shift{
          {{interval.from_param, place(interval.from)}, {interval.to_param, place(interval.to)}},
          by / plot.x.unit};
      picker.take({{}, {}, {}, shift});
      picker.keeps_apart(shift);
    }
  }
  void operator()(const figure::Boxes& boxes) const {
    for (const auto& box : boxes.boxes) picker.take({box.pick});
  }
  void operator()(const figure::Diagram& diagram) const {
    for (const auto& node : diagram.nodes) {
      picker.take({node.pick});
      picker.take({node.picture_pick});
    }
  }
  void operator()(const figure::Table& table) const {
    CHECK((table.picks.empty() || table.picks.size() == table.rows.size()));
    for (const Assignments& pick : table.picks) picker.take({pick});
  }
  void operator()(const figure::Links& links) const {
    words(links.left, links.left_param);
    words(links.right, links.right_param);
  }
  void operator()(const figure::Line&) const {}
  void operator()(const figure::Band&) const {}
  void operator()(const figure::Rule&) const {}
  void operator()(const figure::Note&) const {}
  void operator()(const figure::Arrows&) const {}

 private:
  void words(const figure::Labels& names, const std::string& id) const {
    if (id.empty() || !names) return;
    for (std::size_t k = 0; k < names->size(); ++k) picker.take({{{id, std::to_string(k)}}});
  }
};

}  // namespace

void check_picks(const State& state, const Page& page) {
  Picker picker(state);
  for (const auto& figure : page.figures) {
    for (const Plot& plot : figure.plots) {
      CAPTURE(plot.id);
      picker.take({plot.click});
      for (const double share : {0.0, 1.0}) {
        const auto at = [share](const figure::Axis& axis) {
          return (axis.lo + share * (axis.hi - axis.lo) - axis.origin) / axis.unit;
        };
        picker.number(plot.x_param, at(plot.x));
        picker.number(plot.y_param, at(plot.y));
      }
      picker.adds_point(plot.points_param);
      for (const auto& mark : plot.marks) std::visit(MarkPicks{picker, plot}, mark);
    }
  }
}

}  // namespace contract
