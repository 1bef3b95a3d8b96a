#include "app/figure/layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "drawn.h"
#include "fake_measure.h"
#include "samples.h"

namespace layout_test {

using namespace figure;

namespace {

// What a text covers, without its turn.
Rect cover(const draw::Text& t, const TextMeasure& measure) {
  const Point size = measure.size(t.text, t.style);
  return {t.at.x - t.align_x * size.x, t.at.y - t.align_y * size.y, size.x, size.y};
}

bool overlap(const Rect& a, const Rect& b) {
  const float slack = 0.5f;
  return a.x + slack < b.right() && b.x + slack < a.right() && a.y + slack < b.bottom() &&
         b.y + slack < a.bottom();
}

const std::vector<Figure>& every_sample() {
  static const std::vector<Figure> figures = {
      samples::heatmaps(), samples::thumbnails(7), samples::lines(), samples::strips(),
      samples::links(),    samples::field(),       samples::table()};
  return figures;
}

}  // namespace

TEST_CASE("pixels to data and back, on linear and logarithmic axes") {
  PlotFrame f;
  f.area = {100, 50, 400, 200};
  f.shown = {1, 1000, 5, -5};
  f.x_log = true;
  CHECK(f.px_at(1) == doctest::Approx(100));
  CHECK(f.px_at(1000) == doctest::Approx(500));
  CHECK(f.x_at(f.px_at(10)) == doctest::Approx(10));
  CHECK(f.px_at(10) == doctest::Approx(100 + 400 / 3.0));
  CHECK(f.py_at(5) == doctest::Approx(50));
  CHECK(f.py_at(-5) == doctest::Approx(250));
  CHECK(f.y_at(150) == doctest::Approx(0));
  f.area = {};
  CHECK(std::isfinite(f.x_at(3)));
}

TEST_CASE("a note keeps clear of the corner that is left free for a button") {
  Figure figure = samples::lines();
  figure.note = "a note that is as long as anything that stands beside a title may ever be";
  for (const float width : {320.0f, 640.0f, 1200.0f}) {
    for (const float corner : {0.0f, 24.0f}) {
      FakeOptions o;
      o.options.corner = corner;
      const Drawing drawing = layout(figure, {0, 0, width, 320}, {}, o.options);
      float right = 0;
      for (const Primitive& one : drawing.primitives) {
        const auto* text = std::get_if<draw::Text>(&one);
        if (!text || text->at.y > 40) continue;
        right = std::max(right, cover(*text, *o.options.measure).right());
      }
      CAPTURE(width);
      CAPTURE(corner);
      CHECK(right <= width - o.options.inside - corner + 0.5f);
    }
  }
}

TEST_CASE("a row of small pictures becomes several where it is narrow") {
  const FakeOptions o;
  Figure figure = samples::thumbnails(8);
  figure.columns = 8;
  const auto tops = [&](float width) {
    const Drawing d = layout(figure, {0, 0, width, 200}, {}, o.options);
    REQUIRE(d.frames.size() == 8);
    std::set<float> all;
    for (const PlotFrame& frame : d.frames) all.insert(frame.area.y);
    return all.size();
  };
  CHECK(tops(900) == 1);
  CHECK(tops(340) == 2);
  figure.columns = 4;  // a table of two rows keeps its shape
  CHECK(tops(900) == 2);
  CHECK(tops(340) == 2);
}

TEST_CASE("heatmaps of a row have equal cells, aligned tops, and names once") {
  const FakeOptions o;
  const Drawing d = layout(samples::heatmaps(), {0, 0, 700, 360}, {}, o.options);
  REQUIRE(d.frames.size() == 2);
  CHECK(d.frames[0].area.w == d.frames[1].area.w);
  CHECK(d.frames[0].area.w == doctest::Approx(d.frames[0].area.h));
  CHECK(d.frames[0].area.y == d.frames[1].area.y);
  const auto texts = all<draw::Text>(d);
  const auto rows = std::count_if(texts.begin(), texts.end(), [](const draw::Text& t) {
    return t.text == "river" && t.align_x == 1;
  });
  CHECK(rows == 1);
  // The long token is cut to twelve letters with the ellipsis.
  CHECK(has_text(d, "extraordina…"));
}

TEST_CASE("plots of a row start at one height though their headers and names differ") {
  const FakeOptions o;
  Figure f = samples::heatmaps();
  f.plots[1].title = "a title that is much too long to stand beside a colour bar";
  f.plots[1].x.labels = nullptr;
  f.plots.push_back(f.plots[0]);
  f.plots[2].title.clear();
  std::get<Heatmap>(f.plots[2].marks[0]).color_bar = false;
  const Drawing d = layout(f, {0, 0, 900, 360}, {}, o.options);
  REQUIRE(d.frames.size() == 3);
  for (const PlotFrame& frame : d.frames) {
    CHECK(frame.area.y == d.frames[0].area.y);
    CHECK(frame.area.h == d.frames[0].area.h);
  }
  // Titles stand on the upper line, bars on the lower one.
  const auto texts = all<draw::Text>(d);
  const auto title = std::find_if(texts.begin(), texts.end(),
                                  [](const draw::Text& t) { return t.text == "weights"; });
  REQUIRE(title != texts.end());
  for (const draw::ColorBar& bar : all<draw::ColorBar>(d)) CHECK(bar.rect.y > title->at.y + 5);
}

TEST_CASE("nothing leaves the card, whatever its size and scale, and level texts do not overlap") {
  for (const float scale : {1.0f, 1.5f, 3.0f}) {
    const FakeOptions o(scale);
    for (const Figure& figure : every_sample()) {
      for (const float w : {300.0f, 480.0f, 700.0f, 1200.0f}) {
        for (const float h : {120.0f, 200.0f, 320.0f, 500.0f}) {
          const Rect box{7, 9, w * scale, h * scale};
          const Drawing d = layout(figure, box, {}, o.options);
          const Rect within{box.x - 1, box.y - 1, box.w + 2, box.h + 2};
          std::vector<Rect> level;
          for (const draw::Text& t : all<draw::Text>(d)) {
            if (t.angle != 0) continue;
            const Rect r = cover(t, o.measure);
            CHECK_MESSAGE((r.x >= within.x && r.right() <= within.right()),
                          figure.id << " " << w << "x" << h << " at " << scale << ": " << t.text);
            CHECK_MESSAGE((r.y >= within.y && r.bottom() <= within.bottom()),
                          figure.id << " " << w << "x" << h << " at " << scale << ": " << t.text);
            // Names of cells may come as near as 11 pixels; the fake font's lines are higher.
            level.push_back({r.x, r.y + r.h * 0.2f, r.w, r.h * 0.6f});
          }
          int overlaps = 0;
          for (std::size_t i = 0; i < level.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) overlaps += overlap(level[i], level[j]);
          }
          CHECK_MESSAGE(overlaps == 0, figure.id << " " << w << "x" << h << " at " << scale);
        }
      }
    }
  }
}

TEST_CASE("small, empty and impossible boxes and figures") {
  const FakeOptions o;
  for (const Figure& figure : every_sample()) {
    for (const float w : {-5.0f, 0.0f, 1.0f, 3.0f, 17.0f, 40.0f, 90.0f}) {
      for (const float h : {-5.0f, 0.0f, 1.0f, 3.0f, 17.0f, 40.0f, 90.0f}) {
        const Drawing d = layout(figure, {0, 0, w, h}, {}, o.options);
        for (const PlotFrame& f : d.frames) {
          CHECK(f.area.w >= 0);
          CHECK(f.area.h >= 0);
          CHECK(std::isfinite(f.area.x));
        }
        crosshair(figure, d, {{"keys", 2.5}, {"queries", 1}}, o.options);
      }
    }
  }
  CHECK(layout(Figure{}, {0, 0, 300, 200}, {}, o.options).frames.empty());
  Figure odd;
  odd.plots.resize(3);
  odd.plots[0].x.lo = odd.plots[0].x.hi = 4;
  odd.plots[1].x.lo = std::nan("");
  odd.plots[1].y.scale = AxisScale::log;  // from 0: not possible
  odd.plots[2].marks = {Heatmap{}, Line{}, Bars{}, Links{}, Points{}, Band{}};
  CHECK(layout(odd, {0, 0, 900, 300}, {}, o.options).frames.size() == 3);
}

TEST_CASE("a view shows a part: cells are clipped to what there is") {
  const FakeOptions o;
  const Figure figure = samples::heatmaps();
  const View part{2, 5, 1, 4};
  Drawing d = layout(figure, {0, 0, 700, 360}, {{"scores", part}}, o.options);
  CHECK(d.frames[0].shown == part);
  CHECK(d.frames[1].shown == View{0, 6, 0, 6});
  auto cells = all<draw::Cells>(d);
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].shown == part);
  CHECK(cells[0].rect == d.frames[0].area);
  // Half outside of the matrix: half of the area.
  d = layout(figure, {0, 0, 700, 360}, {{"scores", {-6, 6, 0, 6}}}, o.options);
  cells = all<draw::Cells>(d);
  CHECK(cells[0].shown == View{0, 6, 0, 6});
  CHECK(cells[0].rect.w == doctest::Approx(d.frames[0].area.w / 2));
  CHECK(cells[0].rect.x == doctest::Approx(d.frames[0].area.x + d.frames[0].area.w / 2));
  // What cannot be shown is not.
  d = layout(figure, {0, 0, 700, 360}, {{"scores", {3, 3, 0, std::nan("")}}}, o.options);
  CHECK(d.frames[0].shown == View{0, 6, 0, 6});
}

TEST_CASE("many cells are pooled, and the plot says so; device pixels count") {
  FakeOptions o;
  Figure f;
  f.plots = {samples::heatmap_plot("big", 2048, 2048)};
  Drawing d = layout(f, {0, 0, 400, 400}, {}, o.options);
  auto cells = all<draw::Cells>(d);
  REQUIRE(cells.size() == 1);
  CHECK(cells[0].level == level_for(2048, static_cast<double>(cells[0].rect.w)));
  CHECK(cells[0].level == 3);
  CHECK(has_text(d, "8×8 max"));
  o.options.pixel_ratio = 2;
  CHECK(all<draw::Cells>(layout(f, {0, 0, 400, 400}, {}, o.options))[0].level == 2);
  // Zoomed in far enough no cell is pooled.
  d = layout(f, {0, 0, 400, 400}, {{"big", {0, 100, 0, 100}}}, o.options);
  CHECK(all<draw::Cells>(d)[0].level == 0);
}

TEST_CASE("numbers stand in cells that are large enough, and not in masked ones") {
  const FakeOptions o;
  Figure f;
  f.plots = {samples::heatmap_plot("small", 3, 3)};
  f.plots[0].square = false;
  const Drawing d = layout(f, {0, 0, 500, 300}, {}, o.options);
  CHECK(has_text(d, "0.333"));        // row 1, column 0 of 3 by 3
  CHECK_FALSE(has_text(d, "0.222"));  // row 0, column 2: hidden by the causal mask
  CHECK_FALSE(has_text(d, "NaN"));
}

TEST_CASE("nothing costs the cells: a heatmap of a billion is laid out at once") {
  struct Huge final : TileSource {
    mutable int asked = 0;
    Index rows() const override { return 1 << 30; }
    Index cols() const override { return 1 << 30; }
    float value(Index, Index) const override { return static_cast<float>(++asked); }
    void pooled(int, const Region&, Pool, float*, const core::Cancel&) const override { ++asked; }
    double cost(int, const Region&, core::Pool) const override { return 0; }
  };
  const FakeOptions o;
  const auto source = std::make_shared<Huge>();
  Figure f;
  f.plots = {samples::heatmap_plot("huge", 2, 2)};
  f.plots[0].x.hi = f.plots[0].y.hi = 1 << 30;
  std::get<Heatmap>(f.plots[0].marks[0]).source = source;
  const Drawing d = layout(f, {0, 0, 500, 300}, {}, o.options);
  CHECK(source->asked == 0);
  CHECK(d.primitives.size() < 100);
}

TEST_CASE("a thumbnail takes its click anywhere; the contact sheet fills rows evenly") {
  const FakeOptions o;
  const Drawing d = layout(samples::thumbnails(8), {0, 0, 400, 260}, {}, o.options);
  CHECK(d.hits.size() == 8);
  CHECK(d.hits[3].click == Assignments{{"head", "4"}});
  std::set<float> tops, sizes;
  for (const PlotFrame& f : d.frames) {
    tops.insert(f.area.y);
    sizes.insert(f.area.w);
  }
  CHECK(tops.size() == 2);
  CHECK(sizes.size() == 1);
}

TEST_CASE("bars, points and words can be hit") {
  const FakeOptions o;
  Drawing d = layout(samples::strips(), {0, 0, 480, 260}, {}, o.options);
  REQUIRE(d.hits.size() == 8);
  CHECK(d.hits[1].click == Assignments{{"dim", "1"}});
  CHECK(d.hits[1].tooltip == "1: -1.25");
  CHECK(d.hits[5].plot == 1);
  CHECK(d.hits[1].rect.contains({d.frames[0].px_at(1.5), d.frames[0].py_at(0)}));
  d = layout(samples::lines(), {0, 0, 480, 300}, {}, o.options);
  REQUIRE(d.hits.size() == 1);
  CHECK(d.hits[0].rect.contains({d.frames[0].px_at(100), d.frames[0].py_at(0.7)}));
  d = layout(samples::links(), {0, 0, 320, 240}, {}, o.options);
  REQUIRE(d.hits.size() == 12);
  CHECK(d.hits[4].click == Assignments{{"query", "4"}});
  CHECK(d.hits[8].click == Assignments{{"key", "2"}});
  CHECK(d.hits[4].tooltip == "extraordinarily");
}

TEST_CASE("links that lead nowhere are not drawn, faint ones lie under strong ones") {
  const FakeOptions o;
  const auto curves = all<draw::Curve>(layout(samples::links(), {0, 0, 320, 240}, {}, o.options));
  REQUIRE(curves.size() == 2);
  CHECK(curves[0].width < curves[1].width);
  CHECK(curves[0].color.a < curves[1].color.a);
}

TEST_CASE("a long line is thinned out to its pixels and keeps its peaks") {
  const FakeOptions o;
  Figure f;
  f.plots.resize(1);
  f.plots[0].x.hi = 100000;
  f.plots[0].y.lo = -1;
  Line line;
  for (int k = 0; k <= 100000; ++k) {
    line.x.push_back(k);
    line.y.push_back(k == 54321 ? 1 : k == 54322 ? -1 : 0.1 * std::sin(k));
  }
  f.plots[0].marks = {line};
  const Drawing d = layout(f, {0, 0, 500, 300}, {}, o.options);
  const auto paths = all<draw::Path>(d);
  const auto longest = std::max_element(
      paths.begin(), paths.end(),
      [](const auto& a, const auto& b) { return a.points.size() < b.points.size(); });
  CHECK(longest->points.size() <= 4 * 500);
  CHECK(longest->points.size() >= 500);
  const auto [high, low] = std::minmax_element(longest->points.begin(), longest->points.end(),
                                               [](Point a, Point b) { return a.y < b.y; });
  CHECK(high->y == doctest::Approx(d.frames[0].py_at(1)));
  CHECK(low->y == doctest::Approx(d.frames[0].py_at(-1)));
}

TEST_CASE("NaN and infinity break a line") {
  const FakeOptions o;
  for (const double gap : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Figure f;
    f.plots.resize(1);
    f.plots[0].x.visible = f.plots[0].y.visible = false;
    f.plots[0].marks = {Line{{0, 0.2, 0.4, 0.6, 0.8}, {0, 1, gap, 1, 0}, Role::key}};
    const auto paths = all<draw::Path>(layout(f, {0, 0, 500, 300}, {}, o.options));
    REQUIRE(paths.size() == 2);
    CHECK(paths[0].points.size() == 2);
    CHECK(paths[1].points.size() == 2);
  }
}

TEST_CASE("a staircase's heights hold halfway to the next, also where an axis is logarithmic") {
  const FakeOptions o;
  for (const AxisScale scale : {AxisScale::linear, AxisScale::log}) {
    Figure f;
    f.plots.resize(1);
    f.plots[0].x = {.lo = 1, .hi = 16, .scale = scale, .visible = false};
    f.plots[0].y.visible = false;
    f.plots[0].marks = {Line{.x = {1, 4, 16}, .y = {0, 0, 1}, .color = Role::key, .steps = true}};
    const Drawing drawn = layout(f, {0, 0, 500, 300}, {}, o.options);
    const PlotFrame& frame = drawn.frames[0];
    const auto paths = all<draw::Path>(drawn);
    REQUIRE(paths.size() == 1);
    const auto& points = paths[0].points;
    REQUIRE(points.size() == 5);  // 1, 4, two at the edge, 16
    CHECK(points[2].x == doctest::Approx((frame.px_at(4) + frame.px_at(16)) / 2));
    CHECK(points[2].y == points[1].y);
    CHECK(points[3].x == points[2].x);
    CHECK(points[3].y == points[4].y);
  }
}

TEST_CASE("more bars than pixels become one a pixel, the largest of each shown") {
  const FakeOptions o;
  Figure f;
  f.plots.resize(1);
  f.plots[0].x.cells = true;
  f.plots[0].x.hi = 20000;
  Bars bars;
  bars.values.assign(20000, 0.1);
  bars.values[7777] = 1;
  f.plots[0].marks = {bars};
  const Drawing d = layout(f, {0, 0, 500, 300}, {}, o.options);
  const auto fills = all<draw::Fill>(d);
  CHECK(fills.size() <= 510);
  const float top = d.frames[0].py_at(1);
  CHECK(std::any_of(fills.begin() + 1, fills.end(),
                    [&](const draw::Fill& b) { return std::abs(b.rect.y - top) < 0.01f; }));
}

TEST_CASE("clips are closed") {
  const FakeOptions o;
  for (const Figure& figure : every_sample()) {
    const Drawing d = layout(figure, {0, 0, 640, 320}, {}, o.options);
    CHECK(all<draw::Clip>(d).size() == all<draw::Unclip>(d).size());
  }
}

TEST_CASE("a source that can be repeated is pooled along its long side alone") {
  struct Long final : TileSource {
    Index row_bits = 0, col_bits = 0;
    Index rows() const override { return Index{100000} << row_bits; }
    Index cols() const override { return Index{8} << col_bits; }
    float value(Index, Index) const override { return 0; }
    void pooled(int, const Region&, Pool, float*, const core::Cancel&) const override {}
    double cost(int, const Region&, core::Pool) const override { return 0; }
    std::shared_ptr<const TileSource> repeated(int r, int c) const override {
      auto source = std::make_shared<Long>();
      source->row_bits = r;
      source->col_bits = c;
      return source;
    }
  };
  const FakeMeasure measure;
  const LayoutOptions options{&theme(ThemeName::light), &measure};
  Figure figure = samples::heatmaps();
  figure.plots.resize(1);
  Plot& plot = figure.plots[0];
  plot.square = false;
  plot.x.labels = plot.y.labels = nullptr;
  plot.x.hi = 8;
  plot.y.hi = 100000;
  std::get<Heatmap>(plot.marks[0]).source = std::make_shared<Long>();
  const Drawing drawing = layout(figure, {0, 0, 400, 400}, {}, options);
  const auto cells = all<draw::Cells>(drawing);
  REQUIRE(cells.size() == 1);
  CHECK(cells[0].col_level == 0);
  CHECK(cells[0].row_level == cells[0].level);
  CHECK(std::ldexp(100000.0, -cells[0].level) <= static_cast<double>(cells[0].rect.h));
  CHECK(cells[0].source->rows() == 100000);
  CHECK(cells[0].source->cols() == Index{8} << cells[0].level);
  CHECK(cells[0].shown.x1 == std::ldexp(8.0, cells[0].level));
  CHECK(has_text(drawing, std::to_string(1L << cells[0].level) + "×1 max"));
}

}  // namespace layout_test
