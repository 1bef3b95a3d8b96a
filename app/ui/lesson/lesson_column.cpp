// The column of a lesson: its title, what is said, knobs, the way on.
#include "app/ui/lesson/lesson_view.h"

#include <algorithm>
#include <cmath>

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "app/ui/controls/rich_text.h"
#include "app/words/sentence.h"

namespace ui {

namespace {

constexpr float kPad = 18, kFoot = 56, kFold = 28, kShade = 28;

// The column goes on below its edge.
void shade_rest(const Gui& gui, const Rect& column) {
  const float rest = ImGui::GetScrollMaxY() - ImGui::GetScrollY();
  if (rest < gui.px(4)) return;
  const Rgba ink = gui.theme().panel, none = ink.with_alpha(0);
  const float top = column.bottom() - gui.px(kShade), right = column.right() - gui.px(14);
  ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
      {column.x, top}, {right, column.bottom()}, to_im(none), to_im(none), to_im(ink), to_im(ink));
}

}  // namespace

void LessonView::draw(const Rect& area, const DrawKnob& knob) {
  const figure::Theme& theme = gui_.theme();
  pointing_.by_word.reset();
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec(theme.panel));
  ImGui::BeginChild("lesson", {area.w, area.h}, 0, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleColor();
  gui_.control("lesson", area);
  const float pad = gui_.px(kPad), x = area.x + pad, w = area.w - 2 * pad;
  const float top = heading(x, area.y, w);
  const float foot = gui_.px(kFoot + kFold), room = area.bottom() - foot - top;
  ImGui::SetCursorScreenPos({area.x, top});
  ImGui::BeginChild("lesson.text", {area.w, std::max(room, 1.0f)});
  if (std::exchange(next_.to_top, false)) ImGui::SetScrollY(0);
  float y = top - ImGui::GetScrollY();
  const float begins = y;
  if (play_->ended()) {
    y = ending(x, y, w);
  } else {
    y = texts(x, y, w);
    if (knob) y = knobs(x, y, w, knob);
    if (knob && focus()) y = numbers(x, y, w);
    if (play_->stop().wait) y = waiting(x, y, w);
    if (play_->stop().question) y = question(x, y, w);
  }
  gui_.control("lesson.end", {x, y, w, 1});
  extend_content(std::max(y + gui_.px(10), begins + column_.reach));
  shade_rest(gui_, {area.x, top, area.w, std::max(room, 1.0f)});
  ImGui::EndChild();
  footer({area.x, area.bottom() - foot, area.w, foot});
  gui_.fill({area.right() - 1, area.y, 1, area.h}, theme.line);
  ImGui::EndChild();
}

// The lesson's name, the way out, and the stop's title.
float LessonView::heading(float x, float y, float w) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const float icon = gui_.px(26);
  y += gui_.px(10);
  gui_.text_or_tip("lesson.name", x, y + icon / 2, w - 2 * icon - gui_.px(6), play_->lesson().title,
                   TextStyle::label, theme.dim);
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = Icon::close;
  const bool left = button(gui_, "lesson.leave", {x + w - icon + gui_.px(6), y, icon, icon}, "",
                           look, words("Leave the lesson for the page that was there before"));
  look.icon = Icon::screen;
  if (button(gui_, "lesson.lecture", {x + w - 2 * icon + gui_.px(6), y, icon, icon}, "", look,
             words("Lecture: the figures alone, full screen (F5)"))) {
    program_.events.add(state::LectureRequest{});
  }
  y += icon + gui_.px(4);
  const bool small = w < gui_.px(280);
  const TextStyle style = small ? TextStyle::panel : TextStyle::title;
  const std::string title = play_->ended() ? words("You are at the end") : play_->stop().title;
  y += gui_.paragraph(x, y, w, title, style, theme.text);
  gui_.control("lesson.title", {x, y - gui_.line(style), w, gui_.line(style)});
  if (left) next_.leave = true, gui_.wake_in(0);
  return y + gui_.px(8);
}

float LessonView::texts(float x, float y, float w) {
  const std::vector<lesson::Paragraph>& all = play_->stop().text;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const float high = text(all[k], x, y, w, gui_.theme().text);
    gui_.control(fmt::format("lesson.text.{}", k), {x, y, w, high});
    y += high + gui_.px(9);
  }
  return shown_.outdated ? outdated(x, y, w) : y;
}

// Says that the words are about the page as the stop sets it, with the way back to it.
float LessonView::outdated(float x, float y, float w) {
  const words::Words& words = gui_.words();
  const std::string said = words("This refers to the page as the stop sets it.");
  y += gui_.paragraph(x, y, w, said, TextStyle::label, gui_.theme().dim) + gui_.px(6);
  const std::string label = words("Restore");
  const Rect rect{x, y, std::min(button_width(gui_, label, {}), w), gui_.px(26)};
  if (button(gui_, "lesson.set_again", rect, label)) {
    show_scene();
    gui_.wake_in(0);
  }
  return rect.bottom() + gui_.px(9);
}

// The knobs that the stop points at, where there is no panel to point into.
float LessonView::knobs(float x, float y, float w, const DrawKnob& knob) {
  if (program_.desk.lab().id != lab_) return y;
  std::vector<std::string> ids;
  if (focus()) ids = focus()->knobs;
  for (const lesson::Named& one : play_->stop().points) {
    if (!focus() && one.is.kind == lesson::Kind::knob) ids.push_back(one.is.id);
  }
  for (const std::string& id : ids) {
    const float high = knob(id, x, y, w);
    if (high > 0) note_lines(y, high, high), y += high + gui_.px(6);
  }
  return y;
}

// And the numbers that it names.
float LessonView::numbers(float x, float y, float w) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->made_from.lab != lab_) return y;
  const float h = gui_.px(22);
  for (const lab::Readout& one : page->page.readouts) {
    if (hides_readout(one.id) || !focus()->readouts.contains(one.id)) continue;
    const float value = gui_.width(one.text, TextStyle::mono);
    gui_.control("readout." + one.id, {x, y, w, h});
    note_lines(y, h, h);
    gui_.text_in(x, y + h / 2, w - value - gui_.px(12), one.label, TextStyle::body,
                 gui_.theme().dim);
    gui_.text(x + w, y + h / 2, one.text, TextStyle::mono, gui_.theme().text, 1);
    y += h;
  }
  return y;
}

float LessonView::waiting(float x, float y, float w) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const float h = gui_.px(30);
  y += gui_.px(4);
  if (play_->done()) {
    const Rect rect{x, y, w, h};
    gui_.fill(rect, mix(theme.panel, theme.good, 0.16f), gui_.px(6));
    gui_.text(x + gui_.px(12), y + h / 2, "✓ " + words("Done"), TextStyle::card_title, theme.good);
    gui_.control("lesson.done", rect);
    y += h + gui_.px(8);
    const std::vector<lesson::TextRun> seen = seen_text();
    if (seen.empty()) return y;
    RichLook look{.ink = theme.text};
    if (w < gui_.px(280)) look.style = TextStyle::body, look.strong = TextStyle::card_title;
    const float high =
        rich_paragraph(gui_, x, y, w, seen, look, &pointing_.by_word, &pointing_.lit);
    gui_.control("lesson.seen", {x, y, w, high});
    return y + high + gui_.px(9);
  }
  const std::string label = words("Show me");
  const Rect rect{x, y, button_width(gui_, label, {}), h};
  if (button(gui_, "lesson.show_me", rect, label, {},
             words("Does what this stop asks for (Space)"))) {
    show_me();
  }
  gui_.text_in(rect.right() + gui_.px(10), y + h / 2, x + w - rect.right() - gui_.px(10),
               words("or do it yourself"), TextStyle::label, theme.dim);
  return y + h + gui_.px(8);
}

// The whole page, or only what the stop means of it.
void LessonView::fold_page(const Rect& row) {
  if (program_.desk.lab().id != lab_) return;
  const words::Words& words = gui_.words();
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = shown_.whole ? Icon::up : Icon::down;
  const std::string label =
      shown_.whole ? words("Only what this stop means") : words("The whole page");
  const float wide = std::min(button_width(gui_, label, look), row.w);
  if (!button(gui_, "lesson.whole", {row.x, row.y, wide, row.h}, label, look,
              words("All figures, knobs and numbers of this lab, or those that the stop means"))) {
    return;
  }
  shown_.whole = !shown_.whole;
  gui_.wake_in(0);
}

// Where one is, back and next.
void LessonView::footer(const Rect& whole) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const float fold = gui_.px(kFold), pad = gui_.px(kPad), h = gui_.px(32);
  const Rect area{whole.x, whole.y + fold, whole.w, whole.h - fold};
  const float y = area.y + (area.h - h) / 2;
  gui_.hline(area.x, area.right(), area.y - fold, theme.line);
  fold_page({area.x + pad - gui_.px(8), area.y - fold + gui_.px(2), area.w - pad, fold});
  ButtonLook ghost;
  ghost.kind = ButtonLook::Kind::ghost;
  ghost.icon = Icon::step_back;
  ghost.enabled = !play_->first() || play_->ended();
  const float side = gui_.px(34);
  if (button(gui_, "lesson.back", {area.x + pad - gui_.px(8), y, side, h}, "", ghost,
             words("Previous stop (Backspace)")) &&
      ghost.enabled) {
    return back();
  }
  const std::string place = fmt::format("{} / {}", play_->at() + 1, play_->lesson().stops.size());
  ButtonLook list;
  list.icon = Icon::down;
  list.kind = ButtonLook::Kind::ghost;
  const Rect stops{area.x + pad + side, y, button_width(gui_, place, list), h};
  if (button(gui_, "lesson.stops", stops, place, list, words("All stops of this lesson"))) {
    ImGui::OpenPopup("lesson.stops");
  }
  const bool away = program_.desk.lab().id != lab_;
  const bool ready = !away && !play_->asks() && !play_->waits();
  const std::string label = away             ? words("Back to the lesson")
                            : play_->ended() ? words("Close")
                            : play_->asks()  ? words("Show the answer")
                            : play_->last()  ? words("Finish")
                                             : words("Next");
  ButtonLook look;
  look.kind = ready || away ? ButtonLook::Kind::accent : ButtonLook::Kind::plain;
  const float wide = button_width(gui_, label, look);
  if (button(gui_, "lesson.next", {area.right() - pad - wide, y, wide, h}, label, look,
             play_->asks()    ? words("Shows the answer (Space)")
             : play_->ended() ? std::string()
                              : words("Goes on (Space)"))) {
    // The button, unlike Space, does not do what is waited for: it goes on.
    if (play_->waits() && !away && !play_->last()) return go(play_->at() + 1);
    return forward();
  }
  stops_menu(stops);
}

void LessonView::stops_menu(const Rect& under) {
  if (!ImGui::IsPopupOpen("lesson.stops")) return;
  const float width = gui_.px(280);
  const auto count = static_cast<float>(play_->lesson().stops.size());
  const float high = (count + (own() ? 3 : 2)) * gui_.px(28) + gui_.px(20);
  const words::Words& words = gui_.words();
  Menu menu(gui_, "lesson.stops", {under.x, std::max(under.y - high, gui_.px(4)), width, 0});
  if (!menu) return;
  std::optional<std::size_t> chosen;
  for (std::size_t k = 0; k < play_->lesson().stops.size(); ++k) {
    const std::string label = fmt::format("{}  {}", k + 1, play_->lesson().stops[k].title);
    if (menu.item(fmt::format("lesson.stop.{}", k), label, k == play_->at() ? "•" : "")) chosen = k;
  }
  if (own() && menu.item("lesson.read_again", words("Read the file again"))) read_again(true);
  if (menu.item("lesson.add_stop", words("Add a stop to a lesson…"))) {
    program_.events.add(state::StopRequest{});
  }
  if (chosen) go(*chosen);
}

}  // namespace ui
