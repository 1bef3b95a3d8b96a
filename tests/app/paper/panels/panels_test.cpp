#include "app/paper/panels/panels.h"

#include <doctest/doctest.h>

#include "app/paper/sheet.h"
#include "support.h"

namespace panels_test {

namespace {

using figure::Figure;
using figure::Heatmap;

Figure map_figure(const std::string& id, float lo, float hi) {
  Figure figure;
  figure.id = figure.title = id;
  figure.caption = "Seen: " + id + ".";
  figure.plots.push_back(test::heatmap_plot(id, test::ramp(4, 4)));
  auto& map = std::get<Heatmap>(figure.plots[0].marks[0]);
  map.scale.lo = lo, map.scale.hi = hi;
  return figure;
}

std::size_t bars_of(const paper::Sheet& sheet) {
  std::size_t bars = 0;
  for (const figure::Drawing& drawing : sheet.drawings) {
    for (const figure::Primitive& one : drawing.primitives) {
      bars += std::holds_alternative<figure::draw::ColorBar>(one) ? 1 : 0;
    }
  }
  return bars;
}

std::vector<figure::Rect> areas_of(const paper::Sheet& sheet) {
  std::vector<figure::Rect> areas;
  for (const figure::Drawing& drawing : sheet.drawings) {
    for (const figure::PlotFrame& frame : drawing.frames) areas.push_back(frame.area);
  }
  return areas;
}

bool says(const paper::Sheet& sheet, const std::string& part) {
  for (const figure::Drawing& drawing : sheet.drawings) {
    for (const figure::Primitive& one : drawing.primitives) {
      const auto* text = std::get_if<figure::draw::Text>(&one);
      if (text && text->text.find(part) != std::string::npos) return true;
    }
  }
  return false;
}

paper::Sheet sheet_of(std::vector<Figure> figures, const paper::PanelLayout& layout,
                      paper::PaperOptions options = {}) {
  figures = paper::as_panels(std::move(figures), layout, options);
  return paper::compose(figures, {}, options, paper::PaperMeasure(), 1);
}

std::vector<Figure> two() { return {map_figure("one", 0, 1), map_figure("two", 0.5f, 3)}; }

}  // namespace

TEST_CASE("a layout is rows and columns") {
  CHECK(paper::parse_layout("2x3").rows == 2);
  CHECK(paper::parse_layout("2x3").columns == 3);
  for (const char* wrong : {"", "2", "x", "0x2", "2x0", "-1x2", "2x3x4", "3x9", "ax2", "2 x 3"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(paper::parse_layout(wrong), core::InputError);
  }
}

TEST_CASE("panels stand where the layout says, narrow as the paper is") {
  paper::PaperOptions options;
  options.paper_width = 85 * 72 / 25.4;
  const std::vector<Figure> alike = {map_figure("one", 0, 1), map_figure("two", 0, 1)};
  const auto beside = areas_of(sheet_of(alike, {.rows = 1, .columns = 2}, options));
  REQUIRE(beside.size() == 2);
  CHECK(beside[0].y == beside[1].y);
  CHECK(beside[0].right() < beside[1].x);
  const auto below = areas_of(sheet_of(alike, {.rows = 2, .columns = 1}, options));
  REQUIRE(below.size() == 2);
  CHECK(below[0].x == below[1].x);
  CHECK(below[0].bottom() < below[1].y);
  std::vector<Figure> three = alike;
  three.push_back(map_figure("three", 0, 1));
  CHECK_THROWS_WITH_AS(sheet_of(three, {.rows = 1, .columns = 2}, options),
                       "--layout: expected room for 3 panels, got 1x2; --figure chooses which",
                       core::InputError);
  CHECK_THROWS_AS(sheet_of(three, {.rows = 1, .columns = 3}, options), core::InputError);
  CHECK(areas_of(sheet_of(three, {.rows = 1, .columns = 3})).size() == 3);
}

TEST_CASE("letters stand before titles and captions, and alone where there is no title") {
  paper::PaperOptions options;
  options.style.letters = true;
  const paper::Sheet sheet = sheet_of(two(), {}, options);
  CHECK(says(sheet, "(a) one"));
  CHECK(says(sheet, "(b) Seen: two."));
  options.heading = false;
  const paper::Sheet bare = sheet_of(two(), {}, options);
  CHECK(says(bare, "(a)"));
  CHECK_FALSE(says(bare, "(a) one"));
}

TEST_CASE("shared colors are one range and one bar") {
  CHECK(bars_of(sheet_of(two(), {.rows = 1, .columns = 2})) == 2);
  paper::PaperOptions options;
  const auto shared =
      paper::as_panels(two(), {.rows = 1, .columns = 2, .share_colors = true}, options);
  REQUIRE(shared.size() == 1);
  CHECK(shared[0].plots[1].title == "two · weights");
  std::vector<Figure> parts = two();
  parts[1].caption = parts[0].caption;
  const auto said = paper::as_panels(parts, {.share_colors = true}, options);
  CHECK(said[0].caption == parts[0].caption);
  for (const figure::Plot& plot : shared[0].plots) {
    const auto& map = std::get<Heatmap>(plot.marks[0]);
    CHECK(map.scale.lo == 0);
    CHECK(map.scale.hi == 3);
  }
  CHECK(bars_of(paper::compose(shared, {}, options, paper::PaperMeasure(), 1)) == 1);
  // Another map of colors has a range of its own.
  std::vector<Figure> other = two();
  auto& map = std::get<Heatmap>(other[1].plots[0].marks[0]);
  map.scale = {.map = figure::MapName::diverging, .lo = -3, .hi = 3};
  CHECK(bars_of(sheet_of(other, {.rows = 1, .columns = 2, .share_colors = true})) == 2);
}

TEST_CASE("what cannot share says so") {
  std::vector<Figure> figures = two();
  figures[1].plots.push_back(test::heatmap_plot("more", test::ramp(2, 2)));
  CHECK_THROWS_WITH_AS(
      sheet_of(figures, {.share_colors = true}),
      "--share-colors: expected panels of one plot each, got two with 2: name one of its plots",
      core::InputError);
  figures[1].plots.resize(1);
  figures[1].plots[0].marks.clear();
  CHECK_THROWS_AS(sheet_of(figures, {.share_colors = true}), core::InputError);
}

}  // namespace panels_test
