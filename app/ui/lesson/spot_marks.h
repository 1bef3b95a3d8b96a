// What draws the eye to a place of the window from afar: the rest is dimmed, an arrow points there.
#pragma once

#include <vector>

#include "app/ui/draw/gui.h"

namespace ui {

// Parts of `all` that lie in none of `kept`, none over another.
std::vector<Rect> around(const Rect& all, const std::vector<Rect>& kept);

// `share`: how far it has come, 0 to 1.
void dim_around(const Gui& gui, const Rect& all, const std::vector<Rect>& kept, float share);

// An arrow that ends at the edge of a place, from where there is most room within `all`.
struct ArrowPlace {
  figure::Point from, tip;
};
ArrowPlace arrow_to(const Rect& place, const Rect& all, float length);
void draw_arrow_to(const Gui& gui, const Rect& place, const Rect& all, float share);

}  // namespace ui
