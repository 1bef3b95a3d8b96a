// Figures without what is picked in them.
#include "app/paper/file/without_marks.h"

#include <doctest/doctest.h>

#include "support.h"

namespace without_marks_test {

using figure::Role;

figure::Figure marked() {
  figure::Plot plot = test::heatmap_plot("map", test::ramp(3, 3));
  std::get<figure::Heatmap>(plot.marks.front()).pinned = {1, 2};
  plot.selected = true;
  plot.x.marked = plot.y.marked = 1;
  plot.add(figure::Bars{.values = {1, 2}, .marked = 1});
  plot.add(figure::Table{.rows = {{}, {}}, .marked = 0});
  plot.add(figure::Boxes{.boxes = {{.marked = true}}});
  plot.add(figure::Diagram{.nodes = {{.marked = true, .picked = true}}});
  plot.add(figure::Links{.marked_left = 0, .marked_right = 1});
  plot.add(figure::Rule{true, 1, figure::Color(Role::accent, 0.5f)});
  plot.add(figure::Points{.x = {1}, .y = {2}, .color = Role::accent});
  plot.add(figure::Rule{true, 1.5, Role::dim});
  plot.add(figure::Points{.x = {1.5}, .y = {2}, .color = Role::dim});
  plot.add(figure::Handle{.x = 1, .y = 2, .x_param = "knob"});
  // What is no pointer's.
  plot.add(figure::Rule{true, 1, Role::accent, true, "maximum"});
  plot.add(figure::Rule{true, 2, Role::dim});
  plot.add(figure::Points{.x = {1, 2}, .y = {2, 3}, .color = Role::accent});
  plot.add(figure::Points{.x = {3}, .y = {2}, .color = Role::value});
  plot.add(figure::Handle{.x = 1, .y = 2, .points_param = "data"});
  plot.add(figure::Handle{.x = 5, .y = 2, .x_param = "content"});
  figure::Figure figure;
  figure.plots = {plot};
  return figure;
}

TEST_CASE("frames, names, bars, rows and cells that were picked do not stand out") {
  const auto plain = paper::without_marks({marked(), marked()});
  REQUIRE(plain.size() == 2);
  const figure::Plot& plot = plain[1].plots.at(0);
  CHECK_FALSE(plot.selected);
  CHECK(plot.x.marked == -1);
  CHECK(plot.y.marked == -1);
  REQUIRE(plot.marks.size() == 12);
  CHECK_FALSE(std::get<figure::Heatmap>(plot.marks[0]).pinned);
  CHECK(std::get<figure::Bars>(plot.marks[1]).marked == -1);
  CHECK(std::get<figure::Table>(plot.marks[2]).marked == -1);
  CHECK_FALSE(std::get<figure::Boxes>(plot.marks[3]).boxes[0].marked);
  CHECK_FALSE(std::get<figure::Diagram>(plot.marks[4]).nodes[0].marked);
  CHECK_FALSE(std::get<figure::Diagram>(plot.marks[4]).nodes[0].picked);
  CHECK(std::get<figure::Links>(plot.marks[5]).marked_left == -1);
  CHECK(std::get<figure::Links>(plot.marks[5]).marked_right == -1);
}

TEST_CASE("links and notes that are picked among others have the others' colour") {
  const figure::Color usual(Role::query, 0.6f), accent(Role::accent);
  figure::Plot plot;
  plot.add(figure::Links{.links = {{0, 0, 1, accent}, {1, 0, 1, usual}, {1, 1, 1, usual}}});
  using figure::TextStyle;
  plot.add(figure::Note{0, 0, "2.00", accent, TextStyle::mono_small});
  plot.add(figure::Note{1, 0, "1.00", Role::dim, TextStyle::mono_small});
  plot.add(figure::Note{1, 1, "maximum", accent, TextStyle::label});  // alone of its kind
  figure::Figure figure;
  figure.plots = {plot};
  const auto plain = paper::without_marks({figure});
  const auto& marks = plain[0].plots[0].marks;
  const auto& links = std::get<figure::Links>(marks[0]).links;
  CHECK(links[0].color.role == Role::query);
  CHECK(links[0].color.alpha == usual.alpha);
  CHECK(std::get<figure::Note>(marks[1]).color.role == Role::dim);
  CHECK(std::get<figure::Note>(marks[3]).color.role == Role::accent);
}

TEST_CASE("lines and points that show where a knob stands go, named ones and curves stay") {
  const std::vector<figure::Figure> plain = paper::without_marks({marked()});
  const auto& marks = plain[0].plots[0].marks;
  CHECK(std::get<figure::Rule>(marks[6]).label == "maximum");
  CHECK(std::get<figure::Rule>(marks[7]).at == 2);
  CHECK(std::get<figure::Points>(marks[8]).x.size() == 2);
  CHECK(std::get<figure::Points>(marks[9]).color.role == Role::value);
  CHECK(std::get<figure::Handle>(marks[10]).points_param == "data");
  CHECK(std::get<figure::Handle>(marks[11]).x_param == "content");
}

}  // namespace without_marks_test
