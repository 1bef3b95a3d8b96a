// ImGui's style from the figures' theme, so that window and figures have the same colours.
#pragma once

#include <imgui.h>

#include "app/figure/theme.h"

namespace ui {

inline ImU32 to_im(figure::Rgba c) { return IM_COL32(c.r, c.g, c.b, c.a); }
ImVec4 to_vec(figure::Rgba c);

// `over` laid over `under` with an opacity, as one opaque colour.
figure::Rgba mix(figure::Rgba under, figure::Rgba over, float opacity);

// A filled rectangle. Large rounded ones are put together from plain rectangles and four corners:
// software rendering has a short way for axis-aligned rectangles and a long one for the fan of
// triangles that ImGui makes (a window's background: 0.2 ms against 16).
void fill_rect(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 color, float radius = 0);

// Writes the whole style anew; call on every change of theme or scale.
void apply_theme(const figure::Theme& theme, float scale);

// Whether the whole rectangle is clipped away. ImGui itself leaves only letters out, and every
// corner and edge of a shape below the fold costs as much as one on the screen.
bool unseen(const ImDrawList& list, ImVec2 low, ImVec2 high);

}  // namespace ui
