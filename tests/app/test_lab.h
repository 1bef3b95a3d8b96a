// A small lab with every kind of parameter and a page with linked heatmaps: for tests of the
// window.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/labs/lab.h"

namespace test_lab {

enum class Kind { first, second, third };

enum class Part { upper, middle, lower };

struct Parameters {
  std::string text = "one two three";
  int heads = 4;
  double temperature = 1;
  bool scaled = true;
  Kind kind = Kind::first;
  int query = 1, key = -1;
  double height = 0.5;
  param::StackItems stack = {{0, 1, {3}}};
  bool paint = false, idle = false, spare = false, timed = false;
  Part part = Part::upper;
  param::CellSet cells = {};
  param::PointList keys{{2, 2}, {5, 5}};
  std::string file;
  std::string column;  // of a file that has names
};

// "few names.csv" has three columns, "names.csv" forty.
inline std::vector<param::Named> columns_of(const std::string& file) {
  std::vector<param::Named> columns;
  const int count = file.ends_with("few names.csv") ? 3 : file.ends_with("names.csv") ? 40 : 0;
  for (int k = 0; k < count; ++k) {
    columns.push_back({"c" + std::to_string(k), k == 2 ? "the third, 第三" : ""});
  }
  return columns;
}

inline std::shared_ptr<const param::Catalogue> catalogue() {
  static const auto all = std::make_shared<const param::Catalogue>(param::Catalogue{
      {{"or", "or"}, {"minus", "minus"}},
      {{"full", "Full", "all of them"},
       {"local", "Local", "near ones", {{"window", "Window", "how far", 0, 100, 3}}},
       {"far", "Far", "far ones", {{"step", "Step", "every so many", 1, 9, 4}}}}});
  return all;
}

inline void describe(Parameters& p, param::List& list) {
  list.group("Input");
  list.text(p.text, "text", "Text", "what is read", 64);
  list.group("Heads");
  list.integer(p.heads, "heads", "Heads", "how many", {.min = 1, .max = 32});
  list.real(p.temperature, "temperature", "Temperature", "divides",
            {.min = 0.1, .max = 10, .scale = param::Scale::log});
  list.flag(p.scaled, "scaled", "Scaled", "or not");
  list.choice(p.kind, "kind", "Kind", "which",
              {{"first", "first"}, {"second", "second"}, {"third", "third"}});
  list.group("Look at");
  list.integer(p.query, "query", "Query", "row", {.min = 0, .max = 7, .plays = 20});
  list.real(p.height, "height", "Height", "of the handle");
  list.integer(p.key, "key", "Key", "column", {.min = -1, .max = 7, .unpinned = -1});
  list.file(p.file, "file", "File", "to read", ".csv .txt");
  list.name(p.column, "column", "Column", "of the file", p.file, 1,
            {.active = !columns_of(p.file).empty()});
  list.choice(p.part, "part", "Part", "of the page",
              {{"upper", "upper"}, {"middle", "middle"}, {"lower", "lower"}}, {.tabs = true});
  list.flag(p.timed, "timed", "Timed", "takes its time", {.measures = true});
  list.group("Build");
  list.stack(p.stack, "stack", "Stack", "items", catalogue(), 4);
  list.flag(p.paint, "paint", "Paint", "with the mouse");
  list.painted({&p.cells, 8, 8}, "cells", "Cells", "painted");
  list.points({&p.keys, 4, 0, 10, 0, 10}, "keys", "Keys", "in a plane");
  list.flag(p.spare, "spare", "Spare", "nothing");
  list.flag(p.idle, "idle", "Idle", "nothing while it is scaled", {.active = !p.scaled});
  list.essential({"text", "heads", "temperature", "scaled", "kind", "query", "key", "file",
                  "column", "stack", "paint", "cells", "keys", "part", "timed"});
}

inline figure::Plot heatmap(const std::string& id, const Parameters& p) {
  core::Matrix values(8, 8);
  for (core::Index i = 0; i < 64; ++i) values(i / 8, i % 8) = static_cast<float>(i * p.heads) / 64;
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(std::move(values));
  map.scale.hi = 32;
  map.row_param = "query";
  map.col_param = "key";
  if (p.key >= 0) map.pinned = {p.query, p.key};
  if (p.paint && id == "left") map.paint_param = "cells";
  figure::Plot plot;
  plot.id = id;
  plot.title = id;
  plot.x = {.label = "key", .lo = 0, .hi = 8, .cells = true, .link = "keys"};
  plot.y = {.label = "query", .lo = 0, .hi = 8, .cells = true, .link = "queries"};
  plot.marks.push_back(std::move(map));
  return plot;
}

// A handle on a curve, and a plot that takes places.
inline figure::Figure places(const Parameters& p) {
  figure::Plot curve;
  curve.id = "curve";
  curve.x = {.label = "query", .lo = 0, .hi = 7};
  curve.y = {.label = "height"};
  figure::Handle handle;
  handle.x = p.query;
  handle.y = p.height;
  handle.x_param = "query";
  handle.y_param = "height";
  handle.also = {{"scaled", "false"}};
  handle.label = "drag";
  curve.marks = {figure::Line{{0, 7}, {0, 1}}, handle};
  figure::Plot scrub;
  scrub.id = "scrub";
  scrub.x = {.label = "key", .lo = 0, .hi = 8, .cells = true};
  scrub.x_param = "key";
  scrub.click = {{"kind", "third"}};
  scrub.marks = {figure::Bars{std::vector<double>(8, 0.5)}};
  figure::Figure f;
  f.id = "places";
  f.title = "Places";
  f.note = "where it stands";
  f.plays = "query";
  f.caption =
      "Where the handle stands, in so many words that they need more than one line beside it.";
  f.plots = {curve, scrub};
  f.height = 200;
  return f;
}

// A plot into which points are clicked.
inline figure::Figure plane(const Parameters& p) {
  figure::Points keys;
  for (const auto& [x, y] : p.keys) {
    keys.x.push_back(x);
    keys.y.push_back(y);
  }
  keys.points_param = "keys";
  figure::Plot plot;
  plot.id = "plane";
  plot.x.hi = plot.y.hi = 10;
  plot.points_param = "keys";
  plot.marks = {keys};
  figure::Figure f;
  f.id = "plane";
  f.title = "Plane";
  f.plots = {plot};
  f.height = 260;
  return f;
}

// What has no axes: boxes, and words with links between them.
inline figure::Figure schemes() {
  figure::Plot boxes;
  boxes.id = "boxes";
  boxes.x.hi = 2;
  boxes.x.visible = boxes.y.visible = false;
  boxes.marks = {figure::Boxes{{{0, 0, 1, 1, "a, b"}, {1, 0, 2, 1, "c"}}}};
  figure::Plot words;
  words.id = "words";
  figure::Links links;
  links.left = links.right =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"the", "cat"});
  links.links = {{0, 0, 0.25f, {}}, {1, 0, 0.75f, {}}};
  words.marks = {links};
  figure::Figure f;
  f.id = "schemes";
  f.title = "Schemes";
  f.plots = {boxes, words};
  f.height = 160;
  return f;
}

inline figure::Figure table() {
  figure::Table t;
  t.columns = {{"row"}, {"said", 3}};
  for (int k = 0; k < 4; ++k) {
    t.rows.push_back({{{std::to_string(k)}}, {{"说" + std::to_string(k)}}});
    t.picks.push_back({{"query", std::to_string(k)}});
  }
  figure::Plot plot;
  plot.id = "table";
  plot.marks = {t};
  figure::Figure f;
  f.id = "table";
  f.title = "Table";
  f.plots = {plot};
  return f;
}

// What a computation does before it is done; empty: nothing. Set it while none runs.
using During = std::function<void(const Parameters&, const lab::Context&)>;
inline During during;

inline lab::Page compute(const Parameters& p, const lab::Context& context) {
  context.cancel.poll();
  if (during) during(p, context);
  if (p.file.ends_with("bad.csv")) throw core::InputError("bad.csv: expected a good file");
  lab::Page page;
  const auto columns = std::make_shared<const std::vector<param::Named>>(columns_of(p.file));
  if (!columns->empty()) page.found["column"] = {p.file, columns};
  std::string chosen = p.column;
  const param::Name column{&chosen, 1, columns};
  if (!columns->empty() && !column.at()) {
    page.fault = core::Message("there is no column {}", p.column);
    return page;
  }
  figure::Figure figure;
  figure.id = "main";
  figure.title = "Main";
  figure.plots = {heatmap("left", p), heatmap("right", p)};
  page.figures = {figure, places(p), table(), plane(p), schemes()};
  page.readouts = {{"sum", "Sum", p.temperature * p.heads, "some", "what it means"}};
  page.explanation = {"The pinned value", {{"w", {{"= 1", {}, figure::TextStyle::mono}}}}};
  page.cards = {
      {"sum",
       "The sum is what it is.",
       "It is temperature times heads.",
       "Somebody, 2017",
       {"hot", "schemes"}},
      {"words", "One is a number.", "So it is.", "Somebody, 2017", {}, lab::Card::Verdict::holds},
      {"reading",
       "One is odd.",
       "In one reading.",
       "Somebody, 2017",
       {"hot"},
       lab::Card::Verdict::half}};
  page.formula = R"(\frac{\Q{Q}\K{K}}{\sqrt{d}})";
  page.status = p.text + p.file + (columns->empty() ? "" : " " + columns->at(*column.at()).id);
  page.made_up = p.scaled ? "made up" : "";
  if (p.text == "leads on") {
    page.jumps = {{"two", "The second", "with eight heads", {{"heads", "8"}}}};
    page.model = [] { return std::string("the numbers of a model"); };
  }
  return page;
}

inline const std::vector<lab::Lab>& labs() {
  static const std::vector<lab::Lab> all{
      {.id = "one",
       .title = "The first",
       .question = "What is one, when the window is less wide than the words that ask for it?",
       .chapter = lab::Chapter::attention,
       .about = "About one.",
       .sources = {{"Somebody, 2017", "section 1", ""}},
       .presets = {{"hot", "Hot scores", "heat evens out", "temperature=5"},
                   {"warm", "Warm scores", "all the way down", "temperature=2", "schemes"}},
       .chinese = "text=一 二 三",
       .make = lab::live(describe, compute)},
      {.id = "two",
       .title = "The second",
       .question = "What is two?",
       .chapter = lab::Chapter::position,
       .about = "About two.",
       .sources = {},
       .presets = {},
       .make = lab::live(describe, compute)}};
  return all;
}

}  // namespace test_lab
