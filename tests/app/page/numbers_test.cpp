#include "app/page/numbers.h"

#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <stop_token>

#include "app/page/atomic_file.h"
#include "app/page/export_figure.h"
#include "app/page/number_formats.h"
#include "support.h"

namespace numbers_test {

namespace {

using nlohmann::json;

const float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

// Floats of all sizes, each special value, masked cells.
std::vector<float> odd_values(std::size_t count) {
  std::vector<float> values = {0.0f, -0.0f,  core::kMasked, kNan,        kInf,     -kInf,
                               0.1f, 1e-45f, 3.4028235e38f, 16777217.0f, 1.0f / 3, -2.5e-7f};
  std::mt19937 random(7);
  while (values.size() < count) {
    const float v = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(v)) values.push_back(v);
  }
  return values;
}

figure::Plot line_plot(const std::string& id, std::vector<figure::Line> lines) {
  figure::Plot plot;
  plot.id = id;
  for (figure::Line& line : lines) plot.marks.emplace_back(std::move(line));
  return plot;
}

lab::Page page_of(std::vector<figure::Plot> plots) {
  lab::Page page;
  figure::Figure figure;
  figure.id = "fig";
  figure.title = "A \"figure\"";
  figure.plots = std::move(plots);
  page.figures.push_back(figure);
  page.readouts.push_back({"entropy", "Entropy", 0.1 + 0.2, "0.3 nats", ""});
  page.readouts.push_back({"empty", "Empty", std::nan(""), "-", ""});
  page.cards.push_back({"said",
                        "It is \"so\".",
                        "It is not.",
                        "Somebody 2017",
                        {"first", "main"},
                        lab::Card::Verdict::half});
  return page;
}

figure::Line line(std::vector<double> x, std::vector<double> y, const std::string& label = "") {
  figure::Line l;
  l.x = std::move(x);
  l.y = std::move(y);
  l.label = label;
  return l;
}

std::string exported(const lab::Page& page, const std::string& name,
                     const std::vector<std::string>& ids = {}, const std::string& session = "") {
  const test::Folder folder;
  page::export_numbers(page, ids, session, folder / name);
  CHECK(folder.files() == 1);
  return test::read(folder / name);
}

std::string refusal(const lab::Page& page, const std::string& name,
                    const std::vector<std::string>& ids = {}) {
  const test::Folder folder;
  try {
    page::export_numbers(page, ids, "", folder / name);
  } catch (const core::InputError& error) {
    CHECK(folder.files() == 0);
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A number as JSON or CSV hold it, back as a float; masked for null or an empty field.
float float_of(const json& value) {
  if (value.is_null()) return core::kMasked;
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    return text == "NaN" ? kNan : text == "Infinity" ? kInf : text == "-Infinity" ? -kInf : 777.0f;
  }
  return std::strtof(value.dump().c_str(), nullptr);
}

bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

TEST_CASE("JSON keeps every bit of every value") {
  const auto values = odd_values(60);
  figure::Plot map = test::heatmap_plot("map", std::make_shared<test::PlainSource>(6, 10, values));
  map.y.label = "query";
  map.x.labels = std::make_shared<const std::vector<std::string>>(10, "词\"\n");
  const std::string session = R"({"attnscope":1,"lab":"knobs"})";
  const std::string text = exported(page_of({map}), "a.json", {}, session);
  const json root = json::parse(text);
  CHECK(root["session"] == json::parse(session));
  const json& figure = root["figures"][0];
  CHECK(figure["id"] == "fig");
  CHECK(figure["title"] == "A \"figure\"");
  CHECK(figure["axes"].size() == 2);
  CHECK(figure["axes"][1]["label"] == "query");
  const json& plot = figure["plots"][0];
  CHECK(plot["x"]["labels"][9] == "词\"\n");
  CHECK(plot["y"]["labels"].is_null());
  CHECK(plot["y"]["hi"] == 6);
  const json& mark = plot["marks"][0];
  CHECK(mark["type"] == "heatmap");
  CHECK(mark["shape"] == json({6, 10}));
  int wrong = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const json& cell = mark["data"][k / 10][k % 10];
    // The parser reads doubles, which hold every float; -0 keeps its sign.
    const float back = cell.is_number() ? static_cast<float>(cell.get<double>()) : float_of(cell);
    const bool zero = values[k] == 0;
    wrong += zero ? back != 0 : !same(back, values[k]);
  }
  CHECK(wrong == 0);
  CHECK(
      has(text, "[0,-0,null,\"NaN\",\"Infinity\",\"-Infinity\",0.1,1e-45,3.4028235e+38,16777216]"));
  CHECK(root["readouts"]["entropy"]["value"].get<double>() == 0.1 + 0.2);
  CHECK(root["readouts"]["empty"]["value"] == "NaN");
  CHECK(root["statements"] == nlohmann::json::array({{{"id", "said"},
                                                      {"said", "It is \"so\"."},
                                                      {"verdict", "half"},
                                                      {"truth", "It is not."},
                                                      {"source", "Somebody 2017"},
                                                      {"preset", "first"},
                                                      {"figure", "main"}}}));
}

TEST_CASE("JSON of the other marks") {
  figure::Plot plot = line_plot("lines", {line({0, 1, 2}, {0.1, std::nan(""), 1e300}, "sin")});
  plot.marks.emplace_back(figure::Bars{{1, -2.5}, {}, true, {}, -1});
  plot.marks.emplace_back(figure::Band{{0, 1}, {2, 3}, {4, 5}, {}});
  plot.marks.emplace_back(figure::Points{{7}, {8}, {}, 3, {}});
  plot.marks.emplace_back(figure::Rule{false, 3.5, {}, true, "mean"});
  plot.marks.emplace_back(figure::Note{1, 2, "here", {}, figure::TextStyle::label, -1});
  figure::Links links;
  links.left = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a", "b"});
  links.links = {{0, 1, 0.25f, {}}, {1, 0, 0.1f, {}}};
  plot.marks.emplace_back(links);
  const json marks =
      json::parse(exported(page_of({plot}), "a.json"))["figures"][0]["plots"][0]["marks"];
  REQUIRE(marks.size() == 7);
  CHECK(marks[0]["y"] == json({0.1, "NaN", 1e300}));
  CHECK(marks[1] == json({{"type", "bars"}, {"values", {1, -2.5}}}));
  CHECK(marks[2]["hi"] == json({4, 5}));
  CHECK(marks[3]["x"] == json::array({7}));
  CHECK(marks[4]["vertical"] == false);
  CHECK(marks[4]["at"] == 3.5);
  CHECK(marks[5]["text"] == "here");
  CHECK(marks[6]["links"][1] == json({{"from", 1}, {"to", 0}, {"weight", 0.1}}));
  CHECK(marks[6]["right"].is_null());
  CHECK(json::parse(exported(page_of({}), "a.json"))["session"].is_null());
}

TEST_CASE("a session that is no JSON is refused and writes nothing") {
  const test::Folder folder;
  CHECK_THROWS_AS(page::export_numbers(page_of({}), {}, "{", folder / "a.json"), core::InputError);
  CHECK(folder.files() == 0);
}

// RFC 4180, read strictly.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1);
  rows.back().emplace_back();
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted) {
      if (c != '"') {
        rows.back().back() += c;
      } else if (k + 1 < text.size() && text[k + 1] == '"') {
        rows.back().back() += text[++k];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\r') {
      REQUIRE(text[++k] == '\n');
      rows.emplace_back();
      rows.back().emplace_back();
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

// The records of a table by the names of its columns; as many fields in each.
std::vector<std::map<std::string, std::string>> records(const std::string& text) {
  const auto rows = read_csv(text);
  REQUIRE(!rows.empty());
  std::vector<std::map<std::string, std::string>> all;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    REQUIRE(rows[k].size() == rows[0].size());
    all.emplace_back();
    for (std::size_t c = 0; c < rows[k].size(); ++c) all.back()[rows[0][c]] = rows[k][c];
  }
  return all;
}

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
  page::export_numbers(page, {}, "", folder / "a.csv", {},
                       {.comments = true, .bom = true, .title = "A lab", .parameters = "n = 3"});
  const std::string text = test::read(folder / "a.csv");
  CHECK(text.starts_with("\xef\xbb\xbf# A lab\r\n# fig: A \"figure\"\r\n"));
  CHECK(has(text, "# n = 3\r\nplot,mark,"));
  CHECK(exported(page, "a.csv").starts_with("plot,mark,"));
}

struct Npy {
  std::string header;
  std::vector<float> data;
};

Npy read_npy(const std::string& bytes) {
  REQUIRE(bytes.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  const auto low = static_cast<unsigned char>(bytes[8]),
             high = static_cast<unsigned char>(bytes[9]);
  const std::size_t begin = 10 + low + 256u * high;
  CHECK(begin % 64 == 0);
  CHECK(bytes[begin - 1] == '\n');
  Npy npy{bytes.substr(10, begin - 10), {}};
  REQUIRE((bytes.size() - begin) % 4 == 0);
  npy.data.resize((bytes.size() - begin) / 4);
  std::memcpy(npy.data.data(), bytes.data() + begin, bytes.size() - begin);
  return npy;
}

TEST_CASE("NPY of a heatmap, bit for bit") {
  const auto values = odd_values(60);
  const Npy npy = read_npy(exported(
      page_of({test::heatmap_plot("map", std::make_shared<test::PlainSource>(6, 10, values))}),
      "a.npy"));
  CHECK(has(npy.header, "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 10), }"));
  REQUIRE(npy.data.size() == values.size());
  CHECK(std::memcmp(npy.data.data(), values.data(), values.size() * 4) == 0);
}

TEST_CASE("NPY of many rows comes whole and in order, in blocks") {
  const auto source = test::ramp(3000, 1001);  // three blocks of reading
  const Npy npy = read_npy(exported(page_of({test::heatmap_plot("map", source)}), "a.npy"));
  REQUIRE(npy.data.size() == 3003000);
  CHECK(npy.data.front() == source->value(0, 0));
  CHECK(npy.data[1001 * 1500 + 7] == source->value(1500, 7));
  CHECK(npy.data.back() == source->value(2999, 1000));
}

TEST_CASE("NPY of equal heatmaps, bars and lines") {
  const auto a = test::heatmap_plot("a", test::ramp(2, 3));
  const auto b = test::heatmap_plot("b", test::ramp(2, 3));
  const Npy stack = read_npy(exported(page_of({a, b}), "a.npy"));
  CHECK(has(stack.header, "'shape': (2, 2, 3)"));
  CHECK(stack.data.size() == 12);
  CHECK(stack.data[7] == test::ramp(2, 3)->value(0, 1));
  CHECK(has(read_npy(exported(page_of({a, b}), "a.npy", {"b"})).header, "'shape': (2, 3)"));

  figure::Plot bars;
  bars.id = "bars";
  bars.marks.emplace_back(figure::Bars{{1, -2.5, 4}, {}, true, {}, -1});
  const Npy one = read_npy(exported(page_of({bars}), "a.npy"));
  CHECK(has(one.header, "'shape': (3,)"));
  CHECK(one.data == std::vector<float>{1, -2.5f, 4});

  const Npy lines = read_npy(
      exported(page_of({line_plot("l", {line({0, 1}, {2, 3}), line({4, 5}, {6, 7})})}), "a.npy"));
  CHECK(has(lines.header, "'shape': (2, 2, 2)"));
  CHECK(lines.data == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("NPY refuses what is not one array, naming the choices") {
  const auto a = test::heatmap_plot("first", test::ramp(2, 3));
  const auto b = test::heatmap_plot("second", test::ramp(3, 3));
  CHECK(has(refusal(page_of({a, b}), "a.npy"), "first, second"));
  CHECK(has(refusal(page_of({a, b}), "a.npy"), ".npz"));
  CHECK(has(refusal(page_of({}), "a.npy"), "no array"));
  CHECK(has(refusal(page_of({line_plot("l", {line({0, 1}, {2, 3}), line({4}, {6})})}), "a.npy"),
            "not equally long"));
  CHECK(has(refusal(page_of({a}), "a.npy", {"third"}), "\"third\""));
}

// The stored files of an archive by name, whose directory must agree with them.
std::map<std::string, std::string> unzipped(const std::string& bytes) {
  const auto number = [&](std::size_t at, std::size_t length) {
    std::size_t value = 0;
    for (std::size_t k = 0; k < length; ++k) {
      value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes.at(at + k))) << (8 * k);
    }
    return value;
  };
  std::map<std::string, std::string> files;
  const std::size_t end = bytes.size() - 22;
  REQUIRE(number(end, 4) == 0x06054b50);
  std::size_t entry = number(end + 16, 4);
  for (std::size_t k = 0; k < number(end + 10, 2); ++k) {
    REQUIRE(number(entry, 4) == 0x02014b50);
    const std::size_t size = number(entry + 24, 4), name = number(entry + 28, 2);
    const std::size_t at = number(entry + 42, 4);
    REQUIRE(number(at, 4) == 0x04034b50);
    const std::size_t data = at + 30 + number(at + 26, 2) + number(at + 28, 2);
    files[bytes.substr(entry + 46, name)] = bytes.substr(data, size);
    CHECK(number(data + size, 4) == 0x08074b50);
    CHECK(number(data + size + 4, 4) == number(entry + 16, 4));  // the checksum
    entry += 46 + name;
  }
  return files;
}

TEST_CASE("NPZ holds every array of several, each as an NPY") {
  figure::Plot bars;
  bars.id = "bars";
  bars.marks.emplace_back(figure::Bars{{1, -2.5, 4}, {}, true, {}, -1});
  figure::Plot both = line_plot("l", {line({0, 1}, {2, 3}), line({4}, {5})});
  both.marks.emplace_back(figure::Points{.x = {7}, .y = {8}});
  const auto map = test::heatmap_plot("map", test::ramp(2, 3));
  const auto files = unzipped(exported(page_of({map, bars, both}), "a.npz"));
  REQUIRE(files.size() == 5);
  CHECK(has(read_npy(files.at("map.npy")).header, "'shape': (2, 3)"));
  CHECK(read_npy(files.at("bars.npy")).data == std::vector<float>{1, -2.5f, 4});
  CHECK(read_npy(files.at("l.lines_1.npy")).data == std::vector<float>{0, 1, 2, 3});
  CHECK(has(read_npy(files.at("l.lines_2.npy")).header, "'shape': (2, 1)"));
  CHECK(has(read_npy(files.at("l.points.npy")).header, "'shape': (1, 2, 1)"));
  CHECK(has(refusal(page_of({}), "a.npz"), "no array"));
}

// Says that it is large; its cells are never asked for.
class Vast final : public figure::TileSource {
 public:
  core::Index rows() const override { return 100'000; }
  core::Index cols() const override { return 100'000; }
  float value(core::Index, core::Index) const override { return 0; }
  void pooled(int, const core::Region&, core::Pool, float*, const core::Cancel&) const override {
    throw std::logic_error("asked for cells");
  }
  double cost(int, const core::Region&, core::Pool) const override { return 1e12; }
};

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

TEST_CASE("a heatmap too large for text is refused, with the way out") {
  const lab::Page page = page_of({test::heatmap_plot("vast", std::make_shared<Vast>())});
  CHECK(has(refusal(page, "a.json"), "export it as .npy"));
  CHECK(has(refusal(page, "a.csv"), "export it as .npy"));
}

// As many cells as are asked for, all alike.
class Endless final : public figure::TileSource {
 public:
  explicit Endless(core::Index side) : side_(side) {}
  core::Index rows() const override { return side_; }
  core::Index cols() const override { return side_; }
  float value(core::Index, core::Index) const override { return 0.125f; }
  void pooled(int, const core::Region& region, core::Pool, float* out,
              const core::Cancel&) const override {
    std::fill(out, out + region.rows * region.cols, 0.125f);
  }
  double cost(int, const core::Region&, core::Pool) const override { return 1; }

 private:
  core::Index side_;
};

TEST_CASE("what would fill any disk is refused before its first byte, and the way out is one") {
  const auto of = [](core::Index side) {
    return page_of({test::heatmap_plot("vast", std::make_shared<Endless>(side))});
  };
  const lab::Page million = of(1'000'000);
  CHECK(
      refusal(million, "a.npy") ==
      "as .npy this takes 4 TB, more than the 64 GB that are written: make it smaller, or export a "
      "picture (.png, .pdf)");
  for (const char* name : {"a.json", "a.csv"}) {
    const std::string message = refusal(million, name);
    CHECK(has(message, "make it smaller, or export a picture"));
    CHECK_FALSE(has(message, ".npy"));
  }
  CHECK(has(refusal(of(20'000), "a.json"), "export it as .npy, which takes 1.6 GB"));
}

TEST_CASE("how large an export will be is known beforehand, and held against the disk") {
  const test::Folder folder;
  const lab::Page page = page_of({test::heatmap_plot("map", test::ramp(300, 400))});
  for (const char* name : {"a.json", "a.csv", "a.npy"}) {
    CAPTURE(std::string(name));
    page::export_numbers(page, {}, "", folder / name);
    const double guessed = page::estimated_bytes(page, {}, folder / name);
    const auto size = static_cast<double>(std::filesystem::file_size(folder / name));
    CHECK(guessed > 0.8 * size);
    CHECK(guessed < 1.2 * size);
  }
  CHECK(page::estimated_bytes(page, {}, folder / "a.png") == 0);
  try {
    page::check_room(folder / "a.npy", 4e30);
    FAIL("there is no such disk");
  } catch (const page::IoError& error) {
    CHECK(has(error.what(), "a.npy: it takes 4e+15 PB, and "));
    CHECK(has(error.what(), " are free on the disk"));
  }
  page::check_room(folder / "a.npy", 1);
  page::check_room(folder / "none" / "a.npy",
                   4e30);  // writing will say that there is no such folder
}

TEST_CASE("an empty page is refused in every format alike") {
  for (const char* name : {"a.json", "a.csv", "a.npy", "a.npz"}) {
    CHECK(refusal({}, name) == "this page has no figures to export");
  }
}

}  // namespace

TEST_CASE(
    "how far it is is told; a cancelled export leaves what was there, and nothing beside it") {
  const lab::Page page = test::heatmap_page();
  for (const char* name : {"a.json", "a.csv", "a.png", "a.pdf", "a.svg"}) {
    CAPTURE(std::string(name));
    const test::Folder folder;
    page::write_atomically(folder / name, "old");
    std::stop_source stop;
    std::atomic<float> progress = 0;
    stop.request_stop();
    CHECK_THROWS_AS(page::export_page(page, {}, {}, {}, folder / name,
                                      core::Cancel(stop.get_token(), &progress)),
                    core::Cancelled);
    CHECK(test::read(folder / name) == "old");
    CHECK(folder.files() == 1);
    CHECK(progress < 1);
    page::export_page(page, {}, {}, {}, folder / name, core::Cancel({}, &progress));
    CHECK(progress == 1);
    CHECK(test::read(folder / name) != "old");
  }
}

}  // namespace numbers_test
