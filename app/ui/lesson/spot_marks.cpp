#include "app/ui/lesson/spot_marks.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace ui {

std::vector<Rect> around(const Rect& all, const std::vector<Rect>& kept) {
  std::vector<float> ys{all.y, all.bottom()};
  for (const Rect& one : kept) {
    for (const float y : {one.y, one.bottom()}) ys.push_back(std::clamp(y, all.y, all.bottom()));
  }
  std::sort(ys.begin(), ys.end());
  std::vector<Rect> parts;
  for (std::size_t k = 1; k < ys.size(); ++k) {
    const float top = ys[k - 1], high = ys[k] - top;
    if (!(high > 0)) continue;
    std::vector<std::pair<float, float>> gaps;
    for (const Rect& one : kept) {
      if (one.y < ys[k] && one.bottom() > top) gaps.emplace_back(one.x, one.right());
    }
    std::sort(gaps.begin(), gaps.end());
    float x = all.x;
    for (const auto& [from, to] : gaps) {
      if (from > x) parts.push_back({x, top, std::min(from, all.right()) - x, high});
      x = std::max(x, to);
    }
    if (x < all.right()) parts.push_back({x, top, all.right() - x, high});
  }
  return parts;
}

void dim_around(const Gui& gui, const Rect& all, const std::vector<Rect>& kept, float share) {
  constexpr float kDimmed = 0.6f;
  // Their edges would show where they meet.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImDrawListFlags flags = list.Flags;
  list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
  for (const Rect& part : around(all, kept)) {
    list.AddRectFilled({part.x, part.y}, {part.right(), part.bottom()},
                       to_im(gui.theme().window.with_alpha(kDimmed * share)));
  }
  list.Flags = flags;
}

// It comes from a corner: along an edge it would lie on what stands beside, in the same row.
ArrowPlace arrow_to(const Rect& place, const Rect& all, float length) {
  const float step = length / std::sqrt(2.0f);
  const bool left = place.x - all.x > all.right() - place.right();
  const bool above = place.y - all.y >= step;
  const figure::Point tip{left ? place.x : place.right(), above ? place.y : place.bottom()};
  return {{tip.x + (left ? -step : step), tip.y + (above ? -step : step)}, tip};
}

void draw_arrow_to(const Gui& gui, const Rect& place, const Rect& all, float share) {
  constexpr float kLength = 64, kWide = 5, kHead = 20;
  const ArrowPlace arrow = arrow_to(place, all, gui.px(kLength));
  const figure::Point from = arrow.from, tip = arrow.tip;
  const float length = std::hypot(tip.x - from.x, tip.y - from.y);
  const ImVec2 along{(tip.x - from.x) / length, (tip.y - from.y) / length};
  const auto at = [&](float back, float beside) {
    return ImVec2{tip.x - along.x * back - along.y * beside,
                  tip.y - along.y * back + along.x * beside};
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float head = gui.px(kHead);
  // A rim, so that it is seen on whatever colour lies under it.
  const auto draw = [&](Rgba color, float rim) {
    const ImU32 ink = to_im(color.with_alpha(share));
    list.AddLine({from.x, from.y}, at(head * 0.8f, 0), ink, gui.px(kWide) + 2 * rim);
    list.AddTriangleFilled(at(-2 * rim, 0), at(head + rim, head / 2 + 1.5f * rim),
                           at(head + rim, -head / 2 - 1.5f * rim), ink);
  };
  draw(gui.theme().card, gui.px(2));
  draw(gui.theme().accent, 0);
}

}  // namespace ui
