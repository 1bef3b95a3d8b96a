// How high a figure is that nobody gave a height.
#include <doctest/doctest.h>

#include <cmath>

#include "app/figure/layout.h"
#include "drawn.h"
#include "fake_measure.h"
#include "samples.h"

namespace natural_height_test {

using namespace figure;

TEST_CASE("a contact sheet's natural height leaves no room between the rows of its columns") {
  const FakeOptions o;
  for (const int columns : {0, 3, 5, 8}) {
    CAPTURE(columns);
    Figure figure = samples::thumbnails(10);
    figure.columns = columns;
    const Drawing drawing =
        layout(figure, {0, 0, 700, natural_height(figure, 700, o.options)}, {}, o.options);
    REQUIRE(drawing.frames.size() == 10);
    const Rect &first = drawing.frames.front().area, &last = drawing.frames.back().area;
    const float rows = columns == 0 ? 2 : std::ceil(10 / static_cast<float>(columns));
    // A caption and a gap.
    CHECK(last.y - first.y < (rows - 1) * (first.h + 45));
    CHECK(last.y > first.y);
  }
}

TEST_CASE("a contact sheet of flat maps is as high as they are") {
  const FakeOptions o;
  Figure figure = samples::thumbnails(6);
  figure.columns = 3;
  const float squares = natural_height(figure, 700, o.options);
  for (Plot& plot : figure.plots) {
    plot.square = true;
    plot.x = {"", -0.5, 19.5};
    plot.y = {"", -0.5, 4.5};
  }
  const float flat = natural_height(figure, 700, o.options);
  // Two rows of pictures as wide as a third allows: a quarter as high as wide instead of square.
  const float side = (700 - 2 * 16 + 12) / 3.0f - 12;
  CHECK(squares - flat == doctest::Approx(2 * 0.75 * side));
  const Drawing drawing = layout(figure, {0, 0, 700, flat}, {}, o.options);
  REQUIRE(drawing.frames.size() == 6);
  const Rect &first = drawing.frames.front().area, &last = drawing.frames.back().area;
  CHECK(first.w == doctest::Approx(4 * first.h).epsilon(0.05));
  CHECK(last.y - first.y < first.h + 45);
  figure.plots.back().y = {"", -0.5, 39.5};  // one that is higher than wide
  CHECK(natural_height(figure, 700, o.options) == squares);
}

TEST_CASE("rows of squares stand close under each other at their natural height") {
  const FakeMeasure measure;
  const LayoutOptions options{&theme(ThemeName::light), &measure};
  Figure figure = samples::heatmaps();
  figure.columns = 2;
  const float one = natural_height(figure, 700, options);
  for (const char* id : {"third", "fourth"}) {
    figure.plots.push_back(figure.plots[0]);
    figure.plots.back().id = id;
  }
  const float two = natural_height(figure, 700, options);
  CHECK(two > 1.5f * one);
  CHECK(two < 2 * one);
  const Drawing drawing = layout(figure, {0, 0, 700, two}, {}, options);
  REQUIRE(drawing.frames.size() == 4);
  const Rect &first = drawing.frames[0].area, &third = drawing.frames[2].area;
  // Names, their axis' label and the next title fit between, and no more than that.
  CHECK(third.y - first.bottom() < 140);
  CHECK(first.h > 200);
}

TEST_CASE("a square beside other plots does not make the card high") {
  FakeOptions o;
  o.options.paper = true;
  Figure figure = samples::lines();
  figure.plots.resize(1);
  const float without = natural_height(figure, 480, o.options);
  figure.plots.push_back(samples::heatmaps().plots.front());
  figure.columns = 2;
  for (const float width : {480.f, 300.f}) {
    CHECK(natural_height(figure, width, o.options) < 2.2f * without);
  }
}

TEST_CASE("boxes and wires stay as high as they are however narrow the paper is") {
  FakeOptions o;
  o.options.paper = true;
  Figure figure = samples::lines();
  figure.plots.resize(1);
  figure.height = 700;
  const auto both = [&] {
    return std::pair(natural_height(figure, 900, o.options),
                     natural_height(figure, 400, o.options));
  };
  CHECK(both().second < 0.8f * both().first);
  figure.plots[0].marks.clear();
  figure.plots[0].add(Diagram{.nodes = {{.title = "a box"}}});
  CHECK(both().second > 0.95f * both().first);
}

}  // namespace natural_height_test
