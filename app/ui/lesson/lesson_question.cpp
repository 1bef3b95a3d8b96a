// The question of a stop: how it is answered, and what is said to the answer.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/param/reading.h"
#include "app/ui/controls/rich_text.h"
#include "app/ui/lesson/lesson_view.h"

namespace ui {

float LessonView::question(float x, float y, float w) {
  const lesson::Question& q = *play_->stop().question;
  const figure::Theme& theme = gui_.theme();
  const float edge = gui_.px(3), in = gui_.px(12), top = y + gui_.px(4);
  y = top;
  RichLook look{.style = TextStyle::panel, .strong = TextStyle::panel, .ink = theme.text};
  if (w < gui_.px(280)) look.style = look.strong = TextStyle::card_title;
  const float high = rich_paragraph(gui_, x + in, y, w - in, text_of(q.asked), look,
                                    &pointing_.by_word, &pointing_.lit);
  note_lines(y, high, rich_pitch(gui_, look));
  y += high + gui_.px(8);
  gui_.fill({x, top, edge, y - top - gui_.px(8)}, theme.accent, edge / 2);
  gui_.control("lesson.question", {x, top, w, y - top});
  if (const auto* choose = std::get_if<lesson::Choose>(&q.kind)) {
    y = options(*choose, x, y, w);
  } else if (std::holds_alternative<lesson::TrueOrFalse>(q.kind)) {
    y = truths(x, y, w);
  } else if (std::holds_alternative<lesson::TypeNumber>(q.kind)) {
    y = typed(x, y, w);
  } else {
    y = on_figure(x, y, w);
  }
  return play_->answered() ? outcome(x, y + gui_.px(4), w) : y;
}

// A whole row that can be chosen, with the key that chooses it; once it is answered, with the sign
// of what was chosen and is right.
float LessonView::option_row(std::size_t number, const std::string& id, const std::string& label,
                             float x, float y, float w, bool given, bool right) {
  const figure::Theme& theme = gui_.theme();
  const float pad = gui_.px(10), sign = gui_.px(24), room = w - 2 * pad - sign;
  const TextStyle style = w < gui_.px(280) ? TextStyle::body : TextStyle::reading;
  const float text = gui_.paragraph_height(room, label, style);
  const Rect row{x, y, w, text + gui_.px(12)};
  const bool asking = play_->asks();
  note_lines(y, row.h, row.h);
  Touch t;
  if (asking) {
    t = touch(gui_, id, row);
    gui_.fill(row,
              mix(theme.card, theme.text,
                  t.held      ? 0.1f
                  : t.hovered ? 0.05f
                              : 0.0f),
              gui_.px(6));
    if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(row, gui_.px(6));
  } else {
    gui_.control(id, row);
  }
  const Rgba edge = asking ? theme.line : right ? theme.good : given ? theme.bad : theme.line;
  if (!asking && (right || given)) gui_.fill(row, mix(theme.panel, edge, 0.12f), gui_.px(6));
  gui_.outline(row, mix(edge, theme.text, asking ? 0.06f : 0.0f), gui_.px(6));
  const float middle = y + row.h / 2;
  if (!asking && right) gui_.text(x + pad, middle, "✓", TextStyle::card_title, theme.good);
  if (!asking && given && !right) gui_.text(x + pad, middle, "✗", TextStyle::card_title, theme.bad);
  if (asking) {
    const Rgba ink = t.hovered ? theme.accent : theme.dim;
    const float radius = gui_.px(8);
    ImGui::GetWindowDrawList()->AddCircle({x + pad + radius, middle}, radius, to_im(ink), 0,
                                          std::max(1.0f, gui_.px(1)));
    gui_.text(x + pad + radius, middle, fmt::format("{}", number), TextStyle::label, ink, 0.5f);
  }
  const Rgba ink = asking || right || given ? theme.text : theme.dim;
  gui_.paragraph(x + pad + sign, y + gui_.px(6), room, label, style, ink);
  if (t.activated) answering_.chosen = id;
  return y + row.h + gui_.px(6);
}

float LessonView::options(const lesson::Choose& asked, float x, float y, float w) {
  const lesson::Answer* given = play_->given();
  answering_.chosen.clear();
  for (std::size_t k = 0; k < asked.options.size(); ++k) {
    const lesson::Option& one = asked.options[k];
    const bool chosen = given && given->option == k;
    y = option_row(k + 1, fmt::format("lesson.option.{}", k), lesson::plain(text_of(one.text)), x,
                   y, w, chosen, one.right);
  }
  for (std::size_t k = 0; k < asked.options.size() && !answering_.chosen.empty(); ++k) {
    if (answering_.chosen == fmt::format("lesson.option.{}", k)) answer({.option = k});
  }
  return y;
}

float LessonView::truths(float x, float y, float w) {
  const words::Words& words = gui_.words();
  const lesson::Answer* given = play_->given();
  const bool truth = std::get<lesson::TrueOrFalse>(play_->stop().question->kind).truth;
  const float gap = gui_.px(8), wide = (w - gap) / 2;
  answering_.chosen.clear();
  const float under =
      option_row(1, "lesson.true", words("True"), x, y, wide, given && given->truth == true, truth);
  option_row(2, "lesson.false", words("False"), x + wide + gap, y, wide,
             given && given->truth == false, !truth);
  if (!answering_.chosen.empty()) answer({.truth = answering_.chosen == "lesson.true"});
  return under;
}

namespace {

// "0.25", "0,25", "25 %" or "1/4".
std::optional<double> number_typed(std::string text) {
  text = param::halfwidth(param::trimmed(text));
  std::replace(text.begin(), text.end(), ',', '.');
  double by = 1;
  const std::string_view whole = text;
  std::string_view number = whole;
  if (number.ends_with('%')) {
    number.remove_suffix(1);
    by = 100;
  } else if (const auto slash = whole.find('/'); slash != whole.npos) {
    const auto below = param::whole<double>(param::trimmed(whole.substr(slash + 1)));
    if (!below) return std::nullopt;
    number = whole.substr(0, slash);
    by = *below;
  }
  const auto above = param::whole<double>(param::trimmed(number));
  if (!above || !std::isfinite(*above / by)) return std::nullopt;
  return *above / by;
}

}  // namespace

float LessonView::typed(float x, float y, float w) {
  const words::Words& words = gui_.words();
  const float h = gui_.px(32);
  if (!play_->asks()) return y;
  const std::string label = words("Answer");
  ButtonLook accent;
  accent.kind = ButtonLook::Kind::accent;
  const float wide = button_width(gui_, label, accent), gap = gui_.px(8);
  BoxLook look;
  look.align = 0;
  look.wrong = !answering_.number_fault.empty();
  look.hint = words("a number");
  const EditEvent event = text_box(gui_, edit_, "lesson.number", {x, y, w - wide - gap, h},
                                   answering_.number, look, words("Type a number; Enter answers"));
  if (edit_.id == "lesson.number") answering_.number = edit_.buffer;
  const bool asked = button(gui_, "lesson.answer", {x + w - wide, y, wide, h}, label, accent);
  y += h + gui_.px(4);
  if (event == EditEvent::changed) answering_.number_fault.clear();
  if (asked || event == EditEvent::applied) {
    if (const auto number = number_typed(answering_.number)) {
      answer({.number = *number,
              .percent = answering_.number.find('%') != std::string::npos ||
                         answering_.number.find("％") != std::string::npos});
    } else {
      answering_.number_fault = words.format(
          N_("expected a number such as 0.25, 25 % or 1/4, got \"{}\""), answering_.number);
      open_edit(edit_, "lesson.number", answering_.number);
    }
  }
  if (answering_.number_fault.empty()) {
    const auto& kind = std::get<lesson::TypeNumber>(play_->stop().question->kind);
    if (!(kind.within > 0)) return y;
    const std::string within = figure::number_text(kind.within, 3) + (kind.percent ? " %" : "");
    return y +
           gui_.paragraph(x, y, w, words.format(N_("± {} counts as right"), within),
                          TextStyle::label, gui_.theme().dim) +
           gui_.px(4);
  }
  return y + gui_.paragraph(x, y, w, answering_.number_fault, TextStyle::label, gui_.theme().bad) +
         gui_.px(4);
}

// What is answered with the mouse on a figure.
float LessonView::on_figure(float x, float y, float w) {
  if (!play_->asks()) return y;
  const words::Words& words = gui_.words();
  const auto& kind = play_->stop().question->kind;
  const bool marks = std::holds_alternative<lesson::MarkAll>(kind);
  const bool draws = std::holds_alternative<lesson::Draw>(kind);
  const std::string hint = draws ? words(
                                       "Draw the curve with the mouse, from left to right, over "
                                       "the axes.")
                           : marks ? words("Click each of them on the figure, then Answer.")
                                   : words("Click it on the figure.");
  y += gui_.paragraph(x, y, w, hint, TextStyle::body, gui_.theme().dim) + gui_.px(8);
  if (!marks && !draws) return y;
  const float h = gui_.px(32);
  const std::string label =
      marks ? words.format(N_("Answer: {} marked"), answering_.draft.elements.size())
            : words("Answer");
  ButtonLook accent;
  accent.kind = ButtonLook::Kind::accent;
  const Rect rect{x, y, button_width(gui_, label, accent), h};
  const bool something =
      marks ? !answering_.draft.elements.empty() : answering_.draft.curve.size() > 1;
  if (button(gui_, "lesson.answer", rect, label, accent) && something) {
    answer(answering_.draft);
  }
  const std::string again = words("Start again");
  if (something &&
      button(gui_, "lesson.again", {rect.right() + gui_.px(8), y, button_width(gui_, again, {}), h},
             again)) {
    answering_.draft = {};
  }
  return y + h + gui_.px(8);
}

// What the answer is, what is true, and why.
float LessonView::outcome(float x, float y, float w) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& words = gui_.words();
  if (!answering_.graded) return y;
  const lesson::Question& q = *play_->stop().question;
  const lesson::Answer& given = *play_->given();
  const float top = y;
  if (!given.empty()) {
    const std::string head =
        answering_.graded->verdict.right ? "✓ " + words("Correct.") : "✗ " + words("Not correct.");
    y += gui_.paragraph(x, y, w, head, TextStyle::panel,
                        answering_.graded->verdict.right ? theme.good : theme.bad) +
         gui_.px(4);
    gui_.control(answering_.graded->verdict.right ? "lesson.right" : "lesson.wrong",
                 {x, top, w, y - top});
  }
  if (!answering_.graded->right_text.empty()) {
    const std::string line =
        given.empty() ? words.format(N_("The page shows {}."), answering_.graded->right_text)
                      : words.format(N_("You: {}. The page: {}."), answering_.graded->given_text,
                                     answering_.graded->right_text);
    const float h = gui_.paragraph(x, y, w, line, TextStyle::panel, theme.text);
    gui_.control("lesson.truth", {x, y, w, h});
    y += h + gui_.px(4);
  }
  if (asked_about(q) && !given.empty()) {
    const std::string line = std::holds_alternative<lesson::Draw>(q.kind)
                                 ? words("Amber and dashed: your curve. Wide: the correct curve.")
                                 : words("Amber: your answer. Green: the correct answer.");
    y += gui_.paragraph(x, y, w, line, TextStyle::label, theme.dim) + gui_.px(4);
  }
  if (!answering_.graded->verdict.said.empty()) {
    const float h = text(answering_.graded->verdict.said, x, y, w, theme.text);
    gui_.control("lesson.said", {x, y, w, h});
    y += h + gui_.px(6);
  }
  y += text(q.why, x, y, w, theme.text) + gui_.px(8);
  gui_.control("lesson.why", {x, top, w, y - top});
  for (const lesson::Paragraph& one : q.after) y += text(one, x, y, w, theme.text) + gui_.px(9);
  y = again(x, y, w);
  if (next_.to_outcome) bring(top, y);
  if (answers() && !program_.pages.stale()) next_.to_outcome = false;
  return y;
}

// What lies below the column's edge comes up, as far as its beginning stays. The column then begins
// with a whole line.
void LessonView::bring(float top, float bottom) {
  const float edge = ImGui::GetWindowPos().y, high = ImGui::GetWindowSize().y;
  const float least = edge + std::min(bottom + gui_.px(10) - edge - high, top - edge);
  if (least < edge + 1) return;
  float first = top;
  for (const float line : column_.lines) {
    if (line >= least) first = std::min(first, line);
  }
  const float to = ImGui::GetScrollY() + std::floor(first - edge);
  column_.reach = to + high;
  ImGui::SetScrollY(to);
  gui_.wake_in(0);
}

// The question once more; only the first answer counts.
float LessonView::again(float x, float y, float w) {
  const words::Words& words = gui_.words();
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  const std::string label = words("Ask again");
  const Rect rect{x - gui_.px(10), y, std::min(button_width(gui_, label, look), w), gui_.px(26)};
  if (button(gui_, "lesson.ask_again", rect, label, look, words("Asks this question again")))
    next_.asks = true, gui_.wake_in(0);
  return rect.bottom() + gui_.px(4);
}

}  // namespace ui
