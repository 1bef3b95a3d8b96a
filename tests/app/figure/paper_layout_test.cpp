// On narrow paper: which plots stand in a row, and tables.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/figure/layout.h"
#include "drawn.h"
#include "fake_measure.h"
#include "samples.h"

namespace paper_layout_test {

using namespace figure;

namespace {

// Of plots on narrow paper, which stand in which row.
std::vector<std::vector<int>> rows_on_paper(const Figure& figure, float width) {
  FakeOptions o;
  o.options.paper = true;
  std::map<float, std::vector<int>> by_top;
  const float height = natural_height(figure, width, o.options);
  for (const PlotFrame& frame : layout(figure, {0, 0, width, height}, {}, o.options).frames) {
    by_top[std::round(frame.area.y)].push_back(frame.index);
  }
  std::vector<std::vector<int>> rows;
  for (const auto& [top, members] : by_top) rows.push_back(members);
  return rows;
}

}  // namespace

TEST_CASE(
    "on narrow paper plots keep their order; those that belong to the ones above stay there") {
  Figure figure = samples::lines();
  figure.columns = 4;
  figure.plots.resize(1);
  for (int k = 1; k < 8; ++k) figure.plots.push_back(figure.plots[0]);
  for (int k = 0; k < 8; ++k) {
    figure.plots[std::size_t(k)].id = figure.plots[std::size_t(k)].title = std::to_string(k);
  }
  using Rows = std::vector<std::vector<int>>;
  CHECK(rows_on_paper(figure, 450) == Rows{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  Figure four = figure;
  four.plots.resize(4);
  CHECK(rows_on_paper(four, 600) == Rows{{0, 1}, {2, 3}});  // three would fit
  for (int k = 4; k < 8; ++k) figure.plots[std::size_t(k)].title.clear();
  CHECK(rows_on_paper(figure, 450) == Rows{{0, 1}, {4, 5}, {2, 3}, {6, 7}});
}

TEST_CASE("curves that are alone in the last row fill it on paper, maps keep their size") {
  Figure figure = samples::lines();
  figure.columns = 3;
  figure.plots.resize(1, figure.plots[0]);
  figure.plots.resize(3, figure.plots[0]);
  const auto widths = [&](bool paper) {
    FakeOptions o;
    o.options.paper = paper;
    std::vector<float> all;
    for (const PlotFrame& frame : layout(figure, {0, 0, 450, 500}, {}, o.options).frames) {
      all.push_back(frame.area.w);
    }
    return all;
  };
  REQUIRE(rows_on_paper(figure, 450) == std::vector<std::vector<int>>{{0, 1}, {2}});
  CHECK(widths(true)[2] > 1.5f * widths(true)[0]);
  for (Plot& plot : figure.plots) plot.square = true;
  CHECK(widths(true)[2] <= widths(true)[0] + 1);
}

TEST_CASE("the frame of a selected plot is on the paper, with no title and no margin, too") {
  FakeOptions o;
  o.options.paper = true;
  o.options.card = false;
  o.options.inside = 1;
  Figure figure = samples::lines();
  figure.plots.resize(1);
  figure.title.clear();
  figure.plots[0].title.clear();
  figure.plots[0].thumbnail = figure.plots[0].selected = true;
  for (const Rect box : {Rect{0, 0, 200, 120}, Rect{10, 20, 60, 200}}) {
    const auto frames = all<draw::Outline>(layout(figure, box, {}, o.options));
    REQUIRE(frames.size() == 1);
    const Rect& frame = frames[0].rect;
    CHECK(frame.x - frames[0].width / 2 >= box.x);
    CHECK(frame.y - frames[0].width / 2 >= box.y);
    CHECK(frame.right() + frames[0].width / 2 <= box.right());
    CHECK(frame.bottom() + frames[0].width / 2 <= box.bottom());
  }
}

TEST_CASE("on paper notes of thumbnails stand beside the titles, under them, or are told") {
  FakeOptions o;
  o.options.paper = true;
  Figure figure = samples::thumbnails(4);
  figure.columns = 4;
  const auto at = [&](float width, const std::string& written = "entropy") {
    for (Plot& plot : figure.plots) plot.title = "h1", plot.note = written;
    const Drawing d = layout(figure, {0, 0, width, 300}, {}, o.options);
    float title = 0, note = 0;
    for (const auto& text : all<draw::Text>(d)) {
      if (text.text == "h1") title = text.at.y;
      if (text.text == written) note = text.at.y;
    }
    // All of them or none.
    const auto told = std::count(d.left_out.begin(), d.left_out.end(), written);
    CHECK(told == (note > 0 ? 0 : 4));
    return note > 0 ? note - title : -1;
  };
  CHECK(at(900) == 0);
  CHECK(at(300) > 5);
  CHECK(at(300, std::string(200, 'x')) == -1);
  o.options.paper = false;
  CHECK(!has_text(layout(figure, {0, 0, 300, 300}, {}, o.options), "entropy"));
}

TEST_CASE("a narrow axis has two numbers at least, as one alone tells no scale") {
  FakeOptions o;
  for (const bool log : {true, false}) {
    CAPTURE(log);
    Figure figure = samples::lines();
    figure.plots.resize(1);
    figure.title.clear();
    Axis& x = figure.plots[0].x;
    x.scale = log ? AxisScale::log : AxisScale::linear;
    x.lo = log ? 0.01 : -128, x.hi = log ? 100 : 127;
    const auto at = [&](float width) {
      const Drawing d = layout(figure, {0, 0, width, 200}, {}, o.options);
      return has_text(d, log ? "0.01" : "-100") + has_text(d, log ? "1" : "0") + has_text(d, "100");
    };
    CHECK(at(600) == 3);
    for (float width = 240; width < 300; width += 10) CHECK(at(width) >= 2);
  }
}

TEST_CASE("on paper a narrow axis has three numbers where they have room") {
  const auto at = [](bool paper, float width) {
    FakeOptions o;
    o.options.paper = paper;
    Figure figure = samples::lines();
    figure.plots.resize(1);
    Plot& plot = figure.plots[0];
    plot.x = {.label = "steps", .lo = 0, .hi = 250};
    plot.marks = {Line{.x = {0, 250}, .y = {0, 1}}};
    const Drawing d = layout(figure, {0, 0, width, 260}, {}, o.options);
    return has_text(d, "100") && has_text(d, "200");
  };
  CHECK(at(true, 400));
  CHECK(at(false, 400));
  float width = 400;
  while (width > 100 && at(false, width)) width -= 5;
  CHECK(at(true, width));
  CHECK_FALSE(at(true, 60));
}

TEST_CASE("on paper what a narrow box says is there whole while it has room, or is told") {
  FakeOptions o;
  o.options.paper = true;
  Figure figure{.id = "boxes"};
  Plot plot{.id = "boxes"};
  plot.x = {.hi = 20, .visible = false}, plot.y = {.hi = 1, .visible = false};
  Boxes boxes;
  for (int k = 0; k < 20; ++k) {
    boxes.boxes.push_back({.x0 = k + 0.04, .x1 = k + 0.96, .text = std::string(1, char('a' + k))});
  }
  plot.add(boxes);
  figure.plots = {plot};
  const auto written = [&](float width) {
    const Drawing made = layout(figure, {0, 0, width, 60}, {}, o.options);
    return std::pair{all<draw::Text>(made).size(), made.left_out.size()};
  };
  CHECK(written(400) == std::pair<std::size_t, std::size_t>{20, 0});
  CHECK(written(280) == std::pair<std::size_t, std::size_t>{20, 0});
  CHECK(written(250) == std::pair<std::size_t, std::size_t>{20, 0});
  CHECK(written(100) == std::pair<std::size_t, std::size_t>{0, 20});
}

TEST_CASE("a word that is wider than its box stands in it in lines on paper, and a number is cut") {
  FakeOptions o;
  o.options.paper = true;
  Figure figure{.id = "words", .height = 60};
  Plot plot{.id = "boxes"};
  plot.x = {.hi = 4, .visible = false}, plot.y = {.hi = 1, .visible = false};
  const auto drawn = [&](const std::string& text) {
    Boxes boxes;
    boxes.boxes.push_back({.x0 = 0.04, .x1 = 0.96, .text = text});
    Plot one = plot;
    one.add(boxes);
    Figure with = figure;
    with.plots = {one};
    return layout(with, {0, 0, 160, 60}, {}, o.options);
  };
  const auto word = all<draw::Text>(drawn("walked"));
  REQUIRE(word.size() == 2);
  CHECK(word[0].text + word[1].text == "walked");
  CHECK(word[0].text.size() == 3);  // as many in each
  CHECK(word[1].at.y > word[0].at.y);
  CHECK(drawn("walked").left_out.empty());
  CHECK(all<draw::Text>(drawn("0.123456")).size() == 1);
  CHECK(drawn("0.123456").left_out == std::vector<std::string>{"0.123456"});
  o.options.paper = false;
  CHECK(all<draw::Text>(drawn("walked")).size() == 1);
  CHECK(drawn("walked").left_out.empty());
}

namespace {

Figure bars_figure(std::vector<double> values) {
  Figure figure{.id = "bars", .height = 200};
  Plot plot{.id = "counts"};
  plot.x = {.lo = 0, .hi = double(values.size()), .cells = true};
  plot.y = {.label = "number of keys", .lo = -1, .hi = 9};
  plot.add(Bars{.values = std::move(values)});
  figure.plots = {plot};
  return figure;
}

}  // namespace

TEST_CASE("numbers over narrow bars are turned on paper; what has no room even so is told") {
  FakeOptions o;
  o.options.paper = true;
  const std::vector<double> values = {1.25, 2.5, 3.75, -0.5, 5.25, 6.5, 7.75, 8};
  const auto drawn = [&](float width, std::vector<double> of) {
    return layout(bars_figure(std::move(of)), {0, 0, width, 200}, {}, o.options);
  };
  const auto turned = [](const Drawing& drawing) {
    std::vector<draw::Text> found;
    for (const auto& text : all<draw::Text>(drawing)) {
      if (text.angle != 0) found.push_back(text);
    }
    return found;
  };
  const auto wide = drawn(700, values);
  CHECK(turned(wide).empty());
  CHECK(has_text(wide, "+1.25"));
  const auto narrow = drawn(200, values);
  REQUIRE(turned(narrow).size() == 8);
  CHECK(narrow.left_out.empty());
  for (const auto& text : turned(narrow)) {
    CHECK(text.angle == doctest::Approx(-1.5708));
    const bool below = text.text == "\u22120.50" || text.text == "-0.50";
    CHECK(text.align_x == (below ? 1 : 0));
  }
  o.options.paper = false;
  CHECK(turned(drawn(200, values)).empty());
  o.options.paper = true;
  const auto none = drawn(200, std::vector<double>(60, 4));
  CHECK(turned(none).empty());
  CHECK(none.left_out == std::vector<std::string>{"number of keys: 4, 4, 4, …"});
}

TEST_CASE("on paper a table breaks no word that has room, and no number from its percent sign") {
  FakeOptions o;
  o.options.paper = true;
  Figure figure = samples::table();
  Table& table = std::get<Table>(figure.plots[0].marks[0]);
  table.columns = {{"a", 1, -1}, {"b", 6, -1}};
  table.rows = {{{Span{"unbreakable"}}, {Span{"some words that go on for more than a line"}}},
                {{Span{"10.94 %"}}, {Span{"x"}}}};
  const float width = 320;
  const float height = natural_height(figure, width, o.options);
  const Drawing drawing = layout(figure, {0, 0, width, height}, {}, o.options);
  CHECK(has_text(drawing, "unbreakable"));
  CHECK(has_text(drawing, "10.94 %"));
  table.columns = {{"", 1, -1}};
  table.rows = {{{Span{"in all 10.94 % of it"}}}};
  for (float narrow = 110; narrow < 260; narrow += 5) {
    for (const auto& text : all<draw::Text>(layout(figure, {0, 0, narrow, 300}, {}, o.options))) {
      CHECK_MESSAGE(!text.text.starts_with("%"), narrow);
    }
  }
}

TEST_CASE("a table with more columns than narrow paper has room for stands in several parts") {
  FakeOptions o;
  o.options.paper = true;
  Figure figure = samples::table();
  Table& table = std::get<Table>(figure.plots[0].marks[0]);
  table.columns.assign(8, {"title", 1, 1});
  table.rows.clear();
  for (int row = 0; row < 3; ++row) {
    auto& cells = table.rows.emplace_back();
    for (int k = 0; k < 8; ++k) cells.push_back({Span{std::to_string(1000000 + 10 * row + k)}});
  }
  const auto drawn = [&](float width) {
    const float height = natural_height(figure, width, o.options);
    return layout(figure, {0, 0, width, height}, {}, o.options);
  };
  const Drawing narrow = drawn(300), wide = drawn(1000);
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 8; ++k) {
      const std::string number = std::to_string(1000000 + 10 * row + k);
      CHECK_MESSAGE(has_text(narrow, number), number);
    }
  }
  const auto count = [](const Drawing& drawing) {
    const auto texts = all<draw::Text>(drawing);
    return std::count_if(texts.begin(), texts.end(),
                         [](const auto& text) { return text.text == "1000000"; });
  };
  CHECK(count(wide) == 1);
  CHECK(count(narrow) > 1);  // the first column stands in each part
}

}  // namespace paper_layout_test
