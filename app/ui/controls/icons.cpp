// The few icons, drawn as lines so that they are sharp at every scale.
#include <cmath>
#include <numbers>

#include "app/ui/controls/widgets.h"

namespace ui {

namespace {

struct Pen {
  ImDrawList* list;
  float cx, cy, unit, width;
  ImU32 color;

  ImVec2 at(float x, float y) const { return {cx + x * unit, cy + y * unit}; }
  void line(std::initializer_list<ImVec2> points) const {
    list->AddPolyline(points.begin(), static_cast<int>(points.size()), color, 0, width);
  }
  void arc(float x, float y, float radius, float from, float to) const {
    list->PathArcTo(at(x, y), radius * unit, from, to, 20);
    list->PathStroke(color, 0, width);
  }
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c) const { list->AddTriangleFilled(a, b, c, color); }
  void dot(float x, float y, float radius) const {
    list->AddCircleFilled(at(x, y), radius * unit, color);
  }
};

constexpr float kPi = std::numbers::pi_v<float>;

// A bow over the top with an arrow head at its left end; redo is its mirror image.
void curved_arrow(const Pen& pen, float side) {
  const auto x = [side](float v) { return v * side; };
  pen.line({pen.at(x(-1.5f), -5), pen.at(x(-5), -1.5f), pen.at(x(-1.5f), 2)});
  pen.line({pen.at(x(-5), -1.5f), pen.at(x(2), -1.5f)});
  if (side > 0) {
    pen.arc(2, 1.75f, 3.25f, -kPi / 2, kPi / 2);
  } else {
    pen.arc(-2, 1.75f, 3.25f, kPi / 2, 1.5f * kPi);
  }
  pen.line({pen.at(x(2), 5), pen.at(x(-1), 5)});
}

void sun(const Pen& pen) {
  pen.arc(0, 0, 2.8f, 0, 2 * kPi);
  for (int i = 0; i < 8; ++i) {
    const float angle = kPi / 4 * static_cast<float>(i);
    const float c = std::cos(angle), s = std::sin(angle);
    pen.line({pen.at(4.6f * c, 4.6f * s), pen.at(6.4f * c, 6.4f * s)});
  }
}

void moon(const Pen& pen) {
  pen.arc(0, 0, 5.5f, 0.12f * kPi, 1.38f * kPi);
  pen.arc(3.1f, -2.8f, 5.2f, 0.48f * kPi, 1.05f * kPi);
}

void knobs(const Pen& pen) {
  for (const auto& [y, x] : {std::pair{-4.0f, 2.0f}, {0.0f, -2.5f}, {4.0f, 1.0f}}) {
    pen.line({pen.at(-6, y), pen.at(6, y)});
    pen.dot(x, y, 1.9f);
  }
}

}  // namespace

void draw_icon(const Gui& gui, Icon icon, float cx, float cy, Rgba color) {
  const Pen pen{ImGui::GetWindowDrawList(),         std::round(cx), std::round(cy), gui.scale(),
                std::max(1.2f, 1.4f * gui.scale()), to_im(color)};
  switch (icon) {
    case Icon::none: break;
    case Icon::undo: curved_arrow(pen, 1); break;
    case Icon::redo: curved_arrow(pen, -1); break;
    case Icon::sun: sun(pen); break;
    case Icon::moon: moon(pen); break;
    case Icon::help: gui.text(cx, cy, "?", TextStyle::panel, color, 0.5f); break;
    case Icon::menu:
      for (const float y : {-4.0f, 0.0f, 4.0f}) pen.line({pen.at(-6, y), pen.at(6, y)});
      break;
    case Icon::knobs: knobs(pen); break;
    case Icon::down: pen.line({pen.at(-3.5f, -1.5f), pen.at(0, 2), pen.at(3.5f, -1.5f)}); break;
    case Icon::up: pen.line({pen.at(-3.5f, 1.5f), pen.at(0, -2), pen.at(3.5f, 1.5f)}); break;
    case Icon::close:
      pen.line({pen.at(-4, -4), pen.at(4, 4)});
      pen.line({pen.at(-4, 4), pen.at(4, -4)});
      break;
    case Icon::more:
      for (const float x : {-4.5f, 0.0f, 4.5f}) pen.dot(x, 0, 1.3f);
      break;
    case Icon::search:
      pen.arc(-1, -1, 4, 0, 2 * kPi);
      pen.line({pen.at(2, 2), pen.at(5.5f, 5.5f)});
      break;
    case Icon::to_start:
      pen.line({pen.at(-4.5f, -4.5f), pen.at(-4.5f, 4.5f)});
      pen.triangle(pen.at(4.5f, -4.5f), pen.at(-2.5f, 0), pen.at(4.5f, 4.5f));
      break;
    case Icon::step_back: pen.line({pen.at(2, -4), pen.at(-2, 0), pen.at(2, 4)}); break;
    case Icon::play: pen.triangle(pen.at(-3.5f, -5), pen.at(5, 0), pen.at(-3.5f, 5)); break;
    case Icon::pause:
      for (const float x : {-2.5f, 2.5f}) pen.line({pen.at(x, -4.5f), pen.at(x, 4.5f)});
      break;
    case Icon::screen:
      pen.line({pen.at(-5.5f, -4), pen.at(5.5f, -4), pen.at(5.5f, 3), pen.at(-5.5f, 3),
                pen.at(-5.5f, -4)});
      pen.line({pen.at(-3, 5.5f), pen.at(3, 5.5f)});
      break;
    case Icon::step_forward: pen.line({pen.at(-2, -4), pen.at(2, 0), pen.at(-2, 4)}); break;
  }
}

}  // namespace ui
