#include "app/ui/panel/read_column.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figure/formula.h"
#include "app/words/sentence.h"

namespace ui {

float ReadColumn::draw(float x, float y, float w, const lesson::Focus* focus) {
  if (focus) {
    y = numbers(x, y, w, focus);
    return focus->derivation ? explanation(x, y, w) : y;
  }
  y = formula(x, y, w);
  y = explanation(x, y, w);
  y = numbers(x, y, w, nullptr);
  y = cards(x, y, w);
  return sources(x, y, w);
}

float ReadColumn::section(float x, float y, float w, const char* title) {
  y += gui_.px(16);
  gui_.hline(x, x + w, std::round(y), gui_.theme().line);
  y += gui_.px(20);
  gui_.text_in(x, y, w, title, TextStyle::label_bold, gui_.theme().dim);
  return y + gui_.px(14);
}

float ReadColumn::formula(float x, float y, float w) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->page.formula.empty() || lesson_.hides_words()) return y;
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
      program_.messages.say(words::translated(e, gui_.words()), true);
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

float ReadColumn::explanation(float x, float y, float w) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->page.explanation.lines.empty() || lesson_.hides_words()) return y;
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
float ReadColumn::held_number(const lab::Readout& now, float x, float y, float w) {
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

float ReadColumn::numbers(float x, float y, float w, const lesson::Focus* focus) {
  const state::Computed* page = program_.pages.page();
  if (!page || page->page.readouts.empty()) return y;
  const auto is_shown = [&](const lab::Readout& one) {
    // Its label may tell as much as its number.
    return !lesson_.hides_readout(one.id) && (!focus || focus->readouts.contains(one.id));
  };
  if (focus && std::ranges::none_of(page->page.readouts, is_shown)) return y;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, gui_.words()("Numbers").c_str());
  const float h = gui_.px(22);
  for (const lab::Readout& r : page->page.readouts) {
    if (!is_shown(r)) continue;
    const Rect row{x, y, w, h};
    const std::string id = "readout." + r.id;
    gui_.control(id, row);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (row.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered()) {
      const double value = r.value;
      gui_.tooltip(id, r.help.empty() ? fmt::format("{} = {}", r.id, value)
                                      : fmt::format("{}\n{} = {}", r.help, r.id, value));
    }
    const float value_width = gui_.width(r.text, TextStyle::mono);
    gui_.text_in(x, y + h / 2, w - value_width - gui_.px(12), r.label, TextStyle::body, theme.dim);
    gui_.text(x + w, y + h / 2, r.text, TextStyle::mono, theme.text, 1);
    y += h;
    y += held_number(r, x, y, w);
  }
  return y;
}

float ReadColumn::cards(float x, float y, float w) {
  if (statements_.count() == 0 || lesson_.hides_words()) return y;
  y = section(x, y, w,
              gui_.words()(program_.looks.asks_first ? N_("Common statements: true or false?")
                                                     : N_("Common statements"))
                  .c_str());
  return statements_.draw(x, y, w);
}

// One that was asked for comes into view and stands out for a while.
void ReadColumn::mark_source(const lab::Source& source, const Rect& r) {
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

float ReadColumn::sources(float x, float y, float w) {
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
