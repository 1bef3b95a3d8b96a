#include "app/ui/page/statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/controls/widgets.h"

namespace ui {

namespace {

using Verdict = lab::Card::Verdict;

constexpr float kButton = 27;  // pixels at 100 %

std::string id_of(const lab::Card& card, const char* part) {
  return fmt::format("statement.{}.{}", card.id, part);
}

const char* revealed_at_once(Verdict verdict) {
  switch (verdict) {
    case Verdict::wrong: return N_("It is false.");
    case Verdict::half: return N_("As stated, it is not true.");
    case Verdict::holds: break;
  }
  return N_("It is true.");
}

const char* revealed_after(Verdict verdict, bool right) {
  switch (verdict) {
    case Verdict::wrong: return right ? N_("Right: it is false.") : N_("No: it is false.");
    case Verdict::half:
      return right ? N_("Right: as stated, it is not true.")
                   : N_("Not quite: as stated, it is not true.");
    case Verdict::holds: break;
  }
  return right ? N_("Right: it is true.") : N_("No: it is true.");
}

}  // namespace

const std::vector<lab::Card>& Statements::cards() const {
  static const std::vector<lab::Card> none;
  const state::Computed* page = program_.pages.page();
  return page ? page->page.cards : none;
}

std::pair<std::string, std::string> Statements::key(const lab::Card& card) const {
  return {std::string(program_.desk.lab().id), card.id};
}

Statements::Answer Statements::answer_to(const lab::Card& card) const {
  const auto found = answers_.find(key(card));
  return found == answers_.end() ? Answer::none : found->second;
}

bool Statements::is_revealed(const lab::Card& card) const {
  return !program_.looks.asks_first || answers_.contains(key(card));
}

std::size_t Statements::count() const { return cards().size(); }

std::size_t Statements::revealed() const {
  return static_cast<std::size_t>(std::count_if(
      cards().begin(), cards().end(), [&](const auto& card) { return is_revealed(card); }));
}

std::string Statements::heading() const {
  const words::Words& w = gui_.words();
  const auto all = static_cast<int>(count());
  if (!program_.looks.asks_first) return w.format(N_("Common statement: {}"), all);
  return w.format(N_("True or false? {} of {}"), static_cast<int>(revealed()), all);
}

float Statements::draw(float x, float y, float w) {
  if (wanted_) {
    wanted_ = false;
    ImGui::SetScrollFromPosY(y - gui_.px(44) - ImGui::GetWindowPos().y, 0);
    gui_.wake_in(0);
  }
  for (const lab::Card& card : cards()) {
    const float top = y;
    keep_in_view(card, y);
    const float height =
        gui_.paragraph(x, y, w, fmt::format("“{}”", card.said), TextStyle::body, gui_.theme().text);
    gui_.control(id_of(card, "said"), {x, y, w, height});
    y += height + gui_.px(5);
    y = is_revealed(card) ? truth(card, x, y, w) : question(card, x, y, w);
    gui_.control("statement." + card.id, {x, top, w, y - top});
    y += gui_.px(16);
  }
  if (!program_.pages.stale()) kept_.clear();
  return all_of_them(x, y, w);
}

// The page that shows it may have more or less to read above it.
void Statements::keep_in_view(const lab::Card& card, float y) {
  if (card.id != kept_ || program_.pages.stale()) return;
  ImGui::SetScrollFromPosY(y - gui_.px(24) - ImGui::GetWindowPos().y, 0);
  gui_.wake_in(0);
}

float Statements::question(const lab::Card& card, float x, float y, float w) {
  const words::Words& words = gui_.words();
  const std::string yes = words("True"), no = words("False"), reveal = words("Tell me");
  const float width = std::max(button_width(gui_, yes, {}), button_width(gui_, no, {}));
  const float h = gui_.px(kButton), gap = gui_.px(8);
  ButtonLook ghost;
  ghost.kind = ButtonLook::Kind::ghost;
  const float last = std::min(button_width(gui_, reveal, ghost), w - 2 * (width + gap));
  if (button(gui_, id_of(card, "true"), {x, y, width, h}, yes, {},
             words("The statement is true as it is written"))) {
    answer(card, Answer::said_true);
  }
  if (button(gui_, id_of(card, "false"), {x + width + gap, y, width, h}, no, {},
             words("The statement is wrong, or true only in part or in one reading"))) {
    answer(card, Answer::said_false);
  }
  if (button(gui_, id_of(card, "tell"), {x + 2 * (width + gap), y, last, h}, reveal, ghost,
             words("Read the truth without answering"))) {
    answer(card, Answer::none);
  }
  return y + h;
}

// The keyboard goes on where the buttons were: at the one that shows it, or at the next question.
void Statements::answer(const lab::Card& card, Answer answer) {
  answers_[key(card)] = answer;
  gui_.wake_in(0);
  if (!card.settled.preset.empty()) return gui_.keyboard().focus(id_of(card, "show"), false);
  for (const lab::Card& next : cards()) {
    if (!is_revealed(next)) return gui_.keyboard().focus(id_of(next, "true"), false);
  }
}

float Statements::verdict(const lab::Card& card, float x, float y, float w) {
  const words::Words& words = gui_.words();
  const figure::Theme& theme = gui_.theme();
  const Answer answer = answer_to(card);
  const bool holds = card.verdict == Verdict::holds;
  const bool right = holds == (answer == Answer::said_true), revealed = answer == Answer::none;
  const char* text =
      revealed ? revealed_at_once(card.verdict) : revealed_after(card.verdict, right);
  const char* id = revealed ? "told" : right ? "right" : "wrong";
  const float height = gui_.paragraph(x, y, w, words(text), TextStyle::card_title,
                                      revealed ? theme.dim
                                      : right  ? theme.good
                                               : theme.bad);
  gui_.control(id_of(card, id), {x, y, w, height});
  return y + height + gui_.px(2);
}

float Statements::truth(const lab::Card& card, float x, float y, float w) {
  const words::Words& words = gui_.words();
  const figure::Theme& theme = gui_.theme();
  y = verdict(card, x, y, w);
  const float height = gui_.paragraph(x, y, w, card.truth, TextStyle::body, theme.text);
  gui_.control(id_of(card, "truth"), {x, y, w, height});
  y += height + gui_.px(3);
  y += gui_.paragraph(x, y, w, card.source, TextStyle::small, theme.dim);
  if (card.settled.preset.empty()) return y;
  const std::string label = words("Show it");
  y += gui_.px(6);
  const Rect rect{x, y, std::min(button_width(gui_, label, {}), w), gui_.px(kButton)};
  const auto& presets = program_.desk.lab().presets;
  const auto preset = std::find_if(presets.begin(), presets.end(),
                                   [&](const auto& one) { return one.id == card.settled.preset; });
  const std::string title = preset == presets.end() ? std::string() : words(preset->title);
  if (button(gui_, id_of(card, "show"), rect, label, {},
             words.format(N_("Opens the preset \"{}\" and brings the figure that settles it into "
                             "view"),
                          title))) {
    show(card);
  }
  return rect.bottom();
}

void Statements::show(const lab::Card& card) {
  const auto& [preset, figure] = card.settled;
  program_.knobs.apply_preset(preset);
  page_view_.uncover_and_bring(figure);
  kept_ = card.id;
}

// Below them: the truth of all, or all asked anew.
float Statements::all_of_them(float x, float y, float w) {
  if (!program_.looks.asks_first || count() < 2) return y;
  const words::Words& words = gui_.words();
  const std::string lab(program_.desk.lab().id);
  const float h = gui_.px(kButton);
  ButtonLook ghost;
  ghost.kind = ButtonLook::Kind::ghost;
  float at = x - gui_.px(13);
  const auto add = [&](const char* id, const std::string& label, const std::string& help) {
    const float width = std::min(button_width(gui_, label, ghost), x + w - at);
    const Rect rect{at, y, width, h};
    at += width + gui_.px(4);
    return button(gui_, id, rect, label, ghost, help);
  };
  const std::size_t known = revealed();
  bool reveal = false, again = false;
  if (known < count()) {
    reveal = add("statements.tell", words("Tell me all"),
                 words("Read the truth about all that are left"));
  }
  if (known > 0) {
    again = add("statements.again", words("Ask again"), words("Clears your answers here"));
  }
  if (reveal) {
    for (const lab::Card& card : cards()) answers_.try_emplace(key(card), Answer::none);
  } else if (again) {
    std::erase_if(answers_, [&](const auto& item) { return item.first.first == lab; });
  }
  if (reveal || again) gui_.wake_in(0);
  return y + h;
}

}  // namespace ui
