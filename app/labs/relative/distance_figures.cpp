// What depends on the distance only: curves, and the matrix that repeats them along its diagonals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/relative/page.h"
#include "app/labs/relative/thin.h"

namespace lab::relative {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;
using figure::Rule;

Index reach(const Scene& scene) { return scene.p.extent - 1; }

bool is_chosen(const Scene& scene, const Curve& curve) {
  return curve.of != Curve::Of::slope || curve.head == scene.p.head;
}

// The curve whose value the picked distance shows: the last, which is the sum or the chosen head.
const Curve* shown_curve(const Scene& scene) {
  const auto& curves = scene.model.far->curves;
  return curves.empty() ? nullptr : &curves.back();
}

std::string curve_label(const Scene& scene, const Curve& curve) {
  switch (curve.of) {
    case Curve::Of::total:
      return scene.w("sum");
    case Curve::Of::after:
      return "c";
    case Curve::Of::slope:
      return scene.w.format("head {}", curve.head);
    case Curve::Of::term:
      break;
  }
  return term_symbol(scene, curve.id);
}

Color curve_color(const Scene& scene, const Curve& curve) {
  if (curve.of == Curve::Of::slope) {
    return is_chosen(scene, curve) ? Color(Role::text) : Color(Role::dim, 0.6f);
  }
  if (curve.of != Curve::Of::term) return Role::text;
  if (curve.id == TermId::content_to_position || curve.id == TermId::xl_position ||
      curve.id == TermId::shaw) {
    return Role::query;
  }
  if (curve.id == TermId::position_to_content) return Role::key;
  return curve.id == TermId::xl_bias ? Color(Role::value) : Color(Role::text);
}

void style(const Scene& scene, const Curve& curve, Line& line) {
  line.color = curve_color(scene, curve);
  line.width = is_chosen(scene, curve) ? 2.f : 1.f;
  const bool outermost = curve.head == 1 || curve.head == scene.p.heads;
  if (is_chosen(scene, curve) || outermost) line.label = curve_label(scene, curve);
}

// Whole x from first to last; a slope is straight between its few places and needs no others.
Line line_of(const Curve& curve, const std::vector<Index>& places, bool log, int sign) {
  const auto y = [&](Index x) { return curve.at(sign * x); };
  if (curve.of != Curve::Of::slope) return thin_line(places.front(), places.back(), log, y);
  Line line;
  for (const Index x : places) {
    line.x.push_back(static_cast<double>(x));
    line.y.push_back(y(x));
  }
  return line;
}

void add_linear(const Scene& scene, const Curve& curve, Plot& plot) {
  const Index last = scene.model.pairs->causal ? 0 : reach(scene);
  Line line = line_of(curve, {-reach(scene), 0, last}, false, 1);
  style(scene, curve, line);
  plot.marks.emplace_back(std::move(line));
}

// 1 to `last`, evenly on a logarithmic axis, each whole number once.
std::vector<Index> log_places(Index last) {
  constexpr int kPlaces = 256;
  std::vector<Index> places{1};
  for (int k = 1; k <= kPlaces; ++k) {
    const double x = std::pow(static_cast<double>(last), static_cast<double>(k) / kPlaces);
    const auto place = std::min<Index>(last, std::llround(x));
    if (place > places.back()) places.push_back(place);
  }
  return places;
}

// |j - i| from 1 on; keys ahead dashed, unless they are masked or would lie on the others.
void add_log(const Scene& scene, const Curve& curve, Plot& plot) {
  const std::vector<Index> places = log_places(reach(scene));
  Line before = line_of(curve, places, true, -1);
  style(scene, curve, before);
  if (!scene.model.pairs->causal) {
    Line ahead = line_of(curve, places, true, 1);
    if (ahead.x != before.x || ahead.y != before.y) {
      style(scene, curve, ahead);
      ahead.dashed = true;
      if (!ahead.label.empty()) {
        ahead.label = scene.w.format("{}, keys ahead", curve_label(scene, curve));
      }
      plot.marks.emplace_back(std::move(ahead));
    }
  }
  plot.marks.emplace_back(std::move(before));
}

// The y axis holds every line. On a logarithmic axis the lines of ALiBi plunge: there it ends at
// twice the penalty that counts as reach.
void set_range(const Scene& scene, Plot& plot) {
  double lo = 0, hi = 0;
  for (const figure::Mark& mark : plot.marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (!line) continue;
    for (const double y : line->y) {
      lo = std::min(lo, y);
      hi = std::max(hi, y);
    }
  }
  if (scene.p.scheme == SchemeName::alibi && scene.p.axis == DistanceAxis::log) {
    const double drop = std::log(scene.p.epsilon);
    lo = std::max(lo, 2 * drop);
    hi = std::min(hi, -2 * drop);
    plot.marks.emplace_back(Rule{false, drop, Role::dim, true, "ln ε"});
  }
  const double room = hi > lo ? 0.06 * (hi - lo) : 1;
  plot.y.lo = lo < 0 ? lo - room : lo;
  plot.y.hi = hi + 2 * room;  // for the labels of rules
}

// Where along the axis a distance stands, 0 to 1.
double share(const Plot& plot, double x) {
  if (plot.x.scale == figure::AxisScale::log) {
    return std::log(x / plot.x.lo) / std::log(plot.x.hi / plot.x.lo);
  }
  return (x - plot.x.lo) / (plot.x.hi - plot.x.lo);
}

// Where a scheme stops telling distances apart, on both sides; the place of the label, if any.
std::optional<double> add_limits(const Scene& scene, Plot& plot) {
  Index before = 0, ahead = 0;
  std::string label;
  if (scene.p.scheme == SchemeName::shaw) {
    before = ahead = scene.p.clip;
    label = scene.w("clipped");
  } else if (scene.p.scheme == SchemeName::deberta) {
    ahead = scene.p.span;
    before = ahead - 1;  // δ = 2k - 1 begins there
    label = scene.w("span");
  } else if (scene.p.scheme == SchemeName::t5) {
    before = ahead = scene.scheme().buckets->first_distances().back();
    label = scene.w("last bucket");
  }
  if (before < 1 || ahead > reach(scene)) return std::nullopt;
  const bool log = scene.p.axis == DistanceAxis::log;
  const bool both = !log && !scene.model.pairs->causal;
  Rule rule;
  rule.at = static_cast<double>(log ? before : -before);
  if (!both) rule.label = label;
  plot.marks.emplace_back(rule);
  if (!both) return rule.at;
  rule.at = static_cast<double>(ahead);
  rule.label = label;
  plot.marks.emplace_back(rule);
  return rule.at;
}

// The picked distance; its value stands below where another label is near above.
void add_picked(const Scene& scene, std::optional<double> label_at, Plot& plot) {
  const bool log = scene.p.axis == DistanceAxis::log;
  const Index r = scene.p.distance;
  const auto x = static_cast<double>(log ? std::abs(r) : r);
  if (x < plot.x.lo || x > plot.x.hi) return;
  const Curve* curve = shown_curve(scene);
  Rule rule{true, x, Role::accent, true, {}};
  if (!curve) {
    plot.marks.emplace_back(std::move(rule));
    return;
  }
  const double y = curve->at(r), at = share(plot, x);
  const std::string label = fmt::format("{}: {:.3f}", r, y);
  const bool near = label_at && std::abs(share(plot, *label_at) - at) < 0.3;
  if (near) {
    plot.marks.emplace_back(figure::Note{x, plot.y.lo + 0.03 * (plot.y.hi - plot.y.lo),
                                         at > 0.7 ? label + "  " : "  " + label, Role::accent,
                                         figure::TextStyle::label, at > 0.7 ? 1 : -1});
  } else {
    rule.label = label;
  }
  plot.marks.emplace_back(std::move(rule));
  if (y < plot.y.lo || y > plot.y.hi) return;
  figure::Points point;
  point.x = {x};
  point.y = {y};
  point.color = Role::accent;
  point.radius = 5;
  plot.marks.emplace_back(std::move(point));
}

std::string curve_axis(const Scene& scene) {
  if (scene.p.scheme == SchemeName::urpe && scene.p.urpe_bias == UrpeBias::none) {
    return scene.w("factor c");
  }
  return scene.p.scheme == SchemeName::urpe ? scene.w("bias, and factor c")
                                            : scene.w("added to the score");
}

std::string curve_note(const Scene& scene) {
  if (scene.p.scheme == SchemeName::deberta) {
    return scene.w.format("with q of query {} and k of key {}", scene.model.query, scene.model.key);
  }
  if (is_xl(scene.p) || scene.p.scheme == SchemeName::shaw) {
    return scene.w.format("with q of query {}", scene.model.query);
  }
  return scene.w("the same for every query");
}

std::string matrix_title(const Scene& scene) {
  switch (scene.p.scheme) {
    case SchemeName::shaw:
      return scene.w("Which row of the table");
    case SchemeName::deberta:
      return scene.w("Which row: δ(i, j)");
    case SchemeName::transformer_xl:
    case SchemeName::xlnet:
      return scene.w("Distance alone: term (d)");
    case SchemeName::urpe:
      return scene.w("The Toeplitz matrix C");
    case SchemeName::t5:
    case SchemeName::alibi:
      break;
  }
  return scene.w("The bias matrix");
}

figure::ColorScale matrix_scale(const Scene& scene) {
  const Far& far = *scene.model.far;
  if (!far.names) return signed_scale(static_cast<float>(far.largest));
  figure::ColorScale scale;
  // As many names as have colours; a larger table is drawn as amounts.
  const bool groups = entry_count(scene.p) <= 256;
  scale.map = groups ? figure::MapName::groups : figure::MapName::viridis;
  scale.hi = groups ? 256.f : static_cast<float>(entry_count(scene.p));
  return scale;
}

}  // namespace

Figure curve_figure(const Scene& scene) {
  const bool log = scene.p.axis == DistanceAxis::log, causal = scene.model.pairs->causal;
  Figure figure =
      new_figure("curve", scene.w("What a distance is worth"), {.span = 7, .height = 320});
  figure.note = curve_note(scene);
  figure.caption = scene.w.format(
      "What {} adds to the score (or multiplies the weight by) at each relative position, for "
      "query {}.",
      scene.scheme_name(), scene.model.query);
  Plot plot{.id = "distance_curve"};
  plot.x.label =
      log ? scene.w("distance |j - i| (tokens)") : scene.w("key - query, j - i (tokens)");
  plot.x.lo = log ? 1 : -static_cast<double>(reach(scene));
  plot.x.hi = log || !causal ? static_cast<double>(reach(scene)) : 1;
  plot.x.scale = log ? figure::AxisScale::log : figure::AxisScale::linear;
  plot.y.label = curve_axis(scene);
  const bool straight = scene.p.scheme == SchemeName::alibi;
  if (!straight && 2 * scene.p.extent - 1 > kMostPoints)
    plot.note = scene.w("thinned; extremes are kept");
  for (const Curve& curve : scene.model.far->curves) {
    log ? add_log(scene, curve, plot) : add_linear(scene, curve, plot);
  }
  set_range(scene, plot);
  if (scene.p.scheme == SchemeName::urpe) {
    plot.marks.emplace_back(Rule{false, 1, Role::dim, true, {}});
  }
  const std::optional<double> label_at = add_limits(scene, plot);
  add_picked(scene, label_at, plot);
  if (plot.marks.empty()) plot.marks.emplace_back(Rule{false, 0, Role::dim, true, {}});
  plot.x_param = "distance";
  plot.click = explains("distance");
  return with(std::move(figure), std::move(plot));
}

Figure matrix_figure(const Scene& scene) {
  const Far& far = *scene.model.far;
  Figure figure = new_figure("matrix", matrix_title(scene), {.span = 5, .height = 320});
  figure.note = scene.w.format("{} tokens", scene.p.extent);
  figure.caption = scene.w.format(
      "{}, {} by {} tokens: each diagonal is one distance and has one value; row: query, column: "
      "key.",
      figure.title, scene.p.extent, scene.p.extent);
  Plot plot{.id = "distance_matrix"};
  plot.x = cell_axis(scene.w("key"), scene.p.extent, "far key");
  plot.y = cell_axis(scene.w("query"), scene.p.extent, "far query");
  plot.x.color = Role::key;
  plot.y.color = Role::query;
  plot.square = true;
  plot.click = explains("distance");
  figure::Heatmap map;
  map.source = distance_source(scene.p.extent, scene.model.pairs->causal, far.matrix);
  map.scale = matrix_scale(scene);
  // A mean of names means nothing.
  map.pool = far.names ? core::Pool::max : scene.p.pool;
  map.color_bar = map.scale.map != figure::MapName::groups;
  plot.marks.emplace_back(std::move(map));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::relative
