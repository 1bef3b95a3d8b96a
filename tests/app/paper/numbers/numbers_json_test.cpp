// The numbers of figures as JSON.
#include "numbers_rig.h"

namespace numbers_json_test {

using namespace numbers_rig;

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
  CHECK_THROWS_AS(paper::export_numbers(page_of({}), {}, "{", folder / "a.json"), core::InputError);
  CHECK(folder.files() == 0);
}

}  // namespace numbers_json_test
