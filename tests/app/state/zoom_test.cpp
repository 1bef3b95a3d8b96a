#include "app/state/desk/zoom.h"

#include <doctest/doctest.h>

#include "app/figure/picking.h"

namespace zoom_test {

namespace {

using figure::View;

figure::Plot curve(double lo, double hi) {
  figure::Plot plot;
  plot.id = "curve";
  plot.x = {.label = "x", .lo = lo, .hi = hi, .link = "ids"};
  plot.y = {.label = "y", .lo = -1, .hi = 4};
  plot.marks = {figure::Line{{lo, hi}, {0, 1}}};
  return plot;
}

figure::Plot cells(double lo, double hi) {
  figure::Plot plot;
  plot.id = "cells";
  plot.x = {.label = "id", .lo = lo, .hi = hi, .cells = true, .link = "ids"};
  plot.y = {.lo = 0, .hi = 8, .cells = true, .link = "rows"};
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(core::Matrix::Zero(8, 8));
  plot.marks = {map};
  return plot;
}

figure::PlotFrame frame(const figure::Plot& plot, const View& shown) {
  figure::PlotFrame frame;
  frame.id = plot.id;
  frame.area = frame.whole = {0, 0, 100, 100};
  frame.shown = shown;
  return frame;
}

}  // namespace

TEST_CASE("zooming keeps the way an axis runs") {
  const figure::Plot plot = curve(0, 10);
  const View whole = figure::whole_view(plot);
  CHECK(whole == View{0, 10, 4, -1});  // upwards: the highest at the top
  const View closer = state::zoomed(plot, frame(plot, whole), {50, 50}, 0.5);
  CHECK(closer.x0 == doctest::Approx(2.5));
  CHECK(closer.x1 == doctest::Approx(7.5));
  CHECK(closer.y0 == doctest::Approx(2.75));
  CHECK(closer.y1 == doctest::Approx(0.25));
  CHECK(state::zoomed(plot, frame(plot, closer), {50, 50}, 8) == whole);
  const View down = state::moved(plot, frame(plot, closer), 0, 10);  // dragged down: higher is seen
  CHECK(down.y0 == doctest::Approx(3));
  CHECK(down.y1 == doctest::Approx(0.5));
  CHECK(state::moved(plot, frame(plot, closer), 0, 1000).y0 == doctest::Approx(4));
}

TEST_CASE("an axis that is not drawn is not zoomed, and without any nothing is") {
  figure::Plot plot = curve(0, 10);
  CHECK(figure::can_zoom(plot));
  plot.y.visible = false;
  CHECK(figure::can_zoom(plot));
  const View whole = figure::whole_view(plot);
  const View closer = state::zoomed(plot, frame(plot, whole), {0, 0}, 0.5);
  CHECK(closer == View{0, 5, whole.y0, whole.y1});
  plot.x.visible = false;
  CHECK_FALSE(figure::can_zoom(plot));
  figure::Plot words;
  words.marks = {figure::Links{}};
  CHECK_FALSE(figure::can_zoom(words));
  figure::Plot table;
  table.marks = {figure::Table{}};
  CHECK_FALSE(figure::can_zoom(table));
  figure::Plot thumbnail = cells(0, 8);
  CHECK(figure::can_zoom(thumbnail));
  thumbnail.thumbnail = true;
  CHECK_FALSE(figure::can_zoom(thumbnail));
}

TEST_CASE("what shares one axis follows along it, the right way up, and the whole is the whole") {
  const figure::Plot stairs = curve(-0.5, 7.5), strips = cells(0, 8);
  REQUIRE(state::linked(stairs, strips));
  const View whole = figure::whole_view(stairs);
  const View part = state::followed(strips, {2, 4, 0, 8}, stairs, whole);
  CHECK(part == View{2, 4, whole.y0, whole.y1});
  CHECK(state::followed(strips, figure::whole_view(strips), stairs, part) == whole);
  CHECK(state::followed(stairs, part, strips, figure::whole_view(strips)) == View{2, 4, 0, 8});
  figure::Plot alone = curve(0, 8);
  alone.x.link.clear();
  CHECK_FALSE(state::linked(alone, strips));
}

}  // namespace zoom_test
