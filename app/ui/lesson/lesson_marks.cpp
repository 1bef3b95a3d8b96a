// What a lesson says on the page itself: what is pointed at is lit, an answer stays beside what is
// true, and a question is answered by clicking and drawing.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/lesson/lesson_view.h"
#include "app/ui/lesson/spot_marks.h"

namespace ui {

namespace {

constexpr double kFadeIn = 0.25;  // seconds
constexpr double kFlight = 1;     // seconds that what travels is on its way

// A layer over everything that takes no pointer.
class Layer {
 public:
  Layer() {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetCursorScreenPos({0, 0});
    ImGui::BeginChild(
        "lesson.marks", screen, 0,
        ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  }
  ~Layer() { ImGui::EndChild(); }
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
};

class Clipped {
 public:
  explicit Clipped(const Rect& r) {
    ImGui::GetWindowDrawList()->PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  }
  ~Clipped() { ImGui::GetWindowDrawList()->PopClipRect(); }
  Clipped(const Clipped&) = delete;
  Clipped& operator=(const Clipped&) = delete;
};

Rect grown(const Rect& r, float by) { return {r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by}; }

Rect united(const Rect& a, const Rect& b) {
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

Rect common(const Rect& a, const Rect& b) {
  const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(std::min(a.right(), b.right()) - x, 0.0f),
          std::max(std::min(a.bottom(), b.bottom()) - y, 0.0f)};
}

// What an axis calls a cell.
std::string cell_name(const figure::Axis& axis, core::Index at) {
  const auto k = static_cast<std::size_t>(at);
  const bool named = axis.labels && at >= 0 && k < axis.labels->size();
  const std::string name =
      named ? fmt::format("{} “{}”", at, (*axis.labels)[k]) : fmt::format("{}", at);
  return axis.label.empty() ? name : fmt::format("{} {}", axis.label, name);
}

}  // namespace

const PageView::PlotPlace* LessonView::plot_asked() const {
  const lesson::Question* q = play_->stop().question ? &*play_->stop().question : nullptr;
  const auto about = q ? lesson::asked_about(*q) : std::nullopt;
  const state::Computed* page = program_.pages.page();
  if (!about || !page || page->made_from.lab != lab_) return nullptr;
  const figure::Plot* plot = lesson::find_plot(page->page, about->id);
  const auto found = plot ? page_.plots().find(plot->id) : page_.plots().end();
  return found == page_.plots().end() ? nullptr : &found->second;
}

// Clicks and strokes on the plot that a question is about.
void LessonView::pointer() {
  answering_.hovered.reset();
  if (!play_->asks()) return;
  const PageView::PlotPlace* place = plot_asked();
  const PageView::Pointed& at = page_.pointed();
  if (!place || !place->plot || !(at.over || at.held || at.clicked)) return;
  const lesson::Question& q = *play_->stop().question;
  const lesson::Kind kind = lesson::asked_about(q)->kind;
  if (kind == lesson::Kind::line) {
    if (!at.held) return;
    const figure::Rect& a = place->frame.area;
    const float px = std::clamp(at.at.x, a.x, a.right()), py = std::clamp(at.at.y, a.y, a.bottom());
    const double x = place->frame.x_at(px), y = place->frame.y_at(py);
    if (ImGui::IsMouseClicked(0)) answering_.stroke = x;
    // What was drawn before over the way of the stroke gives way to it.
    const double lo = std::min(answering_.stroke, x), hi = std::max(answering_.stroke, x);
    auto& curve = answering_.draft.curve;
    std::erase_if(curve, [&](const auto& point) {
      return point[0] >= lo && point[0] <= hi && point[0] != answering_.stroke;
    });
    std::erase_if(curve, [&](const auto& point) { return point[0] == x; });
    curve.push_back({x, y});
    std::sort(curve.begin(), curve.end());
    answering_.stroke = x;
    return;
  }
  const auto hit = lesson::element_at(*place->plot, place->frame, kind, at.at);
  answering_.hovered = hit;
  if (hit && kind == lesson::Kind::cell) {
    gui_.tooltip_now({cell_name(place->plot->y, hit->row), cell_name(place->plot->x, hit->col)});
  }
  if (!hit || !at.clicked) return;
  if (std::holds_alternative<lesson::Click>(q.kind)) return answer({.elements = {*hit}});
  auto& all = answering_.draft.elements;
  const auto same = [&](const lesson::Element& one) { return one.same_place(*hit); };
  if (std::erase_if(all, same) == 0) all.push_back(*hit);
}

void LessonView::outline(const lesson::Element& element, Rgba color, bool tight) {
  const PageView::PlotPlace* place = plot_asked();
  if (!place || !place->plot) return;
  const lesson::Kind kind = lesson::asked_about(*play_->stop().question)->kind;
  // The page may have fewer of them now.
  if (!lesson::element(*place->plot, kind, element.row, element.col)) return;
  Rect r =
      grown(lesson::place_of(*place->plot, place->frame, kind, element), tight ? 0 : gui_.px(3));
  // How high a bar is may be what is asked.
  if (kind == lesson::Kind::bar && play_->asks()) r.y = place->area.y, r.h = place->area.h;
  // So that it is seen on whatever colour the cell has.
  gui_.outline(grown(r, gui_.px(1)), gui_.theme().card, gui_.px(3), std::max(4.0f, gui_.px(4)));
  gui_.outline(r, color, gui_.px(3), std::max(2.0f, gui_.px(2)));
}

// Dashed, it is told apart from what else has its colour.
void LessonView::curve(const std::vector<std::array<double, 2>>& points, Rgba color, bool dashed) {
  const PageView::PlotPlace* place = plot_asked();
  if (!place) return;
  const Clipped clip(place->area);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = std::max(2.0f, gui_.px(2.5f)), dash = gui_.px(9), period = gui_.px(14);
  float gone = 0;  // along the curve
  for (std::size_t k = 1; k < points.size(); ++k) {
    const auto at = [&](const std::array<double, 2>& point) {
      return ImVec2{place->frame.px_at(point[0]), place->frame.py_at(point[1])};
    };
    const ImVec2 a = at(points[k - 1]), b = at(points[k]);
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    const auto on = [&](float share) {
      return ImVec2{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
    };
    for (float from = 0; from < length;) {
      const float phase = std::fmod(gone + from, period);
      const bool drawn = !dashed || phase < dash;
      const float to =
          dashed ? std::min(length, from + (drawn ? dash : period) - phase + 0.01f) : length;
      if (drawn) list.AddLine(on(from / length), on(to / length), to_im(color), width);
      from = to;
    }
    gone += length;
  }
}

namespace {

// The colour of the plot's line that is asked about: its name stands beside it in the same.
Rgba color_of(const lesson::Question& q, const PageView::PlotPlace* place,
              const figure::Theme& theme) {
  const auto about = lesson::asked_about(q);
  if (!place || !place->plot || about->kind != lesson::Kind::line) return theme.good;
  const auto* line = lesson::line_of(*place->plot, about->at.front().number.value_or(-1));
  return line ? figure::resolve(line->color, theme) : theme.good;
}

}  // namespace

// The learner's answer beside the truth.
void LessonView::ghosts() {
  const lesson::Stop& stop = play_->stop();
  if (!stop.question || !lesson::asked_about(*stop.question)) return;
  const figure::Theme& theme = gui_.theme();
  const Rgba mine = theme.accent, truth = theme.good;
  if (play_->asks()) {
    if (answering_.hovered) outline(*answering_.hovered, mine.with_alpha(0.6f), false);
    for (const lesson::Element& one : answering_.draft.elements) outline(one, mine, true);
    return curve(answering_.draft.curve, mine, false);
  }
  if (!answering_.graded) return;
  for (const lesson::Element& one : answering_.graded->right) outline(one, truth, true);
  for (const lesson::Element& one : play_->given()->elements) outline(one, mine, false);
  curve(answering_.graded->right_curve, color_of(*stop.question, plot_asked(), theme), false);
  curve(play_->given()->curve, mine, true);
}

// Where it lies now, and the part of the window that it is seen in; empty: nowhere.
std::optional<LessonView::Spot> LessonView::spot(const lesson::Reference& reference,
                                                 const Rect& page, const Rect& panel) const {
  using lesson::Kind;
  const Controls& controls = gui_.controls();
  const auto control = [&](const std::string& id, const Rect& clip) -> std::optional<Spot> {
    const auto found = controls.find(id);
    if (found == controls.end()) return {};
    return Spot{found->second, clip};
  };
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (reference.kind == Kind::knob) {
    const auto knobs = controls.find("panel.knobs");
    const bool beside = panel.w > 0 && knobs != controls.end();
    return control("knob." + reference.id, beside ? knobs->second : Rect{0, 0, screen.x, screen.y});
  }
  if (reference.kind == Kind::readout) return control("readout." + reference.id, panel);
  if (reference.kind == Kind::figure) return control("figure." + reference.id, page);
  const state::Computed* computed = program_.pages.page();
  if (!computed || computed->made_from.lab != lab_) return {};
  const figure::Plot* plot = lesson::find_plot(computed->page, reference.id);
  const auto found = plot ? page_.plots().find(plot->id) : page_.plots().end();
  if (found == page_.plots().end()) return {};
  const PageView::PlotPlace& place = found->second;
  if (!lesson::is_element(reference.kind) || reference.at.empty()) return Spot{place.area, page};
  try {
    // Several of them, as a row, in one frame.
    std::optional<Rect> all;
    for (const lesson::Element& one : lesson::elements(reference, sight())) {
      const Rect r = lesson::place_of(*place.plot, place.frame, reference.kind, one);
      all = all ? united(*all, r) : r;
    }
    if (all) return Spot{*all, page};
  } catch (const core::InputError&) {
    // The learner has led the page to where there is no such thing.
  }
  return {};
}

// A calm outline around what a reference names.
void LessonView::light(const lesson::Reference& reference, const Rect& page, const Rect& panel) {
  const double age = ImGui::GetTime() - shown_.since;
  const auto share = static_cast<float>(std::clamp(age / kFadeIn, 0.0, 1.0));
  if (age < kFadeIn) gui_.wake_in(0);
  const auto where = spot(reference, page, panel);
  if (!where) return;
  const Clipped clipped(where->seen_in);
  // Words begin where their control does; what fills its place is outlined inside, or the corners
  // alone would be seen.
  const bool beside =
      reference.kind == lesson::Kind::knob || reference.kind == lesson::Kind::readout;
  Rect ring = grown(where->rect, gui_.px(3));
  if (beside) ring.x -= gui_.px(6), ring.w += gui_.px(12);
  gui_.outline(common(ring, grown(where->seen_in, -gui_.px(1))),
               gui_.theme().accent.with_alpha(0.9f * share), gui_.px(7),
               std::max(2.0f, gui_.px(lesson::is_element(reference.kind) ? 3 : 2)));
}

// A ring round a mark is a speck from the back row: on a stage the rest is darker until somebody
// does something, and what is small has an arrow.
void LessonView::point_out(const Rect& page, bool stage) {
  constexpr float kSmall = 0.03f, kLarge = 0.5f;  // of the page
  const ImVec2& pointer = ImGui::GetIO().MousePos;
  if (ImGui::IsMouseDown(0) && page.contains({pointer.x, pointer.y})) pointing_.touched = true;
  const bool over = play_->answered() || play_->done() || pointing_.touched;
  if (over || page_.moving() || !answers()) return;
  const float all = page.w * page.h;
  std::vector<Rect> kept, small;
  float area = 0;
  for (const lesson::Named& one : play_->stop().points) {
    const bool beside = one.is.kind == lesson::Kind::knob || one.is.kind == lesson::Kind::readout;
    const figure::Plot* plot =
        beside ? nullptr : lesson::find_plot(program_.pages.page()->page, one.is.id);
    const figure::Figure* figure =
        beside ? nullptr : lesson::holder(program_.pages.page()->page, one.is.id);
    const bool covered = figure && plot && shown_.cover.hides(*figure, *plot);
    const auto where = beside || covered ? std::nullopt : spot(one.is, page, {});
    if (!where) continue;
    kept.push_back(grown(common(where->rect, page), gui_.px(6)));
    area += kept.back().w * kept.back().h;
    if (lesson::is_element(one.is.kind) && kept.back().w * kept.back().h < kSmall * all)
      small.push_back(kept.back());
  }
  const auto share =
      static_cast<float>(std::clamp((ImGui::GetTime() - shown_.since) / kFadeIn, 0.0, 1.0));
  if (stage && !kept.empty() && area < kLarge * all) {
    dim_around(gui_, page, kept, share);
    gui_.control("lesson.dimmed", page);
  }
  for (const Rect& one : small) {
    draw_arrow_to(gui_, one, page, share);
    gui_.control("lesson.arrow", one);
  }
}

// What the stop's words stand for and the pointer is on: of several that lie in each other the
// smallest. The words light up in the next frame.
void LessonView::find_words(const Rect& page, const Rect& panel) {
  const ImVec2& pointer = ImGui::GetIO().MousePos;
  const bool free = !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  std::vector<lesson::Reference> lit;
  float least = 0;
  const auto look_at = [&](const lesson::Reference& one) {
    const auto where = spot(one, page, panel);
    if (!where || !where->rect.contains({pointer.x, pointer.y}) ||
        !where->seen_in.contains({pointer.x, pointer.y})) {
      return;
    }
    const float area = where->rect.w * where->rect.h;
    if (!lit.empty() && area > least) return;
    if (lit.empty() || area < least) lit.clear(), least = area;
    lit.push_back(one);
  };
  const lesson::Stop& stop = play_->stop();
  const auto paragraphs = [&](const lesson::Text& text) {
    for (const lesson::Paragraph& one : text) {
      for (const lesson::TextRun& word : text_of(one)) {
        if (word.target) look_at(*word.target);
      }
    }
  };
  if (free && program_.desk.lab().id == lab_) {
    paragraphs(stop.text);
    if (stop.question) paragraphs({stop.question->asked});
  }
  if (lit == pointing_.lit) return;
  pointing_.lit = std::move(lit);
  gui_.wake_in(0);
}

// What the stop has travel: while it is on its way, the marks that it becomes are not seen yet.
void LessonView::fly(const Rect& page) {
  if (flight_.wanted && answers() && !program_.pages.stale()) {
    const lesson::Stop& stop = play_->stop();
    const bool open = stop.question && !play_->asks();
    const auto frame_of = [this](const figure::Plot& plot) -> std::optional<figure::PlotFrame> {
      const figure::Figure* figure = lesson::holder(program_.pages.page()->page, plot.id);
      const auto found = page_.plots().find(plot.id);
      if (!figure || shown_.cover.hides(*figure, plot) || found == page_.plots().end()) return {};
      return found->second.frame;
    };
    flight_ = {.since = ImGui::GetTime()};
    if (program_.looks.moves) {
      flight_.all = lesson::flights(open ? stop.question->travels : stop.travels, sight(), frame_of,
                                    gui_.theme());
    }
  }
  if (flight_.all.empty()) return;
  const auto share = static_cast<float>((ImGui::GetTime() - flight_.since) / kFlight);
  if (share >= 1 || ImGui::IsMouseClicked(0)) {
    flight_.all.clear();
    return;
  }
  const Clipped clip(page);
  for (const lesson::Flying& one : flight_.all) gui_.fill(one.to, gui_.theme().card);
  for (const lesson::Flying& one : flight_.all) {
    const lesson::Flying::Place now = one.at(share);
    gui_.fill(now.rect, now.color, gui_.px(1));
  }
  gui_.control("lesson.flight", flight_.all.front().at(share).rect);
  gui_.wake_in(0);
}

void LessonView::draw_marks(const Rect& page, const Rect& panel, bool stage) {
  if (!play_) return;
  pointer();
  if (!play_) return;
  find_words(page, panel);
  if (program_.desk.lab().id != lab_) return;
  const Layer layer;
  if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) {
    point_out(page, stage);
    for (const lesson::Named& one : play_->stop().points) light(one.is, page, panel);
    if (pointing_.by_word) light(*pointing_.by_word, page, panel);
  }
  fly(page);
  const Clipped clip(page);
  ghosts();
}

}  // namespace ui
