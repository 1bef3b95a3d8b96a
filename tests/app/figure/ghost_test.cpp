#include "app/figure/ghost.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "app/figure/layout.h"
#include "fake_measure.h"
#include "samples.h"

namespace ghost_test {

using namespace figure;

namespace {

Plot curve(double top, const std::string& id = "curve") {
  Plot plot;
  plot.id = id;
  plot.x = {.label = "x", .lo = 0, .hi = 2};
  plot.y = {.label = "y", .lo = 0, .hi = 4};
  plot.marks = {Line{{0, 1, 2}, {0, top, 0}}};
  return plot;
}

Plot table(Index rows, Index cols, float first, const std::string& id = "table") {
  Plot plot;
  plot.id = id;
  plot.x = {.label = "key", .lo = 0, .hi = static_cast<double>(cols), .cells = true};
  plot.y = {.label = "query", .lo = 0, .hi = static_cast<double>(rows), .cells = true};
  core::Matrix cells(rows, cols);
  for (Index k = 0; k < rows * cols; ++k) cells.data()[k] = first + static_cast<float>(k);
  Heatmap map;
  map.source = std::make_shared<DenseSource>(std::move(cells));
  map.scale.hi = 40;
  map.row_param = "query";
  plot.marks = {map};
  return plot;
}

Figure figure_of(const Plot& plot) {
  Figure f;
  f.id = "figure";
  f.plots = {plot};
  return f;
}

Drawing drawn(const Plot& live, const std::vector<Figure>* held, bool split = true, float at = 0.5f,
              bool paper = false) {
  FakeOptions fake;
  const Ghost ghost{.held = held, .split = split, .at = at, .now = "now", .then = "held"};
  fake.options.paper = paper;
  if (held) fake.options.ghost = &ghost;
  return layout(figure_of(live), {0, 0, 500, 320}, {}, fake.options);
}

template <class T>
std::vector<T> all_of(const Drawing& drawing) {
  std::vector<T> found;
  for (const Primitive& one : drawing.primitives) {
    if (const T* p = std::get_if<T>(&one)) found.push_back(*p);
  }
  return found;
}

// The ghosts of curves and bars.
bool is_faint(const draw::Path& path) { return path.points.size() > 2 && path.color.a < 255; }
std::vector<draw::Path> faint(const Drawing& drawing) {
  auto paths = all_of<draw::Path>(drawing);
  std::erase_if(paths, [](const draw::Path& path) { return !is_faint(path); });
  return paths;
}

std::vector<Primitive> of_marks(const Drawing& drawing) {
  std::vector<Primitive> all;
  for (const Section& s : drawing.marks) {
    for (std::size_t k = s.begin; k < s.end; ++k) all.push_back(drawing.primitives[k]);
  }
  return all;
}

}  // namespace

TEST_CASE("what has not changed has no ghost, and a drawing knows") {
  const std::vector<Figure> same = {figure_of(curve(2))}, other = {figure_of(curve(3))};
  CHECK(drawn(curve(2), &same).ghosts.empty());
  CHECK(drawn(curve(2), &other).ghosts == std::set<std::size_t>{Mark(Line{}).index()});
  CHECK(drawn(curve(2), nullptr).ghosts.empty());
}

TEST_CASE("a cell that has changed has its color of before in its corner") {
  const Plot live = table(3, 4, 0);
  Plot held = live;
  core::Matrix cells(3, 4);
  for (Index k = 0; k < 12; ++k) cells.data()[k] = static_cast<float>(k);
  cells(1, 2) = 30;
  std::get<Heatmap>(held.marks[0]).source = std::make_shared<DenseSource>(std::move(cells));
  CHECK(has_corners(live, held));
  CHECK_FALSE(has_corners(live, live));
  const std::vector<Figure> then = {figure_of(held)};
  const auto fills = [&](bool corners) {
    FakeOptions fake;
    const Ghost ghost{.held = &then, .before = corners};
    fake.options.ghost = &ghost;
    return all_of<draw::Fill>(layout(figure_of(live), {0, 0, 500, 320}, {}, fake.options));
  };
  const auto with = fills(true);
  REQUIRE(with.size() == fills(false).size() + 2);  // its rim, and itself
  const ValueColors colors(std::get<Heatmap>(live.marks[0]).scale, *FakeOptions().options.theme);
  CHECK(with.back().color == colors.color(30));
  // Where there are many, they would be read as cells of their own.
  CHECK_FALSE(has_corners(table(11, 4, 0), table(11, 4, 1)));
  CHECK_FALSE(has_corners(table(3, 4, 0), table(4, 3, 1)));
}

TEST_CASE(
    "a held curve has rings in the live axes, under the live one, and is no part of the marks") {
  const std::vector<Figure> held{figure_of(curve(2))};
  const Drawing plain = drawn(curve(3), nullptr), both = drawn(curve(3), &held);
  CHECK(faint(plain).empty());
  REQUIRE(faint(both).size() == 1);
  // What is dashed means something else already.
  CHECK_FALSE(faint(both)[0].dashed);
  for (const draw::Path& path : all_of<draw::Path>(plain)) {
    if (path.points.size() == 3) CHECK(faint(both)[0].width < path.width);
  }
  std::size_t rings = 0;
  for (const draw::Disc& disc : all_of<draw::Disc>(both)) rings += disc.filled ? 0 : 1;
  CHECK(rings > 5);
  CHECK(all_of<draw::Disc>(plain).empty());
  const PlotFrame& frame = both.frames[0];
  CHECK(frame.area == plain.frames[0].area);  // nothing moves to make room
  CHECK(faint(both)[0].points[1].y == doctest::Approx(frame.py_at(2)));
  CHECK(of_marks(both) == of_marks(plain));  // motion finds what it found
  const auto place = [&](bool ghost) {
    const auto found = std::find_if(both.primitives.begin(), both.primitives.end(), [&](auto& one) {
      const auto* path = std::get_if<draw::Path>(&one);
      return path && path->points.size() == 3 && is_faint(*path) == ghost;
    });
    return found - both.primitives.begin();
  };
  CHECK(place(true) < place(false));
}

TEST_CASE("what has not changed has no ghost") {
  for (const Plot& plot : {curve(3), table(3, 4, 0)}) {
    const std::vector<Figure> held{figure_of(plot)};
    CHECK(record(drawn(plot, &held, false)) == record(drawn(plot, nullptr)));
  }
}

TEST_CASE("a curve that is there already has no ghost, whichever mark it is now") {
  Plot now = curve(3), then = curve(3);
  now.marks.insert(now.marks.begin(), Line{{0, 1, 2}, {1, 1, 1}});
  const std::vector<Figure> held{figure_of(then)};
  CHECK(faint(drawn(now, &held)).empty());
  std::get<Line>(now.marks[1]).width = 4;  // it has become the chosen one
  CHECK(faint(drawn(now, &held)).empty());
}

TEST_CASE(
    "what looks as it did has no ghost: a point of another colour, a bar's end within a pixel") {
  Plot now = curve(0), then = now;
  now.marks = {Points{.x = {1}, .y = {2}, .color = Role::accent, .radius = 5}};
  then.marks = {Points{.x = {1}, .y = {2}, .color = Role::query, .radius = 3}};
  const auto ghosts = [&] {
    const std::vector<Figure> held{figure_of(then)};
    return drawn(now, &held).ghosts.size();
  };
  CHECK(ghosts() == 0);
  std::get<Points>(then.marks[0]).y = {2.02};  // a pixel away: its ring lies under the point
  CHECK(ghosts() == 0);
  std::get<Points>(then.marks[0]).y = {2.1};
  CHECK(ghosts() == 1);
  now.x.cells = then.x.cells = true;
  now.marks = {Bars{{3, 1}}};
  then.marks = {Bars{{3.001, 1}}};
  CHECK(ghosts() == 0);
  then.marks = {Bars{{3.1, 1}}};
  CHECK(ghosts() == 1);
}

TEST_CASE("bars that were others are outlined, open where they go beyond the axis") {
  Plot now = curve(0);
  now.x.cells = true;
  now.x.hi = 3;
  now.marks = {Bars{{4, 1, 2}}};
  Plot then = now;
  then.marks = {Bars{{6, 1, 3}}};  // the first is cut off by the live axis as the live one ends
  const std::vector<Figure> held{figure_of(then)};
  const auto ghosts = faint(drawn(now, &held));
  REQUIRE(ghosts.size() == 3);
  CHECK_FALSE(ghosts[0].closed);
  // A sign says that it goes on.
  CHECK(ghosts[1].points.size() == 3);
  const Rect& area = drawn(now, &held).frames[0].area;
  for (const Point& one : ghosts[1].points) {
    CHECK(one.y >= area.y);
    CHECK(one.y < area.y + 12);
  }
  CHECK(ghosts[2].closed);
  for (const draw::Path& one : ghosts) CHECK_FALSE(one.dashed);
  // And nothing more can be pointed at than without them.
  CHECK(drawn(now, &held).hits.size() == drawn(now, nullptr).hits.size());
}

TEST_CASE("held outlines leave the numbers of bars free") {
  Plot now = curve(0);
  now.x.cells = true;
  now.x.hi = 3;
  Bars bars{{2, 1, 2}};
  bars.numbers = true;
  now.marks = {bars};
  Plot then = now;
  bars.values = {2.15, 1, 2};  // its upper edge would strike the first number
  then.marks = {bars};
  const std::vector<Figure> held{figure_of(then)};
  const Drawing both = drawn(now, &held, true, 0.5f, true);
  const FakeMeasure measure;
  std::size_t numbers = 0, pieces = 0;
  for (const draw::Text& text : all_of<draw::Text>(both)) {
    if (text.text != "2.00" && text.text != "2" && text.text != "1") continue;
    ++numbers;
    const float wide = measure.size(text.text, text.style).x;
    const Rect r{text.at.x - text.align_x * wide, text.at.y - 4, wide, 8};
    for (const draw::Path& path : all_of<draw::Path>(both)) {
      if (path.color.a == 255 || path.points.size() < 2) continue;
      for (std::size_t k = 1; k < path.points.size(); ++k) {
        const Point a = path.points[k - 1], b = path.points[k];
        const Rect line{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x) + 0.1f,
                        std::abs(b.y - a.y) + 0.1f};
        if (line.w < 400) CHECK_FALSE(line.overlaps(r));  // but for the lines of the grid
        ++pieces;
      }
    }
  }
  CHECK(numbers > 0);
  CHECK(pieces > 4);
}

TEST_CASE("held points beyond the axis have a sign at its border") {
  Plot now = curve(1), then = curve(1);
  now.marks = {Points{{0.5, 1}, {1, 1}}};
  then.marks = {Points{{0.5, 1}, {9, -9}}};
  const std::vector<Figure> held{figure_of(then)};
  const Drawing both = drawn(now, &held);
  const auto signs = faint(both);
  REQUIRE(signs.size() == 2);
  const Rect& area = both.frames[0].area;
  CHECK(signs[0].points[1].y < area.y + 6);
  CHECK(signs[1].points[1].y > area.bottom() - 6);
}

TEST_CASE("a heatmap is divided where it is said, in the live colours") {
  const std::vector<Figure> held{figure_of(table(3, 4, 10))};
  const Drawing both = drawn(table(3, 4, 0), &held, true, 0.25f);
  const auto cells = all_of<draw::Cells>(both);
  REQUIRE(cells.size() == 2);
  const Rect& area = both.frames[0].area;
  const float x = cells[0].rect.right();
  CHECK(x == doctest::Approx(area.x + 0.25f * area.w).epsilon(0.01));
  CHECK(cells[1].rect.x == x);
  CHECK(cells[1].rect.right() == doctest::Approx(area.right()));
  CHECK(cells[0].shown.x1 == doctest::Approx(cells[1].shown.x0));
  CHECK(cells[1].shown.x1 == doctest::Approx(4));
  CHECK(cells[0].source->value(0, 0) == 0);
  CHECK(cells[1].source->value(0, 0) == 10);
  CHECK(cells[0].colors->scale() == cells[1].colors->scale());
  REQUIRE(both.dividers.size() == 1);
  CHECK(both.dividers[0].grip.contains({x, area.y + 5}));
  CHECK(drawn(table(3, 4, 0), &held, true, 0.25f, true).dividers.empty());  // nothing is dragged
  CHECK(all_of<draw::Cells>(drawn(table(3, 4, 0), &held, false)).size() == 1);
  // At its ends one of them is alone.
  CHECK(all_of<draw::Cells>(drawn(table(3, 4, 0), &held, true, 1)).size() == 1);
}

TEST_CASE("nothing of what cannot be compared is drawn") {
  Plot other_axis = curve(2), cells = table(3, 4, 0), named = table(3, 4, 0);
  other_axis.y.label = "bits";
  CHECK(apart(curve(3), other_axis) == Apart::axes);
  CHECK(apart(curve(3), table(3, 4, 0)) == Apart::axes);
  CHECK(apart(cells, table(4, 4, 0)) == Apart::size);
  named.x.labels = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"a", "b", "c", "d"});
  CHECK(apart(cells, named) == Apart::names);
  CHECK(apart(named, named) == Apart::none);
  Plot log = curve(2);
  log.y.scale = AxisScale::log;
  CHECK(apart(curve(3), log) == Apart::axes);
  Plot wider = curve(2);
  wider.x.hi = 20;  // another part of the same axis
  CHECK(apart(curve(3), wider) == Apart::none);
  for (const Plot& then : {other_axis, table(4, 4, 0, "curve"), curve(2, "another")}) {
    const std::vector<Figure> held{figure_of(then)};
    CHECK(drawn(curve(3), &held).primitives == drawn(curve(3), nullptr).primitives);
  }
}

TEST_CASE("every mark has a ghost that the layout can draw, on screen and on paper") {
  for (const Figure& f :
       {samples::heatmaps(), samples::lines(), samples::strips(), samples::links(),
        samples::field(), samples::table(), samples::boxes(), samples::diagram()}) {
    for (const Plot& plot : f.plots) {
      // All marks are others than those of the held plot: an empty one before them moves them on.
      Plot then = plot;
      then.marks.insert(then.marks.begin(), Note{});
      const std::vector<Figure> held{figure_of(then)};
      for (const bool paper : {false, true}) {
        const Drawing plain = drawn(plot, nullptr, true, 0.5f, paper);
        const Drawing drawing = drawn(plot, &held, true, 0.5f, paper);
        REQUIRE(drawing.marks.size() == plain.marks.size());
        for (std::size_t k = 0; k < plain.marks.size(); ++k) {
          CHECK(drawing.marks[k].size() == plain.marks[k].size());
        }
        CHECK(drawing.hits.size() == plain.hits.size());
        CHECK(drawing.grips.size() == plain.grips.size());
        CHECK(drawing.frames[0].area == plain.frames[0].area);
      }
    }
  }
}

TEST_CASE("boxes say what they held, and what is gone stays readable in its outline") {
  const auto boxes = [](std::vector<Boxes::Box> all) {
    Plot plot;
    plot.id = "boxes";
    plot.x = {.lo = 0, .hi = 4, .visible = false};
    plot.y = {.lo = 0, .hi = 1, .visible = false};
    plot.marks = {Boxes{std::move(all)}};
    return plot;
  };
  const Plot live = boxes({{0, 0, 1, 1, "now"}, {1, 0, 2, 1, "same"}});
  const std::vector<Figure> held{
      figure_of(boxes({{0, 0, 1, 1, "then"}, {1, 0, 2, 1, "same"}, {3, 0, 4, 1, "gone"}}))};
  std::vector<std::string> said;
  for (const draw::Text& text : all_of<draw::Text>(drawn(live, &held))) said.push_back(text.text);
  const auto count = [&](const char* text) { return std::count(said.begin(), said.end(), text); };
  CHECK(count("now") == 1);
  CHECK(count("then") == 1);
  CHECK(count("same") == 1);
  CHECK(count("gone") == 1);
}

TEST_CASE("a note says what it said, under it where there is room") {
  const auto noted = [](const char* text, double y, double x = 1) {
    Plot plot = curve(1);
    plot.marks.emplace_back(Note{x, y, text});
    return plot;
  };
  const auto texts = [&](const Plot& live, const Plot& then) {
    const std::vector<Figure> held{figure_of(then)};
    std::vector<draw::Text> found;
    for (const draw::Text& one : all_of<draw::Text>(drawn(live, &held))) {
      if (one.text.starts_with("p =")) found.push_back(one);
    }
    return found;
  };
  const auto both = texts(noted("p = 0.3", 2), noted("p = 0.2", 1));
  REQUIRE(both.size() == 2);
  CHECK(both[1].text == "p = 0.2");
  CHECK(both[1].at.y > both[0].at.y);
  CHECK(texts(noted("p = 0.3", 2), noted("p = 0.3", 1)).size() == 1);
  CHECK(texts(noted("p = 0.3", 0), noted("p = 0.2", 0)).size() == 1);  // no room under the axis
  CHECK(texts(noted("p = 0.3", 2), noted("p = 0.2", 1, 0.5)).size() == 1);  // of another place
}

TEST_CASE("a difference is taken cell by cell, masked where either is") {
  core::Matrix a(2, 2), b(2, 2);
  a << 1, 2, 3, core::kMasked;
  b << 1, 4, core::kMasked, core::kMasked;
  const Difference d = difference(DenseSource(a), DenseSource(b));
  CHECK(d.source->value(0, 0) == 0);
  CHECK(d.source->value(0, 1) == -2);
  CHECK(core::is_masked(d.source->value(1, 0)));
  CHECK(core::is_masked(d.source->value(1, 1)));
  CHECK(d.largest == -2);
  CHECK(d.row == 0);
  CHECK(d.col == 1);
  CHECK(d.apart == 1);
  CHECK(difference_scale(d).lo == -2);
  CHECK(difference_scale(d).hi == 2);
  const Difference none = difference(DenseSource(a), DenseSource(a));
  CHECK(none.largest == 0);
  CHECK(none.row == 0);
  std::atomic<std::int64_t> questions{1};
  CHECK_THROWS_AS(difference(DenseSource(a), DenseSource(b), core::Cancel(questions)),
                  core::Cancelled);
}

TEST_CASE("names that only tell colours apart have no difference") {
  Heatmap map;
  map.source = std::make_shared<DenseSource>(core::Matrix::Zero(2, 2).eval());
  CHECK(can_differ(map, map));
  map.scale.map = MapName::groups;
  CHECK_FALSE(can_differ(map, map));
}

TEST_CASE("how heatmaps are shown is read by name") {
  for (const auto shown :
       {CellsShown::split, CellsShown::live, CellsShown::held, CellsShown::difference}) {
    CHECK(parse_cells_shown(cells_shown_id(shown)) == shown);
  }
  CHECK_THROWS_AS(parse_cells_shown("half"), core::InputError);
}

}  // namespace ghost_test
