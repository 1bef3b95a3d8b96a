// Texts beside marks and axes: they keep off each other and off what is drawn.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/figure/layout.h"
#include "drawn.h"
#include "fake_measure.h"
#include "samples.h"

namespace labels_test {

using namespace figure;

namespace {

Rect box_of(const draw::Text& text, const FakeOptions& o) {
  const Point size = o.measure.size(text.text, text.style);
  return {text.at.x - text.align_x * size.x, text.at.y - text.align_y * size.y, size.x, size.y};
}

const draw::Text* written(const Drawing& drawing, const std::string& words) {
  for (const Primitive& primitive : drawing.primitives) {
    const auto* text = std::get_if<draw::Text>(&primitive);
    if (text && text->text == words) return text;
  }
  return nullptr;
}

Figure one_plot(Plot plot) {
  Figure figure;
  figure.id = plot.id = "one";
  figure.plots.push_back(std::move(plot));
  return figure;
}

// Whether a path of the drawing goes through a rectangle.
bool crossed(const Drawing& drawing, const Rect& r) {
  for (const Primitive& primitive : drawing.primitives) {
    const auto* path = std::get_if<draw::Path>(&primitive);
    if (!path) continue;
    for (std::size_t k = 1; k < path->points.size(); ++k) {
      for (int step = 0; step <= 200; ++step) {
        const float t = static_cast<float>(step) / 200;
        const Point a = path->points[k - 1], b = path->points[k];
        const float x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
        if (x > r.x && x < r.right() && y > r.y && y < r.bottom()) return true;
      }
    }
  }
  return false;
}

std::vector<std::string> numbers_under(const Plot& plot, const FakeOptions& o) {
  std::vector<std::string> all;
  const Drawing drawing = layout(one_plot(plot), {0, 0, 700, 300}, {}, o.options);
  const Rect area = drawing.frames.front().area;
  for (const Primitive& primitive : drawing.primitives) {
    const auto* text = std::get_if<draw::Text>(&primitive);
    if (text && text->style == TextStyle::mono_small && text->at.y > area.bottom()) {
      all.push_back(text->text);
    }
  }
  return all;
}

// Wires from 0 to 10 both ways.
Drawing wires(std::vector<Diagram::Wire> wires) {
  const FakeOptions o;
  Plot plot{.x = {.hi = 10}, .y = {.hi = 10}};
  plot.add(Diagram{.wires = std::move(wires)});
  return layout(one_plot(plot), {0, 0, 800, 400}, {}, o.options);
}

}  // namespace

TEST_CASE("the label of a rule keeps clear of curves") {
  for (const bool paper : {false, true}) {
    CAPTURE(paper);
    FakeOptions o;
    o.options.paper = paper;
    for (const bool vertical : {false, true}) {
      CAPTURE(vertical);
      Plot plot;
      plot.x.hi = plot.y.hi = 10;
      Line flat;  // just over a level rule's right end, and along an upright one's upper end
      flat.x = vertical ? std::vector<double>{5, 10} : std::vector<double>{0, 5, 6, 10};
      flat.y = vertical ? std::vector<double>{9.7, 9.7} : std::vector<double>{9, 9, 5.3, 5.3};
      plot.marks = {flat, Rule{vertical, 5, Role::dim, true, "everything once"}};
      const Drawing drawing = layout(one_plot(plot), {0, 0, 480, 300}, {}, o.options);
      const draw::Text* label = written(drawing, "everything once");
      REQUIRE(label);
      CHECK_FALSE(crossed(drawing, box_of(*label, o)));
      plot.marks.erase(plot.marks.begin());  // without the curve it stands where it always did
      const Drawing bare = layout(one_plot(plot), {0, 0, 480, 300}, {}, o.options);
      REQUIRE(written(bare, "everything once"));
      CHECK_FALSE(box_of(*written(bare, "everything once"), o) == box_of(*label, o));
    }
  }
}

TEST_CASE("labels of rules that meet keep off each other") {
  const FakeOptions o;
  Plot plot;
  plot.x.hi = plot.y.hi = 10;
  plot.marks = {Rule{false, 5, Role::dim, true, "the plain way"},
                Rule{false, 5.1, Role::dim, true, "everything once"}};
  const Drawing drawing = layout(one_plot(plot), {0, 0, 480, 300}, {}, o.options);
  const draw::Text *a = written(drawing, "the plain way"), *b = written(drawing, "everything once");
  REQUIRE(a);
  REQUIRE(b);
  const Rect r = box_of(*a, o), s = box_of(*b, o);
  CHECK((r.right() <= s.x || s.right() <= r.x || r.bottom() <= s.y || s.bottom() <= r.y));
}

TEST_CASE("an axis of counts has whole numbers at its ticks") {
  const FakeOptions o;
  Plot plot;
  plot.x.lo = 0.9, plot.x.hi = 5.1;
  Line line{.x = {1, 2, 3, 5}, .y = {0.2, 0.4, 0.5, 0.3}};
  plot.marks = {line, Rule{true, 4.5}};  // a rule between two lengths is no length
  CHECK(numbers_under(plot, o) == std::vector<std::string>{"1", "2", "3", "4", "5"});
  plot.marks.push_back(Points{{1.5}, {0.3}});
  const auto halves = numbers_under(plot, o);
  CHECK(std::find(halves.begin(), halves.end(), "1.5") != halves.end());
  // Yes and no are no counts.
  line.x = {0, 1};
  plot.x.lo = 0, plot.x.hi = 1;
  line.y = {0.2, 0.4};
  plot.marks = {line};
  CHECK(numbers_under(plot, o).size() > 2);
}

TEST_CASE("numbers in neighbouring cells keep apart") {
  const FakeOptions o;
  for (const float value : {6.59e-7f, 3.8e-4f, 0.123456f, -0.0385f, 12345678.f}) {
    CAPTURE(value);
    for (int width = 500; width < 900; width += 20) {
      Plot plot;
      plot.x = {.hi = 10, .cells = true};
      plot.y = {.hi = 2, .cells = true};
      Heatmap map;
      map.source =
          std::make_shared<const DenseSource>(core::Matrix::Constant(2, 10, value), nullptr);
      plot.marks = {map};
      const Drawing drawing =
          layout(one_plot(plot), {0, 0, static_cast<float>(width), 200}, {}, o.options);
      const Rect area = drawing.frames.front().area;
      for (const Primitive& primitive : drawing.primitives) {
        const auto* text = std::get_if<draw::Text>(&primitive);
        if (!text || text->style != TextStyle::mono_small || text->at.y > area.bottom()) continue;
        if (text->align_x != 0.5f || text->at.y < area.y) continue;
        CHECK(o.measure.size(text->text, text->style).x <= area.w / 10 - 8);
      }
    }
  }
}

TEST_CASE("a wire's label that another wire would cross keeps its numbers alone") {
  const auto drawn = [](double beside) {
    const Drawing d = wires({{.path = {{5, 2}, {5, 8}}, .label = "n × d_model = 7 × 32"},
                             {.path = {{beside, 1}, {beside, 9}}}});
    return has_text(d, "n × d_model = 7 × 32") - has_text(d, "7 × 32");
  };
  CHECK(drawn(5.3) == -1);
  CHECK(drawn(9.9) == 1);
  CHECK(drawn(4.9) == 1);  // on the other side
}

TEST_CASE("a wire's label stands at the left where another wire would cross it at the right") {
  const auto left = [](std::vector<Diagram::Wire> others) {
    others.insert(others.begin(), {.path = {{5, 2}, {5, 8}}, .label = "softmax by row"});
    const Drawing d = wires(others);
    for (const draw::Text& text : all<draw::Text>(d)) {
      if (text.text == "softmax by row") return text.align_x == 1;
    }
    return false;
  };
  const Diagram::Wire right{.path = {{5.5, 1}, {5.5, 9}}}, both{.path = {{4.5, 1}, {4.5, 9}}};
  CHECK_FALSE(left({}));
  CHECK(left({right}));
  CHECK_FALSE(left({right, both}));  // no better there
}

TEST_CASE("a level wire's label stands under it where another wire runs just above") {
  const auto below = [](double other) {
    const Drawing d =
        wires({{.path = {{2, 5}, {8, 5}}, .label = "V"}, {.path = {{2, other}, {8, other}}}});
    for (const draw::Text& text : all<draw::Text>(d)) {
      if (text.text == "V") return text.at.y > d.frames[0].py_at(5);
    }
    return false;
  };
  CHECK(below(5.3));
  CHECK_FALSE(below(8));
  CHECK_FALSE(below(4.7));
}

TEST_CASE("a bar is called by the number that its axis has") {
  const FakeOptions o;
  Figure f;
  f.plots.resize(1);
  f.plots[0].x = {.lo = 0, .hi = 3, .cells = true};
  f.plots[0].marks = {Bars{.values = {0.25, 0.5, 0.125}}};
  const auto tips = [&] {
    std::vector<std::string> all;
    for (const Hit& hit : layout(f, {0, 0, 500, 300}, {}, o.options).hits) {
      if (!hit.tooltip.empty()) all.push_back(hit.tooltip.substr(0, hit.tooltip.find(' ')));
    }
    return all;
  };
  CHECK(tips() == std::vector<std::string>{"0:", "1:", "2:"});
  f.plots[0].x.lo = 1, f.plots[0].x.hi = 4;
  CHECK(tips() == std::vector<std::string>{"1:", "2:", "3:"});
  f.plots[0].x.lo = 0, f.plots[0].x.hi = 3;
  f.plots[0].x.labels =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a", "b", "c"});
  CHECK(tips() == std::vector<std::string>{"a:", "b:", "c:"});
}

TEST_CASE("names of one letter stay upright, fewer of them; words are turned") {
  const FakeMeasure measure;
  const LayoutOptions options{&theme(ThemeName::light), &measure};
  const auto turned = [&](const std::string& name) {
    Figure figure = samples::heatmaps();
    figure.plots.resize(1);
    Plot& plot = figure.plots[0];
    const Index n = 48;
    plot.x.hi = plot.y.hi = static_cast<double>(n);
    plot.x.labels = plot.y.labels =
        std::make_shared<const std::vector<std::string>>(static_cast<std::size_t>(n), name);
    const Drawing drawing = layout(figure, {0, 0, 340, 400}, {}, options);
    Index level = 0, aslant = 0;
    for (const draw::Text& text : all<draw::Text>(drawing)) {
      if (text.text == name) ++(text.angle == 0 ? level : aslant);
    }
    return std::pair{level, aslant};
  };
  const auto letters = turned("w");
  CHECK(letters.first > 20);  // of the rows, too
  CHECK(letters.second == 0);
  CHECK(turned("wondering").second > 5);
}

TEST_CASE(
    "a long name among letters leaves them upright: what would run into it goes, or it goes") {
  const FakeMeasure measure;
  const LayoutOptions options{&theme(ThemeName::light), &measure};
  // The names of the columns that are written, from the left, none of them slanted.
  const auto written = [&](int marked) {
    Figure figure = samples::heatmaps();
    figure.plots.resize(1);
    Plot& plot = figure.plots[0];
    const int n = 24;
    plot.x.hi = plot.y.hi = n;
    auto names = std::make_shared<std::vector<std::string>>();
    for (int k = 0; k < n; ++k) names->push_back(k == 12 ? "wondering" : "w");
    plot.x.labels = names;
    plot.x.marked = marked;
    plot.y.labels = nullptr;
    std::vector<std::pair<float, std::string>> found;
    for (const draw::Text& text : all<draw::Text>(layout(figure, {0, 0, 340, 400}, {}, options))) {
      if (text.text != "w" && text.text != "wondering") continue;
      CHECK(text.angle == 0);
      const float half = measure.size(text.text, text.style).x / 2;
      if (!found.empty()) CHECK(text.at.x - half > found.back().first);
      found.emplace_back(text.at.x + half, text.text);
    }
    return found;
  };
  const auto letters = written(-1), marked = written(12);
  const auto is_long = [](const auto& name) { return name.second == "wondering"; };
  CHECK(letters.size() > 8);
  CHECK(std::none_of(letters.begin(), letters.end(), is_long));
  CHECK(std::count_if(marked.begin(), marked.end(), is_long) == 1);
}

TEST_CASE("labels at line ends are moved apart") {
  const FakeOptions o;
  Figure f;
  f.plots.resize(1);
  for (int k = 0; k < 5; ++k) {
    Line line{{0, 1}, {0, 0.999 + 0.0001 * k}, Color::of_head(k)};
    line.label = "line " + std::to_string(k);
    f.plots[0].marks.push_back(line);
  }
  const Drawing d = layout(f, {0, 0, 500, 300}, {}, o.options);
  std::vector<float> ys;
  for (const draw::Text& t : all<draw::Text>(d)) {
    if (t.text.rfind("line", 0) == 0) ys.push_back(t.at.y);
  }
  REQUIRE(ys.size() == 5);
  std::sort(ys.begin(), ys.end());
  for (std::size_t k = 1; k < 5; ++k) CHECK(ys[k] - ys[k - 1] >= 14.9f);
}

TEST_CASE("a line that ends early has its label beside its end, one that goes on at the border") {
  const FakeOptions o;
  Plot plot{.x = {.hi = 10}, .y = {.hi = 10}};
  plot.marks = {Line{.x = {0, 4}, .y = {0, 4}, .label = "short"},
                Line{.x = {0, 10}, .y = {0, 10}, .label = "long"}};
  const Drawing d = layout(one_plot(plot), {0, 0, 800, 400}, {}, o.options);
  const PlotFrame& frame = d.frames.front();
  const draw::Text *early = written(d, "short"), *late = written(d, "long");
  REQUIRE(early);
  REQUIRE(late);
  const Rect box = box_of(*early, o);
  CHECK(std::abs(box.x - frame.px_at(4)) < 20);
  CHECK(std::abs(box.y + box.h / 2 - frame.py_at(4)) < 30);
  CHECK_FALSE(crossed(d, box));
  CHECK(late->at.x > frame.area.right());
}

TEST_CASE("the crosshair goes through every plot that shares the axis, with the cell's name") {
  const FakeOptions o;
  const Figure f = samples::heatmaps();
  const Drawing d = layout(f, {0, 0, 700, 360}, {}, o.options);
  Drawing over;
  over.primitives = crosshair(f, d, {{"queries", 1.7}}, o.options);
  const auto bands = all<draw::Outline>(over);
  REQUIRE(bands.size() == 2);
  CHECK(bands[0].rect.y == doctest::Approx(d.frames[0].py_at(1)));
  CHECK(bands[1].rect.bottom() == doctest::Approx(d.frames[1].py_at(2)));
  CHECK(has_text(over, "river"));
  REQUIRE(d.frames.front().slanted);  // the names of its columns: none is written over them
  over.primitives = crosshair(f, d, {{"keys", 3.2}}, o.options);
  CHECK(all<draw::Outline>(over).size() == 2);
  CHECK_FALSE(has_text(over, "was"));
  Figure letters = f;
  for (Plot& plot : letters.plots) {
    plot.x.labels = std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"the", "ox", "ate", "was", "so", "it"});
  }
  const Drawing large = layout(letters, {0, 0, 1100, 500}, {}, o.options);
  REQUIRE_FALSE(large.frames.front().slanted);
  over.primitives = crosshair(letters, large, {{"keys", 3.2}}, o.options);
  CHECK(all<draw::Outline>(over).size() == 2);
  CHECK(has_text(over, "was"));
  CHECK(crosshair(f, d, {{"keys", 6.0}}, o.options).empty());
  CHECK(crosshair(f, d, {{"other", 1.0}}, o.options).empty());
}

TEST_CASE("a title that one line does not hold takes up to three, and four are cut to one") {
  const FakeOptions o;
  Figure f = samples::heatmaps();
  f.plots[0].title = "scaled by the root of the width";
  f.plots[1].title = "weights";
  const auto texts = [&](float width) {
    const Drawing d = layout(f, {0, 0, width, 360}, {}, o.options);
    std::vector<std::string> all_texts;
    for (const draw::Text& text : all<draw::Text>(d)) all_texts.push_back(text.text);
    return all_texts;
  };
  const auto has = [](const std::vector<std::string>& all_texts, std::string_view part) {
    return std::any_of(all_texts.begin(), all_texts.end(),
                       [&](const std::string& one) { return one.find(part) != one.npos; });
  };
  CHECK(has(texts(900), f.plots[0].title));
  const auto two = texts(520);
  CHECK_FALSE(has(two, f.plots[0].title));
  CHECK(has(two, "scaled"));
  CHECK(has(two, "width"));
  const auto cut = [](const std::vector<std::string>& all_texts) {
    return std::any_of(all_texts.begin(), all_texts.end(), [](const std::string& one) {
      return one.starts_with("scaled") && one.ends_with("…");
    });
  };
  CHECK_FALSE(cut(two));
  f.plots[0].title += ", and then masked by whatever pattern there is below";
  CHECK(cut(texts(520)));
}

}  // namespace labels_test
