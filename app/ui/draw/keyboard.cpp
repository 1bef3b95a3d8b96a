#include "app/ui/draw/keyboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr int kModifiers = GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;

}  // namespace

void Keyboard::begin_frame(std::vector<KeyPress> keys) {
  keys_ = std::move(keys);
  typing_ = false;
  focus_moved_ = false;
  walk_focus();
  order_.clear();
  top_layer_ = seen_layer_;
  seen_layer_ = layer_ = 0;
  if (ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1)) ring_ = false;
}

bool Keyboard::take(int key, int mods) {
  const auto found = std::find_if(keys_.begin(), keys_.end(), [&](const KeyPress& k) {
    return k.key == key && (k.mods & kModifiers) == mods;
  });
  if (found == keys_.end()) return false;
  keys_.erase(found);
  return true;
}

bool Keyboard::take_space() { return (!space_kept_ || ring_) && take(GLFW_KEY_SPACE); }

bool Keyboard::focusable(const std::string& id) {
  if (layer_ == top_layer_) order_.push_back(id);
  return has_focus(id);
}

void Keyboard::focus(const std::string& id, bool by_keyboard) {
  focus_ = id;
  if (by_keyboard) ring_ = true;
}

void Keyboard::push_layer() {
  ++layer_;
  seen_layer_ = std::max(seen_layer_, layer_);
}

void Keyboard::walk_focus() {
  const auto has = [this](int mods) {
    return std::any_of(keys_.begin(), keys_.end(), [&](const KeyPress& k) {
      return k.key == GLFW_KEY_TAB && (k.mods & kModifiers) == mods;
    });
  };
  const bool forward = has(0), back = has(GLFW_MOD_SHIFT);
  if (order_.empty() || (!forward && !back)) return;
  const auto here = std::find(order_.begin(), order_.end(), focus_);
  const auto count = static_cast<std::ptrdiff_t>(order_.size());
  std::ptrdiff_t next = forward ? 0 : count - 1;
  if (here != order_.end()) next = (here - order_.begin() + (forward ? 1 : count - 1)) % count;
  ImGui::ClearActiveID();  // a text box is left
  focus(order_[static_cast<std::size_t>(next)], true);
  focus_moved_ = true;
}

}  // namespace ui
