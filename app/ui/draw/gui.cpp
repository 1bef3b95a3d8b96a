#include "app/ui/draw/gui.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui {

namespace {

constexpr double kTooltipDelay = 0.5;
constexpr float kWidestTip = 320, kWidestTipNow = 480;
constexpr double kBlink = 0.4;
constexpr double kNever = std::numeric_limits<double>::infinity();

const char* end_of(std::string_view text) { return text.data() + text.size(); }

}  // namespace

bool closes(unsigned c) {
  constexpr std::u32string_view kClosing = U"。，、：；！？）》」』】”’…";
  return kClosing.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}
bool opens(unsigned c) {
  constexpr std::u32string_view kOpening = U"（《「『【“‘";
  return kOpening.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}

// Frame ------------------------------------------------------------------------------------------

void Gui::begin_frame(const figure::Theme& theme, const words::Words& words,
                      std::vector<KeyPress> keys) {
  theme_ = &theme;
  words_ = &words;
  keyboard_.begin_frame(std::move(keys));
  const ImVec2 at = ImGui::GetIO().MousePos;
  std::optional<ImVec2>& rests = pointed_.rests_at;
  if (rests && (at.x != rests->x || at.y != rests->y)) rests.reset();
  wake_ = kNever;
  controls_.clear();
  pointed_.before = std::move(pointed_.id);
  pointed_.id.clear();
  tip_.clear();
  tip_now_.clear();
}

void Gui::end_frame() {
  draw_tooltip();
  if (ImGui::GetIO().WantTextInput) wake_in(kBlink);
}

void Gui::wake_in(double seconds) { wake_ = std::min(wake_, seconds); }

double Gui::next_change() const { return wake_; }

float Gui::px(float units) const { return std::round(units * scale()); }

// Text -------------------------------------------------------------------------------------------

float Gui::width(std::string_view text, TextStyle style) const {
  return fonts_[style]->CalcTextSizeA(line(style), FLT_MAX, 0, text.data(), end_of(text)).x;
}

void Gui::text(float x, float y, std::string_view text, TextStyle style, Rgba color,
               float align) const {
  if (text.empty()) return;
  const float size = line(style);
  const float left = align == 0 ? x : x - width(text, style) * align;
  const ImVec2 corner{std::round(left), std::round(y - size / 2)};
  ImGui::GetWindowDrawList()->AddText(fonts_[style], size, corner, to_im(color), text.data(),
                                      end_of(text));
}

bool Gui::text_in(float x, float y, float room, std::string_view whole, TextStyle style, Rgba color,
                  float align) const {
  if (width(whole, style) <= room) {
    text(x, y, whole, style, color, align);
    return false;
  }
  constexpr std::string_view kEllipsis = "…";
  const float space = room - width(kEllipsis, style);
  if (space <= 0) return true;
  const char* stop = nullptr;
  fonts_[style]->CalcTextSizeA(line(style), space, 0, whole.data(), end_of(whole), &stop);
  std::string cut(whole.data(), stop);
  while (!cut.empty() && cut.back() == ' ') cut.pop_back();
  text(x, y, cut + std::string(kEllipsis), style, color, align);
  return true;
}

void Gui::text_or_tip(const std::string& id, float x, float y, float room, std::string_view text,
                      TextStyle style, Rgba color, float align) {
  if (!text_in(x, y, room, text, style, color, align)) return;
  const float height = line(style);
  const Rect shown{x - room * align, y - height / 2, room, height};
  const ImVec2& pointer = ImGui::GetIO().MousePos;
  if (shown.contains({pointer.x, pointer.y}) && ImGui::IsWindowHovered()) {
    tooltip(id, std::string(text));
  }
}

std::vector<std::string> Gui::wrap(std::string_view text, TextStyle style, float room) const {
  ImFont& font = *fonts_[style];
  std::vector<std::string> lines(1);
  float used = 0;
  // In the current line, where it may be broken, and where it might have been before that.
  std::size_t last_break = std::string::npos, earlier = std::string::npos;
  const char* at = text.data();
  while (at < end_of(text)) {
    unsigned c = 0;
    const int bytes = std::max(1, ImTextCharFromUtf8(&c, at, end_of(text)));
    const std::string_view piece(at, static_cast<std::size_t>(bytes));
    at += bytes;
    if (c == '\n') {
      lines.emplace_back();
      used = 0, last_break = earlier = std::string::npos;
      continue;
    }
    if (closes(c) && last_break == lines.back().size()) last_break = earlier;
    const float advance = advance_of(font, c > 0xFFFF ? '?' : c);
    if (used + advance > room && !lines.back().empty() && c != ' ') {
      std::string& line = lines.back();
      const std::size_t from = last_break == std::string::npos ? line.size() : last_break;
      std::string rest = line.substr(from);
      line.resize(from);
      while (!line.empty() && line.back() == ' ') line.pop_back();
      lines.push_back(std::move(rest));
      used = width(lines.back(), style);
      last_break = earlier = std::string::npos;
    }
    lines.back() += piece;
    used += advance;
    if (c == ' ' || (c >= 0x2E80 && !opens(c))) {
      earlier = last_break;
      last_break = lines.back().size();
    }
  }
  return lines;
}

float Gui::paragraph(float x, float y, float room, std::string_view text, TextStyle style,
                     Rgba color) const {
  const float pitch = line_pitch(style);
  float at = y;
  for (const std::string& one : wrap(text, style, room)) {
    this->text(x, at + pitch / 2, one, style, color);
    at += pitch;
  }
  return at - y;
}

float Gui::paragraph_height(float room, std::string_view text, TextStyle style) const {
  return line_pitch(style) * static_cast<float>(wrap(text, style, room).size());
}

float Gui::line_pitch(TextStyle style) const { return std::round(line(style) * 1.25f); }

// Shapes -----------------------------------------------------------------------------------------

void Gui::fill(const Rect& r, Rgba color, float radius) const {
  fill_rect(*ImGui::GetWindowDrawList(), {r.x, r.y}, {r.right(), r.bottom()}, to_im(color), radius);
}

void Gui::outline(const Rect& r, Rgba color, float radius, float width) const {
  const float in = (width - 1) / 2;
  if (unseen(*ImGui::GetWindowDrawList(), {r.x, r.y}, {r.right(), r.bottom()})) return;
  ImGui::GetWindowDrawList()->AddRect({r.x + in, r.y + in}, {r.right() - in, r.bottom() - in},
                                      to_im(color), radius, 0, width);
}

void Gui::hline(float x0, float x1, float y, Rgba color) const {
  ImGui::GetWindowDrawList()->AddRectFilled({x0, y}, {x1, y + 1}, to_im(color));
}

// Keys and focus ---------------------------------------------------------------------------------

void Gui::ring(const Rect& r, float radius) const {
  const float out = px(2);
  ImGui::GetWindowDrawList()->AddRect({r.x - out, r.y - out}, {r.right() + out, r.bottom() + out},
                                      to_im(theme().accent.with_alpha(0.9f)), radius + out, 0,
                                      std::max(1.5f, scale() * 1.5f));
}

// Tooltips ---------------------------------------------------------------------------------------

void Gui::want_tips(Tips wanted) {
  tips_ = wanted != Tips::none;
  if (wanted == Tips::once_moved) pointed_.rests_at = ImGui::GetIO().MousePos;
}

void Gui::tooltip(const std::string& id, const std::string& text) {
  if (text.empty() || !tips_ || pointed_.rests_at) return;
  const double now = ImGui::GetTime();
  pointed_.id = id;
  if (pointed_.before != id) pointed_.since = now, pointed_.clicked = false;
  // Who has clicked knows what it does, and looks at what has come.
  if (ImGui::IsMouseReleased(0)) pointed_.clicked = true;
  if (pointed_.clicked) return;
  const double waited = now - pointed_.since;
  if (waited >= kTooltipDelay) {
    tip_ = text;
  } else {
    wake_in(kTooltipDelay - waited + 0.01);
  }
}

void Gui::tooltip_now(const std::vector<std::string>& texts) {
  if (pointed_.rests_at) return;
  tip_now_.clear();
  for (const std::string& text : texts) {
    for (std::string& line : wrap(text, TextStyle::label, px(kWidestTipNow))) {
      tip_now_.push_back(std::move(line));
    }
  }
}

void Gui::draw_tooltip() const {
  std::vector<std::string> lines = tip_now_;
  const float most = px(kWidestTip);
  bool first_dim = false;
  if (lines.empty() && !tip_.empty()) lines = wrap(tip_, TextStyle::label, most);
  if (lines.empty()) return;
  float wide = 0;
  for (const std::string& one : lines) wide = std::max(wide, width(one, TextStyle::label));
  const float pad = px(9), pitch = px(17);
  const ImGuiIO& io = ImGui::GetIO();
  Rect box{0, 0, wide + 2 * pad, pitch * static_cast<float>(lines.size()) + 2 * px(6)};
  box.x = io.MousePos.x + px(14);
  box.y = io.MousePos.y + px(18);
  if (box.right() > io.DisplaySize.x - px(4)) box.x = io.MousePos.x - box.w - px(10);
  if (box.bottom() > io.DisplaySize.y - px(4)) box.y = io.MousePos.y - box.h - px(10);
  box.x = std::round(std::max(box.x, px(4)));
  box.y = std::round(std::max(box.y, px(4)));
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddRectFilled({box.x, box.y}, {box.right(), box.bottom()},
                      to_im(mix(theme().card, theme().text, 0.04f)), px(6));
  list->AddRect({box.x, box.y}, {box.right(), box.bottom()},
                to_im(mix(theme().line, theme().text, 0.15f)), px(6));
  const float size = line(TextStyle::label);
  float y = box.y + px(6);
  for (const std::string& one : lines) {
    const Rgba color = first_dim ? theme().dim : theme().text;
    list->AddText(fonts_[TextStyle::label], size, {box.x + pad, std::round(y + (pitch - size) / 2)},
                  to_im(color), one.data(), end_of(one));
    y += pitch;
    if (!tip_now_.empty()) first_dim = true;
  }
}

}  // namespace ui
