// What travels from one plot to another, and from where to where.
#include "app/lesson/flight.h"

#include <doctest/doctest.h>

#include "app/figure/tile_source.h"
#include "rig.h"

namespace flight_test {

using lesson::Flying;

// A matrix of 3 x 4 in one plot, four bars in another, one point in a third.
lab::Page page() {
  core::Matrix cells(3, 4);
  for (core::Index k = 0; k < cells.size(); ++k) cells.data()[k] = static_cast<float>(k) / 11;
  figure::Plot map{.id = "map", .x = {.hi = 4, .cells = true}, .y = {.hi = 3, .cells = true}};
  map.add(figure::Heatmap{.source = std::make_shared<figure::DenseSource>(cells)});
  figure::Plot bars{.id = "bars", .x = {.hi = 4, .cells = true}, .y = {.hi = 1}};
  bars.add(figure::Bars{.values = {0.25, 0.5, 0.75, 1}, .color = figure::Role::query, .marked = 2});
  figure::Plot sum{.id = "sum", .x = {.hi = 1}, .y = {.hi = 1}};
  figure::Points point{.color = figure::Role::value};
  point.add(0.5, 0.5);
  sum.add(std::move(point));
  lab::Page made;
  made.figures.push_back({.id = "all", .plots = {map, bars, sum}});
  return made;
}

// Each plot is 400 x 300 pixels, one under the other.
std::optional<figure::PlotFrame> frame_of(const figure::Plot& plot) {
  const float y = plot.id == "map" ? 0.0f : plot.id == "bars" ? 300.0f : 600.0f;
  figure::PlotFrame frame;
  frame.id = plot.id;
  frame.area = frame.whole = {0, y, 400, 300};
  frame.shown = {plot.x.lo, plot.x.hi, plot.y.lo, plot.y.hi};
  if (plot.id != "map") std::swap(frame.shown.y0, frame.shown.y1);  // values rise upwards
  return frame;
}

std::vector<Flying> fly(const std::string& from, const std::string& to,
                        const lesson::FrameOf& frames = frame_of) {
  const lesson::Where where{"flight.md", 1};
  const lab::Page made = page();
  const lesson::Sight sight{.page = &made};
  return lesson::flights(
      {{{1, lesson::read_reference(from, where)}, {1, lesson::read_reference(to, where)}}}, sight,
      frames, figure::theme(figure::ThemeName::dark));
}

TEST_CASE("a row becomes bars, one to one, and leaves from left to right") {
  const auto all = fly("cell:map:1,*", "bar:bars");
  REQUIRE(all.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(k);
    const auto left = static_cast<float>(k) * 100;
    CHECK(all[k].from == figure::Rect{left, 100, 100, 100});
    CHECK(all[k].to.x == doctest::Approx(left + 8));
    CHECK(all[k].to.h == doctest::Approx(75 * static_cast<float>(k + 1)));
    CHECK(all[k].at(0).rect == all[k].from);
    CHECK(all[k].at(0).color == all[k].begins);
    CHECK(all[k].at(1).rect == all[k].to);
    CHECK(all[k].at(1).color == all[k].ends);
    if (k > 0) CHECK(all[k].delay > all[k - 1].delay);
  }
  const figure::Theme& theme = figure::theme(figure::ThemeName::dark);
  CHECK(all[1].ends == theme.query);
  CHECK(all[2].ends == theme.accent);  // the marked one
  const figure::ValueColors colors({}, theme);
  CHECK(all[2].begins == colors.color(6.0f / 11));
}

TEST_CASE("many go to one, one goes to many, and a plot goes as a whole") {
  const auto joined = fly("bar:bars", "point:sum:0");
  REQUIRE(joined.size() == 4);
  for (const Flying& one : joined) CHECK(one.to == joined[0].to);
  const auto spread = fly("point:sum:0", "bar:bars");
  REQUIRE(spread.size() == 4);
  for (const Flying& one : spread) CHECK(one.from == spread[0].from);
  const auto whole = fly("plot:map", "bar:bars:3");
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].from == figure::Rect{0, 0, 400, 300});
  // Twelve cells in four columns to four bars, each column to its own.
  const auto shared = fly("cell:map", "bar:bars");
  REQUIRE(shared.size() == 12);
  for (std::size_t k = 0; k < 12; ++k) CHECK(shared[k].to == shared[k % 4].to);
  CHECK(shared[5].from == figure::Rect{100, 100, 100, 100});
  CHECK_FALSE(shared[1].to == shared[0].to);
}

TEST_CASE("what is not shown or not there does not fly") {
  CHECK(fly("cell:map:7,*", "bar:bars").empty());
  CHECK(fly("cell:nowhere", "bar:bars").empty());
  const auto without_map = [](const figure::Plot& plot) {
    return plot.id == "map" ? std::nullopt : frame_of(plot);
  };
  CHECK(fly("cell:map:1,*", "bar:bars", without_map).empty());
  CHECK(fly("bar:bars", "point:sum:0", without_map).size() == 4);
}

TEST_CASE("\"travel:\" names two things of the page; else it is refused with its line") {
  const auto lesson = [](const std::string& line) {
    return "# T\nabout: a\nminutes: 1\nlab: softmax\n\n## One\n" + line + "\n\nWords.\n";
  };
  CHECK(rig::fault(lesson("travel: bar:logits to bar:weights")) == "");
  CHECK(rig::fault(lesson("travel: bar:logits")).find("class.md, line 7: ") == 0);
  CHECK(rig::fault(lesson("travel: bar:logits")).find("two names such as") != std::string::npos);
  CHECK(rig::fault(lesson("travel: knob:temperature to bar:weights")).find("knob:temperature") !=
        std::string::npos);
  CHECK(rig::fault(lesson("travel: bar:logits to ")).find("got") != std::string::npos);
}

}  // namespace flight_test
