// What depends on the distance only: curves, and the matrix that repeats them along its diagonals.
#include "app/labs/relative/page.h"
#include "app/labs/shared/drawing/stairs.h"
#include "core/enum_array.h"

namespace lab::relative {
namespace {

Index reach(const Scene& scene) { return scene.p.extent - 1; }
bool on_log(const Scene& scene) { return scene.p.axis == DistanceAxis::log; }

bool is_chosen(const Scene& scene, const Curve& curve) {
  return curve.of != Curve::Of::slope || curve.head == scene.p.head;
}

std::string curve_label(const Scene& scene, const Curve& curve) {
  if (curve.of == Curve::Of::total) return scene.w("sum");
  if (curve.of == Curve::Of::after) return "c";
  if (curve.of == Curve::Of::slope) return scene.w.format("head {}", curve.head);
  return term_symbol(scene, curve.id);
}

Color curve_color(const Scene& scene, const Curve& curve) {
  if (curve.of == Curve::Of::slope) {
    return is_chosen(scene, curve) ? Color(Role::text) : Color(Role::dim, 0.6f);
  }
  if (curve.of != Curve::Of::term) return Role::text;
  switch (curve.id) {
    case TermId::content_to_position:
    case TermId::xl_position:
    case TermId::shaw: return Role::query;
    case TermId::position_to_content: return Role::key;
    case TermId::xl_bias: return Role::value;
    default: return Role::text;
  }
}

// The curve at sign * x for the whole x from the first place to the last; a slope is straight
// between its few places and needs no others.
Line line_of(const Scene& scene, const Curve& curve, const std::vector<Index>& places, int sign) {
  const auto y = [&](Index x) { return curve.at(sign * x); };
  Line line;
  if (curve.of == Curve::Of::slope) {
    for (const Index x : places) line.add(x, y(x));
  } else {
    line = thinned({.begin = places.front(), .end = places.back() + 1, .value = {}, .height = y},
                   kMostPoints, kMostPoints / 2, on_log(scene));
  }
  line.steps = scene.p.is(Variant::t5) && curve.of != Curve::Of::slope;
  const bool chosen = is_chosen(scene, curve);
  line.color = curve_color(scene, curve);
  line.width = chosen ? 2.f : 1.f;
  const bool outermost = curve.head == 1 || curve.head == scene.p.heads;
  if (chosen || outermost) line.label = curve_label(scene, curve);
  return line;
}

// 1 to `last`, evenly on a logarithmic axis, each whole number once.
std::vector<Index> log_places(Index last) {
  constexpr int kPlaces = 256;
  std::vector<Index> places{1};
  for (int k = 1; k <= kPlaces; ++k) {
    const double x = std::pow(to_double(last), to_double(k) / kPlaces);
    const auto place = std::min<Index>(last, std::llround(x));
    if (place > places.back()) places.push_back(place);
  }
  return places;
}

// On a logarithmic axis |j - i| from 1 on; keys ahead dashed, unless they are masked or would lie
// on the others.
void add_curve(const Scene& scene, const Curve& curve, Plot& plot) {
  const bool causal = scene.model.pairs->causal;
  const Index far = reach(scene);
  if (!on_log(scene)) {
    plot.add(line_of(scene, curve, {-far, 0, causal ? 0 : far}, 1));
    return;
  }
  const std::vector<Index> places = log_places(far);
  Line before = line_of(scene, curve, places, -1), ahead = line_of(scene, curve, places, 1);
  if (!causal && (ahead.x != before.x || ahead.y != before.y)) {
    ahead.dashed = true;
    if (!ahead.label.empty()) ahead.label = scene.w.format("{}, keys ahead", ahead.label);
    plot.add(std::move(ahead));
  }
  plot.add(std::move(before));
}

// The y axis holds every line. On a logarithmic axis the lines of ALiBi plunge: there it ends at
// twice the penalty that counts as reach.
void set_range(const Scene& scene, Plot& plot) {
  Extent extent = heights(plot.marks);
  extent.add(0);
  auto [lo, hi] = extent;
  if (scene.p.is(Variant::alibi) && on_log(scene)) {
    const double drop = std::log(scene.p.epsilon);
    lo = std::max(lo, 2 * drop);
    hi = std::min(hi, -2 * drop);
    plot.add(Rule{false, drop, Role::dim, true, "ln ε"});
  }
  const double room = hi > lo ? 0.06 * (hi - lo) : 1;
  plot.y.lo = lo < 0 ? lo - room : lo;
  plot.y.hi = hi + 2 * room;  // for the labels of rules
}

// Where along the axis a distance stands, 0 to 1.
double share(const Axis& axis, double x) {
  if (axis.scale == AxisScale::log) return std::log(x / axis.lo) / std::log(axis.hi / axis.lo);
  return (x - axis.lo) / (axis.hi - axis.lo);
}

// Where a scheme stops telling distances apart, on both sides; the place of the label, if any.
std::optional<double> add_limits(const Scene& scene, Plot& plot) {
  const auto& [p, model, w] = scene;
  Index before = 0, ahead = 0;
  std::string label;
  if (p.is(Variant::shaw)) {
    before = ahead = p.clip;
    label = w("clipped");
  } else if (p.is(Variant::deberta)) {
    ahead = p.span;
    before = ahead - 1;  // δ = 2k - 1 begins there
    label = w("span");
  } else if (p.is(Variant::t5)) {
    before = ahead = scene.scores().buckets->first_distances().back();
    label = w("last bucket");
  }
  if (before < 1 || ahead > reach(scene)) return std::nullopt;
  const bool both = !on_log(scene) && !model.pairs->causal;
  const double left = to_double(on_log(scene) ? before : -before), right = to_double(ahead);
  plot.add(Rule{true, left, Role::dim, true, both ? "" : label});
  if (both) plot.add(Rule{true, right, Role::dim, true, label});
  return both ? right : left;
}

// The picked distance on the last curve, which is the sum or the chosen head; its value stands
// below where another label is near above.
void add_picked(const Scene& scene, std::optional<double> label_at, Plot& plot) {
  const auto& curves = scene.model.far->curves;
  const Index r = scene.p.distance;
  const double x = to_double(on_log(scene) ? std::abs(r) : r);
  if (x < plot.x.lo || x > plot.x.hi) return;
  if (curves.empty()) {
    plot.add(Rule{true, x, Role::accent});
    return;
  }
  const double y = curves.back().at(r), at = share(plot.x, x);
  // Which side of the query it is on, where the axis does not tell.
  const std::string label = fmt::format("{}{}: {:.3f}", on_log(scene) ? "j - i = " : "", r, y);
  const bool near = label_at && std::abs(share(plot.x, *label_at) - at) < 0.3;
  if (near) {
    plot.add(Note{x, plot.y.lo + 0.03 * (plot.y.hi - plot.y.lo),
                  at > 0.7 ? label + "  " : "  " + label, Role::accent, TextStyle::label,
                  at > 0.7 ? 1 : -1});
  }
  plot.add(Rule{true, x, Role::accent, true, near ? "" : label});
  if (y < plot.y.lo || y > plot.y.hi) return;
  plot.add(picked_point(x, y));
}

std::string curve_axis(const Scene& scene) {
  if (!scene.p.is(Variant::urpe)) return scene.w("added to the score");
  return scene.p.urpe_bias == UrpeBias::none ? scene.w("factor c") : scene.w("bias, and factor c");
}

std::string curve_note(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (p.is(Variant::deberta)) {
    return w.format("with q of query {} and k of key {}", model.query, model.key);
  }
  return p.is_xl() || p.is(Variant::shaw) ? w.format("with q of query {}", model.query)
                                          : w("the same for every query");
}

std::string matrix_title(const Scene& scene) {
  constexpr core::EnumArray<Variant> kTitles{
      {N_("Which row of the table"), N_("Distance alone: term (d)"), N_("Distance alone: term (d)"),
       N_("The bias matrix"), N_("Which row: δ(i, j)"), N_("The Toeplitz matrix C"),
       N_("The bias matrix")}};
  if (scene.p.is(Variant::alibi) && scene.p.by_key())
    return scene.w("The bias matrix, row i less m i");
  return scene.w(kTitles[scene.p.variant]);
}

ColorScale matrix_scale(const Scene& scene) {
  const Far& far = *scene.model.far;
  if (!far.names) return signed_scale(far.largest);
  // As many names as have colours; a larger table is drawn as amounts.
  const int names = scene.p.entry_count();
  if (names > 256) return {.hi = to_float(names)};
  return {.map = MapName::groups, .hi = 256};
}

}  // namespace

Figure curve_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const bool log = on_log(scene);
  const double far = to_double(reach(scene));
  Figure figure = new_figure("curve", w("What a distance is worth"), {.span = 7});
  figure.note = curve_note(scene);
  figure.caption =
      w.format(p.is(Variant::urpe)
                   ? N_("What {} adds to the score or multiplies the weight by at each relative "
                        "position, for query {}.")
                   : N_("What {} adds to the score at each relative position, for query {}."),
               scene.scheme_name(), model.query);
  Plot plot{
      .id = "distance_curve",
      .x = {log ? w("distance |j - i| (tokens)") : w("key - query, j - i (tokens)"), log ? 1 : -far,
            log || !model.pairs->causal ? far : 1, log ? AxisScale::log : AxisScale::linear},
      .y = {.label = curve_axis(scene)},
      .click = explains("distance"),
      .x_param = "distance"};
  if (!p.is(Variant::alibi) && 2 * p.extent - 1 > kMostPoints) {
    plot.note = w("thinned; extremes are kept");
  }
  for (const Curve& curve : model.far->curves) add_curve(scene, curve, plot);
  set_range(scene, plot);
  if (p.is(Variant::urpe)) plot.add(Rule{false, 1});
  add_picked(scene, add_limits(scene, plot), plot);
  if (plot.marks.empty()) plot.add(Rule{false, 0});
  return with(std::move(figure), std::move(plot));
}

Figure matrix_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("matrix", matrix_title(scene), {.span = 5});
  figure.note = w.format("{} tokens", p.extent);
  figure.caption =
      w.format("{}, {} by {} tokens; row: query, column: key.", figure.title, p.extent, p.extent);
  const ColorScale scale = matrix_scale(scene);
  // A mean of names means nothing.
  const core::Pool pool = model.far->names ? core::Pool::max : p.pool;
  return with(
      std::move(figure),
      Plot{.id = "distance_matrix",
           .x = cell_axis(w("key"), p.extent, {.link = "far key", .color = Role::key}),
           .y = cell_axis(w("query"), p.extent, {.link = "far query", .color = Role::query}),
           .marks = {Heatmap{.source = model.far->matrix,
                             .scale = scale,
                             .pool = pool,
                             .color_bar = scale.map != MapName::groups}},
           .square = true,
           .click = explains("distance")});
}

}  // namespace lab::relative
