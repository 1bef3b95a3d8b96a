#include "app/ui/page/values_at.h"

#include <doctest/doctest.h>

#include "app/figure/layout.h"

namespace values_at_test {

namespace {

// A window of ids: 20 of them from 500 on, in two rows with names.
figure::Plot strips() {
  figure::Plot plot;
  plot.id = "strips";
  plot.x = {.label = "position id", .lo = 500, .hi = 520, .cells = true};
  plot.y = {.lo = 0, .hi = 2, .cells = true};
  plot.y.labels = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"float16", "bfloat16"});
  core::Matrix values(2, 20);
  for (core::Index k = 0; k < 40; ++k) values(k / 20, k % 20) = static_cast<float>(k);
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(std::move(values));
  plot.marks = {map};
  return plot;
}

std::vector<std::string> at(const figure::Plot& plot, float x, float y) {
  figure::PlotFrame frame;
  frame.area = frame.whole = {0, 0, 200, 100};
  frame.shown = figure::whole_view(plot);
  return ui::values_at(plot, {}, frame, {x, y}, {});
}

}  // namespace

TEST_CASE("a cell is told by its place on the axes, wherever the table begins") {
  const auto lines = at(strips(), 125, 75);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "32");
  CHECK(lines[1] == "row 1 “bfloat16”");
  CHECK(lines[2] == "position id 512");
}

TEST_CASE("a cell of named groups is told by its place alone: its number would say nothing") {
  figure::Plot groups = strips();
  std::get<figure::Heatmap>(groups.marks[0]).scale.map = figure::MapName::groups;
  CHECK(at(groups, 125, 75) == std::vector<std::string>{"row 1 “bfloat16”", "position id 512"});
}

TEST_CASE("names that say all stand without an index, and cells counted from 1 have that number") {
  figure::Plot plot = strips();
  plot.y.named = true;
  plot.y.label = "format";
  plot.x = {.label = "head", .lo = 1, .hi = 21, .cells = true};
  CHECK(at(plot, 125, 75) == std::vector<std::string>{"32", "format bfloat16", "head 13"});
}

TEST_CASE("a line over cells is told by the cell's name, not by its middle") {
  figure::Plot plot;
  plot.x = {.label = "step", .lo = 0, .hi = 2, .cells = true, .named = true};
  plot.x.labels =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"200", "800"});
  plot.marks = {figure::Line{{0.5, 1.5}, {0.25, 0.75}, {}, 1, false, "score"}};
  CHECK(at(plot, 150, 5) == std::vector<std::string>{"step 800", "score 0.75"});
}

TEST_CASE("in a plane a cell is told by the coordinates of its middle, where it has its value") {
  figure::Plot plane = strips();
  plane.x = {.label = "x", .lo = -1, .hi = 1};
  plane.y = {.label = "y", .lo = 0, .hi = 10};
  plane.upright = true;
  const auto lines = at(plane, 150, 25);
  REQUIRE(lines.size() == 3);
  CHECK(lines[1] == "y 7.5");
  CHECK(lines[2] == "x 0.55");
  CHECK(at(plane, 159, 49) == lines);
}

TEST_CASE("the note under a heatmap with more cells than pixels is explained") {
  const auto lines = ui::about_pooling({{}, 4, 8, figure::Pool::mean}, {});
  CHECK(lines.at(0) == "Each drawn square is the mean of 4 × 8 cells.");
}

}  // namespace values_at_test
