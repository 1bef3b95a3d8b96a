#include "app/ui/draw/theme.h"

#include <cmath>
#include <numbers>

namespace ui {

using figure::Rgba;

ImVec4 to_vec(Rgba c) {
  constexpr float k = 1.0f / 255.0f;
  return {static_cast<float>(c.r) * k, static_cast<float>(c.g) * k, static_cast<float>(c.b) * k,
          static_cast<float>(c.a) * k};
}

Rgba mix(Rgba under, Rgba over, float opacity) {
  const auto channel = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(
        std::lround(static_cast<float>(a) * (1 - opacity) + static_cast<float>(b) * opacity));
  };
  return {channel(under.r, over.r), channel(under.g, over.g), channel(under.b, over.b), 255};
}

bool unseen(const ImDrawList& list, ImVec2 low, ImVec2 high) {
  const ImVec2 a = list.GetClipRectMin(), b = list.GetClipRectMax();
  return high.x < a.x || low.x > b.x || high.y < a.y || low.y > b.y;
}

void fill_rect(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 color, float radius) {
  if (unseen(list, low, high)) return;
  const float r = std::ceil(radius);
  constexpr float kLeastRadii = 4;  // of a side; smaller ones are not worth the trouble
  const bool opaque = (color & IM_COL32_A_MASK) == IM_COL32_A_MASK;
  if (!opaque || r < 1 || high.x - low.x < kLeastRadii * r || high.y - low.y < kLeastRadii * r) {
    list.AddRectFilled(low, high, color, radius);
    return;
  }
  list.AddRectFilled({low.x, low.y + r}, {high.x, high.y - r}, color);
  list.AddRectFilled({low.x + r, low.y}, {high.x - r, low.y + r}, color);
  list.AddRectFilled({low.x + r, high.y - r}, {high.x - r, high.y}, color);
  constexpr float kQuarter = std::numbers::pi_v<float> / 2;
  // The smoothed edges of a corner lie on what is filled already: else its seams would show.
  constexpr float kOver = 1;
  const ImVec2 corners[] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (int i = 0; i < 4; ++i) {
    const auto [sx, sy] = corners[i];
    const ImVec2 center{sx > 0 ? high.x - r : low.x + r, sy > 0 ? high.y - r : low.y + r};
    const ImVec2 inner{center.x - sx * kOver, center.y - sy * kOver};
    const ImVec2 beside{center.x + sx * r, inner.y}, below{inner.x, center.y + sy * r};
    list.PathLineTo(inner);
    list.PathLineTo(i % 2 == 0 ? beside : below);
    list.PathArcTo(center, r, kQuarter * static_cast<float>(i),
                   kQuarter * static_cast<float>(i + 1));
    list.PathLineTo(i % 2 == 0 ? below : beside);
    list.PathFillConvex(color);
  }
}

void apply_theme(const figure::Theme& theme, float scale) {
  ImGuiStyle style;
  const auto px = [scale](float v) { return std::round(v * scale); };
  style.WindowPadding = {0, 0};
  style.WindowRounding = px(7);
  style.WindowBorderSize = 0;
  style.ChildRounding = 0;
  style.ChildBorderSize = 0;
  style.PopupRounding = px(7);
  style.PopupBorderSize = 1;
  style.FramePadding = {px(8), px(5)};
  style.FrameRounding = px(6);
  style.FrameBorderSize = 1;
  style.ItemSpacing = {0, 0};
  style.ScrollbarSize = px(9);
  style.ScrollbarRounding = px(4);
  style.GrabRounding = px(6);
  style.AntiAliasedLinesUseTex = false;
  style.CircleTessellationMaxError = 0.15f;
  style.CurveTessellationTol = 1.25f;

  ImVec4* c = style.Colors;
  const Rgba clear{0, 0, 0, 0};
  c[ImGuiCol_Text] = to_vec(theme.text);
  c[ImGuiCol_TextDisabled] = to_vec(theme.faint);
  c[ImGuiCol_WindowBg] = to_vec(theme.window);
  c[ImGuiCol_ChildBg] = to_vec(clear);
  c[ImGuiCol_PopupBg] = to_vec(mix(theme.card, theme.text, 0.02f));
  c[ImGuiCol_Border] = to_vec(mix(theme.line, theme.text, 0.06f));
  c[ImGuiCol_BorderShadow] = to_vec(clear);
  c[ImGuiCol_FrameBg] = to_vec(theme.window);
  c[ImGuiCol_FrameBgHovered] = to_vec(theme.window);
  c[ImGuiCol_FrameBgActive] = to_vec(theme.window);
  c[ImGuiCol_ScrollbarBg] = to_vec(clear);
  c[ImGuiCol_ScrollbarGrab] = to_vec(theme.line);
  c[ImGuiCol_ScrollbarGrabHovered] = to_vec(mix(theme.line, theme.text, 0.2f));
  c[ImGuiCol_ScrollbarGrabActive] = to_vec(mix(theme.line, theme.text, 0.3f));
  c[ImGuiCol_TextSelectedBg] = to_vec(theme.accent.with_alpha(0.35f));
  c[ImGuiCol_ModalWindowDimBg] = to_vec(theme.window.with_alpha(0.6f));
  c[ImGuiCol_NavHighlight] = to_vec(theme.accent);
  ImGui::GetStyle() = style;
}

}  // namespace ui
