#include "app/ui/controls/name_knob.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/state/search.h"

namespace ui {

namespace {

constexpr std::size_t kFew = 12;       // names that need no search
constexpr std::size_t kMostRows = 10;  // in view
constexpr float kRow = 28;

std::string field_id(const std::string& of) { return "choice." + of; }
std::string box_id(const std::string& of) { return "knob." + of + ".search"; }

}  // namespace

float NameKnob::draw(const param::Parameter& parameter, float x, float y, float w,
                     const std::string& tooltip) {
  const auto& name = std::get<param::Name>(parameter.kind);
  const float h = gui_.px(27);
  const Rect rect{x, y + gui_.px(1.5f), w, h - gui_.px(3)};
  const float used = h + field(parameter, rect, tooltip);
  if (name.names) list(parameter, rect);
  return used;
}

// The height of what is said under it.
float NameKnob::field(const param::Parameter& parameter, const Rect& rect,
                      const std::string& tooltip) {
  const auto& name = std::get<param::Name>(parameter.kind);
  const std::string of(parameter.info.id), id = field_id(of);
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const auto at = name.at();
  const std::string& face = at ? (*name.names)[*at].shown() : *name.value;
  const bool known = at || !face.empty(), missing = name.missing();
  const Touch t = touch(gui_, id, rect, known ? face + "\n" + tooltip : tooltip);
  choice_frame(gui_, rect, t, missing);
  gui_.text_in(rect.x + gui_.px(9), rect.y + rect.h / 2, rect.w - gui_.px(32),
               known ? face : w("not known yet"), known ? TextStyle::label_bold : TextStyle::label,
               missing ? theme.bad
               : known ? theme.text
                       : theme.faint);
  const bool by_key = t.focused && !gui_.keyboard().typing() && gui_.keyboard().take(GLFW_KEY_DOWN);
  if (name.names && !name.names->empty() && (t.activated || by_key)) {
    of_ = of;
    open(name);
    ImGui::OpenPopup((id + ".list").c_str());
  }
  if (!missing) return 0;
  const std::string said = param::missing(parameter).in(w);
  const float top = rect.bottom() + gui_.px(3);
  const float height =
      gui_.paragraph(rect.x, top, rect.w, said, TextStyle::label, theme.bad) + gui_.px(6);
  gui_.control("missing." + of, {rect.x, top, rect.w, height});
  return height;
}

// The list begins with the name that is chosen in view.
void NameKnob::open(const param::Name& name) {
  query_.clear();
  find(name);
  at_ = name.at().value_or(0);
  first_ = at_ > kMostRows / 2 ? at_ - kMostRows / 2 : 0;
  wheel_ = 0;
  // The longest of very many names is about the widest.
  const auto& longest = *std::max_element(
      name.names->begin(), name.names->end(),
      [](const auto& a, const auto& b) { return a.shown().size() < b.shown().size(); });
  widest_ = gui_.width(longest.shown(), TextStyle::body);
  if (name.names->size() > kFew) open_edit(edit_, box_id(of_), "");
}

void NameKnob::find(const param::Name& name) {
  searched_ = name.names;
  found_ = state::search(*name.names, query_);
  at_ = first_ = 0;
}

// Below the field, or above it where there is more room.
void NameKnob::list(const param::Parameter& parameter, const Rect& field) {
  const auto& name = std::get<param::Name>(parameter.kind);
  const std::string of(parameter.info.id), id = field_id(of), popup = id + ".list";
  if (of_ != of || !ImGui::IsPopupOpen(popup.c_str())) return;
  if (searched_ != name.names) find(name);
  const bool searching = name.names->size() > kFew;
  const float gap = gui_.px(4), row = gui_.px(kRow);
  const float around = gui_.px(searching ? 74 : 16);
  const float below = ImGui::GetIO().DisplaySize.y - field.bottom() - 2 * gap;
  const float above = field.y - 2 * gap;
  const std::size_t wanted = std::min(name.names->size(), searching ? kMostRows : kFew);
  const bool under = below >= around + row * static_cast<float>(wanted) || below >= above;
  const float room = (under ? below : above) - around;
  const auto fitting = static_cast<std::size_t>(std::max(room / row, 1.0f));
  const std::size_t count = std::min(wanted, fitting);
  const float height = around + row * static_cast<float>(count);
  const float width = std::clamp(widest_ + gui_.px(56), field.w, std::max(field.w, gui_.px(440)));
  Menu menu(
      gui_, popup,
      {field.right() - width, under ? field.bottom() + gap : field.y - gap - height, width, 0});
  if (!menu) return;
  if (searching) search_box(name, box_id(of), menu);
  walk(count);
  rows(name, id, count, menu);
  if (searching) {
    menu.heading(gui_.words().format(N_("{} of {}"), found_.size(), name.names->size()));
  }
}

void NameKnob::search_box(const param::Name& name, const std::string& box, Menu& menu) {
  BoxLook look;
  look.style = TextStyle::body;
  look.align = 0;
  look.hint = gui_.words()("Search");
  const Rect rect = menu.room(gui_.px(30));
  const ImVec2 below = ImGui::GetCursorScreenPos();
  const EditEvent event = text_box(gui_, edit_, box, rect, query_, look);
  ImGui::SetCursorScreenPos(below);
  if (event == EditEvent::changed) {
    query_ = edit_.buffer;
    find(name);
  }
  if (event != EditEvent::applied) return;
  if (!found_.empty()) return choose(name, found_[at_]);
  open_edit(edit_, box, query_);
}

// Keys and the wheel move through what was found.
void NameKnob::walk(std::size_t rows) {
  if (found_.empty()) return;
  const std::size_t last = found_.size() - 1;
  const std::size_t before = at_;
  if (gui_.keyboard().take(GLFW_KEY_DOWN)) at_ = std::min(at_ + 1, last);
  if (gui_.keyboard().take(GLFW_KEY_UP)) at_ = at_ > 0 ? at_ - 1 : 0;
  if (gui_.keyboard().take(GLFW_KEY_PAGE_DOWN)) at_ = std::min(at_ + rows, last);
  if (gui_.keyboard().take(GLFW_KEY_PAGE_UP)) at_ = at_ > rows ? at_ - rows : 0;
  const std::size_t most = found_.size() > rows ? found_.size() - rows : 0;
  if (at_ != before) first_ = std::clamp(first_, at_ + 1 > rows ? at_ + 1 - rows : 0, at_);
  if (ImGui::IsWindowHovered()) wheel_ += 3 * ImGui::GetIO().MouseWheel;
  const float steps = std::trunc(wheel_);
  wheel_ -= steps;
  const float moved = static_cast<float>(first_) - steps;
  first_ = std::min(static_cast<std::size_t>(std::max(moved, 0.0f)), most);
}

void NameKnob::rows(const param::Name& name, const std::string& id, std::size_t rows, Menu& menu) {
  const bool enter =
      !gui_.keyboard().typing() && !found_.empty() && gui_.keyboard().take(GLFW_KEY_ENTER);
  if (enter) return choose(name, found_[at_]);
  if (found_.empty()) menu.heading(gui_.words()("Nothing contains all of these words."));
  const auto chosen = name.at();
  for (std::size_t k = found_.empty() ? 1 : 0; k < rows; ++k) {
    if (first_ + k >= found_.size()) {
      menu.room(gui_.px(kRow));
      continue;
    }
    const std::size_t one = found_[first_ + k];
    const param::Named& named = (*name.names)[one];
    if (menu.item(id + "." + named.id, named.shown(), chosen == one ? "•" : "", true, "",
                  first_ + k == at_)) {
      choose(name, one);
    }
  }
}

void NameKnob::choose(const param::Name& name, std::size_t k) {
  ImGui::CloseCurrentPopup();
  gui_.keyboard().focus(field_id(of_), true);
  edit_.id.clear();
  if (name.at() != k) program_.knobs.set(of_, (*name.names)[k].id);
}

}  // namespace ui
