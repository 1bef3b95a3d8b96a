#include "app/ui/start/start_page.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "app/param/reading.h"
#include "app/words/sentence.h"
#include "core/text/characters.h"

namespace ui {

namespace {

constexpr const char* kSentenceBox = "start.sentence";
constexpr float kStartSide = 28, kStartWidest = 1500;

}  // namespace

// The lab that shows every head of a model that has read, and what it would write next.
session::Session looking_at(const std::string& sentence, const std::vector<lab::Lab>& labs) {
  const auto lab = std::find_if(labs.begin(), labs.end(),
                                [](const lab::Lab& one) { return one.id == "gpt_inside"; });
  if (lab == labs.end())
    throw std::logic_error("expected the lab gpt_inside among the labs, got none");
  const auto state = lab->make();
  param::assign(state->describe(),
                {{"from", "published"},
                 {"published", core::mostly_ideographs(sentence) ? "chinese" : "english"},
                 {"text", sentence}});
  return {.lab = std::string(lab->id), .values = param::values(state->describe()), .views = {}};
}

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
  if (edit_.id == kSentenceBox) edit_.id.clear();
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

void StartPage::look_at_sentence() {
  const std::string text(param::trimmed(sentence_));
  if (text.empty()) {
    fault_ = gui_.words()("Type a few words first.");
    gui_.keyboard().focus(kSentenceBox, true);
    return;
  }
  try {
    program_.files.restore(looking_at(text, program_.desk.labs()));
  } catch (const core::InputError& error) {
    fault_ = words::translated(error, program_.words());
    return;
  }
  leave();
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
  y = routes(x, y, w) + gui_.px(kGap);
  y = doors(x, y, w) + gui_.px(8);
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

// A sentence, a file, what was opened last: beside each other where there is room.
float StartPage::doors(float x, float y, float w) {
  const float gap = gui_.px(kGap), h = gui_.px(126);
  const bool recent = !program_.files.recents().all().empty();
  const float list = gui_.px(62) + gui_.px(24) * static_cast<float>(std::min<std::size_t>(
                                                     program_.files.recents().all().size(),
                                                     state::Recents::kMost));
  if (w < gui_.px(620)) {
    sentence({x, y, w, h});
    y += h + gap;
    files({x, y, w, h});
    if (!recent) return y + h;
    recents({x, y + h + gap, w, list});
    return y + h + gap + list;
  }
  const float columns = recent && w >= gui_.px(900) ? 3 : 2;
  const float each = std::floor((w - (columns - 1) * gap) / columns);
  const float high = columns == 3 ? std::max(h, list) : h;
  sentence({x, y, each, high});
  files({x + each + gap, y, each, high});
  if (columns == 3) {
    recents({x + 2 * (each + gap), y, x + w - (x + 2 * (each + gap)), high});
  } else if (recent) {
    recents({x, y + high + gap, w, list});
    return y + high + gap + list;
  }
  return y + high;
}

// A card with its title; what is left of it inside.
Rect StartPage::titled_card(const Rect& r, const std::string& title) const {
  gui_.fill(r, gui_.theme().card, gui_.px(8));
  gui_.outline(r, gui_.theme().line, gui_.px(8));
  const float pad = gui_.px(kPad), head = gui_.px(26);
  const Rect inside{r.x + pad, r.y + pad, r.w - 2 * pad, r.h - 2 * pad};
  gui_.text_in(inside.x, inside.y + gui_.px(9), inside.w, title, TextStyle::panel,
               gui_.theme().text);
  return {inside.x, inside.y + head, inside.w, inside.h - head};
}

void StartPage::sentence(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  const Rect inside = titled_card(r, words("Type a sentence"));
  const float x = inside.x, w = inside.w;
  float y = inside.y;
  const std::string& said = fault_.empty() ? words(
                                                 "and see what the heads of a trained model do "
                                                 "with it, and which word comes next")
                                           : fault_;
  gui_.text_or_tip("start.sentence.said", x, y + gui_.px(8), w, said, TextStyle::label,
                   fault_.empty() ? theme.dim : theme.bad);
  y += gui_.px(28);
  const std::string label = words("Look at it");
  const float wide = button_width(gui_, label, {}) + gui_.px(10);
  BoxLook look;
  look.style = TextStyle::reading;
  look.align = 0;
  look.wrong = !fault_.empty();
  look.hint = words("the river bank was steep");
  const Rect box{x, y, w - wide - gui_.px(8), gui_.px(34)};
  const EditEvent event =
      text_box(gui_, edit_, kSentenceBox, box, sentence_, look,
               words("A small model reads it that learned from English definitions, or, if it is "
                     "Chinese, from verse"));
  if (edit_.id == kSentenceBox) sentence_ = edit_.buffer;
  if (event == EditEvent::changed) fault_.clear();
  const bool go = button(gui_, "start.look", {box.right() + gui_.px(8), y, wide, box.h}, label, {},
                         words("Opens \"Inside a GPT\" with this sentence (Enter)"));
  if (event == EditEvent::applied || go) look_at_sentence();
}

void StartPage::files(const Rect& r) {
  const words::Words& words = gui_.words();
  const Rect inside = titled_card(r, words("Open a file"));
  const std::string label = words("Choose…");
  const float wide = button_width(gui_, label, {}) + gui_.px(10), high = gui_.px(34);
  if (button(gui_, "start.open", {inside.right() - wide, inside.bottom() - high, wide, high}, label,
             {}, words("Choose a file (Ctrl O)"))) {
    program_.events.add(state::FileRequest{});
  }
  gui_.paragraph(inside.x, inside.y, inside.w,
                 words("or drop it here: a session, an exported figure, a lesson, tensors (.npy, "
                       ".npz, .safetensors), a model folder"),
                 TextStyle::label, gui_.theme().dim);
}

}  // namespace ui
