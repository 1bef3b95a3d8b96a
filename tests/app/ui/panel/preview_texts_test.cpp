#include "app/ui/panel/preview_texts.h"

#include <doctest/doctest.h>

#include "app/paper/style/lettering.h"
#include "app/ui/draw/theme.h"
#include "rig.h"

namespace preview_texts_test {

using figure::Rect;

// How much of a colour the vertices of rectangles lay on, and where.
struct Inked {
  double sum = 0;
  Rect box = {1e9f, 1e9f, 0, 0};
};
Inked inked(const ImDrawList& list, figure::Rgba color) {
  Inked all;
  float right = 0, bottom = 0;
  for (int k = 0; k + 3 < list.VtxBuffer.Size; k += 4) {
    const ImDrawVert &low = list.VtxBuffer[k], &high = list.VtxBuffer[k + 2];
    const ImU32 alpha = low.col >> IM_COL32_A_SHIFT;
    if (alpha == 255) REQUIRE(low.col == ui::to_im(color));  // thin ink rounds its colour
    all.sum += (high.pos.x - low.pos.x) * static_cast<float>(low.col >> IM_COL32_A_SHIFT) / 255;
    all.box.x = std::min(all.box.x, low.pos.x), all.box.y = std::min(all.box.y, low.pos.y);
    right = std::max(right, high.pos.x), bottom = std::max(bottom, high.pos.y);
  }
  all.box.w = right - all.box.x, all.box.h = bottom - all.box.y;
  return all;
}

TEST_CASE("texts of the preview stand where the export draws them, in the chosen font") {
  Rig rig(800, 600);
  rig.input.move(1, 1);
  rig.frame();
  const figure::Rgba red{200, 20, 30};
  const figure::draw::Text text{
      .at = {20, 30}, .text = "mmmm", .style = figure::TextStyle::title, .color = red};
  const auto drawn = [&](const std::string& family, float zoom, bool clipped) {
    const paper::PaperMeasure measure(paper::Lettering{.family = family});
    ui::PreviewTexts texts;
    if (clipped) texts.add(figure::draw::Clip{{0, 0, 40, 100}});
    texts.add(text);
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    texts.paint(list, {100, 50, 400, 300}, {100.5f, 50}, zoom, measure);
    const Inked ink = inked(list, red);
    ImGui::EndFrame();
    const figure::Point size = measure.size(text.text, text.style);
    const float x = 100.5f + zoom * 20, middle = 50 + zoom * 30;
    CHECK(ink.box.x >= x - 1);
    CHECK(ink.box.right() <= x + zoom * size.x + 1);
    CHECK(ink.box.y >= middle - zoom * size.y / 2 - 1);
    CHECK(ink.box.bottom() <= middle + zoom * size.y / 2 + 1);
    return ink;
  };
  const Inked sans = drawn("DejaVu Sans", 1, false), serif = drawn("DejaVu Serif", 1, false);
  CHECK(sans.sum > 50);
  CHECK(sans.sum != serif.sum);
  // Twice as near it is twice as wide and high, and what is clipped is not drawn.
  const Inked large = drawn("DejaVu Serif", 2, false);
  CHECK(large.sum > 3 * serif.sum);
  CHECK(large.box.w == doctest::Approx(2 * serif.box.w).epsilon(0.1));
  const Inked clipped = drawn("DejaVu Serif", 1, true);
  CHECK(clipped.box.right() <= 100.5f + 40 + 1);
  CHECK(clipped.sum < serif.sum);
}

}  // namespace preview_texts_test
