#include "app/labs/shared/drawing/token_flow.h"

#include "app/labs/shared/parts.h"
#include "core/text/utf8.h"

namespace lab {
namespace {

constexpr Index kBlock = 64, kBefore = 64, kAround = 256;  // tokens whose lines are broken
constexpr Index kMostLetters = 28;                         // of a box
constexpr double kInset = 1.3, kBetween = 0.3;             // of a box, between boxes, in letters

}  // namespace

Index letters_of(const std::string& text) {
  if (core::invalid_utf8(text)) return to_index(text.size());
  constexpr char32_t kSigns = 0x2190, kOpenBox = 0x2423;
  Index letters = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = core::next_code_point(text, at);
    letters += c >= kSigns && c != kOpenBox ? 2 : 1;
  }
  return letters;
}

TokenFlow token_flow(Index count, Index marked, Index most_lines,
                     const std::function<Index(Index)>& letters) {
  // From the beginning of a block: lines stay as they are when a neighbour is marked.
  marked = std::clamp<Index>(marked, 0, std::max<Index>(count - 1, 0));
  const Index first = count <= kAround ? 0 : std::max<Index>(marked / kBlock * kBlock - kBefore, 0);
  TokenFlow flow;
  double x = 0;
  Index line = 0, marked_line = 0;
  for (Index t = first; t < std::min(count, first + kAround); ++t) {
    const double width = to_double(std::clamp<Index>(letters(t), 1, kMostLetters)) + kInset;
    if (x > 0 && x + width > kFlowWidth) {
      x = 0;
      ++line;
    }
    if (t == marked) marked_line = line;
    flow.places.push_back({t, x, x + width, line});
    x += width + kBetween;
  }
  const Index lines = std::min(most_lines, line + 1);
  const Index top = std::clamp<Index>(marked_line - lines / 2, 0, line + 1 - lines);
  std::erase_if(flow.places, [&](const TokenFlow::Place& place) {
    return place.line < top || place.line >= top + lines;
  });
  for (TokenFlow::Place& place : flow.places) place.line -= top;
  flow.lines = lines;
  return flow;
}

Plot flow_plot(std::string id, const TokenFlow& flow, double pitch) {
  Plot plot{.id = std::move(id)};
  plot.x = {.hi = kFlowWidth, .visible = false};
  plot.y = {.lo = -pitch * to_double(flow.lines), .hi = 0.2, .visible = false};
  return plot;
}

void place_box(figure::Boxes::Box& box, const TokenFlow::Place& place, double pitch) {
  box.x0 = place.x0;
  box.x1 = place.x1;
  box.y1 = -pitch * to_double(place.line);
  box.y0 = box.y1 - 1;
}

Plot flow_plot(std::string id, const TokenFlow& flow, double pitch,
               const std::function<figure::Boxes::Box(Index token)>& box_of) {
  figure::Boxes boxes;
  for (const TokenFlow::Place& place : flow.places) {
    boxes.boxes.push_back(box_of(place.token));
    place_box(boxes.boxes.back(), place, pitch);
  }
  Plot plot = flow_plot(std::move(id), flow, pitch);
  plot.add(std::move(boxes));
  return plot;
}

}  // namespace lab
