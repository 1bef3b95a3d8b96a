#include "app/figure/motion.h"

#include <doctest/doctest.h>

namespace motion_test {

using namespace figure;

namespace {

const Rgba kInk{1, 2, 3, 255};

// A tick beside the plot, then its two marks: a bar, and a curve through `points` with a dot.
Drawing drawing(float at, std::size_t points, const std::string& tick = "0") {
  draw::Path curve{{}, kInk};
  for (std::size_t k = 0; k < points; ++k) curve.points.push_back({static_cast<float>(k), at});
  Drawing made;
  made.primitives = {draw::Text{{at, 0}, tick, TextStyle::mono, kInk},
                     draw::Fill{{10, at, 5, 100 - at}, kInk}, curve, draw::Disc{{50, at}, 3, kInk}};
  made.marks = {{1, 2}, {2, 4}};
  return made;
}

template <class T>
const T& only(const std::vector<Primitive>& all) {
  for (const Primitive& one : all) {
    if (const T* found = std::get_if<T>(&one)) return *found;
  }
  throw std::logic_error("there is none");
}

}  // namespace

TEST_CASE("marks go on a straight line from where they were to where they belong") {
  const auto from = drawing(20, 3), to = drawing(60, 3, "1");
  CHECK(moves(from, to));
  CHECK(between(from, to, 1) == to.primitives);
  const auto half = between(from, to, 0.5f);
  CHECK(only<draw::Fill>(half).rect == Rect{10, 40, 5, 60});
  CHECK(only<draw::Path>(half).points[2] == Point{2, 40});
  CHECK(only<draw::Disc>(half).center == Point{50, 40});
  // What stands beside the plot is there at once.
  CHECK(only<draw::Text>(half) == only<draw::Text>(to.primitives));
  const auto begun = between(from, to, 0);
  CHECK(only<draw::Fill>(begun) == only<draw::Fill>(from.primitives));
  CHECK(only<draw::Path>(begun) == only<draw::Path>(from.primitives));
}

TEST_CASE("a mark that is drawn with other things does not move, and others do") {
  const auto to = drawing(60, 3);
  CHECK_FALSE(moves(to, to));
  const auto longer = drawing(20, 4);
  CHECK(moves(longer, to));
  const auto half = between(longer, to, 0.5f);
  CHECK(only<draw::Fill>(half).rect.y == 40);
  CHECK(only<draw::Path>(half) == only<draw::Path>(to.primitives));
  CHECK(only<draw::Disc>(half) == only<draw::Disc>(to.primitives));
  auto other = drawing(20, 4);
  other.primitives[1] = draw::Outline{{10, 20, 5, 80}, kInk};
  CHECK_FALSE(moves(other, to));
  auto fewer = drawing(20, 3);
  fewer.marks.pop_back();
  CHECK(between(fewer, to, 0.5f) == to.primitives);
  CHECK(between({}, to, 0.5f) == to.primitives);
  CHECK(between(to, {}, 0.5f).empty());
  // Only what stands beside the plot differs.
  CHECK_FALSE(moves(drawing(60, 3, "7"), to));
}

}  // namespace motion_test
