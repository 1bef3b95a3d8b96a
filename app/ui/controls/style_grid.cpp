#include "app/ui/controls/style_grid.h"

#include <algorithm>
#include <cmath>

#include "app/paper/style/lettering.h"
#include "app/ui/controls/widgets.h"
#include "app/words/sentence.h"

namespace ui {
namespace {

constexpr std::size_t kGridColumns = 3, kGridFewColumns = 2;
constexpr float kGridRow = 30, kGridHeight = 24, kGridApart = 14;

}  // namespace

Rect StyleGrid::place(const Rect& r, float y, std::size_t k) const {
  const float gap = gui_.px(kGridApart);
  const auto columns = static_cast<float>(columns_);
  const float each = (r.w - gap * (columns - 1)) / columns;
  return {r.x + static_cast<float>(k % columns_) * (each + gap),
          y + static_cast<float>(k / columns_) * gui_.px(kGridRow), each, gui_.px(kGridHeight)};
}

Rect StyleGrid::next_place(const Rect& r) const { return place(r, last_y_, last_count_); }

float StyleGrid::draw(const Rect& r, float y, std::string_view group, paper::Style& style) {
  prefix_ = "paper.style.", columns_ = kGridColumns;
  std::size_t k = 0;
  paper::Style described = style;
  const param::List list = paper::describe(described);
  for (const param::Parameter& parameter : list.items()) {
    if (parameter.group == group) control(parameter, place(r, y, k++), style);
  }
  return end(y, k);
}

float StyleGrid::draw(const Rect& r, float y, std::span<const std::string_view> ids,
                      const std::string& prefix, paper::Style& style) {
  prefix_ = prefix, columns_ = kGridFewColumns;
  std::size_t k = 0;
  paper::Style described = style;
  param::List list = paper::describe(described);
  for (const std::string_view id : ids) control(*list.find(id), place(r, y, k++), style);
  return end(y, k);
}

float StyleGrid::end(float y, std::size_t count) {
  last_y_ = y, last_count_ = count;
  const std::size_t rows = (count + columns_ - 1) / columns_;
  return y + static_cast<float>(rows) * gui_.px(kGridRow) + gui_.px(6);
}

void StyleGrid::control(const param::Parameter& parameter, const Rect& at, paper::Style& style) {
  const words::Words& w = gui_.words();
  const std::string id = prefix_ + std::string(parameter.info.id);
  const std::string tip = w(parameter.info.help);
  const float label = std::round(at.w * 0.42f);
  gui_.text_in(at.x, at.y + at.h / 2, label - gui_.px(6), w(parameter.info.label), TextStyle::label,
               gui_.theme().dim);
  const Rect box{at.x + label, at.y, at.w - label, at.h};
  if (parameter.info.id == "font_family") return family(id, box, tip, style);
  if (const auto* flag = std::get_if<param::Flag>(&parameter.kind)) {
    const float width = gui_.px(34), height = gui_.px(18);
    if (toggle(gui_, id, {box.x, box.y + (box.h - height) / 2, width, height}, *flag->value, tip)) {
      take(parameter.info.id, *flag->value ? "false" : "true", id, style);
    }
    return;
  }
  if (const auto* choice = std::get_if<param::Choice>(&parameter.kind)) {
    std::vector<std::string> ids, labels;
    for (const param::Option& option : choice->options) {
      ids.push_back(id + "." + std::string(option.id));
      labels.push_back(w(option.label));
    }
    const auto chosen = combo(gui_, id, ids, labels, box, choice->get(), tip);
    if (chosen) {
      const auto k = static_cast<std::size_t>(*chosen);
      take(parameter.info.id, std::string(choice->options[k].id), id, style);
    }
    return;
  }
  typed(parameter, id, box, tip, style);
}

void StyleGrid::family(const std::string& id, const Rect& at, const std::string& tip,
                       paper::Style& style) {
  if (families_.empty()) families_ = paper::families();
  std::vector<std::string> ids = {id + ".own"}, labels = {gui_.words()("its own")};
  int now = 0;
  for (const std::string& one : families_) {
    if (one == style.font_family) now = static_cast<int>(ids.size());
    ids.push_back(id + "." + one);
    labels.push_back(one);
  }
  const auto chosen = combo(gui_, id, ids, labels, at, now, tip);
  if (!chosen) return;
  const auto k = static_cast<std::size_t>(*chosen);
  take("font_family", k == 0 ? "" : families_[k - 1], id, style);
}

void StyleGrid::typed(const param::Parameter& parameter, const std::string& id, const Rect& at,
                      const std::string& tip, paper::Style& style) {
  const auto size = param::number(parameter);
  const bool none = size && *size == 0;
  BoxLook look;
  look.wrong = wrong_ == id;
  look.hint = "–";
  const EditEvent event =
      text_box(gui_, edit_, id, at, none ? "" : param::serialize(parameter), look, tip);
  if (event == EditEvent::escaped && wrong_ == id) forget();
  if (event != EditEvent::applied && event != EditEvent::left && event != EditEvent::changed) {
    return;
  }
  const std::string typed = size && edit_.buffer.empty() ? "0" : edit_.buffer;
  take(parameter.info.id, typed, id, style);
}

void StyleGrid::take(std::string_view parameter, const std::string& text, const std::string& id,
                     paper::Style& style) {
  paper::Style next = style;
  try {
    paper::set(next, {{std::string(parameter), text}});
    paper::check(next);
  } catch (const core::InputError& error) {
    wrong_ = id, fault_ = words::translated(error, gui_.words());
    return;
  }
  style = next;
  if (wrong_ == id) forget();
}

}  // namespace ui
