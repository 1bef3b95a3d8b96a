// Arrows, handles and tables in the cases that go wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "app/figure/layout.h"
#include "app/figure/layout/pen.h"
#include "drawn.h"
#include "fake_measure.h"
#include "samples.h"

namespace marks_test {

using namespace figure;

namespace {

Drawing drawn(const Arrows& arrows, float w = 480, float h = 320) {
  const FakeOptions o;
  Figure f;
  f.plots.resize(1);
  f.plots[0].x.visible = f.plots[0].y.visible = false;
  f.plots[0].marks = {arrows};
  return layout(f, {0, 0, w, h}, {}, o.options);
}

std::vector<draw::Path> heads(const Drawing& drawing) {
  std::vector<draw::Path> filled;
  for (const draw::Path& path : all<draw::Path>(drawing)) {
    if (path.filled) filled.push_back(path);
  }
  return filled;
}

float length_of(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

Table& table_of(Figure& f) { return std::get<Table>(f.plots[0].marks[0]); }

std::vector<std::string> texts_of(const Drawing& drawing) {
  std::vector<std::string> texts;
  for (const draw::Text& t : all<draw::Text>(drawing)) texts.push_back(t.text);
  return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::vector<std::string> wrapped(const std::string& text, int letters) {
  const FakeOptions o;
  Drawing unused;
  return parts::Pen(unused, o.options)
      .wrap(text, TextStyle::label, 7.2f * static_cast<float>(letters) + 0.1f);
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a head is nine pixels long, and never more than 40 % of its arrow") {
  Drawing d = drawn({{{0.1, 0.5, 0.9, 0.5}}});
  REQUIRE(heads(d).size() == 1);
  const draw::Path head = heads(d)[0];
  REQUIRE(head.points.size() == 3);
  CHECK(head.points[0].x == doctest::Approx(d.frames[0].px_at(0.9)));
  CHECK(head.points[0].x - head.points[1].x == doctest::Approx(9));
  d = drawn({{{0.5, 0.5, 0.51, 0.5}}});
  REQUIRE(heads(d).size() == 1);
  const float whole = d.frames[0].px_at(0.51) - d.frames[0].px_at(0.5);
  CHECK(heads(d)[0].points[0].x - heads(d)[0].points[1].x <= 0.4f * whole + 0.01f);
}

TEST_CASE("arrows of no length are dots; those without a place are not drawn") {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const Drawing dot = drawn({{{0.5, 0.5, 0.5, 0.5}}});
  CHECK(heads(dot).empty());
  CHECK(all<draw::Disc>(dot).size() == 1);
  const Drawing none = drawn({{{nan, 0, 1, 1}, {0, 0, inf, 1}, {0, -inf, 1, nan}, {5, 5, 6, 6}}});
  CHECK(heads(none).empty());
  CHECK(all<draw::Disc>(none).empty());
}

TEST_CASE("an arrow that leaves the plot keeps its direction and ends near its border") {
  const Drawing d = drawn({{{0.5, 0.5, 1e6, 2e6}}});
  const PlotFrame& f = d.frames[0];
  CHECK(heads(d).empty());
  std::vector<draw::Path> shafts = all<draw::Path>(d);
  const draw::Path shaft = shafts.back();
  for (const Point p : shaft.points) {
    CHECK(std::abs(p.x - f.area.x) < 2000);
    CHECK(p.y > f.area.y - 40);
  }
  const float slope =
      (shaft.points[1].y - shaft.points[0].y) / (shaft.points[1].x - shaft.points[0].x);
  CHECK(slope == doctest::Approx(-2 * f.area.h / f.area.w).epsilon(0.001));
}

TEST_CASE("very many arrows are thinned evenly, and the last one stays") {
  Arrows many;
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 200; ++j) {
      many.arrows.push_back({i / 200.0, j / 200.0, i / 200.0 + 0.01, j / 200.0});
    }
  }
  many.arrows.push_back({0.1, 0.1, 0.9, 0.9});
  const Drawing d = drawn(many);
  const auto kept = heads(d);
  CHECK(kept.size() < 2500);
  CHECK(kept.size() > 500);
  CHECK(kept.back().points[0].x == doctest::Approx(d.frames[0].px_at(0.9)));
  const auto left = std::count_if(kept.begin(), kept.end(), [&](const draw::Path& p) {
    return p.points[0].x < d.frames[0].px_at(0.5);
  });
  const double share = static_cast<double>(left) / static_cast<double>(kept.size());
  CHECK(share == doctest::Approx(0.5).epsilon(0.1));
}

TEST_CASE("labels of arrows and handles stay inside of the plot and off each other") {
  const FakeOptions o;
  for (const float w : {160.0f, 240.0f, 480.0f}) {
    Figure f = samples::field();
    for (double x = -2; x <= 2; x += 0.5) {
      Handle h{x, 2, "x", "", {}, Role::key, 6, "handle"};
      f.plots[0].marks.push_back(h);
    }
    const Drawing d = layout(f, {0, 0, w, 260}, {}, o.options);
    const Rect& a = d.frames[0].area;
    int written = 0;
    for (const draw::Text& t : all<draw::Text>(d)) {
      if (t.text != "handle" && t.text != "key" && t.text != "drag me") continue;
      ++written;
      const Point size = o.measure.size(t.text, t.style);
      CHECK(t.at.x >= a.x);
      CHECK(t.at.x + size.x <= a.right() + 0.01f);
      CHECK(t.at.y - size.y / 2 >= a.y - 0.01f);
      CHECK(t.at.y + size.y / 2 <= a.bottom() + 0.01f);
    }
    CHECK(written > 0);
  }
}

TEST_CASE("an arrow to a handle ends at its rim, and both are named") {
  const Figure f = samples::field();
  const FakeOptions o;
  const Drawing d = layout(f, {0, 0, 480, 320}, {}, o.options);
  const Point handle = d.grips[0].at;
  float nearest = 1e9f;
  for (const draw::Path& head : heads(d)) {
    nearest = std::min(nearest, length_of(head.points[0], handle));
  }
  CHECK(nearest == doctest::Approx(8).epsilon(0.01));
  for (const char* label : {"key", "drag me", "past the edge"}) {
    CHECK_MESSAGE(has(texts_of(d), label), label);
  }
}

TEST_CASE("text is broken at spaces and between Chinese characters, long words anywhere") {
  CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("one two three", 99) == Lines{"one two three"});
  CHECK(wrapped("", 5) == Lines{""});
  CHECK(wrapped("a\n\nb", 5) == Lines{"a", "", "b"});
  CHECK(wrapped("abc", -1) == Lines{"a", "b", "c"});  // of a box narrower than its own inset
  CHECK(wrapped("abcdefghij kl", 4) == Lines{"abcd", "efgh", "ij", "kl"});
  CHECK(wrapped("河岸很陡峭", 2) == Lines{"河岸", "很陡", "峭"});
  // No line begins with a closing mark, nor ends with an opening one.
  CHECK(wrapped("河岸很陡。所以", 4) == Lines{"河岸很", "陡。所以"});
  CHECK(wrapped("他说“好”吗", 3) == Lines{"他说", "“好”", "吗"});
  CHECK(wrapped("用GPT写诗", 4) == Lines{"用GPT", "写诗"});
  CHECK(wrapped("ab", 0) == Lines{"a", "b"});
  // An accent stays with its letter, and bytes that are no text do no harm.
  CHECK(wrapped("ae\xCC\x81iou", 3) == Lines{"ae\xCC\x81", "iou"});
  CHECK(wrapped("\x80\xff\xc3", 1).size() >= 1);
}

TEST_CASE("a table writes its titles and every row, with the marked one tinted") {
  const FakeOptions o;
  const Figure f = samples::table();
  const Drawing d = layout(f, {0, 0, 480, 420}, {}, o.options);
  const Lines texts = texts_of(d);
  for (const char* text : {"step", "said", "score", "-0.25", "a second line", "two", "lines"}) {
    CHECK_MESSAGE(has(texts, text), text);
  }
  CHECK_FALSE(has(texts, "lost"));        // there is no fourth column
  CHECK_FALSE(has(texts, "never seen"));  // a table has no axes
  CHECK_FALSE(has(texts, "0.5"));
  const Rgba tint = theme(ThemeName::dark).accent;
  int tinted = 0;
  for (const draw::Fill& fill : all<draw::Fill>(d)) {
    if (fill.color.r != tint.r || fill.color.g != tint.g) continue;
    ++tinted;
    CHECK(fill.rect == d.hits[1].rect);
  }
  CHECK(tinted == 1);
}

TEST_CASE("rows without room are counted in a last line") {
  const FakeOptions o;
  Figure f = samples::table();
  Table& t = table_of(f);
  t.rows.assign(40, {{{"1"}}, {{"short"}}, {{"2"}}});
  for (const float h : {180.0f, 220.0f, 300.0f}) {
    const Drawing d = layout(f, {0, 0, 480, h}, {}, o.options);
    const Lines texts = texts_of(d);
    const auto rows = std::count(texts.begin(), texts.end(), "short");
    CHECK(rows > 0);
    CHECK(has(texts, "… +" + std::to_string(40 - rows)));
    for (const draw::Text& text : all<draw::Text>(d)) {
      CHECK(text.at.y + 7.5f <= d.frames[0].area.bottom() + 0.5f);
    }
  }
}

TEST_CASE("a card is as high as its table needs: no row is missing and no room is left") {
  for (const float scale : {1.0f, 1.5f, 2.0f}) {
    const FakeOptions o(scale);
    for (const float w : {260.0f, 480.0f, 900.0f}) {
      Figure f = samples::table();
      for (const bool footer : {false, true}) {
        if (footer) f.footer = {{"a footer", Role::dim}};
        const float h = natural_height(f, w * scale, o.options);
        const Drawing d = layout(f, {0, 0, w * scale, h}, {}, o.options);
        CHECK(d.hits.size() == 4);
        const Rect& last = d.hits.back().rect;
        CHECK(last.bottom() == doctest::Approx(d.frames[0].area.bottom()).epsilon(0.01));
        CHECK(natural_height(f, w * scale, o.options) == h);
        const Drawing less = layout(f, {0, 0, w * scale, h - 4 * scale}, {}, o.options);
        CHECK(less.hits.size() < 4);
      }
    }
  }
}

TEST_CASE("a table beside another plot makes room for itself and never less than the figure's") {
  const FakeOptions o;
  Figure f = samples::table();
  f.plots.push_back(samples::field_plot());
  const float h = natural_height(f, 480, o.options);
  CHECK(h >= f.height);
  CHECK(layout(f, {0, 0, 480, h}, {}, o.options).hits.size() >= 4);
  table_of(f).rows.resize(1);
  CHECK(natural_height(f, 1600, o.options) == f.height);
}

TEST_CASE("tables of nothing, of one letter's width and of far too much") {
  const FakeOptions o;
  Figure f = samples::table();
  Table& t = table_of(f);
  t.rows.clear();
  CHECK(natural_height(f, 480, o.options) > 0);
  CHECK(has(texts_of(layout(f, {0, 0, 480, 200}, {}, o.options)), "said"));
  t.columns.clear();
  CHECK(layout(f, {0, 0, 480, 200}, {}, o.options).frames.size() == 1);
  // Without columns they are as many as the longest row has cells.
  t.rows = {{{{"a"}}, {{"b"}}}, {{{"c"}}}};
  const Lines texts = texts_of(layout(f, {0, 0, 480, 200}, {}, o.options));
  for (const char* text : {"a", "b", "c"}) CHECK(has(texts, text));
  t.columns = {{"", 0, -1}, {"", std::nanf(""), 1}, {"", -3, 0}};
  CHECK(has(texts_of(layout(f, {0, 0, 480, 200}, {}, o.options)), "a"));
  t.rows.assign(5000, {{{std::string(60, 'x')}}, {{"y"}}});
  CHECK(natural_height(f, 300, o.options) < 7000);
  t.marked = 9999;
  CHECK(layout(f, {0, 0, 60, 200}, {}, o.options).frames.size() == 1);
}

TEST_CASE("a diagram's boxes, pictures and wires") {
  const FakeOptions o;
  const Drawing d = layout(samples::diagram(), {0, 0, 480, 320}, {}, o.options);
  const auto pictures = all<draw::Cells>(d);
  REQUIRE(pictures.size() == 2);
  // Beside its words it takes what they leave, else what the title over it leaves.
  CHECK(pictures[0].rect.x > d.frames[0].px_at(10 + 0.4 * 40));
  CHECK(pictures[1].rect.x < d.frames[0].px_at(12));
  CHECK(pictures[1].rect.y > d.frames[0].py_at(54) + 17);
  for (const draw::Cells& cells : pictures) {
    CHECK((cells.shown == View{0, 8, 0, 3}));
    CHECK(cells.rect.right() <= d.frames[0].px_at(50));
  }
  const std::vector<std::string> texts = texts_of(d);
  for (const char* wanted :
       {"layer 1", "Queries", "3 x 8", "over its picture", "+", "n x d", "back"}) {
    CAPTURE(wanted);
    CHECK(has(texts, wanted));
  }
  // What has no place and a path of one point are left out.
  CHECK_FALSE(has(texts, "nowhere"));
  CHECK_FALSE(has(texts, "no way"));
  // The picture lies over its box and sets something of its own.
  REQUIRE(d.hits.size() == 2);
  CHECK(d.hits[0].click == Assignments{{"open", "queries"}});
  CHECK(d.hits[1].click == Assignments{{"shown", "queries"}});
  CHECK(d.hits[1].tooltip == "3 x 8 numbers");
  CHECK(d.hits[1].rect == pictures[0].rect);
  // Two wires have heads, whose tips are the ends of their paths.
  const auto triangles = heads(d);
  REQUIRE(triangles.size() == 2);
  CHECK(triangles[0].points[0].x == doctest::Approx(d.frames[0].px_at(30)));
  CHECK(triangles[0].points[0].y == doctest::Approx(d.frames[0].py_at(32)));
  // A corner is rounded off: no point of the line lies at it.
  for (const draw::Path& path : all<draw::Path>(d)) {
    if (path.filled) continue;
    for (const Point p : path.points) {
      CHECK(length_of(p, {d.frames[0].px_at(73), d.frames[0].py_at(13)}) > 1);
    }
  }
}

TEST_CASE("a box's title is broken behind a hyphen before it is cut") {
  const FakeOptions o;
  const auto texts_at = [&](double width) {
    Figure figure{.id = "f"};
    Plot plot{.id = "p", .x = {.lo = 0, .hi = 100}, .y = {.lo = 100, .hi = 0}};
    plot.add(Diagram{.nodes = {{.x1 = width, .y1 = 60, .title = "Cross-attention"}}});
    figure.plots = {plot};
    return texts_of(layout(figure, {0, 0, 480, 320}, {}, o.options));
  };
  CHECK(has(texts_at(100), "Cross-attention"));
  double width = 100;
  while (has(texts_at(width), "Cross-attention")) width -= 2;
  CHECK(has(texts_at(width), "Cross-"));
  CHECK(has(texts_at(width), "attention"));
  for (const std::string& text : texts_at(width / 4)) CHECK(text != "Cross-attention");
}

TEST_CASE("on paper all boxes have room for their numbers, or none has its own, and that is told") {
  FakeOptions o;
  o.options.paper = true;
  const auto drawn = [&](const char* second, bool numbers) {
    Plot plot{.id = "p", .x = {.lo = 0, .hi = 100}, .y = {.lo = 100, .hi = 0}};
    plot.x.visible = plot.y.visible = false;
    Diagram diagram;
    for (const char* note : {"0.40", second}) {
      const double y = 20 * static_cast<double>(diagram.nodes.size());
      diagram.nodes.push_back({.y0 = y, .x1 = 12, .y1 = y + 18, .title = "a", .note = note});
      if (numbers) diagram.nodes.back().numbers = {{"probability", 0.4}};
    }
    plot.add(std::move(diagram));
    Figure figure{.id = "f"};
    figure.plots = {plot};
    return layout(figure, {0, 0, 480, 320}, {}, o.options);
  };
  CHECK(has_text(drawn("0.20", true), "0.40"));
  const Drawing wide = drawn("0.20000000000000001", true);
  CHECK_FALSE(has_text(wide, "0.40"));
  CHECK(wide.left_out == std::vector<std::string>{"0.40", "0.20000000000000001"});
  CHECK(has_text(drawn("0.20000000000000001", false), "0.40"));  // shapes stand for themselves
}

TEST_CASE("on paper a box's title that is cut is told") {
  FakeOptions o;
  const auto told = [&](bool paper, double width) {
    o.options.paper = paper;
    Plot plot{.id = "p", .x = {.lo = 0, .hi = 100}, .y = {.lo = 100, .hi = 0}};
    plot.add(Diagram{.nodes = {{.x1 = width, .y1 = 8, .title = "unbroken"}}});
    Figure figure{.id = "f"};
    figure.plots = {plot};
    return layout(figure, {0, 0, 480, 320}, {}, o.options).left_out;
  };
  CHECK(told(true, 50).empty());
  CHECK(told(true, 9) == std::vector<std::string>{"unbroken"});
  CHECK(told(false, 9).empty());
}

TEST_CASE("where one title beside its picture needs small lines, all of them have those") {
  const FakeOptions o;
  const auto styles = [&](const char* second) {
    Plot plot{.id = "p", .x = {.lo = 0, .hi = 100}, .y = {.lo = 100, .hi = 0}};
    plot.x.visible = plot.y.visible = false;
    Diagram diagram;
    const auto picture = samples::dense(2, 2);
    for (const char* title : {"Add & norm", second}) {
      const double y = 10 * static_cast<double>(diagram.nodes.size());
      diagram.nodes.push_back({.y0 = y,
                               .x1 = 62,
                               .y1 = y + 9.5,
                               .title = title,
                               .bold = true,
                               .picture = picture,
                               .share = 0.4f});
    }
    plot.add(std::move(diagram));
    Figure figure{.id = "f"};
    figure.plots = {plot};
    return all<draw::Text>(layout(figure, {0, 0, 480, 320}, {}, o.options));
  };
  for (const draw::Text& text : styles("Norm")) CHECK(text.style == TextStyle::label_bold);
  const auto small = styles("Causal self-attention");
  CHECK(small.size() == 3);
  for (const draw::Text& text : small) {
    CAPTURE(text.text);
    CHECK(text.style == TextStyle::small);
    CHECK(text.text.find("…") == std::string::npos);
  }
}

TEST_CASE("a stretch of an axis is named where its name has room") {
  const FakeOptions o;
  const auto named = [&](double to) {
    Plot plot{.id = "p", .x = {.lo = 0, .hi = 100}};
    plot.add(Note{.x = to / 2, .y = 0.5, .text = "bucket", .align = 0, .x0 = 0, .x1 = to});
    Figure figure{.id = "f"};
    figure.plots = {plot};
    return has(texts_of(layout(figure, {0, 0, 480, 320}, {}, o.options)), "bucket");
  };
  CHECK(named(50));
  CHECK(named(13));
  CHECK_FALSE(named(8));
  CHECK_FALSE(named(-8));  // whichever end comes first
}

TEST_CASE("no tick lies beyond the end of what an axis measures") {
  const FakeOptions o;
  const auto ticks = [&](double end) {
    Plot plot{.id = "p", .x = {.hi = 3}, .y = {.hi = 1.18, .end = end}};
    plot.add(Line{.x = {0, 1}, .y = {0.25, 0.5}});
    Figure figure{.id = "f"};
    figure.plots = {plot};
    return texts_of(layout(figure, {0, 0, 480, 600}, {}, o.options));
  };
  CHECK(has(ticks(1), "1"));
  CHECK_FALSE(has(ticks(1), "1.1"));
  CHECK(has(ticks(2), "1.1"));
}

TEST_CASE("a diagram in a plot too small for it draws no text outside of its boxes") {
  const FakeOptions o;
  for (const float size : {1.0f, 12.0f, 60.0f, 140.0f}) {
    const Drawing d = layout(samples::diagram(), {0, 0, size, size}, {}, o.options);
    for (const draw::Cells& cells : all<draw::Cells>(d)) CHECK(cells.rect.w > 0);
  }
}

}  // namespace marks_test
