#include "app/ui/panel/knob_column.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/ui/controls/slider_scale.h"
#include "app/ui/controls/stack_knob.h"
#include "app/ui/controls/transport.h"
#include "app/words/sentence.h"

namespace ui {

std::string KnobColumn::tooltip_of(const param::Parameter& p) const {
  const words::Words& w = gui_.words();
  std::string text(w(p.info.help));
  if (!p.info.unit.empty()) {
    if (!text.empty()) text += '\n';
    text += w.format(N_("Unit: {}"), w(p.info.unit));
  }
  if (!text.empty()) text += '\n';
  text += w.format(N_("{}: {}"), p.info.id, param::expected(p, w));
  if (p.info.unpinned) {
    text += '\n';
    text += w.format(N_("{}: nothing is pinned (Escape)"), *p.info.unpinned);
  }
  return text;
}

// A knob without an effect is not shown. What is essential is, and what is not as it was at first,
// so that nothing that matters is hidden; the others wait behind a button.
float KnobColumn::draw(float x, float y, float w) {
  const param::List all = program_.desk.list();
  const bool every = every_knob_.contains(program_.desk.lab().id);
  std::optional<std::string_view> group;
  int behind = 0;
  for (const param::Parameter& p : all.items()) {
    if (!p.info.active || p.info.tabs) continue;
    const bool behind_it = !at_hand(p);
    behind += behind_it;
    if (behind_it && !every) continue;
    if (group != p.group) y += group_heading(p.group, !group, x, y, w);
    group = p.group;
    if (scroll_to_ == p.info.id) {
      ImGui::SetScrollFromPosY(y - ImGui::GetWindowPos().y, 0.4f);
      scroll_to_.clear();
    }
    y += draw_one(p, x, y, w);
  }
  return behind == 0 ? y : y + more_knobs(behind, every, x, y, w);
}

float KnobColumn::draw_only(const std::vector<std::string>& ids, float x, float y, float w) {
  param::List all = program_.desk.list();
  for (const std::string& id : ids) {
    const param::Parameter* p = all.find(id);
    if (p && p->info.active && !p->info.tabs) y += draw_one(*p, x, y, w);
  }
  return y;
}

bool KnobColumn::at_hand(const param::Parameter& p) const {
  const std::string id(p.info.id);
  const auto in_use = [&](const char* kind) {
    return gui_.keyboard().focused().starts_with(fmt::format("{}.{}.", kind, id));
  };
  return p.info.essential || program_.knobs.changed(id) || in_use("knob") || in_use("choice");
}

// Shows the knobs that wait, or folds them away again.
float KnobColumn::more_knobs(int count, bool every, float x, float y, float w) {
  const std::string lab(program_.desk.lab().id);
  const words::Words& words = gui_.words();
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = every ? Icon::up : Icon::down;
  const std::string label =
      every ? words("Fewer knobs") : words.format(N_("More knobs: {}"), count);
  const Rect rect{x - gui_.px(13), y + gui_.px(6), std::min(button_width(gui_, label, look), w),
                  gui_.px(28)};
  if (button(
          gui_, "button.knobs", rect, label, look,
          words("All knobs of this lab, or those that matter most and those you have changed"))) {
    if (!every_knob_.erase(lab)) every_knob_.emplace(lab);
  }
  return rect.bottom() - y;
}

float KnobColumn::group_heading(std::string_view name, bool first, float x, float y, float w) {
  const float above = gui_.px(first ? 0 : 10);
  if (name.empty()) return above;
  gui_.text_in(x, y + above + gui_.px(9), w, gui_.words()(name), TextStyle::label_bold,
               gui_.theme().dim);
  return above + gui_.px(24);
}

namespace {

// In one line, or in two small ones; true where it is cut.
bool label_in(const Gui& gui, const std::string& label, float x, float middle, float room) {
  constexpr float kPitch = 13;
  if (gui.width(label, TextStyle::body) > room) {
    const std::vector<std::string> lines = gui.wrap(label, TextStyle::small, room);
    if (lines.size() == 2) {
      const float half = gui.px(kPitch) / 2;
      gui.text(x, middle - half, lines[0], TextStyle::small, gui.theme().text);
      gui.text(x, middle + half, lines[1], TextStyle::small, gui.theme().text);
      return false;
    }
  }
  return gui.text_in(x, middle, room, label, TextStyle::body, gui.theme().text);
}

}  // namespace

float KnobColumn::draw_one(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  if (std::holds_alternative<param::File>(p.kind)) return file_knob(p, x, y, w);
  if (param::is_text(p)) return text_knob(p, x, y, w);
  if (p.info.measures) return measure_knob(p, x, y, w);
  if (std::holds_alternative<param::Stack>(p.kind)) return stack_knob(p, x, y, w);
  const float h = gui_.px(27), label_width = std::min(gui_.px(128), w * 0.385f);
  const bool cut =
      label_in(gui_, gui_.words()(p.info.label), x, y + h / 2, label_width - gui_.px(8));
  const Rect label{x, y, label_width, h};
  sweep_bar_.label(id, label);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (label.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered()) {
    const std::string name = cut ? gui_.words()(p.info.label) + "\n" : std::string();
    gui_.tooltip("knob." + id, name + tooltip_of(p));
  }
  const float cx = x + label_width, cw = w - label_width;
  float used = h;
  if (std::holds_alternative<param::Flag>(p.kind)) {
    const bool on = *std::get<param::Flag>(p.kind).value;
    const Rect rect{cx, std::round(y + (h - gui_.px(18)) / 2), gui_.px(34), gui_.px(18)};
    if (toggle(gui_, "knob." + id, rect, on, tooltip_of(p))) {
      program_.knobs.set(id, on ? "false" : "true");
    }
  } else if (std::holds_alternative<param::Choice>(p.kind)) {
    used = choice_knob(p, cx, y, cw);
  } else if (std::holds_alternative<param::Name>(p.kind)) {
    used = name_knob_.draw(p, cx, y, cw, tooltip_of(p));
  } else {
    used = number_knob(p, cx, y, cw);
    if (p.info.plays > 0) used += transport(gui_, program_, p, "play." + id, cx, y + used, cw);
  }
  // A switch has no parts: its own rectangle stands for the knob.
  if (!std::holds_alternative<param::Flag>(p.kind)) gui_.control("knob." + id, {x, y, w, used});
  return used + error_line(id, x, y + used, w);
}

float KnobColumn::error_line(const std::string& id, float x, float y, float w) {
  const std::string& error = program_.knobs.error_of(id);
  if (error.empty()) return 0;
  const float h = gui_.paragraph(x, y + gui_.px(2), w, error, TextStyle::label, gui_.theme().bad);
  gui_.control("error." + id, {x, y, w, h});
  return h + gui_.px(8);
}

// Brings a knob into view, from behind the button if it must be.
bool KnobColumn::show(const std::string& id) {
  param::List all = program_.desk.list();
  const param::Parameter* p = all.find(id);
  const words::Words& w = gui_.words();
  if (!p || p->info.tabs) return false;
  if (!p->info.active) {
    program_.messages.say(
        w.format(N_("{} has no effect at the current settings."), w(p->info.label)));
    return false;
  }
  if (!at_hand(*p)) every_knob_.emplace(program_.desk.lab().id);
  scroll_to_ = id;
  return true;
}

namespace {

double slider_end(const param::Parameter& p) { return p.info.slides_to.value_or(p.info.max); }

SliderScale scale_of(const param::Parameter& p) {
  return {p.info.min, slider_end(p), p.info.scale};
}

std::string as_text(const param::Parameter& p, double v) {
  const double fit = param::nearest(p, v);
  if (std::holds_alternative<param::Integer>(p.kind)) return fmt::format("{}", std::llround(fit));
  // Twelve digits hide the rounding of a multiple of the step.
  return fmt::format("{:.12g}", fit);
}

// One arrow key: a step, or a fiftieth of the slider where any value is permitted. With Shift it is
// ten steps, or a tenth of a logarithmic slider.
double stepped(const param::Parameter& p, double now, int steps) {
  const SliderScale scale = scale_of(p);
  const auto moved = [&](double by) {
    return scale.round_at(scale.share(now) + by, std::abs(by) / 10);
  };
  const bool whole = std::holds_alternative<param::Integer>(p.kind);
  const bool log = p.info.scale == param::Scale::log;
  if (!whole && (log || p.info.step <= 0)) return moved(0.02 * steps);
  if (log && std::abs(steps) >= 10) return moved(steps / 10 * 0.1);
  return now + steps * std::max(p.info.step, whole ? 1.0 : 0.0);
}

std::string_view file_endings(const param::Parameter& p) {
  return std::get<param::File>(p.kind).endings;
}

// A file of a folder stands for it, so "/" is no ending that a dialog asks for.
std::string_view shown_endings(const param::Parameter& p) {
  const std::string_view all = file_endings(p);
  return all.substr(0, all.find(" /"));
}

}  // namespace

float KnobColumn::number_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  const float h = gui_.px(27), box_width = gui_.px(66);
  const double now = param::number(p).value_or(0);
  const Rect track{x, y + gui_.px(2), w - box_width - gui_.px(12), h - gui_.px(4)};
  const bool keys_here =
      gui_.keyboard().has_focus("knob." + id + ".slider") && !gui_.keyboard().typing();
  if (p.info.plays > 0 && keys_here && gui_.keyboard().take_space()) toggle_play(program_, id);
  const auto result =
      slider(gui_, "knob." + id + ".slider", track, scale_of(p).share(now), tooltip_of(p));
  if (result.moved_to) {
    const double moved = scale_of(p).round_at(*result.moved_to, result.half_pixel);
    program_.knobs.set(id, as_text(p, moved), "drag." + id);
  }
  if (result.released) program_.desk.end_gesture();
  if (result.steps != 0)
    program_.knobs.set(id, as_text(p, stepped(p, now, result.steps)), "step." + id);
  const std::string box_id = "knob." + id + ".value";
  const Rect box{x + w - box_width, y + gui_.px(1.5f), box_width, h - gui_.px(3)};
  BoxLook look;
  look.wrong = !program_.knobs.error_of(id).empty();
  const bool whole = std::holds_alternative<param::Integer>(p.kind);
  const std::string shown = whole ? fmt::format("{:.0f}", now) : figure::number_text(now, 4);
  if (p.info.unpinned && now == *p.info.unpinned) look.face = gui_.words()("none");
  const EditEvent event = text_box(gui_, edit_, box_id, box, shown, look, tooltip_of(p));
  const bool enter = event == EditEvent::applied;
  if (enter || (event == EditEvent::left && edit_.buffer != shown)) {
    if (!program_.knobs.set(id, edit_.buffer) && enter) open_edit(edit_, box_id, edit_.buffer);
  }
  if (event == EditEvent::escaped) program_.knobs.clear_error(id);
  return h;
}

float KnobColumn::choice_knob(const param::Parameter& p, float x, float y, float w) {
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
  const auto chosen =
      short_enough ? segments(gui_, ids, labels, rect, choice.get(), tooltips)
                   : combo(gui_, "choice." + id, ids, labels, rect, choice.get(), tooltip_of(p));
  if (chosen && *chosen != choice.get()) {
    program_.knobs.set(id, std::string(choice.options[static_cast<std::size_t>(*chosen)].id));
  }
  return h;
}

// A press starts a measurement, or another one; a switch takes it away again.
float KnobColumn::measure_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  const words::Words& words = gui_.words();
  const auto* flag = std::get_if<param::Flag>(&p.kind);
  const double now = param::number(p).value_or(0);
  const bool measured = flag ? *flag->value : now > p.info.min;
  const std::string label = !measured ? words("Measure now")
                            : flag    ? words("Remove the measurement")
                                      : words("Measure again");
  const Rect rect{x, y + gui_.px(3), std::min(button_width(gui_, label, {}), w), gui_.px(28)};
  if (button(gui_, "knob." + id, rect, label, {}, tooltip_of(p))) {
    const double next = now < p.info.max ? now + 1 : p.info.min + 1;
    program_.knobs.set(id, flag ? (measured ? "false" : "true") : as_text(p, next));
  }
  return gui_.px(36);
}

// A path with a button that asks for it, and one that takes it away.
float KnobColumn::file_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id), path = param::serialize(p);
  const words::Words& words = gui_.words();
  const figure::Theme& theme = gui_.theme();
  gui_.text_in(x, y + gui_.px(10), w, words(p.info.label), TextStyle::body, theme.text);
  const float top = y + gui_.px(23), h = gui_.px(27), gap = gui_.px(6);
  const std::string choose(words("Choose…"));
  const float choose_w = button_width(gui_, choose, {}), clear_w = gui_.px(28);
  const Rect clear{x + w - clear_w, top, clear_w, h};
  const Rect ask{clear.x - gap - choose_w, top, choose_w, h};
  const Rect box{x, top, ask.x - gap - x, h};
  BoxLook look;
  look.align = 0;
  look.wrong = !program_.knobs.error_of(id).empty();
  look.face = std::filesystem::path(path).filename().string();
  look.hint = words("no file");
  const std::string about = path.empty() ? tooltip_of(p) : path + "\n" + tooltip_of(p);
  const std::string box_id = "knob." + id + ".value";
  const EditEvent event = text_box(gui_, edit_, box_id, box, path, look, about);
  const bool enter = event == EditEvent::applied;
  if (enter || (event == EditEvent::left && edit_.buffer != path)) {
    if (!program_.knobs.set(id, edit_.buffer) && enter) open_edit(edit_, box_id, edit_.buffer);
  }
  if (event == EditEvent::escaped) program_.knobs.clear_error(id);
  ButtonLook plain;
  const std::string formats = words.format(N_("Choose a file ({})"), shown_endings(p));
  if (button(gui_, "knob." + id + ".choose", ask, choose, plain, formats)) ask_for_file(p);
  plain.icon = Icon::close;
  plain.enabled = !path.empty();
  if (button(gui_, "knob." + id + ".clear", clear, "", plain, words("No file"))) {
    program_.knobs.set(id, "");
  }
  const float used = top + h - y + gui_.px(6);
  gui_.control("knob." + id, {x, y, w, used});
  return used + error_line(id, x, y + used, w);
}

void KnobColumn::ask_for_file(const param::Parameter& p) {
  const words::Words& w = gui_.words();
  const std::string id(p.info.id), now = param::serialize(p);
  const auto here = std::filesystem::path(folder_) / "";
  dialogs_.ask_file(
      {.title = w.format(N_("Choose a file ({})"), shown_endings(p)),
       .action = w("Choose"),
       .path = now.empty() ? here.string() : now,
       .endings = std::string(file_endings(p)),
       .done = [this, id](const std::string& path) { program_.files.set(id, path); }});
}

float KnobColumn::text_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id), box_id = "knob." + id + ".value";
  const figure::Theme& theme = gui_.theme();
  const std::string now = param::serialize(p);
  float top = y;
  // A text under a heading of the same name needs no second one.
  if (p.info.label != p.group) {
    gui_.text_in(x, top + gui_.px(10), w, gui_.words()(p.info.label), TextStyle::body, theme.text);
    top += gui_.px(23);
  }
  BoxLook look;
  look.wrong = !program_.knobs.error_of(id).empty();
  if (const auto page = program_.pages.page()) {
    for (const auto& [knob, text] : page->page.empty_texts) {
      if (knob == id) look.hint = text;
    }
  }
  const std::string& shown = edit_.id == box_id ? edit_.buffer : now.empty() ? look.hint : now;
  const float h = text_area_height(gui_, shown, w, 6);
  const EditEvent event = text_area(gui_, edit_, box_id, {x, top, w, h}, now, look, tooltip_of(p));
  if (event == EditEvent::escaped) {
    program_.knobs.clear_error(id);
    if (edit_.buffer != now) program_.knobs.set(id, edit_.buffer, "type." + id);
  } else if (event != EditEvent::none && edit_.buffer != now) {
    program_.knobs.set(id, edit_.buffer, "type." + id);
  }
  const bool ended = event == EditEvent::applied || event == EditEvent::left;
  if (ended || event == EditEvent::escaped) program_.desk.end_gesture();
  const float used = top + h - y + gui_.px(6);
  gui_.control("knob." + id, {x, y, w, used});
  return used + error_line(id, x, y + used, w);
}

// The items say what they are; a heading of the group names them all.
float KnobColumn::stack_knob(const param::Parameter& p, float x, float y, float w) {
  const std::string id(p.info.id);
  float top = y;
  if (p.info.label != p.group) {
    gui_.text_in(x, top + gui_.px(10), w, gui_.words()(p.info.label), TextStyle::body,
                 gui_.theme().text);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Rect label{x, top, w, gui_.px(22)};
    if (label.contains({mouse.x, mouse.y}) && ImGui::IsWindowHovered()) {
      gui_.tooltip("knob." + id, tooltip_of(p));
    }
    top += gui_.px(22);
  }
  const float used = top - y + StackKnob(gui_, program_, edit_, p).draw(x, top, w);
  gui_.control("knob." + id, {x, y, w, used});
  return used + error_line(id, x, y + used, w);
}

}  // namespace ui
