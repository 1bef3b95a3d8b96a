// The numbers of figures as CSV: one table in long form.
#include "numbers_rig.h"

namespace numbers_csv_test {

using namespace numbers_rig;

TEST_CASE("CSV of a heatmap: a record a cell, indices beside labels, exact values") {
  const auto values = odd_values(60);
  figure::Plot map = test::heatmap_plot("map", std::make_shared<test::PlainSource>(6, 10, values));
  std::vector<std::string> labels(10, "a,b");
  labels[1] = "say \"hi\"\r\n";
  map.x.labels = std::make_shared<const std::vector<std::string>>(labels);
  const std::string text = exported(page_of({map}), "a.csv");
  CHECK(
      text.starts_with("plot,mark,row,column,column_label,value\r\nmap,heatmap,0,0,\"a,b\",0\r\n"));
  const auto all = records(text);
  REQUIRE(all.size() == 60);
  CHECK(all[1].at("column_label") == "say \"hi\"⏎");
  int wrong = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    CHECK(all[k].at("row") == std::to_string(k / 10));
    CHECK(all[k].at("column") == std::to_string(k % 10));
    const std::string& field = all[k].at("value");
    const float back = field.empty()          ? core::kMasked
                       : field == "NaN"       ? kNan
                       : field == "Infinity"  ? kInf
                       : field == "-Infinity" ? -kInf
                                              : std::strtof(field.c_str(), nullptr);
    wrong += !same(back, values[k]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("CSV counts rows, columns and bars from what their axes begin with") {
  figure::Plot map = test::heatmap_plot(
      "map", std::make_shared<test::PlainSource>(2, 2, std::vector<float>{1, 2, 3, 4}));
  map.y = {.lo = 1, .hi = 3, .cells = true};  // layers over tokens
  map.x = {.lo = 0, .hi = 2, .cells = true};
  figure::Plot bars;
  bars.id = "bars";
  bars.x = {.lo = 1, .hi = 3, .cells = true};
  bars.marks = {figure::Bars{{5, 6}}};
  const auto all = records(exported(page_of({map, bars}), "a.csv"));
  REQUIRE(all.size() == 6);
  CHECK(all[0].at("row") == "1");
  CHECK(all[0].at("column") == "0");
  CHECK(all[3].at("row") == "2");
  CHECK(all[4].at("column") == "1");
  CHECK(all[5].at("column") == "2");
}

TEST_CASE("CSV and JSON of boxes have the number that belongs to each") {
  figure::Plot text;
  text.id = "text";
  figure::Boxes boxes{.value_name = "token id"};
  boxes.boxes = {{0, 0, 1, 1, "the"}, {1, 0, 2, 1, "cat"}, {2, 0, 3, 1, "?"}};
  boxes.boxes[0].value = 1996;
  boxes.boxes[0].y0 = -0.0;
  boxes.boxes[1].value = 4937;
  text.marks = {boxes};
  const auto all = records(exported(page_of({text}), "a.csv"));
  REQUIRE(all.size() == 3);
  CHECK(all[0].at("text") == "the");
  CHECK(all[0].at("y") == "0");  // a place has no sign of zero
  CHECK(all[0].at("value") == "1996");
  CHECK(all[0].at("column_label") == "token id");
  CHECK(all[1].at("value") == "4937");
  CHECK(all[2].at("value").empty());
  CHECK(all[2].at("column_label").empty());
  CHECK(exported(page_of({text}), "a.json").find("4937") != std::string::npos);
}

TEST_CASE("CSV of lines, and of several plots in one table") {
  figure::Plot two = line_plot("l", {line({0, 1}, {0.5, 2}, "sin"), line({5}, {3})});
  two.x.label = "distance (tokens)";
  CHECK(exported(page_of({two}), "a.csv") ==
        "plot,mark,series,x,y,x_axis\r\nl,line,sin,0,0.5,distance (tokens)\r\n"
        "l,line,sin,1,2,distance (tokens)\r\nl,line,2,5,3,distance (tokens)\r\n");
  figure::Plot bars;
  bars.id = "bars";
  bars.marks.emplace_back(figure::Bars{{1, -2.5}, {}, true, {}, -1});
  CHECK(exported(page_of({bars, line_plot("l", {line({0}, {1})})}), "a.csv") ==
        "plot,mark,series,column,x,y,value\r\nbars,bars,1,0,,,1\r\nbars,bars,1,1,,,-2.5\r\n"
        "l,line,1,,0,1,\r\n");
  CHECK(exported(page_of({bars, line_plot("l", {line({0}, {1})})}), "a.csv", {"bars"}) ==
        "plot,mark,series,column,value\r\nbars,bars,1,0,1\r\nbars,bars,1,1,-2.5\r\n");
}

TEST_CASE("CSV of links tells repeated words apart") {
  figure::Plot plot;
  plot.id = "p";
  figure::Links links;
  links.left = links.right =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"the", "the"});
  links.links = {{0, 1, 0.5f, {}}, {1, 1, 0.25f, {}}};
  plot.marks = {links};
  CHECK(exported(page_of({plot}), "a.csv") ==
        "plot,mark,row,row_label,column,column_label,value\r\n"
        "p,links,0,the,1,the,0.5\r\np,links,1,the,1,the,0.25\r\n");
}

TEST_CASE("CSV begins with a mark or with comments when that is asked for, and only then") {
  const test::Folder folder;
  const lab::Page page = page_of({line_plot("l", {line({0}, {1})})});
  paper::export_numbers(page, {}, "", folder / "a.csv", {},
                        {.comments = true, .bom = true, .title = "A lab", .parameters = "n = 3"});
  const std::string text = test::read(folder / "a.csv");
  CHECK(text.starts_with("\xef\xbb\xbf# A lab\r\n# fig: A \"figure\"\r\n"));
  CHECK(has(text, "# n = 3\r\nplot,mark,"));
  CHECK(exported(page, "a.csv").starts_with("plot,mark,"));
}

TEST_CASE("arrows, handles, intervals and tables in CSV") {
  figure::Plot plot;
  plot.id = "p";
  figure::Arrows arrows;
  arrows.arrows = {{0, 0.5, 1, -2}, {std::nan(""), 0, 0, 1e300}};
  plot.marks = {arrows};
  CHECK(exported(page_of({plot}), "a.csv") ==
        "plot,mark,series,x,y,x2,y2\r\np,arrows,1,0,0.5,1,-2\r\np,arrows,1,NaN,0,0,1e+300\r\n");
  figure::Handle one, two;
  one.x = 1, one.y = 2.5, one.label = "a, b";
  plot.marks = {one, two};
  CHECK(exported(page_of({plot}), "a.csv") ==
        "plot,mark,x,y,text\r\np,point,1,2.5,\"a, b\"\r\np,point,0,0,\r\n");
  plot.marks = {figure::Interval{.from = 25, .to = 37.5, .y = -1, .label = "n - m"}};
  CHECK(exported(page_of({plot}), "a.csv") ==
        "plot,mark,x,y,x2,text\r\np,interval,25,-1,37.5,n - m\r\n");
  const std::string as_json = exported(page_of({plot}), "a.json");
  CHECK(has(as_json, R"("type":"interval","from":25,"to":37.5,"y":-1,"label":"n - m")"));
  figure::Table table;
  table.columns = {{"step"}, {"said"}, {"score"}};
  table.rows = {{{{"1"}}, {{"the \"bank\""}, {"再次\n又"}}, {{"-0.5"}}}, {}, {{{"2"}}}};
  plot.marks = {table};
  const auto all = records(exported(page_of({plot}), "a.csv"));
  REQUIRE(all.size() == 4);
  CHECK(all[1].at("column_label") == "said");
  CHECK(all[1].at("text") == "the \"bank\" / 再次 / 又");
  CHECK(all[3].at("row") == "2");
  CHECK(all[3].at("text") == "2");
  // All of a figure is one table.
  plot.marks = {arrows, one, table};
  CHECK(records(exported(page_of({plot}), "a.csv")).size() == 2 + 1 + 4);
}

TEST_CASE("numbers that cells tell as people read them have records of their own in CSV") {
  figure::Table table;
  table.columns = {{"层"}, {"乘加"}};
  table.rows = {{{{"self-attention"}}, {{"n²·d"}, {"= 537 M"}, {"1 ×"}}},
                {{{"recurrent, \"old\""}}, {{"n·d²"}, {"= 268 M"}}}};
  table.numbers = {{"multiply-adds", {536870912, 268435456}},
                   {"memory (bytes)", {33554432, std::nan("")}}};
  figure::Plot plot;
  plot.id = "p";
  plot.marks = {table};
  const std::string text = exported(page_of({plot}), "a.csv");
  CHECK(text.starts_with("plot,mark,row,row_label,column,column_label,value,text\r\n"));
  const auto all = records(text);
  REQUIRE(all.size() == 2 * 2 + 3);
  CHECK(all[1].at("text") == "n²·d / = 537 M / 1 ×");
  CHECK(all[1].at("column") == "1");
  CHECK(all[1].at("value").empty());
  // Of the first row, then of the second.
  CHECK(all[2].at("row_label") == "self-attention");
  CHECK(all[2].at("column").empty());
  CHECK(all[2].at("column_label") == "multiply-adds");
  CHECK(all[2].at("value") == "536870912");
  CHECK(all[3].at("column_label") == "memory (bytes)");
  CHECK(all[6].at("row") == "1");
  CHECK(all[6].at("row_label") == "recurrent, \"old\"");
  CHECK(all[6].at("value") == "268435456");
  const std::string as_json = exported(page_of({plot}), "a.json");
  CHECK(has(as_json, R"("numbers":{"multiply-adds":[536870912,268435456],)"
                     R"x("memory (bytes)":[33554432,"NaN"]})x"));
  figure::Figure figure;
  figure.id = "f";
  figure.plots = {plot};
  CHECK(has(paper::copied_numbers(figure).text, "层\t乘加\tmultiply-adds\tmemory (bytes)\n"));
  CHECK(has(paper::copied_numbers(figure).text, "\t268435456\t\n"));
}

TEST_CASE("what a box tells as people read it is there as numbers, too") {
  figure::Plot plot;
  plot.id = "tree";
  figure::Diagram diagram;
  const double none = std::numeric_limits<double>::quiet_NaN();
  diagram.nodes.push_back(
      {.title = "A", .note = "0.40", .numbers = {{"probability", 0.4}, {"score", none}}});
  diagram.nodes.push_back({.title = "start"});
  diagram.nodes.push_back({.title = "B", .numbers = {{"probability", 0.3}, {"score", -1.5}}});
  plot.marks = {diagram};
  const auto all = records(exported(page_of({plot}), "a.csv"));
  REQUIRE(all.size() == 3 + 3);
  CHECK(all[1].at("mark") == "number");
  CHECK(all[1].at("series") == "1");
  CHECK(all[1].at("column_label") == "probability");
  CHECK(all[1].at("value") == "0.4");
  CHECK(all[2].at("text") == "start");
  CHECK(all[5].at("value") == "-1.5");
  const std::string as_json = exported(page_of({plot}), "a.json");
  CHECK(has(as_json, R"("numbers":{"probability":0.4,"score":"NaN"}})"));
  CHECK(has(as_json, R"("numbers":{"probability":0.3,"score":-1.5}})"));
  CHECK(has(read_npy(exported(page_of({plot}), "a.npy")).header, "'shape': (2, 2)"));
  CHECK(has(paper::copied_numbers({.id = "f", .plots = {plot}}).text, "probability\tscore"));
}

TEST_CASE("a diagram's boxes with their cells, and its wires") {
  figure::Plot plot;
  plot.id = "p";
  figure::Diagram diagram;
  diagram.nodes.push_back({.x0 = 0, .y0 = 1, .x1 = 2, .y1 = 3.5, .title = "Q", .note = "2 x 3"});
  core::Matrix cells(2, 3);
  cells << 1, 2, core::kMasked, -4, 5.5f, 6;
  diagram.nodes[0].picture = std::make_shared<figure::DenseSource>(cells);
  diagram.nodes.push_back({.title = "a, b"});
  diagram.wires.push_back({.path = {{0, 0}, {1, 2}}, .label = "n x d"});
  plot.marks = {diagram};
  const auto all = records(exported(page_of({plot}), "a.csv"));
  REQUIRE(all.size() == 1 + 6 + 1);
  CHECK(all[0].at("text") == "Q / 2 x 3");
  CHECK(all[0].at("y2") == "3.5");
  CHECK(all[3].at("value").empty());
  CHECK(all[5].at("value") == "5.5");
  CHECK(all[5].at("series") == "1");
  CHECK(all[7].at("text") == "a, b");
  const std::string as_json = exported(page_of({plot}), "a.json");
  CHECK(has(as_json, R"({"title":"Q","note":"2 x 3","at":[0,1,2,3.5],"shape":[2,3],"data":[)"));
  CHECK(has(as_json, "[1,2,null]"));
  CHECK(has(as_json, "[-4,5.5,6]"));
  CHECK(has(as_json, R"("wires":[{"label":"n x d","x":[0,1],"y":[0,2]}])"));
  CHECK(has(read_npy(exported(page_of({plot}), "a.npy")).header, "'shape': (2, 3)"));
}

}  // namespace numbers_csv_test
