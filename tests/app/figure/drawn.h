// What a layout has drawn.
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "app/figure/layout.h"

namespace figure {

// The primitives of one kind, in their order.
template <class P>
std::vector<P> all(const Drawing& drawing) {
  std::vector<P> found;
  for (const Primitive& primitive : drawing.primitives) {
    if (const P* p = std::get_if<P>(&primitive)) found.push_back(*p);
  }
  return found;
}

inline bool has_text(const Drawing& drawing, const std::string& text) {
  const auto texts = all<draw::Text>(drawing);
  return std::any_of(texts.begin(), texts.end(), [&](const auto& t) { return t.text == text; });
}

}  // namespace figure
