// One small figure for each mark, for the tests of the layout.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace samples {

using namespace figure;

inline Labels words() {
  return std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"the", "river", "bank", "was", "extraordinarily", "steep"});
}

inline std::shared_ptr<const TileSource> dense(Index rows, Index cols, bool causal = false) {
  core::Matrix m = core::Matrix::NullaryExpr(rows, cols, [cols](Index i, Index j) {
    return static_cast<float>(i * cols + j) / static_cast<float>(cols * cols);
  });
  auto mask = causal ? std::make_shared<const core::Mask>(core::Mask::causal(rows, cols)) : nullptr;
  return std::make_shared<const DenseSource>(std::move(m), mask);
}

inline Plot heatmap_plot(const std::string& id, Index rows, Index cols) {
  Plot p;
  p.id = id;
  p.title = "weights";
  p.x.hi = static_cast<double>(cols);
  p.y.hi = static_cast<double>(rows);
  p.x.cells = p.y.cells = true;
  p.x.link = "keys";
  p.y.link = "queries";
  p.square = true;
  Heatmap map;
  map.source = dense(rows, cols, true);
  p.marks.push_back(map);
  return p;
}

inline Figure heatmaps() {
  Figure f;
  f.id = "steps";
  f.title = "Step by step";
  f.note = "six tokens";
  for (const char* id : {"scores", "weights"}) {
    Plot p = heatmap_plot(id, 6, 6);
    p.x.labels = p.y.labels = words();
    p.x.color = Role::key;
    p.y.color = Role::query;
    p.x.marked = 2;
    p.y.marked = 4;
    std::get<Heatmap>(p.marks[0]).pinned = std::pair<Index, Index>{4, 2};
    f.plots.push_back(p);
  }
  return f;
}

inline Figure thumbnails(int count) {
  Figure f;
  f.id = "heads";
  f.title = "All heads";
  for (int k = 0; k < count; ++k) {
    Plot p = heatmap_plot("head" + std::to_string(k), 6, 6);
    p.title = std::to_string(k + 1);
    p.note = "0.99";
    p.thumbnail = true;
    p.selected = k == 1;
    p.click = {{"head", std::to_string(k + 1)}};
    f.plots.push_back(p);
  }
  return f;
}

inline Figure lines() {
  Figure f;
  f.id = "lines";
  f.title = "Lines";
  Plot p;
  p.id = "lines";
  p.x.label = "distance";
  p.x.lo = 1;
  p.x.hi = 1000;
  p.x.scale = AxisScale::log;
  p.y.label = "score";
  Line a;
  a.x = {1, 10, 100, 1000};
  a.y = {0, 0.5, 0.7, 0.71};
  a.label = "first";
  a.color = Role::query;
  Line b = a;
  b.y = {1, std::numeric_limits<double>::quiet_NaN(), 0.8, 0.7};
  b.label = "second";
  b.color = Role::key;
  p.marks = {Band{{1, 10, 1000}, {0, 0.2, 0.3}, {0.2, 0.6, 0.9}, Color(Role::value, 0.25f)},
             a,
             b,
             Rule{true, 10, Role::dim, true, "here"},
             Points{{10, 100}, {0.5, 0.7}, Role::accent, 3, {{}, {{"n", "100"}}}},
             Note{100, 0.2, "a note", Role::text}};
  f.plots.push_back(p);
  return f;
}

inline Figure strips() {
  Figure f;
  f.id = "strips";
  f.title = "Why";
  f.footer = {{"Σ = 1.5", Role::text, TextStyle::mono_bold}, {"softmax", Role::accent}};
  const char* letters[] = {"q", "k"};
  for (const char* letter : letters) {
    Plot p;
    p.id = letter;
    p.lead = letter;
    p.lead_color = letter[0] == 'q' ? Role::query : Role::key;
    p.x.hi = 4;
    p.x.cells = true;
    p.x.visible = p.y.visible = false;
    p.y.lo = -2;
    p.y.hi = 2;
    Bars bars;
    bars.values = {0.5, -1.25, 2, std::numeric_limits<double>::quiet_NaN()};
    bars.color = p.lead_color;
    bars.picks = {{{"dim", "0"}}, {{"dim", "1"}}, {}, {}};
    bars.marked = 1;
    p.marks.push_back(bars);
    f.plots.push_back(p);
  }
  return f;
}

inline Figure links() {
  Figure f;
  f.id = "links";
  f.title = "Links";
  Plot p;
  p.id = "links";
  Links l;
  l.left = l.right = words();
  l.links = {{0, 1, 0.2f, Role::query}, {4, 2, 0.9f, Role::accent}, {5, 99, 1, Role::bad}};
  l.marked_left = 4;
  l.marked_right = 2;
  l.left_param = "query";
  l.right_param = "key";
  p.marks.push_back(l);
  f.plots.push_back(p);
  return f;
}

inline Plot field_plot() {
  Plot p;
  p.id = "field";
  p.x.label = "first";
  p.y.label = "second";
  p.x.lo = p.y.lo = -2;
  p.x.hi = p.y.hi = 2;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Arrows q{{{0, 0, 1, 1.5}, {0, 0, nan, 1}, {0, 0, -5, -1}}, Role::query, 1.5f, "past the edge"};
  Arrows k{{{0, 0, 1.5, -1}, {1, 1, 1, 1}}, Role::key, 2, "key"};
  k.arrows.push_back({0, 0, 1.5, -1});
  Handle tip{1.5, -1, "x", "y", {{"which", "2"}}, Role::key, 6, "drag me"};
  Handle nowhere = tip;
  nowhere.x = nan;
  Handle edge{2, 0.5, "", "y", {}, Role::accent, 6, "a label that is long"};
  Handle still{-1, 1, "", "", {{"which", "1"}}, Role::dim, 5, ""};
  p.marks = {q, k, tip, nowhere, edge, still};
  return p;
}

inline Figure field() {
  Figure f;
  f.id = "field";
  f.title = "Arrows and handles";
  f.plots = {field_plot()};
  return f;
}

inline Figure table() {
  Figure f;
  f.id = "table";
  f.title = "Step by step";
  Plot p;
  p.id = "table";
  p.title = "beams";
  p.y.label = "never seen";
  Table t;
  t.columns = {{"step", 1, 1}, {"said", 4, -1}, {"score", 2, 0}};
  const auto cell = [](const std::string& text, TextStyle style = TextStyle::label) {
    return Table::Cell{Span{text, Role::text, style}};
  };
  t.rows = {
      {cell("1", TextStyle::mono),
       cell("the river bank was so extraordinarily steep that nobody "
            "went down to the water again"),
       cell("-0.25", TextStyle::mono)},
      {cell("2", TextStyle::mono),
       {Span{"河岸很陡，所以没有人再下到水边去了；", Role::query, TextStyle::label},
        Span{"a second line", Role::dim, TextStyle::small}},
       cell("-1.5", TextStyle::mono_bold)},
      {cell("3", TextStyle::mono),
       cell("Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle")},
      {},
      {cell("5", TextStyle::mono), cell("two\nlines"), cell("NaN", TextStyle::mono), cell("lost")}};
  t.picks = {{{"beam", "0"}}, {{"beam", "1"}}, {}, {{"beam", "3"}}, {{"beam", "4"}}};
  t.marked = 1;
  p.marks = {t};
  f.plots = {p};
  return f;
}

// The bits of a number, one of them marked, and boxes that have no room or no place.
inline Figure boxes() {
  Figure f;
  f.id = "bits";
  f.title = "Bits";
  Plot p;
  p.id = "field";
  p.x.hi = 8;
  p.x.visible = p.y.visible = false;
  Boxes b;
  for (int k = 0; k < 8; ++k) {
    b.boxes.push_back({.x0 = static_cast<double>(k),
                       .y0 = 0.2,
                       .x1 = k + 1.0,
                       .y1 = 0.8,
                       .text = k % 3 == 0 ? "1" : "0",
                       .fill = k == 0 ? Color(Role::query) : Color(Role::accent, 0.3f),
                       .marked = k == 5,
                       .pick = {{"bit", std::to_string(k)}}});
  }
  b.boxes.push_back({.x0 = 3, .y0 = 0.85, .x1 = 3.3, .y1 = 1.4, .text = "too long to be written"});
  b.boxes.push_back({.x0 = std::nan(""), .y0 = 0, .x1 = 1, .y1 = 1, .text = "nowhere"});
  b.boxes.push_back({.x0 = 9, .y0 = 0, .x1 = 10, .y1 = 1, .text = "outside"});
  p.marks = {b};
  f.plots = {p};
  return f;
}

// A frame around two boxes with pictures, a sign, and wires with corners between them.
inline Figure diagram() {
  Figure f;
  f.id = "parts";
  f.title = "Parts";
  Plot p;
  p.id = "parts";
  p.x.hi = 100;
  p.y.hi = 60;
  p.x.visible = p.y.visible = false;
  core::Matrix cells(3, 8);
  for (Index k = 0; k < cells.size(); ++k) cells.data()[k] = static_cast<float>(k) / 12 - 1;
  const auto picture = std::make_shared<DenseSource>(cells);
  const ColorScale scale{.map = MapName::diverging, .lo = -1, .hi = 1};
  Diagram frame, inner;
  frame.nodes.push_back({.x0 = 2, .y0 = 2, .x1 = 98, .y1 = 58, .title = "layer 1", .frame = true});
  inner.nodes.push_back({.x0 = 10,
                         .y0 = 5,
                         .x1 = 50,
                         .y1 = 22,
                         .title = "Queries",
                         .note = "3 x 8",
                         .fill = Color(Role::query, 0.2f),
                         .bold = true,
                         .picture = picture,
                         .scale = scale,
                         .share = 0.4f,
                         .pick = {{"open", "queries"}},
                         .picture_pick = {{"shown", "queries"}},
                         .tooltip = "3 x 8 numbers"});
  inner.nodes.push_back({.x0 = 10,
                         .y0 = 32,
                         .x1 = 50,
                         .y1 = 54,
                         .title = "over its picture",
                         .note = "3 x 8",
                         .marked = true,
                         .picture = picture,
                         .scale = scale,
                         .picked = true});
  inner.nodes.push_back({.x0 = 70, .y0 = 24, .x1 = 76, .y1 = 30, .title = "+", .round = true});
  inner.nodes.push_back({.x0 = std::nan(""), .title = "nowhere"});
  inner.wires.push_back({.path = {{30, 22}, {30, 32}}, .color = Role::query, .label = "n x d"});
  inner.wires.push_back(
      {.path = {{50, 13}, {73, 13}, {73, 24}}, .color = Role::key, .width = 2, .dashed = true});
  inner.wires.push_back({.path = {{73, 30}, {73, 43}, {50, 43}}, .arrow = false, .label = "back"});
  inner.wires.push_back({.path = {{1, 1}}, .label = "no way"});
  p.marks = {frame, inner};
  f.plots = {p};
  return f;
}

}  // namespace samples
