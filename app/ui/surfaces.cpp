#include "app/ui/surfaces.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "app/gl/window.h"

namespace ui {

namespace {

// Square pixels from which a draw call of its own is worth it.
constexpr float kLarge = 8000;
constexpr unsigned kIndices = 6;  // of a rectangle: ImDrawList::PrimRect

// Whether these are the two triangles of an opaque rectangle of one colour.
bool is_rect(std::span<const ImDrawIdx, kIndices> index, const ImDrawVert* vertices, ImVec2 white) {
  const ImDrawIdx first = index[0];
  if (index[1] != first + 1 || index[2] != first + 2 || index[3] != first ||
      index[4] != first + 2 || index[5] != first + 3) {
    return false;
  }
  const ImDrawVert* v = vertices + first;
  if (v[0].col >> IM_COL32_A_SHIFT != 255) return false;
  for (int i = 0; i < 4; ++i) {
    if (v[i].col != v[0].col || v[i].uv.x != white.x || v[i].uv.y != white.y) return false;
  }
  return v[0].pos.y == v[1].pos.y && v[1].pos.x == v[2].pos.x && v[2].pos.y == v[3].pos.y &&
         v[3].pos.x == v[0].pos.x && v[2].pos.x > v[0].pos.x && v[2].pos.y > v[0].pos.y;
}

int pixel(float edge) { return static_cast<int>(std::ceil(edge - 0.5f)); }

}  // namespace

void Surfaces::take_from(ImDrawData& data) {
  surfaces_.clear();
  ImVector<ImDrawCmd> commands;
  for (int i = 0; i < data.CmdListsCount; ++i) {
    ImDrawList& list = *data.CmdLists[i];
    commands.resize(0);
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback) {
        commands.push_back(command);
      } else {
        split(list, command, commands);
      }
    }
    list.CmdBuffer.swap(commands);
  }
}

void Surfaces::split(ImDrawList& list, const ImDrawCmd& command, ImVector<ImDrawCmd>& out) {
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  const ImVec4 clip = command.ClipRect;
  unsigned done = 0;
  const auto flush = [&](unsigned until) {
    if (until == done) return;
    ImDrawCmd part = command;
    part.IdxOffset = command.IdxOffset + done;
    part.ElemCount = until - done;
    out.push_back(part);
  };
  for (unsigned at = 0; at + kIndices <= command.ElemCount;) {
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset + at;
    const ImVec2 a = vertices[index[0]].pos, b = vertices[index[2]].pos;
    const ImVec2 low{std::max(a.x, clip.x), std::max(a.y, clip.y)};
    const ImVec2 high{std::min(b.x, clip.z), std::min(b.y, clip.w)};
    if (!(high.x > low.x && high.y > low.y && (high.x - low.x) * (high.y - low.y) >= kLarge) ||
        !is_rect(std::span<const ImDrawIdx, kIndices>(index, kIndices), vertices, white)) {
      at += 3;
      continue;
    }
    flush(at);
    ImDrawCmd callback = command;
    callback.ElemCount = 0;
    callback.UserCallback = &Surfaces::fill;
    callback.UserCallbackData =
        &surfaces_.emplace_back(Surface{a, b, clip, vertices[index[0]].col});
    out.push_back(callback);
    at += kIndices;
    done = at;
  }
  flush(command.ElemCount);
}

// Called while ImGui's backend draws: it sets the scissor anew for each of its own commands.
void Surfaces::fill(const ImDrawList*, const ImDrawCmd* command) {
  const Surface& s = *static_cast<const Surface*>(command->UserCallbackData);
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 ratio = io.DisplayFramebufferScale;
  const int height = static_cast<int>(io.DisplaySize.y * ratio.y);
  // The clip rectangle in the backend's rounding, the rectangle in the rasterizer's: a pixel is in
  // it when its centre is.
  const int clip_x = static_cast<int>(s.clip.x * ratio.x);
  const int clip_right = clip_x + static_cast<int>((s.clip.z - s.clip.x) * ratio.x);
  const int clip_low = static_cast<int>(static_cast<float>(height) - s.clip.w * ratio.y);
  const int clip_top = clip_low + static_cast<int>((s.clip.w - s.clip.y) * ratio.y);
  const int x0 = std::max(pixel(s.low.x * ratio.x), clip_x);
  const int x1 = std::min(pixel(s.high.x * ratio.x), clip_right);
  const int y0 = std::max(height - pixel(s.high.y * ratio.y), clip_low);
  const int y1 = std::min(height - pixel(s.low.y * ratio.y), clip_top);
  if (x1 <= x0 || y1 <= y0) return;
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(s.color >> shift); };
  gl::fill(x0, y0, x1 - x0, y1 - y0, channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT),
           channel(IM_COL32_B_SHIFT));
}

}  // namespace ui
