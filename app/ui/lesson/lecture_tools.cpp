// What lies on top of a lecture's picture: strokes of the pen, the spotlight, a black or white
// screen.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/ui/lesson/lecture_view.h"

namespace ui {

namespace {

using lesson::Lecture;

constexpr float kPen = 3.5f, kReach = 9;  // units

// A layer over the whole window.
class Over {
 public:
  Over(const char* id, const Rect& r, bool takes_pointer) {
    ImGui::SetCursorScreenPos({r.x, r.y});
    ImGui::BeginChild(id, {r.w, r.h}, 0,
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

}  // namespace

// Strokes ----------------------------------------------------------------------------------------

std::string LectureView::place_key() const {
  const lesson::Play* play = lesson_.play();
  return play ? lesson::stroke_place(play->name(), play->at()) : lab_;
}

session::Strokes LectureView::strokes_here() const {
  session::Strokes here{program_.desk.now().strokes.at(place_key())};
  std::erase_if(here.all, [this](const auto& one) {
    return std::find(figures_.begin(), figures_.end(), one->figure) == figures_.end();
  });
  return here;
}

std::optional<Rect> LectureView::figure_box(const std::string& id) const {
  const auto found = gui_.controls().find("figure." + id);
  if (found == gui_.controls().end() || found->second.w <= 0 || found->second.h <= 0) return {};
  return found->second;
}

// The one that the point is on, else the nearest.
std::string LectureView::figure_near(figure::Point at) const {
  std::string nearest;
  float least = 0;
  for (const std::string& id : figures_) {
    const auto box = figure_box(id);
    if (!box) continue;
    const float away = std::hypot(std::max({box->x - at.x, at.x - box->right(), 0.0f}),
                                  std::max({box->y - at.y, at.y - box->bottom(), 0.0f}));
    if (nearest.empty() || away < least) nearest = id, least = away;
  }
  return nearest;
}

// Its points are shares of the figure, so that a stroke stays on what it marks in another window.
void LectureView::draw_on(figure::Point at) {
  if (!pen_) pen_ = session::Stroke{place_key(), figure_near(at), lecture_.ink(), {}};
  const auto box = figure_box(pen_->figure);
  if (!box) return;
  const auto share = [](float place, float begin, float size) {
    return std::clamp((place - begin) / size, -session::kFarthestStroke, session::kFarthestStroke);
  };
  const std::array<float, 2> point{share(at.x, box->x, box->w), share(at.y, box->y, box->h)};
  if (pen_->points.empty() || pen_->points.back() != point) pen_->points.push_back(point);
  if (pen_->points.size() == session::kMostStrokePoints) lift_pen();
}

void LectureView::lift_pen() {
  const auto stroke = std::exchange(pen_, std::nullopt);
  if (!stroke || stroke->points.empty()) return;
  session::Strokes all = program_.desk.now().strokes;
  if (all.all.size() >= session::kMostStrokes) {
    return program_.messages.say(
        program_.words().format(N_("There are {} pen strokes already: erase some first (Delete, or "
                                   "Shift Delete to erase them everywhere)."),
                                session::kMostStrokes),
        true);
  }
  all.all.push_back(std::make_shared<const session::Stroke>(*stroke));
  program_.desk.set_strokes(std::move(all));
}

void LectureView::erase(figure::Point at, float reach) {
  const session::Strokes here = strokes_here();
  session::Strokes left = program_.desk.now().strokes;
  std::erase_if(left.all, [&](const auto& one) {
    if (std::find(here.all.begin(), here.all.end(), one) == here.all.end()) return false;
    const auto box = figure_box(one->figure);
    return box && session::touches(*one, {(at.x - box->x) / box->w, (at.y - box->y) / box->h},
                                   reach / box->h, box->w / box->h);
  });
  program_.desk.set_strokes(std::move(left), "erase");
}

void LectureView::wipe(bool everywhere) {
  session::Strokes left;
  if (!everywhere) {
    const session::Strokes here = strokes_here();
    left = program_.desk.now().strokes;
    std::erase_if(left.all, [&](const auto& one) {
      return std::find(here.all.begin(), here.all.end(), one) != here.all.end();
    });
  }
  pen_.reset();
  program_.desk.set_strokes(std::move(left));
}

void LectureView::ink(const Rect& screen) {
  using Tool = Lecture::Tool;
  const Tool tool = lecture_.tool();
  const bool takes = tool == Tool::pen || tool == Tool::eraser;
  if (!takes) lift_pen();
  if (!takes && strokes_here().empty()) return;
  const Over layer("lecture.ink", screen, takes);
  draw_strokes();
  if (!takes) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float reach = gui_.px(kReach);
  const ImRect box({screen.x, screen.y}, {screen.right(), screen.bottom()});
  const ImGuiID id = ImGui::GetID("lecture.canvas");
  if (!ImGui::ItemAdd(box, id)) return;
  bool hovered = false, held = false;
  ImGui::ButtonBehavior(box, id, &hovered, &held);
  const bool draws = held && tool == Tool::pen, erases = held && tool == Tool::eraser;
  draws ? draw_on({mouse.x, mouse.y}) : lift_pen();
  if (erases) erase({mouse.x, mouse.y}, reach);
  if (erasing_ && !erases) program_.desk.end_gesture();
  erasing_ = erases;
  if (!hovered) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rgba color =
      tool == Tool::pen ? ink_color(program_.looks.theme, lecture_.ink()) : gui_.theme().dim;
  const float width = std::max(1.5f, gui_.px(1.5f));
  if (tool == Tool::pen) {
    list.AddCircleFilled(mouse, gui_.px(kPen), to_im(color));
  } else {
    list.AddCircle(mouse, reach, to_im(color), 0, width);
  }
}

void LectureView::draw_strokes() const {
  for (const auto& one : strokes_here().all) draw_stroke(*one);
  if (pen_) draw_stroke(*pen_);
}

void LectureView::draw_stroke(const session::Stroke& stroke) const {
  const auto box = figure_box(stroke.figure);
  if (!box || stroke.points.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = std::max(2.0f, gui_.px(kPen));
  const ImU32 color = to_im(ink_color(program_.looks.theme, stroke.ink));
  std::vector<ImVec2> points;
  for (const auto& point : stroke.points) {
    points.push_back({box->x + point[0] * box->w, box->y + point[1] * box->h});
  }
  list.AddCircleFilled(points.front(), width / 2, color);
  list.AddCircleFilled(points.back(), width / 2, color);
  list.AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, width);
}

// What lies over all ------------------------------------------------------------------------------

// All but a disc around the pointer is darker; what lies in it is shown, and nothing is told of it.
void LectureView::spotlight(const Rect& screen) {
  if (lecture_.tool() != Lecture::Tool::spotlight) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Rect whole{screen.x, screen.y, screen.w, screen.h};
  if (!whole.contains({mouse.x, mouse.y})) return;
  const Over layer("lecture.spot", screen, true);
  if (const float wheel = ImGui::GetIO().MouseWheel; wheel != 0) lecture_.widen_spot(wheel);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float radius = gui_.px(lecture_.spot()), far = 2 * (screen.w + screen.h);
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
