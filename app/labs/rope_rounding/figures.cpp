// Tables, their entries and their phases.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

using figure::Boxes, figure::Table;

// --- how many rows of the table still differ, and what each place of rounding does by itself

constexpr int kPoints = 240;

double share(const Rows& rows, Index length) {
  return 100.0 * rows.distinct[to_size(length - 1)] / to_double(length);
}

// The share of rows that differ over the length of the context.
Line curve(const Rows& rows, double first, Color color, float width, std::string label) {
  Line line;
  const auto n = to_double(rows.distinct.size());
  for (int k = 0; k <= kPoints; ++k) {
    const auto length = to_index(std::llround(first * std::pow(n / first, to_double(k) / kPoints)));
    const auto x = to_double(length);
    if (!line.x.empty() && x <= line.x.back()) continue;
    line.add(x, share(rows, length));
  }
  line.color = color;
  line.width = width;
  line.label = std::move(label);
  return line;
}

std::string flag(bool value) { return value ? "true" : "false"; }

Assignments picks_of(const RoundedSteps& rounded_steps) {
  return {{"round_id", flag(rounded_steps.id)},
          {"round_frequency", flag(rounded_steps.frequency)},
          {"round_product", flag(rounded_steps.product)},
          {"round_table", flag(rounded_steps.table)},
          {"repair", "false"},
          {"explain", "rows"}};
}

std::string largest_phase(const core::AngleErrors& errors) { return radians(errors.max()); }

// --- how far angles are off: of all pairs and positions, and of some pairs over position

// Smaller errors than this are shown as none at all.
constexpr double kLeast = 1e-7;

std::string errors_text(const Scene& scene) {
  const core::AngleErrors& errors = *scene.model.errors;
  const Index lost = errors.lost();
  if (lost > 0) return scene.w.format("hands without an angle: {} of {}", lost, errors.count);
  return scene.w.format("largest {}", radians(errors.largest));
}

// --- one pair at one position: as the hand of a clock, and bit by bit

Arrows hand(double x, double y, Color color, float width, std::string label) {
  Arrows arrows;
  arrows.arrows = {{0, 0, x, y}};
  arrows.color = color;
  arrows.width = width;
  arrows.label = std::move(label);
  return arrows;
}

// One number on its way: what it should be, and what is kept.
struct Stage {
  std::string name;
  double exact, kept;
  bool lowered;  // rounded to the low format
};

std::vector<Stage> stages(const Scene& scene) {
  const Entry& e = scene.model.entry;
  const RoundedSteps rounded_steps = effective_steps(scene.p);
  return {{fmt::format("m = {}", scene.p.query), e.position, e.r_position, rounded_steps.id},
          {fmt::format("θ_{}", scene.p.pair), e.theta, e.r_theta, rounded_steps.frequency},
          {"m·θ", e.angle, e.r_angle, rounded_steps.product},
          {"cos", e.cosine, e.r_cosine, rounded_steps.table},
          {"sin", e.sine, e.r_sine, rounded_steps.table}};
}

constexpr double kName = 0, kExact = 13, kBits = 34, kKept = 80, kEnd = 100;

// The fields, as wide as their digits.
void add_boxes(const Bits& bits, double y, bool lowered, Boxes& boxes) {
  if (bits.exponent.empty()) return;
  constexpr double kDigit = 1.16, kRoom = 1.6, kGap = 0.5;
  const float alpha = lowered ? 0.4f : 0.18f;
  double x = kBits;
  const auto add = [&](const std::string& text, Role role) {
    if (text.empty()) return;
    const double width = kDigit * to_double(text.size()) + kRoom;
    boxes.boxes.push_back({.x0 = x,
                           .y0 = y - 0.34,
                           .x1 = x + width,
                           .y1 = y + 0.34,
                           .text = text,
                           .fill = Color(role, alpha)});
    x += width + kGap;
  };
  add(bits.sign, Role::bad);
  add(bits.exponent, Role::good);
  add(bits.mantissa, Role::query);
}

void add_note(Plot& plot, double x, double y, std::string text, Color color, TextStyle style) {
  plot.add(Note{x, y, std::move(text), color, style});
}

}  // namespace

Figure rows_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rows& rows = *model.rows;
  Figure figure = new_figure("rows", w("Distinct rows of the table"), {.span = 6, .height = 300});
  figure.note = w.format("{} of {}", rows.count(), p.length);
  figure.caption = w.format(
      "The share of the first n rows of cosines and sines that differ, against the context length "
      "n. With {} rounded to {}: {} of {}.",
      scene.rounded(), scene.format(), rows.count(), p.length);
  Plot plot{.id = "rows"};
  plot.x.label = w("context length (positions)");
  const double first = std::max(1.0, std::min(64.0, p.length / 8.0));
  plot.x.lo = first;
  plot.x.hi = std::max(first * 2, to_double(p.length));
  plot.x.scale = AxisScale::log;
  plot.y.label = w("rows that differ (%)");
  plot.y.hi = 105;
  plot.click = explained_by("rows");
  const auto& alone = *model.alone;
  for (const std::size_t k : {std::size_t{3}, std::size_t{2}, std::size_t{0}}) {
    plot.add(curve(alone[k].rows, first, Color(Role::dim, 0.9f), 1.25f,
                   w.format("only {}", scene.place(alone[k].id))));
  }
  const RoundedSteps rounded_steps = effective_steps(p);
  const bool alike = std::any_of(alone.begin(), alone.begin() + 4,
                                 [&](const Alone& a) { return a.rounded_steps == rounded_steps; });
  plot.add(curve(rows, first, rounded_color(), 2.5f, alike ? std::string() : w("as set")));
  Points point;
  point.x = {to_double(p.length)}, point.y = {share(rows, p.length)};
  point.color = Role::accent;
  point.radius = 4.5f;
  plot.add(std::move(point));
  return with(std::move(figure), std::move(plot));
}

Figure steps_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& alone = *model.alone;
  const auto compared = to_index(alone[0].rows.first.size());
  Figure figure = new_figure("places", w("Each step by itself"), {.height = 210});
  figure.note = w.format("{}, {} positions", scene.format(), compared);
  figure.pointer_note = w("click a step to set it");
  figure.caption = w.format(
      "The effect of rounding to {} at each step: rows of the table that still differ among {}, "
      "the largest error of an angle, and the largest change of an attention weight at positions "
      "{} to {}.",
      scene.format(), compared, model.window->start, model.window->start + model.window->n - 1);
  Table table;
  table.columns = {{w("rounded"), 1.7f, -1},
                   {w("rows"), 1, 1},
                   {w("phase error"), 1.3f, 1},
                   {w("weight off by"), 1.3f, 1}};
  const auto cell = [](std::string text) {
    return Table::Cell{{std::move(text), Role::text, TextStyle::mono}};
  };
  const RoundedSteps rounded_steps = effective_steps(p);
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const Alone& each = alone[k];
    table.rows.push_back({{{scene.place(each.id), Role::text, TextStyle::body}},
                          cell(fmt::format("{}", each.rows.count())),
                          cell(largest_phase(each.errors)),
                          cell(short_number(model.alone_change[k]))});
    table.picks.push_back(picks_of(each.rounded_steps));
    if (each.rounded_steps == rounded_steps) table.marked = to_int(k);
  }
  return with_table(std::move(figure), std::move(table));
}

Figure phase_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      new_figure("phase", w("Phase error of every pair, everywhere"), {.span = 8, .height = 340});
  figure.note = errors_text(scene);
  figure.caption = w.format(
      "|rounded angle - mθ| in radians of pairs (columns, {0}) at positions (rows, {1}), with {2} "
      "rounded to {3} (logarithmic colours); {4}.",
      p.d / 2, p.length, scene.rounded(), scene.format(), errors_text(scene));
  Plot plot{.id = "phase"};
  plot.x = cell_axis(w("pair i, fast to slow"), p.d / 2, "pair");
  plot.y = cell_axis(w("position m"), p.length, "position");
  Heatmap map;
  map.source = model.cells;
  map.scale = {.map = MapName::magma,
               .transform = figure::Transform::log,
               .lo = to_float(kLeast),
               .hi = to_float(model.top)};
  map.pool = p.pool;
  map.row_param = "query";
  map.col_param = "pair";
  map.also = explained_by("phase");
  map.pinned = {p.query, p.pair};
  map.bar_label = w("rad");
  plot.add(std::move(map));
  return with(std::move(figure), std::move(plot));
}

Figure curves_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("curves", w("Phase error over position"), {.span = 6, .height = 300});
  figure.note = w.format("pair {} at {}: {}", p.pair, p.query, error_text(scene));
  figure.caption = w.format(
      "The largest |phase error| of some pairs over position, with {} rounded to {}. At π the hand "
      "points the opposite way.",
      scene.rounded(), scene.format());
  Plot plot{.id = "curves"};
  plot.x = log_axis(w("position m"), 1, std::max(2.0, p.length - 1.0));
  plot.y = log_axis(w("|phase error| (rad)"), kLeast, model.top);
  plot.x_param = "query";
  plot.click = explained_by("phase");
  plot.note = w("each point is the largest of its interval of positions");
  plot.add(Rule{false, std::numbers::pi, Role::dim, true, {}});
  const double above = std::pow(plot.y.hi / plot.y.lo, 0.05);
  plot.add(Note{1.1, std::numbers::pi * above, w("half a turn"), Role::dim});
  for (const PhaseCurve& curve : *model.curves) {
    Line line;
    line.x = curve.x;
    bool any = false;
    for (const double error : curve.y) {
      const bool shown = std::isfinite(error) && error >= kLeast;
      line.y.push_back(shown ? error : std::numeric_limits<double>::quiet_NaN());
      any |= shown;
    }
    if (!any) continue;
    const bool chosen = curve.pair == p.pair;
    line.color = chosen ? rounded_color() : Color(Role::dim, 0.8f);
    line.width = chosen ? 2.5f : 1.25f;
    line.label = w.format("pair {}", curve.pair);
    plot.add(std::move(line));
  }
  const double here = std::abs(model.entry.error());
  plot.add(Rule{true, std::max(1.0, model.entry.position), Role::accent, true, {}});
  if (p.query >= 1 && std::isfinite(here) && here >= kLeast) {
    Points point;
    point.x = {model.entry.position}, point.y = {here};
    point.color = Role::accent;
    point.radius = 4.5f;
    plot.add(std::move(point));
  }
  return with(std::move(figure), std::move(plot));
}

Figure dial_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Entry& e = model.entry;
  Figure figure = new_figure("dial", w.format("Pair {} at position {}", p.pair, p.query),
                             {.span = 4, .height = 340});
  const bool pointing = std::isfinite(e.r_hand);
  figure.caption =
      pointing
          ? w.format(
                "The hand of pair {} at position {}: exact, and from the rounded table; off by {}.",
                p.pair, p.query, error_text(scene))
          : w.format(
                "The hand of pair {} at position {}, exact: in the rounded table it has no angle.",
                p.pair, p.query);
  Plot plot{.id = "dial"};
  plot.x.lo = plot.y.lo = -1.3;
  plot.x.hi = plot.y.hi = 1.3;
  plot.x.visible = plot.y.visible = false;
  plot.square = true;
  plot.click = explained_by("phase");
  plot.add(arc(0, kTurn, 1, {.color = Role::faint, .width = 1}));
  Line zero;
  zero.x = {0.94, 1.06}, zero.y = {0, 0};
  zero.color = Role::dim;
  plot.add(std::move(zero));
  if (pointing) {
    const double from = std::remainder(e.angle, kTurn);
    plot.add(arc(from, from + std::remainder(e.error(), kTurn), 0.5,
                 {.color = rounded_color(0.6f), .width = 2}));
  }
  plot.add(hand(e.cosine, e.sine, exact_color(), 2.5f, w("exact")));
  if (pointing) {
    plot.add(hand(e.r_cosine, e.r_sine, rounded_color(), 2.5f, w("rounded")));
    plot.note = w.format("off by {}, {} turns", error_text(scene), short_number(e.error() / kTurn));
  } else {
    plot.note = e.r_cosine == 0 && e.r_sine == 0
                    ? w("there is no rounded hand: its cosine and sine are both 0")
                    : w("there is no rounded hand: its cosine or sine is not finite");
  }
  return with(std::move(figure), std::move(plot));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::RotaryRounding rounding = rounding_of(p, effective_steps(p));
  Figure figure = new_figure("bits", w("Step by step, bit by bit"), {.height = 230});
  figure.note = w.format("pair {} at position {}; sign, exponent, mantissa", p.pair, p.query);
  figure.caption = w.format(
      "The steps of pair {0} at position {1}: the exact number, the bits kept, and their value. "
      "{2} is rounded to {3}, the rest computed in {4}.",
      p.pair, p.query, scene.rounded(), scene.format(), scene.carrier());
  Plot plot{.id = "bits"};
  plot.x.visible = plot.y.visible = false;
  plot.x.hi = kEnd;
  plot.y.hi = 6;
  plot.click = explained_by("phase");
  add_note(plot, kExact, 5.5, w("exact"), Role::dim, TextStyle::label);
  add_note(plot, kBits, 5.5, w("kept"), Role::dim, TextStyle::label);
  add_note(plot, kKept, 5.5, w("effect"), Role::dim, TextStyle::label);
  Boxes boxes;
  boxes.style = TextStyle::mono_small;
  double y = 4.5;
  for (const Stage& stage : stages(scene)) {
    const core::Format& format = stage.lowered ? rounding.low : rounding.carrier;
    add_note(plot, kName, y, stage.name, Role::text, TextStyle::mono_bold);
    add_note(plot, kExact, y, number_words(stage.exact, std::abs(stage.exact) * 1e-8), Role::dim,
             TextStyle::mono);
    Bits bits = bits_of(format, stage.kept);
    if (bits.mantissa.size() > 32) {
      // Sixty-four digits have no room: the mantissa in hexadecimal ones.
      bits.mantissa = "0x" + fmt::format("{:013x}", core::encode(format, stage.kept) &
                                                        ((core::Code{1} << 52) - 1));
    }
    add_boxes(bits, y, stage.lowered, boxes);
    add_note(plot, kKept, y, number_words(stage.kept, std::abs(stage.kept) * 1e-8),
             stage.lowered ? rounded_color() : Color(Role::text), TextStyle::mono);
    y -= 1;
  }
  plot.add(std::move(boxes));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::rope_rounding
