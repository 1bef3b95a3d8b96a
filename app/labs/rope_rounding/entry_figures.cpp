// One pair at one position: as the hand of a clock, and bit by bit.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

using figure::Arrows;
using figure::Boxes;

Line arc(double from, double to, double radius, Color color, float width) {
  const int steps = 2 + static_cast<int>(std::ceil(std::abs(to - from) / kTurn * 96));
  Line line;
  for (int k = 0; k <= steps; ++k) {
    const double angle = from + (to - from) * k / steps;
    line.x.push_back(radius * std::cos(angle));
    line.y.push_back(radius * std::sin(angle));
  }
  line.color = color;
  line.width = width;
  return line;
}

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
  const Places places = rounded_places(scene.p);
  return {{fmt::format("m = {}", scene.p.query), e.position, e.r_position, places.id},
          {fmt::format("θ_{}", scene.p.pair), e.theta, e.r_theta, places.frequency},
          {"m·θ", e.angle, e.r_angle, places.product},
          {"cos", e.cosine, e.r_cosine, places.table},
          {"sin", e.sine, e.r_sine, places.table}};
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
    const double width = kDigit * static_cast<double>(text.size()) + kRoom;
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
  plot.marks.emplace_back(figure::Note{x, y, std::move(text), color, style});
}

}  // namespace

Figure dial_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Entry& e = model.entry;
  Figure figure = new_figure("dial", w.format("Pair {} at position {}", p.pair, p.query),
                             {.span = 4, .height = 340});
  figure.caption = w.format(
      "The hand of pair {} at position {}: exact, and as the rounded table has it; off by {}.",
      p.pair, p.query, radians(e.error()));
  Plot plot{.id = "dial"};
  plot.x.lo = plot.y.lo = -1.3;
  plot.x.hi = plot.y.hi = 1.3;
  plot.x.visible = plot.y.visible = false;
  plot.square = true;
  plot.click = explained_by("phase");
  plot.marks.emplace_back(arc(0, kTurn, 1, Role::faint, 1));
  Line zero;
  zero.x = {0.94, 1.06}, zero.y = {0, 0};
  zero.color = Role::dim;
  plot.marks.emplace_back(std::move(zero));
  const bool finite = std::isfinite(e.r_cosine) && std::isfinite(e.r_sine);
  if (finite && std::isfinite(e.error())) {
    const double from = std::remainder(e.angle, kTurn);
    plot.marks.emplace_back(
        arc(from, from + std::remainder(e.error(), kTurn), 0.5, rounded_color(0.6f), 2));
  }
  plot.marks.emplace_back(hand(e.cosine, e.sine, exact_color(), 2.5f, w("exact")));
  if (finite) {
    plot.marks.emplace_back(hand(e.r_cosine, e.r_sine, rounded_color(), 2.5f, w("rounded")));
    plot.note =
        w.format("off by {}, {} turns", radians(e.error()), short_number(e.error() / kTurn));
  } else {
    plot.note = w("there is no rounded hand: its angle is not finite");
  }
  return with(std::move(figure), std::move(plot));
}

Figure bits_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::RotaryRounding rounding = rounding_of(p, rounded_places(p));
  Figure figure = new_figure("bits", w("Step by step, bit by bit"), {.height = 230});
  figure.note = w.format("pair {} at position {}; sign, exponent, mantissa", p.pair, p.query);
  figure.caption = w.format(
      "What pair {0} goes through at position {1}: the exact number, the bits kept of it, and what "
      "they are worth. {2} is rounded to {3}, the rest computed in {4}.",
      p.pair, p.query, scene.rounded(), scene.format(), scene.carrier());
  Plot plot{.id = "bits"};
  plot.x.visible = plot.y.visible = false;
  plot.x.hi = kEnd;
  plot.y.hi = 6;
  plot.click = explained_by("phase");
  add_note(plot, kExact, 5.5, w("exact"), Role::dim, TextStyle::label);
  add_note(plot, kBits, 5.5, w("kept"), Role::dim, TextStyle::label);
  add_note(plot, kKept, 5.5, w("worth"), Role::dim, TextStyle::label);
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
  plot.marks.emplace_back(std::move(boxes));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::rope_rounding
