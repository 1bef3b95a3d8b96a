// What lies on top of a lecture's picture: strokes of the pen, the spotlight, a black or white
// screen.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/ui/lecture_view.h"

namespace ui {

namespace {

using lesson::Lecture;

constexpr float kPen = 3.5f, kReach = 9, kSpot = 84;  // units

// A layer over the whole window.
class Over {
 public:
  Over(const char* id, const Rect& r, bool takes_pointer) {
    ImGui::SetCursorScreenPos({r.x, r.y});
    ImGui::BeginChild(id, {r.w, r.h}, false,
                      ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar |
                          ImGuiWindowFlags_NoScrollWithMouse |
                          (takes_pointer ? 0 : ImGuiWindowFlags_NoInputs));
  }
  ~Over() { ImGui::EndChild(); }
  Over(const Over&) = delete;
  Over& operator=(const Over&) = delete;
};

// None of them is that of a curve.
Rgba ink_color(figure::ThemeName theme, int ink) {
  constexpr Rgba kOnLight[Lecture::kInks] = {{214, 30, 50}, {150, 40, 205}, {20, 26, 36}};
  constexpr Rgba kOnDark[Lecture::kInks] = {{255, 84, 96}, {206, 132, 255}, {240, 244, 250}};
  const auto& inks = theme == figure::ThemeName::dark ? kOnDark : kOnLight;
  return inks[std::clamp(ink, 0, Lecture::kInks - 1)];
}

ImVec2 on_screen(const std::array<float, 2>& point, const Rect& screen) {
  return {screen.x + point[0] * screen.w, screen.y + point[1] * screen.h};
}

}  // namespace

// Shares of the screen, so that a stroke stays where it was drawn when the window gets larger.
void LectureView::ink(const Rect& screen) {
  using Tool = Lecture::Tool;
  const Tool tool = lecture_.tool();
  const bool takes = tool == Tool::pen || tool == Tool::eraser;
  if (!takes) drawing_ = false;
  if (!takes && lecture_.strokes(key()).empty()) return;
  const Over layer("lecture.ink", screen, takes);
  draw_strokes(screen);
  if (!takes) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const std::array<float, 2> at{(mouse.x - screen.x) / screen.w, (mouse.y - screen.y) / screen.h};
  const float reach = gui_.px(kReach);
  const ImRect box({screen.x, screen.y}, {screen.right(), screen.bottom()});
  const ImGuiID id = ImGui::GetID("lecture.canvas");
  if (!ImGui::ItemAdd(box, id)) return;
  bool hovered = false, held = false;
  ImGui::ButtonBehavior(box, id, &hovered, &held);
  if (held && tool == Tool::pen) {
    drawing_ ? lecture_.go_on_stroke(key(), at) : lecture_.begin_stroke(key(), at);
  } else if (held) {
    lecture_.erase(key(), at, reach / screen.h, screen.w / screen.h);
  }
  drawing_ = held;
  if (!hovered) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rgba color =
      tool == Tool::pen ? ink_color(model_.theme(), lecture_.ink()) : gui_.theme().dim;
  const float width = std::max(1.5f, gui_.px(1.5f));
  if (tool == Tool::pen) {
    list.AddCircleFilled(mouse, gui_.px(kPen), to_im(color));
  } else {
    list.AddCircle(mouse, reach, to_im(color), 0, width);
  }
}

void LectureView::draw_strokes(const Rect& screen) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = std::max(2.0f, gui_.px(kPen));
  for (const lesson::Stroke& one : lecture_.strokes(key())) {
    const ImU32 color = to_im(ink_color(model_.theme(), one.ink));
    std::vector<ImVec2> points;
    for (const auto& point : one.points) points.push_back(on_screen(point, screen));
    if (points.empty()) continue;
    list.AddCircleFilled(points.front(), width / 2, color);
    list.AddCircleFilled(points.back(), width / 2, color);
    list.AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, width);
  }
}

// All but a disc around the pointer is darker; what lies in it is shown, and nothing is told of it.
void LectureView::spotlight(const Rect& screen) const {
  if (lecture_.tool() != Lecture::Tool::spotlight) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Rect whole{screen.x, screen.y, screen.w, screen.h};
  if (!whole.contains({mouse.x, mouse.y})) return;
  const Over layer("lecture.spot", screen, true);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = gui_.px(kSpot), far = 2 * (screen.w + screen.h);
  const ImU32 dark = IM_COL32(0, 0, 0, 150);
  constexpr int kParts = 72;
  const auto at = [&](int k, float r) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / kParts;
    return ImVec2{mouse.x + r * std::cos(angle), mouse.y + r * std::sin(angle)};
  };
  // Their edges would show where they meet.
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  for (int k = 0; k < kParts; ++k) {
    list.AddQuadFilled(at(k, radius), at(k + 1, radius), at(k + 1, far), at(k, far), dark);
  }
  list.Flags = flags;
  list.AddCircle(mouse, radius, dark, kParts, std::max(1.5f, gui_.px(1.5f)));
}

void LectureView::blank(const Rect& screen) const {
  const Lecture::Blank blank = lecture_.blank();
  if (blank == Lecture::Blank::none) return;
  const Over layer("lecture.blank", screen, true);
  const std::uint8_t level = blank == Lecture::Blank::black ? 0 : 255;
  gui_.fill(screen, {level, level, level, 255});
}

}  // namespace ui
