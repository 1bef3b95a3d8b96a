// Large opaque rectangles of a frame, drawn without ImGui's shader: it reads the font's texture and
// blends at every pixel, which on a processor costs more than all the rest of a surface.
#pragma once

#include <imgui.h>

#include <deque>

namespace ui {

class Surfaces {
 public:
  // Takes the large rectangles of one colour out of what is to be drawn and puts callbacks in their
  // places, which hold until the next call. The picture stays the same in every pixel.
  void take_from(ImDrawData& data);

 private:
  struct Surface {
    ImVec2 low, high;
    ImVec4 clip;
    ImU32 color;
  };
  void split(ImDrawList& list, const ImDrawCmd& command, ImVector<ImDrawCmd>& out);
  static void fill(const ImDrawList* list, const ImDrawCmd* command);

  std::deque<Surface> surfaces_;  // callbacks point at them
};

}  // namespace ui
