// The right panel: knobs in groups (knobs.cpp), the formula, the sum behind what is pinned,
// numbers, what is commonly said, sources.
#include <algorithm>
#include <cmath>

#include "app/figure/formula.h"
#include "app/ui/frame/shell.h"
#include "app/words/sentence.h"

namespace ui {

void Shell::panel(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  ImGui::SetCursorScreenPos({r.x, r.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec(theme.panel));
  ImGui::BeginChild("panel", {r.w, r.h});
  ImGui::PopStyleColor();
  const float pad = gui_.px(20), x = r.x + pad, width = r.w - 2 * pad;
  // In a high window the knobs and what is read have a scroll area each, so that the sum behind
  // the pinned value stays in view while a knob is turned.
  const bool apart = r.h >= gui_.px(500) && program_.pages.page();
  const float room = r.h - gui_.px(44);
  const float knob_room =
      apart ? std::min(knobs_height_ + gui_.px(8), std::round(room * 0.62f)) : room;
  gui_.text(x, r.y + gui_.px(27), w("Knobs"), TextStyle::panel, theme.text);
  sweep_bar_.button_for_knobs(x + std::ceil(gui_.width(w("Knobs"), TextStyle::panel)) + gui_.px(6),
                              r.y + gui_.px(27));
  to_statements(x + width, r.y + gui_.px(27));
  const auto read = [&](float y) {
    y = formula(x, y, width);
    y = explanation(x, y, width);
    y = numbers(x, y, width);
    y = cards(x, y, width);
    return sources(x, y, width);
  };
  const float top = r.y + gui_.px(44);
  const bool another = panel_lab_ != program_.desk.lab().id;
  panel_lab_ = program_.desk.lab().id;
  ImGui::SetCursorScreenPos({r.x, top});
  gui_.control("panel.knobs", {r.x, top, r.w, knob_room});
  ImGui::BeginChild("knobs", {r.w, knob_room});
  if (another) ImGui::SetScrollY(0);
  const float first = top - ImGui::GetScrollY();
  float y = knobs(x, first, width);
  knobs_height_ = y - first;
  if (!apart) y = read(y);
  extend_content(y + gui_.px(apart ? 4 : 20));
  ImGui::EndChild();
  if (apart) {
    const float below = top + knob_room;
    ImGui::SetCursorScreenPos({r.x, below});
    ImGui::BeginChild("read", {r.w, r.bottom() - below});
    if (read_lab_ != panel_lab_) ImGui::SetScrollY(0);
    read_lab_ = panel_lab_;
    extend_content(read(below - gui_.px(16) - ImGui::GetScrollY()) + gui_.px(20));
    ImGui::EndChild();
    gui_.fill({r.x, below, r.w, 1}, theme.line);
  }
  ImGui::EndChild();
  gui_.fill({r.x, r.y, 1, r.h}, theme.line);
}

// The way to what is commonly said, which stands further down; `right`: where it ends.
void Shell::to_statements(float right, float middle) {
  if (statements_.count() == 0) return;
  ButtonLook look;
  look.icon = Icon::down;
  const std::string label = statements_.heading();
  const float width = button_width(gui_, label, look), height = gui_.px(28);
  const Rect rect{right - width, std::round(middle - height / 2), width, height};
  if (button(gui_, "button.statements", rect, label, look,
             gui_.words()("What is commonly said of this, for you to judge"))) {
    statements_.bring();
  }
}

float Shell::section(float x, float y, float w, const char* title) {
  y += gui_.px(16);
  gui_.hline(x, x + w, std::round(y), gui_.theme().line);
  y += gui_.px(20);
  gui_.text_in(x, y, w, title, TextStyle::label_bold, gui_.theme().dim);
  return y + gui_.px(14);
}

// What is read -----------------------------------------------------------------------------------

float Shell::formula(float x, float y, float w) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->page.formula.empty()) return y;
  y = section(x, y, w, gui_.words()("Formula").c_str());
  const FormulaKey key{page->page.formula, &gui_.theme(), fonts_.version()};
  if (!(key == formula_key_)) {
    formula_key_ = key;
    figure::LayoutOptions options;
    options.theme = &gui_.theme();
    options.measure = &measure_;
    options.scale = gui_.scale();
    try {
      formula_ = figure::formula(page->page.formula, {0, 0}, options);
    } catch (const core::InputError& e) {
      program_.messages.say(words::told(e, gui_.words()), true);
      formula_ = {};
    }
    for (const figure::Primitive& p : formula_.primitives) {
      if (const auto* text = std::get_if<figure::draw::Text>(&p)) fonts_.need(text->text);
    }
    if (fonts_.stale()) gui_.wake_in(0);
  }
  const float zoom = std::min(1.0f, w / std::max(1.0f, formula_.bounds.w));
  y += gui_.px(2);
  painter_.paint(*ImGui::GetWindowDrawList(), formula_.primitives, {x, std::round(y)}, "formula",
                 zoom);
  gui_.control("formula", {x, y, formula_.bounds.w * zoom, formula_.bounds.h * zoom});
  return y + formula_.bounds.h * zoom;
}

// Without the blanks that set it apart from what stands before it on the line.
static std::string without_blanks(const std::string& text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

float Shell::explanation(float x, float y, float w) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->page.explanation.lines.empty() || lesson_.hides_sums()) return y;
  const lab::Explanation& e = page->page.explanation;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, e.title.c_str());
  const float top = y;
  float left_width = 0;
  for (const auto& line : e.lines) {
    left_width = std::max(left_width, gui_.width(line.left, TextStyle::mono));
  }
  const float indent = left_width > 0 ? std::min(left_width + gui_.px(14), w * 0.4f) : 0;
  const float pitch = gui_.px(21), hang = gui_.width("  ", TextStyle::mono);
  for (const auto& line : e.lines) {
    gui_.text(x, y + pitch / 2, line.left, TextStyle::mono, theme.text);
    float at = x + indent;
    for (const figure::Span& span : line.right) {
      const Rgba ink = figure::resolve(span.color, theme);
      const float room = x + w - at, whole = gui_.width(span.text, span.style);
      if (whole <= room) {
        gui_.text(at, y + pitch / 2, span.text, span.style, ink);
        at += whole;
        continue;
      }
      // What does not fit goes on below; what is computed further in than its line begins.
      const bool below = at > x + indent;
      if (below) y += pitch, at = x + indent + hang;
      const float more = below || span.style != TextStyle::mono ? 0 : hang;
      const auto rows =
          gui_.wrap(below ? without_blanks(span.text) : span.text, span.style, x + w - at - more);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) y += pitch;
        if (i == 1) at += more;
        gui_.text(at, y + pitch / 2, rows[i], span.style, ink);
      }
      at += gui_.width(rows.back(), span.style);
    }
    y += pitch;
  }
  gui_.control("explanation", {x, top, w, y - top});
  return y;
}

// What the same number is in the page that is held, in a line below, where it is another.
float Shell::held_number(const lab::Readout& now, float x, float y, float w) {
  const auto held = program_.holding.page();
  if (!held || held.get() == program_.pages.page() || program_.holding.is_drag()) return 0;
  const auto& all = held->page.readouts;
  const auto then = std::find_if(all.begin(), all.end(),
                                 [&](const lab::Readout& one) { return one.id == now.id; });
  if (then == all.end() || then->text == now.text) return 0;
  const float h = gui_.px(19);
  const std::string text = gui_.words().format(N_("held {}"), then->text);
  gui_.text_in(x + w, y + h / 2 - gui_.px(2), w, text, TextStyle::mono_small, gui_.theme().dim, 1);
  gui_.control("held." + now.id, {x, y, w, h});
  return h;
}

float Shell::numbers(float x, float y, float w) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->page.readouts.empty()) return y;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, gui_.words()("Numbers").c_str());
  const float h = gui_.px(22);
  for (const lab::Readout& r : page->page.readouts) {
    if (lesson_.hides_readout(r.id)) continue;  // its label may tell as much as its number
    const Rect row{x, y, w, h};
    const std::string id = "readout." + r.id;
    gui_.control(id, row);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (row.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered()) {
      gui_.tooltip(id, r.help.empty() ? fmt::format("{} = {}", r.id, r.value)
                                      : fmt::format("{}\n{} = {}", r.help, r.id, r.value));
    }
    const float value_width = gui_.width(r.text, TextStyle::mono);
    gui_.text_in(x, y + h / 2, w - value_width - gui_.px(12), r.label, TextStyle::body, theme.dim);
    gui_.text(x + w, y + h / 2, r.text, TextStyle::mono, theme.text, 1);
    y += h;
    y += held_number(r, x, y, w);
  }
  return y;
}

float Shell::cards(float x, float y, float w) {
  if (statements_.count() == 0) return y;
  y = section(x, y, w,
              gui_.words()(program_.looks.asks_first ? N_("Commonly said: true or false?")
                                                     : N_("Commonly said"))
                  .c_str());
  return statements_.draw(x, y, w);
}

// One that was asked for comes into view and stands out for a while.
void Shell::mark_source(const lab::Source& source, const Rect& r) {
  constexpr double kMarked = 3;  // seconds
  const double now = ImGui::GetTime();
  if (wanted_source_ == source.citation && program_.pages.page() && !program_.pages.busy()) {
    shown_source_ = std::exchange(wanted_source_, {});
    source_until_ = now + kMarked;
    ImGui::SetScrollFromPosY(r.y + r.h / 2 - ImGui::GetWindowPos().y, 0.4f);
    gui_.wake_in(0);
  }
  if (shown_source_ != source.citation || now >= source_until_) return;
  const float bar = gui_.px(3);
  gui_.fill({r.x - gui_.px(10), r.y, bar, r.h}, gui_.theme().accent, bar / 2);
  gui_.control("source.shown", r);
  gui_.wake_in(source_until_ - now);
}

float Shell::sources(float x, float y, float w) {
  const auto& all = program_.desk.lab().sources;
  if (all.empty()) return y;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, gui_.words()("Sources").c_str());
  for (const lab::Source& source : all) {
    const float top = y;
    y += gui_.paragraph(x, y, w, source.citation, TextStyle::label, theme.text);
    if (!source.where.empty()) {
      y += gui_.paragraph(x, y, w, gui_.words()(source.where), TextStyle::small, theme.dim);
    }
    if (!source.url.empty()) y += gui_.paragraph(x, y, w, source.url, TextStyle::small, theme.dim);
    mark_source(source, {x, top, w, y - top});
    y += gui_.px(8);
  }
  return y;
}

}  // namespace ui
