#include "app/figure/picking.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/figure/layout.h"
#include "fake_measure.h"
#include "samples.h"

namespace picking_test {

using namespace figure;

namespace {

Drawing drawn(const Figure& f, const Views& views = {}) {
  const FakeOptions o;
  return layout(f, {0, 0, 480, 420}, views, o.options);
}

Point at(const PlotFrame& frame, double x, double y) { return {frame.px_at(x), frame.py_at(y)}; }

Figure of(Plot plot) {
  Figure f;
  f.plots = {std::move(plot)};
  return f;
}

}  // namespace

TEST_CASE("a click on a cell sets row, column, what it sets besides, and what any click sets") {
  Plot p = samples::heatmap_plot("map", 6, 6);
  Heatmap& map = std::get<Heatmap>(p.marks[0]);
  map.row_param = "query";
  map.col_param = "key";
  map.also = {{"head", "3"}};
  p.click = {{"layer", "1"}};
  const Figure f = of(p);
  const Drawing d = drawn(f);
  const Pick pick = pick_at(f, d, at(d.frames[0], 2.5, 4.5));
  CHECK(pick.exact == Assignments{{"layer", "1"}, {"query", "4"}, {"key", "2"}, {"head", "3"}});
  CHECK(pick.near.empty());
  // Beside the data, only what a click anywhere sets.
  CHECK(pick_at(f, d, {d.frames[0].whole.x + 1, d.frames[0].area.y + 1}).exact ==
        Assignments{{"layer", "1"}});
  CHECK(pick_at(f, d, {2, 2}).empty());
  // A thumbnail is chosen as a whole.
  Figure sheet = f;
  sheet.plots[0].thumbnail = true;
  const Drawing small = drawn(sheet);
  CHECK(pick_at(sheet, small, at(small.frames[0], 2.5, 4.5)).exact == Assignments{{"layer", "1"}});
}

TEST_CASE("cells are found on axes of other units too, and nowhere outside") {
  Plot p = samples::heatmap_plot("map", 4, 8);
  p.x.cells = p.y.cells = false;
  p.x.lo = -1, p.x.hi = 1;
  p.y.lo = 0, p.y.hi = 2;
  CHECK(cell_at(p, -1, 0) == std::pair<Index, Index>{0, 0});
  CHECK(cell_at(p, 0.01, 1.01) == std::pair<Index, Index>{2, 4});
  CHECK_FALSE(cell_at(p, 1, 0).has_value());
  CHECK_FALSE(cell_at(p, std::nan(""), 0).has_value());
  CHECK_FALSE(cell_at(Plot{}, 0, 0).has_value());
}

TEST_CASE("in an upright plot y rises, and row 0 of the cells lies at the top") {
  Plot p = samples::heatmap_plot("map", 4, 8);
  p.x.cells = p.y.cells = false;
  p.x.lo = -1, p.x.hi = 1;
  p.y.lo = 0, p.y.hi = 2;
  std::get<Heatmap>(p.marks[0]).row_param = "row";
  const auto row_under = [](const Plot& plot, double y) {
    const Figure f = of(plot);
    const Drawing d = drawn(f);
    return pick_at(f, d, at(d.frames[0], 0, y)).exact.at(0).second;
  };
  CHECK(row_under(p, 1.9) == "3");
  p.upright = true;
  CHECK(row_under(p, 1.9) == "0");
  CHECK(row_under(p, 0.1) == "3");
  const Drawing d = drawn(of(p));
  CHECK(d.frames[0].py_at(1.9) < d.frames[0].py_at(0.1));
  // The cells themselves: the first row begins at the top of the data.
  for (const Primitive& each : d.primitives) {
    if (const auto* cells = std::get_if<draw::Cells>(&each)) CHECK(cells->shown.y0 == 0);
  }
}

TEST_CASE("a plot that takes places sets them: of cells the index, else the value to a pixel") {
  Plot p;
  p.x.hi = 6;
  p.x.cells = true;
  p.y.lo = -1;
  p.y.hi = 1;
  p.x_param = "key";
  p.y_param = "height";
  p.click = {{"which", "2"}};
  p.marks = {Line{{0, 6}, {0, 1}}};
  const Figure f = of(p);
  const Drawing d = drawn(f);
  const Pick pick = pick_at(f, d, at(d.frames[0], 2.9, 0.5));
  CHECK(pick.exact == p.click);
  REQUIRE(pick.near.size() == 2);
  CHECK(pick.near[0] == std::pair<std::string, double>{"key", 2});
  CHECK(pick.near[1].second == doctest::Approx(0.5).epsilon(0.02));
  CHECK(std::abs(pick.near[1].second * 1000 - std::round(pick.near[1].second * 1000)) < 1e-9);
  // Places beyond the border count as the border.
  const Pick far = scrubbed(d.frames[0], p, {5000, -5000});
  CHECK(far.near[0].second == 5);
  CHECK(far.near[1].second == doctest::Approx(1));
  CHECK(scrubbed(d.frames[0], p, {-5000, 5000}).near[0].second == 0);
  CHECK(takes_places(p));
  // A parameter may count in units of its own from a place of its own.
  p.y.origin = -1;
  p.y.unit = 0.25;
  CHECK(scrubbed(d.frames[0], p, at(d.frames[0], 0, 0.5)).near[1].second ==
        doctest::Approx(6).epsilon(0.02));
  p.x.origin = -1;  // cells with names, counted from 1
  CHECK(scrubbed(d.frames[0], p, at(d.frames[0], 2.9, 0.5)).near[0].second == 3);
  p.thumbnail = true;
  CHECK_FALSE(takes_places(p));
}

TEST_CASE("what lies above in a plot is clicked before the plot itself") {
  Figure f = samples::lines();
  f.plots[0].click = {{"all", "1"}};
  f.plots[0].x_param = "distance";
  const Drawing d = drawn(f);
  CHECK(pick_at(f, d, at(d.frames[0], 100, 0.7)) == Pick{{{"n", "100"}}, {}});
  const Pick place = pick_at(f, d, at(d.frames[0], 10, 0.9));
  CHECK(place.exact == Assignments{{"all", "1"}});
  REQUIRE(place.near.size() == 1);
  CHECK(place.near[0].second == doctest::Approx(10).epsilon(0.01));
}

TEST_CASE("a grip is above everything, and dragging it sets its parameters with the frame it had") {
  const Figure f = samples::field();
  const Drawing d = drawn(f);
  REQUIRE(d.grips.size() == 2);
  const Grip* grip = grip_at(d, at(d.frames[0], 1.5, -1));
  REQUIRE(grip == &d.grips[0]);
  CHECK(grip->rect.w >= 16);
  CHECK(grip->x_param == "x");
  CHECK(pick_at(f, d, grip->at) == Pick{{{"which", "2"}}, {}});
  const Pick pick = dragged(*grip, d.frames[0], f.plots[0], at(d.frames[0], -0.5, 1.25));
  CHECK(pick.exact == Assignments{{"which", "2"}});
  REQUIRE(pick.near.size() == 2);
  CHECK(pick.near[0].first == "x");
  CHECK(pick.near[0].second == doctest::Approx(-0.5).epsilon(0.02));
  CHECK(pick.near[1].second == doctest::Approx(1.25).epsilon(0.02));
  // The handle of one parameter leaves the other coordinate alone.
  const Grip& edge = d.grips[1];
  const Pick along = dragged(edge, d.frames[0], f.plots[0], at(d.frames[0], 0, -9));
  REQUIRE(along.near.size() == 1);
  CHECK(along.near[0].first == "y");
  CHECK(along.near[0].second == doctest::Approx(-2));
  CHECK(grip_at(d, {1, 1}) == nullptr);
  // One that sets no parameter is clicked like a point.
  CHECK(pick_at(f, d, at(d.frames[0], -1, 1)) == Pick{{{"which", "1"}}, {}});
}

namespace {

// Three points of a parameter as one mark, and a fourth as a handle of its own.
Figure of_points() {
  Plot p;
  p.x.lo = p.y.lo = 0;
  p.x.hi = p.y.hi = 10;
  p.points_param = "keys";
  Points keys;
  keys.x = {2, 5, 5.2};
  keys.y = {2, 5, 5};
  keys.points_param = "keys";
  keys.picks = {{{"key", "0"}}, {{"key", "1"}}, {{"key", "2"}}};
  Handle alone;
  alone.x = 8, alone.y = 8;
  alone.points_param = "queries";
  alone.point = 4;
  p.marks = {keys, alone};
  return of(p);
}

}  // namespace

TEST_CASE("a click in a plot of points adds one, and a drag through it nothing") {
  Figure f = of_points();
  const Drawing d = drawn(f);
  const Pick pick = pick_at(f, d, at(d.frames[0], 1, 7));
  CHECK(pick.exact.empty());
  CHECK(pick.near.empty());
  REQUIRE(pick.point);
  CHECK(pick.point->kind == PointEdit::Kind::add);
  CHECK(pick.point->param == "keys");
  CHECK(pick.point->x == doctest::Approx(1).epsilon(0.02));
  CHECK(pick.point->y == doctest::Approx(7).epsilon(0.02));
  CHECK(takes_places(f.plots[0]));
  CHECK_FALSE(scrubs(f.plots[0]));
  CHECK(scrubbed(d.frames[0], f.plots[0], at(d.frames[0], 1, 7)).empty());
  CHECK(pick_at(f, d, {d.frames[0].whole.x + 1, d.frames[0].area.y + 1}).empty());
  // Beside a number that a drag sets, a click still adds.
  f.plots[0].x_param = "query";
  CHECK(pick_at(f, d, at(d.frames[0], 1, 7)).near.empty());
  CHECK(scrubbed(d.frames[0], f.plots[0], at(d.frames[0], 1, 7)).near.size() == 1);
  f.plots[0].thumbnail = true;
  CHECK_FALSE(takes_places(f.plots[0]));
}

TEST_CASE("each point of a parameter is dragged and taken away by its index, the nearest first") {
  const Figure f = of_points();
  const Drawing d = drawn(f);
  REQUIRE(d.grips.size() == 4);
  const auto grip = [&](double x, double y) { return grip_at(d, at(d.frames[0], x, y)); };
  REQUIRE(grip(4.9, 5));
  CHECK(grip(4.9, 5)->point == 1);
  CHECK(grip(5.3, 5)->point == 2);
  CHECK(grip(2, 2)->rect.w >= 16);
  CHECK(pick_at(f, d, at(d.frames[0], 2, 2)) == Pick{{{"key", "0"}}, {}, {}});
  const Pick moved = dragged(*grip(2, 2), d.frames[0], f.plots[0], at(d.frames[0], 3, 99));
  CHECK(moved.exact == Assignments{{"key", "0"}});
  REQUIRE(moved.point);
  CHECK(moved.point->kind == PointEdit::Kind::move);
  CHECK(moved.point->index == 0);
  CHECK(moved.point->x == doctest::Approx(3).epsilon(0.02));
  CHECK(moved.point->y == doctest::Approx(10));
  const Pick gone = removal_at(d, at(d.frames[0], 8, 8));
  CHECK(gone == Pick{{}, {}, PointEdit{PointEdit::Kind::remove, "queries", 4, 0, 0}});
  CHECK(removal_at(d, at(d.frames[0], 1, 9)).empty());
  // A handle that is no point of a list is not taken away.
  const Figure field = samples::field();
  const Drawing other = drawn(field);
  CHECK(removal_at(other, other.grips[0].at).empty());
}

TEST_CASE("a row of a table is clicked, and a table does not zoom") {
  const Figure f = samples::table();
  const Drawing d = drawn(f, {{"table", {0.25, 0.5, 0.25, 0.5}}});
  CHECK(d.frames[0].shown == View{0, 1, 0, 1});
  CHECK_FALSE(can_zoom(f.plots[0]));
  CHECK(can_zoom(samples::lines().plots[0]));
  REQUIRE(d.hits.size() == 4);
  const Rect& r = d.hits[1].rect;
  CHECK(pick_at(f, d, {r.x + r.w / 2, r.y + r.h / 2}).exact == Assignments{{"beam", "1"}});
}

TEST_CASE("a bar is hit at the name under it, too, upright or slanted, and only there") {
  const FakeMeasure measure;
  for (const std::size_t letters : {3U, 10U}) {
    CAPTURE(letters);
    const auto names = std::make_shared<std::vector<std::string>>();
    Bars bars;
    for (std::size_t k = 0; k < 12; ++k) {
      bars.values.push_back(1.0 / static_cast<double>(k + 1));
      bars.picks.push_back({{"rank", std::to_string(k)}});
      bars.losses.push_back({"", "lost by " + std::to_string(k)});
      names->push_back(std::string(letters, static_cast<char>('a' + k)));
    }
    Plot plot{.id = "next"};
    plot.x = {.label = "token", .hi = 12, .cells = true, .labels = names};
    plot.marks = {std::move(bars)};
    const Figure f = of(std::move(plot));
    const Drawing d = drawn(f);
    const PlotFrame& frame = d.frames[0];
    CHECK(frame.slanted == (letters > 3));
    std::size_t found = 0;
    for (const Primitive& each : d.primitives) {
      const auto* text = std::get_if<draw::Text>(&each);
      const auto name = text ? std::find(names->begin(), names->end(), text->text) : names->end();
      if (name == names->end()) continue;
      ++found;
      const std::string rank = std::to_string(name - names->begin());
      const Point size = measure.size(text->text, text->style);
      // Its first, middle and last letter.
      for (const float along : {0.1f, 0.5f, 0.9f}) {
        const float out = (along - text->align_x) * size.x, down = (0.5f - text->align_y) * size.y;
        const Point on{text->at.x + out * std::cos(text->angle),
                       text->at.y + out * std::sin(text->angle) + down};
        REQUIRE_FALSE(frame.area.contains(on));
        CHECK(pick_at(f, d, on) == Pick{.exact = {{"rank", rank}}, .said = "lost by " + rank});
      }
    }
    CHECK(found == 12);
    // Under the last name, and beside the first one.
    CHECK(pick_at(f, d, {frame.area.right() - 1, frame.whole.bottom() - 1}).empty());
    CHECK(pick_at(f, d, {frame.area.x - 20, frame.area.bottom() + 10}).empty());
  }
}

namespace {

// 16 x 32 cells in a rectangle of 320 x 160 pixels at (100, 50), painted with a brush.
struct Canvas {
  figure::Plot plot;
  figure::PlotFrame frame;
};

Canvas canvas(core::Index rows, core::Index cols, int brush) {
  Canvas c;
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(core::Matrix(rows, cols));
  map.paint_param = "cells";
  map.brush = brush;
  c.plot.marks = {map};
  c.plot.x = {.lo = 0, .hi = static_cast<double>(cols), .cells = true};
  c.plot.y = {.lo = 0, .hi = static_cast<double>(rows), .cells = true};
  c.frame.area = {100, 50, 320, 160};
  c.frame.shown = {0, static_cast<double>(cols), 0, static_cast<double>(rows)};
  return c;
}

using figure::CellRect;
using Rects = std::vector<CellRect>;

}  // namespace

TEST_CASE("a brush covers the cells it passes over, and only those of the table") {
  const Canvas one = canvas(16, 32, 1);
  CHECK(figure::brushed(one.frame, one.plot, {105, 55}, {105, 55}) == Rects{{0, 1, 0, 1}});
  CHECK(figure::brushed(one.frame, one.plot, {105, 55}, {125, 55}) ==
        Rects{{0, 1, 0, 1}, {0, 1, 1, 2}, {0, 1, 2, 3}});
  CHECK(figure::brushed(one.frame, one.plot, {105, 55}, {125, 75}) ==
        Rects{{0, 1, 0, 1}, {1, 2, 1, 2}, {2, 3, 2, 3}});
  CHECK(figure::brushed(one.frame, one.plot, {50, 55}, {60, 55}).empty());
  const Canvas three = canvas(16, 32, 3);
  CHECK(figure::brushed(three.frame, three.plot, {105, 55}, {105, 55}) == Rects{{0, 2, 0, 2}});
  CHECK(figure::brushed(three.frame, three.plot, {155, 105}, {155, 105}) == Rects{{4, 7, 4, 7}});
  const Canvas two = canvas(16, 32, 2);
  CHECK(figure::brushed(two.frame, two.plot, {155, 105}, {155, 105}) == Rects{{5, 7, 5, 7}});
  // Without a parameter to paint there is no brush.
  Canvas none = one;
  std::get<figure::Heatmap>(none.plot.marks[0]).paint_param.clear();
  CHECK_FALSE(figure::takes_paint(none.plot));
  CHECK(figure::brushed(none.frame, none.plot, {105, 55}, {105, 55}).empty());
}

TEST_CASE("zoomed out a brush is as wide as what is drawn; zoomed in it stays in what is shown") {
  // 1280 columns on 320 pixels: four to a drawn cell; 160 rows on 160 pixels: one.
  const Canvas wide = canvas(160, 1280, 1);
  CHECK(figure::brushed(wide.frame, wide.plot, {110.5f, 60.5f}, {110.5f, 60.5f}) ==
        Rects{{10, 11, 40, 44}});
  Canvas zoomed = canvas(16, 32, 5);
  zoomed.frame.shown = {8, 16, 4, 8};
  CHECK(figure::brushed(zoomed.frame, zoomed.plot, {101, 51}, {101, 51}) == Rects{{4, 7, 8, 11}});
}

TEST_CASE("a handle on a number of a text writes it where it stood") {
  Plot p;
  p.x.lo = p.y.lo = 0;
  p.x.hi = p.y.hi = 1;
  Handle bar{.x = 0.5, .y = 0.4, .also = {{"token", "0"}}};
  bar.text_param = "rules", bar.before = "A:", bar.after = " B:0.6";
  p.marks = {bar};
  const Figure f = of(p);
  const Drawing d = drawn(f);
  REQUIRE(d.grips.size() == 1);
  const Pick top = dragged(d.grips[0], d.frames[0], f.plots[0], at(d.frames[0], 0.5, 2));
  CHECK(top.exact == Assignments{{"token", "0"}, {"rules", "A:1 B:0.6"}});
  CHECK(top.near.empty());
  const Pick below = dragged(d.grips[0], d.frames[0], f.plots[0], at(d.frames[0], 0.5, -3));
  CHECK(below.exact == Assignments{{"token", "0"}, {"rules", "A:0 B:0.6"}});
  CHECK_FALSE(removal_at(d, at(d.frames[0], 0.5, 0.4)).point);
}

namespace {

// Two handles and the interval between them, on an axis whose unit is a tenth.
Figure of_interval(double from, double to) {
  Plot p;
  p.id = "line";
  p.x = {.lo = 0, .hi = 100, .unit = 0.1};
  p.y = {.lo = -1, .hi = 1};
  p.add(Handle{.x = from, .x_param = "n"});
  p.add(Handle{.x = to, .x_param = "m"});
  p.add(Interval{.from = from,
                 .to = to,
                 .from_param = "n",
                 .to_param = "m",
                 .label = "n - m",
                 .tooltip = "Drag"});
  return of(p);
}

}  // namespace

TEST_CASE("an interval is dragged as one, by its bar and by its label, and stays on the axis") {
  const Figure f = of_interval(20, 60);
  const Drawing d = drawn(f);
  REQUIRE(d.grips.size() == 4);
  // The handles lie over its ends.
  CHECK(grip_at(d, at(d.frames[0], 20, 0)) == &d.grips[0]);
  CHECK(grip_at(d, at(d.frames[0], 60, 0)) == &d.grips[1]);
  const Grip* bar = grip_at(d, at(d.frames[0], 40, 0));
  REQUIRE(bar == &d.grips[2]);
  CHECK(bar->tooltip == "Drag");
  const Grip& label = d.grips[3];
  CHECK(label.rect.bottom() < bar->rect.bottom());
  CHECK(grip_at(d, {label.rect.x + 2, label.rect.y + 2}) == &label);
  for (const Grip* grip : {bar, &label}) {
    const auto shifted = [&](double by) {
      const Point to = at(d.frames[0], 40 + by, 0);
      const Pick pick = dragged(*grip, d.frames[0], f.plots[0], {to.x, grip->at.y});
      CHECK(pick.near.empty());
      REQUIRE(pick.shift);
      CHECK(pick.shift->from ==
            std::vector<std::pair<std::string, double>>{{"n", 200}, {"m", 600}});
      return pick.shift->by;
    };
    CHECK(shifted(0) == 0);
    CHECK(shifted(12) == doctest::Approx(120).epsilon(0.02));
    CHECK(shifted(-7) == doctest::Approx(-70).epsilon(0.02));
    CHECK(shifted(1000) == doctest::Approx(400));
    CHECK(shifted(-1000) == doctest::Approx(-200));
  }
}

TEST_CASE("an interval without a length is held by its label, one over the end only comes back") {
  const Drawing d = drawn(of_interval(30, 30));
  REQUIRE(d.grips.size() == 3);  // two handles on each other, and no bar
  const Grip& label = d.grips[2];
  CHECK(grip_at(d, {label.rect.x + label.rect.w / 2, label.rect.y + 1}) == &label);
  CHECK(label.rect.w > 30);
  const Figure over = of_interval(80, 120);
  const Drawing cut = drawn(over);
  const Grip& bar = cut.grips[cut.grips.size() - 2];
  REQUIRE(bar.together.size() == 2);
  CHECK(bar.rect.right() <= cut.frames[0].area.right() + 1);
  const auto by = [&](float pixels) {
    return dragged(bar, cut.frames[0], over.plots[0], {bar.at.x + pixels, bar.at.y}).shift->by;
  };
  CHECK(by(50) == 0);
  CHECK(by(-50) < 0);
}

}  // namespace picking_test
