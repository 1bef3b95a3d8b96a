#include "app/ui/controls/stack_knob.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/controls/slider_scale.h"
#include "app/ui/controls/widgets.h"

namespace ui {

namespace {

constexpr float kStackRow = 27, kArgument = 25, kPad = 5, kItemGap = 4;

SliderScale scale_of(const param::Argument& argument) {
  return {static_cast<double>(argument.min), static_cast<double>(argument.max), argument.scale};
}

}  // namespace

StackKnob::StackKnob(Gui& gui, state::Program& program, TextEdit& edit,
                     const param::Parameter& parameter)
    : gui_(gui),
      program_(program),
      edit_(edit),
      stack_(std::get<param::Stack>(parameter.kind)),
      items_(*stack_.value),
      id_(parameter.info.id) {}

std::string StackKnob::id_of(std::size_t k, std::string_view part) const {
  return fmt::format("stack:{}:{}:{}", id_, k, part);
}

void StackKnob::set(const param::StackItems& items, const std::string& gesture) {
  program_.knobs.set(id_, param::serialize_stack(items, *stack_.catalogue), gesture);
}

void StackKnob::set_argument(std::size_t k, std::size_t a, int value, const std::string& gesture) {
  param::StackItems items = items_;
  items[k].arguments.at(a) = value;
  set(items, gesture);
}

float StackKnob::height_of(std::size_t k) const {
  const auto entry = static_cast<std::size_t>(items_[k].entry);
  const auto count = static_cast<float>(stack_.catalogue->entries[entry].arguments.size());
  return gui_.px(kStackRow) + count * gui_.px(kArgument) + 2 * gui_.px(kPad);
}

float StackKnob::draw(float x, float y, float w) {
  float at = y + gui_.px(2);
  for (std::size_t k = 0; k < items_.size(); ++k) {
    at += item(k, {x, at, w, height_of(k)}) + gui_.px(kItemGap);
  }
  return at + add(x, at) - y + gui_.px(kItemGap);
}

float StackKnob::item(std::size_t k, const Rect& at) {
  const figure::Theme& theme = gui_.theme();
  const float pad = gui_.px(kPad), row = gui_.px(kStackRow);
  gui_.fill(at, mix(theme.panel, theme.text, 0.035f), gui_.px(7));
  gui_.control(fmt::format("stack:{}:{}", id_, k), at);
  const float buttons_width = 3 * gui_.px(22);
  float left = at.x + pad;
  const float top = at.y + pad + gui_.px(1.5f), h = row - gui_.px(3);
  if (k > 0 && !stack_.catalogue->operations.empty()) {
    const float width = gui_.px(70);
    operation(k, {left, top, width, h});
    left += width + gui_.px(4);
  }
  entry(k, {left, top, at.right() - pad - buttons_width - gui_.px(3) - left, h});
  buttons(k, at.right() - pad, top);
  const auto& entry = stack_.catalogue->entries[static_cast<std::size_t>(items_[k].entry)];
  for (std::size_t a = 0; a < entry.arguments.size(); ++a) {
    const float y = at.y + pad + row + static_cast<float>(a) * gui_.px(kArgument);
    argument(k, a, {at.x + pad + gui_.px(4), y, at.w - 2 * pad - gui_.px(4), gui_.px(kArgument)});
  }
  return at.h;
}

void StackKnob::operation(std::size_t k, const Rect& rect) {
  std::vector<std::string> ids, labels;
  for (const param::Option& option : stack_.catalogue->operations) {
    ids.push_back(id_of(k, "operation:") + std::string(option.id));
    labels.emplace_back(gui_.words()(option.label));
  }
  const auto chosen = combo(gui_, id_of(k, "operation"), ids, labels, rect, items_[k].operation,
                            gui_.words()("How it combines with the items above"));
  if (!chosen || *chosen == items_[k].operation) return;
  param::StackItems items = items_;
  items[k].operation = *chosen;
  set(items);
}

void StackKnob::entry(std::size_t k, const Rect& rect) {
  std::vector<std::string> ids, labels;
  for (const param::Entry& entry : stack_.catalogue->entries) {
    ids.push_back(id_of(k, "entry:") + std::string(entry.id));
    labels.emplace_back(gui_.words()(entry.label));
  }
  const auto& now = stack_.catalogue->entries[static_cast<std::size_t>(items_[k].entry)];
  const auto chosen =
      combo(gui_, id_of(k, "entry"), ids, labels, rect, items_[k].entry, gui_.words()(now.help));
  if (!chosen || *chosen == items_[k].entry) return;
  param::StackItems items = items_;
  items[k] = param::initial_item(*stack_.catalogue, *chosen, items_[k].operation);
  set(items);
}

void StackKnob::buttons(std::size_t k, float right, float y) {
  const words::Words& w = gui_.words();
  struct Button {
    const char* part;
    Icon icon;
    bool enabled;
    std::string tooltip;
  };
  const Button all[] = {
      {"up", Icon::up, k > 0, w("Move it up: items apply from top to bottom")},
      {"down", Icon::down, k + 1 < items_.size(), w("Move it down")},
      {"remove", Icon::close, items_.size() > 1, w("Remove it")},
  };
  const float side = gui_.px(22), top = y + gui_.px(1);
  float x = right - 3 * side;
  for (const Button& each : all) {
    ButtonLook look;
    look.kind = ButtonLook::Kind::ghost;
    look.icon = each.icon;
    look.enabled = each.enabled;
    const Rect rect{x, top, side, side};
    x += side;
    if (!button(gui_, id_of(k, each.part), rect, "", look, std::string(each.tooltip))) continue;
    const std::string_view part = each.part;
    set(part == "remove" ? param::with_removed(items_, k)
                         : param::with_moved(items_, k, part == "up" ? -1 : 1));
  }
}

void StackKnob::argument(std::size_t k, std::size_t a, const Rect& at) {
  const auto& entry = stack_.catalogue->entries[static_cast<std::size_t>(items_[k].entry)];
  const param::Argument& argument = entry.arguments[a];
  const words::Words& w = gui_.words();
  const figure::Theme& theme = gui_.theme();
  const float label_width = std::min(gui_.px(104), at.w * 0.34f), box_width = gui_.px(62);
  gui_.text_in(at.x, at.y + at.h / 2, label_width - gui_.px(6), w(argument.label), TextStyle::label,
               theme.text);
  const std::string range =
      w.format(argument.parts == 1 ? N_("an integer from {} to {}") : N_("a number from {} to {}"),
               argument.serialize(argument.min), argument.serialize(argument.max));
  const std::string tooltip = w(argument.help) + "\n" + w.format(N_("{}: {}"), argument.id, range);
  const float x = at.x + label_width, room = at.right() - x;
  const std::string name = id_of(k, argument.id);
  const SliderScale scale = scale_of(argument);
  const int now = items_[k].arguments.at(a);
  const Rect track{x, at.y + gui_.px(2), room - box_width - gui_.px(10), at.h - gui_.px(4)};
  const auto result = slider(gui_, name + ".slider", track, scale.share(now), tooltip);
  if (result.moved_to) {
    const double moved = scale.round_at(*result.moved_to, result.half_pixel);
    set_argument(k, a, static_cast<int>(std::lround(moved)), "drag." + name);
  }
  if (result.released) program_.desk.end_gesture();
  if (result.steps != 0) {
    const long long wanted = static_cast<long long>(now) + result.steps;
    const auto kept = std::clamp<long long>(wanted, argument.min, argument.max);
    set_argument(k, a, static_cast<int>(kept), "step." + name);
  }
  type_argument(k, a, {at.right() - box_width, at.y + gui_.px(1), box_width, at.h - gui_.px(2)},
                tooltip);
}

void StackKnob::type_argument(std::size_t k, std::size_t a, const Rect& box,
                              const std::string& tooltip) {
  const auto& entry = stack_.catalogue->entries[static_cast<std::size_t>(items_[k].entry)];
  const std::string_view argument = entry.arguments[a].id;
  const std::string id = id_of(k, argument) + ".value";
  const std::string shown = entry.arguments[a].serialize(items_[k].arguments.at(a));
  BoxLook look;
  look.wrong = edit_.id == id && !program_.knobs.error_of(id_).empty();
  const EditEvent event = text_box(gui_, edit_, id, box, shown, look, tooltip);
  const bool enter = event == EditEvent::applied;
  if (enter || (event == EditEvent::left && edit_.buffer != shown)) {
    // What is typed goes through the same reader as a written stack, which says what is wrong.
    std::string text;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const auto operation = static_cast<std::size_t>(items_[i].operation);
      if (i > 0) text += "; ";
      if (i > 0 && !stack_.catalogue->operations.empty()) {
        text += fmt::format("{} ", stack_.catalogue->operations[operation].id);
      }
      if (i != k) {
        text += param::serialize_item(items_[i], *stack_.catalogue);
        continue;
      }
      text += entry.id;
      for (std::size_t b = 0; b < entry.arguments.size(); ++b) {
        text += fmt::format(" {}=", entry.arguments[b].id);
        text += b == a ? edit_.buffer : entry.arguments[b].serialize(items_[k].arguments.at(b));
      }
    }
    if (!program_.knobs.set(id_, text) && enter) open_edit(edit_, id, edit_.buffer);
  }
  if (event == EditEvent::escaped) program_.knobs.clear_error(id_);
}

float StackKnob::add(float x, float y) {
  const words::Words& w = gui_.words();
  const std::string id = fmt::format("stack:{}:add", id_), popup = id + ".list";
  ButtonLook look;
  look.icon = Icon::down;
  look.enabled = items_.size() < stack_.most;
  const std::string label(w("Add"));
  const Rect rect{x, y, button_width(gui_, label, look), gui_.px(24)};
  const std::string tooltip =
      look.enabled ? w("Add an item at the end") : w.format(N_("At most {} items"), stack_.most);
  if (button(gui_, id, rect, label, look, tooltip)) ImGui::OpenPopup(popup.c_str());
  Menu menu(gui_, popup, {rect.x, rect.bottom() + gui_.px(4), gui_.px(220), 0});
  if (!menu) return rect.h;
  const auto& entries = stack_.catalogue->entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (!menu.item(id + ":" + std::string(entries[k].id), w(entries[k].label), "", true,
                   w(entries[k].help))) {
      continue;
    }
    param::StackItems items = items_;
    items.push_back(param::initial_item(*stack_.catalogue, static_cast<int>(k)));
    set(items);
  }
  return rect.h;
}

}  // namespace ui
