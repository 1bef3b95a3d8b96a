#include "app/ui/bars/toast.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kToastSeconds = 6;
constexpr std::size_t kSaid = 8;

}  // namespace

// What was said stays in the control map after it has left the screen: how long it stands there is
// no matter for a script.
void Toast::note() {
  const state::Message& message = program_.messages.last();
  if (message.text.empty() || (!said_.empty() && said_.back().number == message.number)) return;
  said_.push_back(message);
  if (said_.size() > kSaid) said_.pop_front();
}

void Toast::draw(const Rect& page) {
  note();
  const state::Message& message = program_.messages.last();
  if (message.text.empty()) return;
  const double now = ImGui::GetTime();
  if (seen_ != message.number) {
    seen_ = message.number;
    since_ = now;
  }
  if (now - since_ > kToastSeconds * (message.is_error ? 2 : 1)) {
    program_.messages.dismiss();
    return;
  }
  const figure::Theme& theme = gui_.theme();
  const float pad = gui_.px(14);
  const float room = std::min(gui_.px(520), page.w - gui_.px(48)) - 2 * pad - gui_.px(20);
  const auto lines = gui_.wrap(message.text, TextStyle::body, room);
  float widest = 0;
  for (const std::string& line : lines)
    widest = std::max(widest, gui_.width(line, TextStyle::body));
  const float pitch = gui_.px(19);
  const float h = pitch * static_cast<float>(lines.size()) + 2 * gui_.px(9);
  const float w = std::ceil(widest) + 2 * pad + gui_.px(20);
  const Rect r{std::round(page.x + (page.w - w) / 2), page.bottom() - h - gui_.px(16), w, h};
  gui_.control("message", r);
  ImGui::SetNextWindowPos({r.x - 2, r.y - 2});
  ImGui::SetNextWindowSize({r.w + 4, r.h + 4});
  ImGui::Begin("toast", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoSavedSettings);
  gui_.fill(r, mix(theme.card, theme.text, 0.06f), gui_.px(7));
  gui_.outline(r, message.is_error ? theme.bad : mix(theme.line, theme.text, 0.2f), gui_.px(7));
  float y = r.y + gui_.px(9) + pitch / 2;
  for (const std::string& line : lines) {
    gui_.text(r.x + pad, y, line, TextStyle::body, theme.text);
    y += pitch;
  }
  const Rect cross{r.right() - gui_.px(28), r.y + gui_.px(6), gui_.px(22), gui_.px(22)};
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = Icon::close;
  if (button(gui_, "message.close", cross, "", look)) program_.messages.dismiss();
  ImGui::End();
}

}  // namespace ui
