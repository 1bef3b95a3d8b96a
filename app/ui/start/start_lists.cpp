// The start page's lists: routes with their lessons, what was opened last, and the gallery.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/lesson/text/text.h"
#include "app/ui/start/start_page.h"

namespace ui {

namespace {

constexpr float kStartLesson = 24, kStartLine = 16, kStartSign = 20;
constexpr float kStartPicture = 138, kStartTileText = 46;

int columns_in(float w, float least, float gap, int most) {
  const int fit = static_cast<int>((w + gap) / (least + gap));
  return std::clamp(fit, 1, most);
}

// The middle of all that a drawing's plots fill; it is shown in the middle of its tile.
figure::Point middle_of(const figure::Drawing& drawing, const Rect& box) {
  if (drawing.frames.empty()) return {box.w / 2, box.h / 2};
  float x0 = box.right(), y0 = box.bottom(), x1 = box.x, y1 = box.y;
  for (const figure::PlotFrame& frame : drawing.frames) {
    x0 = std::min(x0, frame.area.x), x1 = std::max(x1, frame.area.right());
    y0 = std::min(y0, frame.area.y), y1 = std::max(y1, frame.area.bottom());
  }
  return {(x0 + x1) / 2, (y0 + y1) / 2};
}

// The k-th of equal columns over a whole width, its edges on whole pixels.
Rect column_of(int k, int columns, float x, float y, float w, float h, float gap) {
  const auto edge = [&](int at) {
    return std::round(x + (w + gap) * static_cast<float>(at) / static_cast<float>(columns));
  };
  return {edge(k), y, edge(k + 1) - gap - edge(k), h};
}

}  // namespace

// Routes -----------------------------------------------------------------------------------------

float StartPage::routes(float x, float y, float w) {
  const words::Words& words = gui_.words();
  y = section(words("Lessons"),
              words("in routes, from first to last; each can be taken alone, too"), x,
              y + gui_.px(6), w);
  const float gap = gui_.px(kGap);
  const auto& all = lesson::routes();
  // Two by two rather than three and one.
  const int fit = columns_in(w, gui_.px(210), gap, static_cast<int>(all.size()));
  const int columns = fit == 3 ? 2 : fit;
  const float each =
      std::floor((w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  for (std::size_t k = 0; k < all.size(); k += static_cast<std::size_t>(columns)) {
    const std::size_t end = std::min(all.size(), k + static_cast<std::size_t>(columns));
    float high = 0;
    for (std::size_t i = k; i < end; ++i) high = std::max(high, route_height(all[i], each));
    for (std::size_t i = k; i < end; ++i) {
      route(all[i], column_of(static_cast<int>(i - k), columns, x, y, w, high, gap));
    }
    y += high + gap;
  }
  return y - gap;
}

float StartPage::route_height(const lesson::Route& route, float w) const {
  const float pad = gui_.px(kPad), room = w - 2 * pad;
  const std::string about = gui_.words()(route.about);
  const std::vector<std::string> after = lesson::after_route(route.id);
  float rows = after.empty() ? 0 : gui_.px(kStartLesson);
  for (const auto& names : {lesson::of_route(route.id), after}) {
    for (const std::string& name : names) rows += lesson_words(name, room).height;
  }
  return pad + gui_.px(24) + gui_.paragraph_height(room, about, TextStyle::label) + gui_.px(34) +
         rows + gui_.px(10) + gui_.px(32) + pad;
}

float StartPage::route(const lesson::Route& route, const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const state::RouteStatus at = state::status(route, program_.learned, words.language());
  const float pad = gui_.px(kPad), x = r.x + pad, w = r.w - 2 * pad;
  const std::string id = "start.route." + std::string(route.id);
  gui_.control(id, r);
  float y = titled_card(r, words(route.title)).y - gui_.px(2);
  y += gui_.paragraph(x, y, w, words(route.about), TextStyle::label, theme.dim);
  const std::string minutes = words.format(N_("{} min"), at.minutes);
  const std::string come = at.finished_all() ? "✓ " + words("finished")
                           : at.begun        ? words.format(N_("{} of {} stops"), at.seen, at.stops)
                           : at.lessons == 1 ? words("1 lesson")
                                             : words.format(N_("{} lessons"), at.lessons);
  gui_.text(x, y + gui_.px(13), minutes, TextStyle::small, theme.dim);
  gui_.text(x + w, y + gui_.px(13), come, TextStyle::small,
            at.finished_all() ? theme.good : theme.dim, 1);
  const float share =
      at.stops > 0 ? static_cast<float>(at.seen) / static_cast<float>(at.stops) : 0.0f;
  const Rect bar{x, y + gui_.px(23), w, gui_.px(3)};
  gui_.fill(bar, mix(theme.line, theme.text, 0.05f), bar.h / 2);
  if (share > 0) {
    gui_.fill({bar.x, bar.y, std::max(bar.w * share, bar.h), bar.h},
              at.finished_all() ? theme.good : theme.accent, bar.h / 2);
  }
  y += gui_.px(34);
  for (const std::string& name : lesson::of_route(route.id)) y = lesson_row(name, x, y, w);
  const std::vector<std::string> after = lesson::after_route(route.id);
  if (!after.empty()) {
    gui_.text_in(x, y + gui_.px(kStartLesson) / 2, w, words("then, optional"), TextStyle::small,
                 theme.dim);
    y += gui_.px(kStartLesson);
  }
  for (const std::string& name : after) y = lesson_row(name, x, y, w);
  const std::string label = at.finished_all() ? words("Once more")
                            : at.begun        ? words("Go on")
                                              : words("Begin");
  const ButtonLook look;
  const lesson::Lesson& next = lesson::shipped(at.next, words.language());
  const float wide = button_width(gui_, label, look) + gui_.px(10);
  const Rect go{x, r.bottom() - pad - gui_.px(32), wide, gui_.px(32)};
  if (button(gui_, id + ".go", go, label, look, next.title)) {
    program_.events.add(state::LessonRequest{at.next});
  }
  gui_.text_or_tip(id + ".next", go.right() + gui_.px(10), go.y + go.h / 2,
                   x + w - go.right() - gui_.px(10), next.title, TextStyle::label, theme.dim);
  return y;
}

// What a row says: a title that has no room on one line has more.
StartPage::LessonWords StartPage::lesson_words(const std::string& name, float w) const {
  const words::Words& words = gui_.words();
  const lesson::Lesson& one = lesson::shipped(name, words.language());
  const lesson::Place place = program_.learned.of(name);
  LessonWords said;
  said.tail = program_.learned.begun(name) && !place.done
                  ? fmt::format("{} / {}", place.stop + 1, one.stops.size())
                  : words.format(N_("{} min"), one.minutes);
  const float taken = gui_.px(kStartSign + 8) + gui_.width(said.tail, TextStyle::mono_small);
  said.title = gui_.wrap(one.title, TextStyle::label, w - taken);
  said.height =
      gui_.px(kStartLesson) + static_cast<float>(said.title.size() - 1) * gui_.px(kStartLine);
  return said;
}

// A disc says how far one has come: empty, half, or ticked off.
float StartPage::lesson_row(const std::string& name, float x, float y, float w) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const lesson::Lesson& one = lesson::shipped(name, words.language());
  const lesson::Place place = program_.learned.of(name);
  const bool begun = program_.learned.begun(name);
  const float in = gui_.px(6);
  const LessonWords said = lesson_words(name, w);
  const Rect row{x - in, y, w + 2 * in, said.height};
  const Touch t = touch(gui_, "start.lesson." + name, row,
                        lesson::plain(lesson::text_of(one.about, {}, words)));
  if (t.hovered || t.held) {
    gui_.fill(row, mix(theme.card, theme.text, t.held ? 0.12f : 0.06f), gui_.px(5));
  }
  if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(row, gui_.px(5));
  const float cy = y + gui_.px(kStartLesson) / 2, radius = gui_.px(4);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 center{x + radius + gui_.px(1), cy};
  if (place.done) {
    gui_.text(center.x, cy, "✓", TextStyle::label_bold, theme.good, 0.5f);
  } else {
    if (begun) list.AddCircleFilled(center, radius, to_im(theme.accent));
    if (!begun) list.AddCircle(center, radius, to_im(theme.faint), 0, std::max(1.0f, gui_.px(1)));
  }
  gui_.text(x + w, cy, said.tail, TextStyle::mono_small, theme.dim, 1);
  float at = cy;
  for (const std::string& line : said.title) {
    gui_.text(x + gui_.px(kStartSign), at, line, TextStyle::label, theme.text);
    at += gui_.px(kStartLine);
  }
  if (t.activated) program_.events.add(state::LessonRequest{name});
  return y + row.h;
}

// Recent -----------------------------------------------------------------------------------------

void StartPage::recents(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const Rect inside = titled_card(r, words("Recent"));
  const float x = inside.x, w = inside.w;
  float y = inside.y + gui_.px(2);
  int k = 0;
  for (const state::Recent& one : program_.files.recents().all()) {
    const bool is_lesson = one.kind == state::Recent::Kind::lesson;
    if (is_lesson && !lesson::exists(one.name)) continue;
    const std::filesystem::path path(one.name);
    const std::string title =
        is_lesson ? lesson::shipped(one.name, words.language()).title : path.filename().string();
    const std::string where = is_lesson ? words("Lesson") : path.parent_path().string();
    const Rect row{x - gui_.px(6), y, w + gui_.px(12), gui_.px(24)};
    const Touch t =
        touch(gui_, fmt::format("start.recent.{}", k++), row, is_lesson ? "" : one.name);
    if (t.hovered || t.held) {
      gui_.fill(row, mix(theme.card, theme.text, t.held ? 0.12f : 0.06f), gui_.px(5));
    }
    if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(row, gui_.px(5));
    const float cy = y + row.h / 2;
    const float used = std::min(gui_.width(title, TextStyle::label), w * 0.7f);
    gui_.text_in(x, cy, w * 0.7f + gui_.px(1), title, TextStyle::label, theme.text);
    gui_.text_in(x + w, cy, w - used - gui_.px(12), where, TextStyle::small, theme.dim, 1);
    if (t.activated && one.kind == state::Recent::Kind::lesson) {
      program_.events.add(state::LessonRequest{one.name});
    } else if (t.activated) {
      program_.files.open(one.name);
    }
    y += row.h;
  }
}

// Gallery ----------------------------------------------------------------------------------------

float StartPage::gallery(float x, float y, float w) {
  const words::Words& words = gui_.words();
  y = section(words("Every lab"), words("a picture of each, just computed; click to open"), x,
              y + gui_.px(6), w);
  const float gap = gui_.px(kGap);
  const int columns = columns_in(w, gui_.px(196), gap, 8);
  const float high = gui_.px(kStartPicture + kStartTileText);
  const std::size_t count = gallery_.pictures().size();
  for (std::size_t k = 0; k < count; ++k) {
    const auto column = static_cast<int>(k % static_cast<std::size_t>(columns));
    tile(k, column_of(column, columns, x, y, w, high, gap));
    const bool last = k + 1 == count || (k + 1) % static_cast<std::size_t>(columns) == 0;
    if (last) y += high + gap;
  }
  return y;
}

void StartPage::tile(std::size_t k, const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const state::Gallery::Picture& one = gallery_.pictures()[k];
  const Touch t =
      touch(gui_, "start.picture." + std::string(one.lab->id), r, words(one.lab->question));
  const bool lit = t.hovered || t.held;
  gui_.fill(r, mix(theme.card, theme.text, t.held ? 0.08f : lit ? 0.04f : 0.0f), gui_.px(8));
  gui_.outline(r, lit ? mix(theme.line, theme.accent, 0.7f) : theme.line, gui_.px(8));
  if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(r, gui_.px(8));
  if (ImGui::IsRectVisible({r.x, r.y}, {r.right(), r.bottom()})) {
    const float in = gui_.px(10);
    picture(k, {r.x + in, r.y + in, r.w - 2 * in, gui_.px(kStartPicture) - in});
  }
  const float x = r.x + gui_.px(12), w = r.w - gui_.px(24), y = r.y + gui_.px(kStartPicture);
  gui_.text_in(x, y + gui_.px(13), w, words(one.lab->title), TextStyle::card_title, theme.text);
  for (const lab::Preset& preset : one.lab->presets) {
    if (preset.id != lab::picture_of(one.lab->id).preset) continue;
    gui_.text_in(x, y + gui_.px(31), w, words(preset.title), TextStyle::small, theme.dim);
  }
  if (t.activated) {
    program_.events.add(state::LabRequest{std::string(one.lab->id),
                                          std::string(lab::picture_of(one.lab->id).preset)});
  }
}

void StartPage::picture(std::size_t k, const Rect& r) {
  const state::Gallery::Picture& one = gallery_.pictures()[k];
  if (!one.figure) {
    const std::string said = one.made ? "–" : "…";
    gui_.text(r.x + r.w / 2, r.y + r.h / 2, said, TextStyle::panel, gui_.theme().faint, 0.5f);
    return;
  }
  const std::string id(one.lab->id);
  const float reduced = lab::picture_of(one.lab->id).reduced;
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  const Key key{one.figure.get(),      &gui_.theme(), r.w, r.h, gui_.scale(), ratio,
                gui_.fonts().version()};
  Drawn& drawn = drawn_[k];
  if (!(drawn.key == key)) {
    figure::LayoutOptions options;
    options.theme = &gui_.theme();
    options.measure = &measure_;
    options.scale = gui_.scale();
    options.card = false;
    options.inside = 0;
    options.pixel_ratio = ratio;
    const Rect box{0, 0, std::round(r.w / reduced), std::round(r.h / reduced)};
    drawn.drawing = figure::layout(*one.figure, box, {}, options);
    drawn.key = key;
    drawn.middle = middle_of(drawn.drawing, box);
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  const float right = (r.w / reduced / 2 - drawn.middle.x) * reduced;
  const float down = (r.h / reduced / 2 - drawn.middle.y) * reduced;
  painter_.paint(list, drawn.drawing.primitives, {std::round(r.x + right), std::round(r.y + down)},
                 "start." + id, reduced);
  list.PopClipRect();
  gui_.control("start.made." + id, r);
}

}  // namespace ui
