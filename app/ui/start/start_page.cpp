#include "app/ui/start/start_page.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr float kStartSide = 28, kStartWidest = 1500;

}  // namespace

StartPage::StartPage(state::Program& program, Gui& gui, ScreenPainter& painter,
                     const figure::TextMeasure& measure, TextEdit& edit, std::function<void()> wake)
    : program_(program),
      gui_(gui),
      painter_(painter),
      measure_(measure),
      edit_(edit),
      gallery_(program.desk.labs(), std::move(wake)) {}

void StartPage::remember() {
  session_ = program_.desk.now();
  language_ = program_.words().language();
}

void StartPage::show() {
  program_.playing.pause();
  program_.desk.end_gesture();
  remember();
  open_ = to_top_ = true;
  fault_.clear();
  gui_.wake_in(0);
}

void StartPage::leave() {
  if (!open_) return;
  open_ = false;
  gallery_.rest();
  if (edit_.id == kStartSentence) edit_.id.clear();
  if (gui_.keyboard().focused().starts_with("start.")) gui_.keyboard().focus("", false);
  gui_.wake_in(0);
}

void StartPage::advance() {
  if (!open_) return;
  // Another language has other examples in labs that nobody has touched.
  if (language_ != program_.words().language()) remember();
  if (!(session_ == program_.desk.now())) return leave();
  for (const std::size_t k : gallery_.poll()) fresh_.push_back(k), drawn_.erase(k);
  // The page of the lab comes first: that one is waited for.
  if (program_.pages.page() && !program_.pages.busy()) gallery_.want(program_.words().language());
}

void StartPage::need_fonts(Fonts& fonts) {
  for (const std::size_t k : std::exchange(fresh_, {})) {
    const auto& figure = gallery_.pictures()[k].figure;
    if (!figure) continue;
    lab::Page page;
    page.figures.push_back(*figure);
    fonts.need(page);
  }
  if (!open_) return;
  for (const state::Recent& one : program_.files.recents().all()) fonts.need(one.name);
  fonts.need(sentence_);
}

// Drawing ----------------------------------------------------------------------------------------

void StartPage::draw(const Rect& area) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::BeginChild("start", {area.w, area.h});
  gui_.control("start.page", area);
  if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
  const float bar = ImGui::GetStyle().ScrollbarSize;
  const float side = gui_.px(area.w < gui_.px(560) ? 14 : kStartSide);
  const float w = std::floor(std::min(area.w - 2 * side - bar / 2, gui_.px(kStartWidest)));
  const float x = std::round(area.x + (area.w - w) / 2);
  float y = area.y - ImGui::GetScrollY();
  y = heading(x, y, w);
  y = doors(x, y, w) + gui_.px(kGap);
  y = routes(x, y, w) + gui_.px(kGap);
  y = gallery(x, y, w);
  extend_content(y + gui_.px(kStartSide));
  ImGui::EndChild();
}

// What this is, and how it looks.
float StartPage::heading(float x, float y, float w) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const float right = look(x + w, y + gui_.px(18));
  const float room = w - (x + w - right) - gui_.px(24);
  y += gui_.px(22);
  y += gui_.paragraph(x, y, room, words("An oscilloscope for attention"), TextStyle::title,
                      theme.text) +
       gui_.px(4);
  const std::string about = words(
      "Turn a knob and a mechanism of the Transformer responds at once; every number is really "
      "computed and can be taken apart, down to its inputs.");
  y += gui_.paragraph(x, y, w, about, TextStyle::body, theme.dim);
  return y + gui_.px(16);
}

// From the right: theme, language, and whether this is shown at first; where they begin.
float StartPage::look(float right, float y) {
  const words::Words& words = gui_.words();
  const float h = gui_.px(30), icon = gui_.px(32);
  ButtonLook ghost;
  ghost.kind = ButtonLook::Kind::ghost;
  const bool dark = program_.looks.theme == figure::ThemeName::dark;
  ghost.icon = dark ? Icon::sun : Icon::moon;
  right -= icon;
  const Rect theme_button{right, y, icon, h};
  ghost.icon = Icon::none;
  const bool english = words.language() == words::Language::en;
  const std::string other = english ? "中文" : "English";
  const float wide = gui_.px(22) + std::ceil(gui_.width(other, TextStyle::body));
  right -= wide + gui_.px(2);
  const Rect language_button{right, y, wide, h};
  const std::string label = words("Show at start");
  const float label_wide = std::ceil(gui_.width(label, TextStyle::label));
  right -= gui_.px(16) + label_wide;
  const float text = right;
  const Rect knob{right - gui_.px(40), y + gui_.px(7), gui_.px(32), gui_.px(16)};
  gui_.text(text, y + h / 2, label, TextStyle::label, gui_.theme().dim);
  if (toggle(gui_, "start.show", knob, program_.looks.shows_start,
             words("Open the program with this page; it is always at the top of the list on the "
                   "left"))) {
    program_.looks.shows_start = !program_.looks.shows_start;
  }
  if (button(gui_, "button.language", language_button, other, ghost,
             words("Switch language (Ctrl L)"))) {
    program_.set_language(english ? words::Language::zh_CN : words::Language::en);
  }
  ghost.icon = dark ? Icon::sun : Icon::moon;
  if (button(gui_, "button.theme", theme_button, "", ghost,
             words("Dark for the desk, light for the projector (Ctrl T)"))) {
    program_.looks.theme = dark ? figure::ThemeName::light : figure::ThemeName::dark;
  }
  return knob.x;
}

float StartPage::section(const std::string& title, const std::string& about, float x, float y,
                         float w) {
  const figure::Theme& theme = gui_.theme();
  const float line = gui_.px(30);
  gui_.text(x, y + line / 2, title, TextStyle::panel, theme.text);
  const float used = gui_.width(title, TextStyle::panel) + gui_.px(14);
  gui_.text_in(x + used, y + line / 2 + gui_.px(1), w - used, about, TextStyle::label, theme.dim);
  return y + line + gui_.px(4);
}

}  // namespace ui
