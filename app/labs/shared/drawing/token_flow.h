// Tokens as a text in lines: each box as wide as what stands in it.
#pragma once

#include <functional>

#include "app/labs/lab.h"

namespace lab {

inline constexpr double kFlowWidth = 68;  // letters in a line

// A letter is one; a sign of the width of a Chinese character is two.
Index letters_of(const std::string& text);

// Where the tokens stand that there is room for.
struct TokenFlow {
  struct Place {
    Index token = 0;
    double x0 = 0, x1 = 1;  // in letters, from 0 to kFlowWidth
    Index line = 0;
  };
  std::vector<Place> places = {};
  Index lines = 1;

  Index begin() const { return places.empty() ? 0 : places.front().token; }
  Index end() const { return places.empty() ? 0 : places.back().token + 1; }
};

// The lines around `marked` among `count` tokens, at most so many: `letters` is how many of a token
// its box has room for. In a long text only the lines around it are broken.
TokenFlow token_flow(Index count, Index marked, Index most_lines,
                     const std::function<Index(Index token)>& letters);

// The plot that such boxes stand in: a box of line l goes from y = -pitch · l down to -pitch · l
// - 1.
Plot flow_plot(std::string id, const TokenFlow& flow, double pitch);
void place_box(figure::Boxes::Box& box, const TokenFlow::Place& place, double pitch);
// The same with the box of each token in its place.
Plot flow_plot(std::string id, const TokenFlow& flow, double pitch,
               const std::function<figure::Boxes::Box(Index token)>& box_of);

}  // namespace lab
