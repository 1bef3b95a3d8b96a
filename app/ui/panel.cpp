// The right panel: knobs in groups, the formula, the sum behind what is pinned, numbers, what is
// commonly said, sources.
#include <algorithm>
#include <cmath>

#include "app/figure/formula.h"
#include "app/ui/shell.h"
#include "app/ui/stack_knob.h"
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
  const bool apart = r.h >= gui_.px(500) && model_.page();
  const float room = r.h - gui_.px(44);
  const float knob_room =
      apart ? std::min(knobs_height_ + gui_.px(8), std::round(room * 0.62f)) : room;
  gui_.text(x, r.y + gui_.px(27), w("Knobs"), TextStyle::panel, theme.text);
  const auto read = [&](float y) {
    y = formula(x, y, width);
    y = explanation(x, y, width);
    y = numbers(x, y, width);
    y = cards(x, y, width);
    return sources(x, y, width);
  };
  const float top = r.y + gui_.px(44);
  ImGui::SetCursorScreenPos({r.x, top});
  ImGui::BeginChild("knobs", {r.w, knob_room});
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
    extend_content(read(below - gui_.px(16) - ImGui::GetScrollY()) + gui_.px(20));
    ImGui::EndChild();
    gui_.fill({r.x, below, r.w, 1}, theme.line);
  }
  ImGui::EndChild();
  gui_.fill({r.x, r.y, 1, r.h}, theme.line);
}

float Shell::section(float x, float y, float w, const char* title) {
  y += gui_.px(16);
  gui_.hline(x, x + w, std::round(y), gui_.theme().line);
  y += gui_.px(20);
  gui_.text_in(x, y, w, title, TextStyle::label_bold, gui_.theme().dim);
  return y + gui_.px(14);
}

// Knobs ------------------------------------------------------------------------------------------

std::string Shell::tooltip_of(const param::Parameter& p) const {
  const words::Words& w = gui_.words();
  std::string text(w(p.info.help));
  if (!p.info.unit.empty()) {
    if (!text.empty()) text += '\n';
    text += w.format(N_("Unit: {}"), w(p.info.unit));
  }
  text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", p.info.id, param::expected(p, w));
  if (!p.info.active) {
    text += '\n';
    text += w("It has no effect with the other knobs as they are.");
  }
  return text;
}

float Shell::knobs(float x, float y, float w) {
  const param::List all = model_.list();
  const std::span<const param::Parameter> items(all.items());
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    while (end < items.size() && items[end].group == items[begin].group) ++end;
    y += gui_.px(begin == 0 ? 0 : 10);
    y = knob_group(items.subspan(begin, end - begin), x, y, w);
  }
  return y;
}

// A group none of whose knobs has an effect is folded to its heading, which unfolds it.
float Shell::knob_group(std::span<const param::Parameter> knobs, float x, float y, float w) {
  const std::string_view name = knobs.front().group;
  const auto has_effect = [](const param::Parameter& p) { return p.info.active; };
  const auto sought = [&](const param::Parameter& p) { return scroll_to_ == p.info.id; };
  if (!name.empty()) {
    const std::string id = fmt::format("group.{}.{}", model_.lab().id, knobs.front().info.id);
    const bool idle = std::none_of(knobs.begin(), knobs.end(), has_effect);
    if (std::any_of(knobs.begin(), knobs.end(), sought)) unfolded_.insert(id);
    if (idle && group_heading(id, name, x, y, w)) {
      if (!unfolded_.erase(id)) unfolded_.insert(id);
    }
    if (!idle) {
      gui_.text_in(x, y + gui_.px(9), w, gui_.words()(name), TextStyle::label_bold,
                   gui_.theme().dim);
    }
    y += gui_.px(24);
    if (idle && !unfolded_.contains(id)) return y - gui_.px(4);
  }
  for (const param::Parameter& p : knobs) {
    if (sought(p)) {
      ImGui::SetScrollFromPosY(y - ImGui::GetWindowPos().y, 0.4f);
      scroll_to_.clear();
    }
    y += knob(p, x, y, w);
  }
  return y;
}

// The heading of a group without effect; true when it is clicked.
bool Shell::group_heading(const std::string& id, std::string_view name, float x, float y, float w) {
  const Rect rect{x - gui_.px(4), y - gui_.px(2), w + gui_.px(8), gui_.px(23)};
  const Touch on = touch(gui_, id, rect,
                         std::string(gui_.words()("These knobs have no effect with the others as "
                                                  "they are; click to see them")));
  const figure::Theme& theme = gui_.theme();
  const Rgba ink = on.hovered || on.focused ? theme.dim : theme.faint;
  gui_.text_in(x, y + gui_.px(9), w - gui_.px(24), gui_.words()(name), TextStyle::label_bold, ink);
  draw_icon(gui_, Icon::down, x + w - gui_.px(10), y + gui_.px(9), ink);
  return on.activated;
}

float Shell::knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  const figure::Theme& theme = gui_.theme();
  if (param::is_text(p)) return text_knob(p, x, y, w);
  if (std::holds_alternative<param::Stack>(p.kind)) return stack_knob(p, x, y, w);
  const float h = gui_.px(27), label_width = std::min(gui_.px(128), w * 0.36f);
  const Rgba ink = p.info.active ? theme.text : theme.faint;
  const bool cut = gui_.text_in(x, y + h / 2, label_width - gui_.px(8), gui_.words()(p.info.label),
                                TextStyle::body, ink);
  const Rect label{x, y, label_width, h};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (label.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered()) {
    const std::string name = cut ? std::string(gui_.words()(p.info.label)) + "\n" : std::string();
    gui_.tooltip("knob." + id, name + tooltip_of(p));
  }
  const float cx = x + label_width, cw = w - label_width;
  float used = h;
  if (std::holds_alternative<param::Flag>(p.kind)) {
    const bool on = *std::get<param::Flag>(p.kind).value;
    const Rect rect{cx, std::round(y + (h - gui_.px(18)) / 2), gui_.px(34), gui_.px(18)};
    if (toggle(gui_, "knob." + id, rect, on, p.info.active, tooltip_of(p))) {
      model_.set(id, on ? "false" : "true");
    }
  } else if (std::holds_alternative<param::Choice>(p.kind)) {
    used = choice_knob(p, cx, y, cw);
  } else {
    used = number_knob(p, cx, y, cw);
  }
  // A switch has no parts: its own rectangle stands for the knob.
  if (!std::holds_alternative<param::Flag>(p.kind)) gui_.control("knob." + id, {x, y, w, used});
  return used + error_line(id, x, y + used, w);
}

float Shell::error_line(const std::string& id, float x, float y, float w) {
  const std::string& error = model_.error_of(id);
  if (error.empty()) return 0;
  const float h = gui_.paragraph(x, y + gui_.px(2), w, error, TextStyle::label, gui_.theme().bad);
  gui_.control("error." + id, {x, y, w, h});
  return h + gui_.px(8);
}

namespace {

struct Range {
  double lo, hi;
  bool log;

  double share(double v) const {
    if (hi <= lo) return 0;
    if (log) return (std::log(v) - std::log(lo)) / (std::log(hi) - std::log(lo));
    return (v - lo) / (hi - lo);
  }
  double at(double t) const {
    return log ? std::exp(std::log(lo) + t * (std::log(hi) - std::log(lo))) : lo + t * (hi - lo);
  }
};

Range range_of(const param::Parameter& p) {
  return {p.info.min, p.info.max, p.info.scale == param::Scale::log && p.info.min > 0};
}

// A slider has some hundred places; three digits name each of them.
double tidy(const param::Parameter& p, double v) {
  if (std::holds_alternative<param::Integer>(p.kind) || p.info.step > 0) return v;
  const double size = range_of(p).log ? std::abs(v) : p.info.max - p.info.min;
  if (!(size > 0)) return v;
  const double unit = std::pow(10.0, std::floor(std::log10(size)) - 2);
  return std::round(v / unit) * unit;
}

std::string as_text(const param::Parameter& p, double v) {
  const double fit = param::nearest(p, tidy(p, v));
  if (std::holds_alternative<param::Integer>(p.kind)) return fmt::format("{}", std::llround(fit));
  // Twelve digits hide the rounding of a multiple of the step.
  return fmt::format("{:.12g}", fit);
}

// One arrow key: a step, or a fiftieth of the slider where any value is permitted.
double stepped(const param::Parameter& p, double now, int steps) {
  const bool whole = std::holds_alternative<param::Integer>(p.kind);
  if (whole || (p.info.step > 0 && !range_of(p).log)) {
    return now + steps * std::max(p.info.step, whole ? 1.0 : 0.0);
  }
  const Range range = range_of(p);
  return range.at(std::clamp(range.share(now) + steps * 0.02, 0.0, 1.0));
}

}  // namespace

float Shell::number_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  const float h = gui_.px(27), box_width = gui_.px(58);
  const double now = param::number(p).value_or(0);
  const Rect track{x, y + gui_.px(2), w - box_width - gui_.px(12), h - gui_.px(4)};
  const auto result = slider(gui_, "knob." + id + ".slider", track, range_of(p).share(now),
                             p.info.active, tooltip_of(p));
  if (result.moved_to) model_.set(id, as_text(p, range_of(p).at(*result.moved_to)), "drag." + id);
  if (result.released) model_.end_gesture();
  if (result.steps != 0) model_.set(id, as_text(p, stepped(p, now, result.steps)), "step." + id);
  const std::string box_id = "knob." + id + ".value";
  const Rect box{x + w - box_width, y + gui_.px(1.5f), box_width, h - gui_.px(3)};
  BoxLook look;
  look.active = p.info.active;
  look.wrong = !model_.error_of(id).empty();
  const bool whole = std::holds_alternative<param::Integer>(p.kind);
  const std::string shown = whole ? fmt::format("{:.0f}", now) : figure::number_text(now, 4);
  const EditEvent event = text_box(gui_, edit_, box_id, box, shown, look, tooltip_of(p));
  const bool enter = event == EditEvent::applied;
  if (enter || (event == EditEvent::left && edit_.buffer != shown)) {
    if (!model_.set(id, edit_.buffer) && enter) open_edit(edit_, box_id, edit_.buffer);
  }
  if (event == EditEvent::escaped) model_.clear_error(id);
  return h;
}

float Shell::choice_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  const auto& choice = std::get<param::Choice>(p.kind);
  std::vector<std::string> ids, labels, tooltips;
  for (const param::Option& option : choice.options) {
    ids.push_back("choice." + id + "." + std::string(option.id));
    labels.emplace_back(gui_.words()(option.label));
    tooltips.push_back(tooltip_of(p));
  }
  const float h = gui_.px(27);
  const Rect rect{x, y + gui_.px(1.5f), w, h - gui_.px(3)};
  const bool short_enough = labels.size() <= 4 && segments_width(gui_, labels) <= w;
  const auto chosen = short_enough
                          ? segments(gui_, ids, labels, rect, choice.get(), p.info.active, tooltips)
                          : combo(gui_, "choice." + id, ids, labels, rect, choice.get(),
                                  p.info.active, tooltip_of(p));
  if (chosen && *chosen != choice.get()) {
    model_.set(id, std::string(choice.options[static_cast<std::size_t>(*chosen)].id));
  }
  return h;
}

float Shell::text_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id), box_id = "knob." + id + ".value";
  const figure::Theme& theme = gui_.theme();
  const std::string now = param::print(p);
  float top = y;
  // A text under a heading of the same name needs no second one.
  if (p.info.label != p.group) {
    gui_.text_in(x, top + gui_.px(10), w, gui_.words()(p.info.label), TextStyle::body,
                 p.info.active ? theme.text : theme.faint);
    top += gui_.px(23);
  }
  const float h = text_area_height(gui_, edit_.id == box_id ? edit_.buffer : now, w, 6);
  BoxLook look;
  look.active = p.info.active;
  look.wrong = !model_.error_of(id).empty();
  const EditEvent event = text_area(gui_, edit_, box_id, {x, top, w, h}, now, look, tooltip_of(p));
  if (event == EditEvent::escaped) {
    model_.clear_error(id);
    if (edit_.buffer != now) model_.set(id, edit_.buffer, "type." + id);
  } else if (event != EditEvent::none && edit_.buffer != now) {
    model_.set(id, edit_.buffer, "type." + id);
  }
  const bool ended = event == EditEvent::applied || event == EditEvent::left;
  if (ended || event == EditEvent::escaped) model_.end_gesture();
  const float used = top + h - y + gui_.px(6);
  gui_.control("knob." + id, {x, y, w, used});
  return used + error_line(id, x, y + used, w);
}

// The items say what they are; a heading of the group names them all.
float Shell::stack_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  float top = y;
  if (p.info.label != p.group) {
    gui_.text_in(x, top + gui_.px(10), w, gui_.words()(p.info.label), TextStyle::body,
                 p.info.active ? gui_.theme().text : gui_.theme().faint);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Rect label{x, top, w, gui_.px(22)};
    if (label.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered()) {
      gui_.tooltip("knob." + id, tooltip_of(p));
    }
    top += gui_.px(22);
  }
  const float used = top - y + StackKnob(gui_, model_, edit_, p).draw(x, top, w);
  gui_.control("knob." + id, {x, y, w, used});
  return used + error_line(id, x, y + used, w);
}

// What is read -----------------------------------------------------------------------------------

float Shell::formula(float x, float y, float w) {
  const Computed* page = model_.page();
  if (!page || page->page.formula.empty()) return y;
  y = section(x, y, w, std::string(gui_.words()("Formula")).c_str());
  const FormulaKey key{page->page.formula, model_.theme(), fonts_.version()};
  if (!(key == formula_key_)) {
    formula_key_ = key;
    figure::LayoutOptions options;
    options.theme = &gui_.theme();
    options.measure = &measure_;
    options.scale = gui_.scale();
    try {
      formula_ = figure::formula(page->page.formula, {0, 0}, options);
    } catch (const core::InputError& e) {
      model_.say(words::told(e, gui_.words()), true);
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
                 gui_.theme(), zoom);
  gui_.control("formula", {x, y, formula_.bounds.w * zoom, formula_.bounds.h * zoom});
  return y + formula_.bounds.h * zoom;
}

float Shell::explanation(float x, float y, float w) {
  const Computed* page = model_.page();
  if (!page || page->page.explanation.lines.empty()) return y;
  const lab::Explanation& e = page->page.explanation;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, e.title.c_str());
  const float top = y;
  float left_width = 0;
  for (const auto& line : e.lines) {
    left_width = std::max(left_width, gui_.width(line.left, TextStyle::mono));
  }
  const float indent = left_width > 0 ? std::min(left_width + gui_.px(14), w * 0.4f) : 0;
  const float pitch = gui_.px(21);
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
      // What does not fit goes on below, under the first of its line.
      if (at > x + indent) y += pitch, at = x + indent;
      const auto rows = gui_.wrap(span.text, span.style, x + w - at);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0) y += pitch;
        gui_.text(at, y + pitch / 2, rows[i], span.style, ink);
      }
      at += gui_.width(rows.back(), span.style);
    }
    y += pitch;
  }
  gui_.control("explanation", {x, top, w, y - top});
  return y;
}

float Shell::numbers(float x, float y, float w) {
  const Computed* page = model_.page();
  if (!page || page->page.readouts.empty()) return y;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, std::string(gui_.words()("Numbers")).c_str());
  const float h = gui_.px(22);
  for (const lab::Readout& r : page->page.readouts) {
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
  }
  return y;
}

float Shell::cards(float x, float y, float w) {
  const Computed* page = model_.page();
  if (!page || page->page.cards.empty()) return y;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, std::string(gui_.words()("Commonly said")).c_str());
  for (const lab::Card& card : page->page.cards) {
    y += gui_.paragraph(x, y, w, fmt::format("“{}”", card.said), TextStyle::body, theme.dim) +
         gui_.px(3);
    y += gui_.paragraph(x, y, w, card.truth, TextStyle::body, theme.text);
    if (!card.source.empty()) {
      y += gui_.px(2) +
           gui_.paragraph(x, y + gui_.px(2), w, card.source, TextStyle::small, theme.dim);
    }
    y += gui_.px(12);
  }
  return y;
}

float Shell::sources(float x, float y, float w) {
  const auto& all = model_.lab().sources;
  if (all.empty()) return y;
  const figure::Theme& theme = gui_.theme();
  y = section(x, y, w, std::string(gui_.words()("Sources")).c_str());
  for (const lab::Source& source : all) {
    y += gui_.paragraph(x, y, w, source.citation, TextStyle::label, theme.text);
    if (!source.where.empty()) {
      y += gui_.paragraph(x, y, w, gui_.words()(source.where), TextStyle::small, theme.dim);
    }
    if (!source.url.empty()) y += gui_.paragraph(x, y, w, source.url, TextStyle::small, theme.dim);
    y += gui_.px(8);
  }
  return y;
}

}  // namespace ui
