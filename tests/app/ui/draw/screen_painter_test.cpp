#include "app/ui/draw/screen_painter.h"

#include <doctest/doctest.h>

#include "rig.h"

namespace screen_painter_test {

using figure::Point;

// How far the vertices of a line lie from its nearest segment, in pixels.
std::vector<float> distances(const ImDrawList& list, const std::vector<Point>& points) {
  std::vector<float> all;
  for (const ImDrawVert& v : list.VtxBuffer) {
    float nearest = 1e9f;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const Point a = points[k], b = points[k + 1];
      const float length = std::hypot(b.x - a.x, b.y - a.y);
      const float across = ((v.pos.x - a.x) * (b.y - a.y) - (v.pos.y - a.y) * (b.x - a.x)) / length;
      nearest = std::min(nearest, std::abs(across));
    }
    all.push_back(nearest);
  }
  return all;
}

TEST_CASE("a line that turns back is as wide there as anywhere") {
  Rig rig(400, 300);
  worker::MemoryBudget budget(1 << 20, [] { return std::size_t{0}; });
  ui::Fonts fonts;
  ui::ScreenPainter painter(
      fonts, [] {}, budget);
  const std::vector<Point> spikes = {{10, 200}, {16, 20}, {20, 210}, {24, 30}, {40, 200}};
  ImGui::NewFrame();
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  painter.begin_frame();
  painter.paint(list, {figure::draw::Path{.points = spikes, .color = {1, 2, 3}, .width = 2}},
                {0, 0}, "a");
  // Half of the width, less the soft rim.
  for (const float distance : distances(list, spikes)) CHECK(distance >= 0.45f);
  painter.end_frame();
  ImGui::EndFrame();
}

}  // namespace screen_painter_test
