#include "app/param/values.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/random.h"

namespace param_test {

using core::InputError;
using nlohmann::json;

namespace {

enum class Mask { none, causal, local };

struct Sample {
  bool scaled = true;
  int heads = 8;
  int head = 3;  // at most `heads`
  int block = 16;
  double temperature = 1;
  double base = 1e4;
  Mask mask = Mask::causal;
  std::string text = "the cat";
};

param::List describe(Sample& s) {
  param::List list;
  list.group("Heads");
  list.flag(s.scaled, "scaled", "Scale", "");
  list.integer(s.heads, "heads", "Heads", "", {.min = 1, .max = 32});
  list.integer(s.head, "head", "Head", "", {.min = 1, .max = double(s.heads)});
  list.integer(s.block, "block", "Block", "", {.min = 4, .max = 30, .step = 4});
  list.group("Rest");
  list.real(s.temperature, "temperature", "T", "", {.min = 0.05, .max = 20, .step = 0.05});
  list.real(s.base, "base", "Base", "", {.min = 1e2, .max = 1e7});
  list.choice(s.mask, "mask", "Mask", "",
              {{"none", "None"}, {"causal", "Causal"}, {"local", "Local"}});
  list.text(s.text, "text", "Text", "", 20);
  return list;
}

param::Describe describer(Sample& s) {
  return [&s] { return describe(s); };
}

void set(Sample& s, std::string_view id, std::string_view text) {
  param::List list = describe(s);
  param::Parameter* parameter = list.find(id);
  REQUIRE(parameter != nullptr);
  param::parse(*parameter, text);
}

std::string refusal(std::string_view id, std::string_view text) {
  Sample s;
  const param::Values before = param::values(describer(s));
  try {
    set(s, id, text);
  } catch (const InputError& error) {
    CHECK(param::values(describer(s)) == before);  // the value is left alone
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("Groups and kinds are as described") {
  Sample s;
  param::List list = describe(s);
  CHECK(list.find("heads")->group == "Heads");
  CHECK(list.find("mask")->group == "Rest");
  CHECK(list.find("nothing") == nullptr);
  std::string kinds;
  for (const auto& p : list.items()) kinds += std::string(param::kind_name(p)) + ' ';
  CHECK(kinds == "flag integer integer integer real real choice text ");
  CHECK(param::number(*list.find("heads")) == 8);
  CHECK(param::number(*list.find("base")) == 1e4);
  CHECK_FALSE(param::number(*list.find("mask")));
}

TEST_CASE("Values are printed shortest and read back") {
  Sample s;
  CHECK(param::values(describer(s)) == param::Values{{"scaled", "true"},
                                                     {"heads", "8"},
                                                     {"head", "3"},
                                                     {"block", "16"},
                                                     {"temperature", "1"},
                                                     {"base", "10000"},
                                                     {"mask", "causal"},
                                                     {"text", "the cat"}});
  set(s, "temperature", "0.1");
  CHECK(param::print(*describe(s).find("temperature")) == "0.1");
  set(s, "base", " 1e6 ");
  CHECK(s.base == 1e6);
  set(s, "heads", "+12");
  CHECK(s.heads == 12);
  set(s, "mask", "local");
  CHECK(s.mask == Mask::local);
  set(s, "text", "  spaces stay ");
  CHECK(s.text == "  spaces stay ");
  set(s, "text", "");
  CHECK(s.text.empty());
}

TEST_CASE("Any value survives text and JSON exactly") {
  core::Random random(5);
  for (int k = 0; k < 2000; ++k) {
    Sample from;
    from.scaled = random.below(2) == 0;
    from.heads = 1 + static_cast<int>(random.below(32));
    from.head = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(from.heads)));
    from.block = 4 + 4 * static_cast<int>(random.below(7));
    from.temperature = 0.05 + 19.95 * random.uniform();
    from.base = std::exp(std::log(1e2) + random.uniform() * std::log(1e5));
    from.mask = static_cast<Mask>(random.below(3));
    from.text = std::string(random.below(10), 'x') + "中\n\"";

    Sample by_text;
    param::assign(describer(by_text), param::values(describer(from)));
    CHECK(param::values(describer(by_text)) == param::values(describer(from)));
    CHECK(by_text.base == from.base);
    CHECK(by_text.temperature == from.temperature);

    Sample by_json;
    const param::List source = describe(from);
    for (std::size_t p = 0; p < source.items().size(); ++p) {
      const json through = json::parse(param::to_json(source.items()[p]).dump());
      param::from_json(describe(by_json).items()[p], through);
    }
    CHECK(param::values(describer(by_json)) == param::values(describer(from)));
    CHECK(by_json.base == from.base);
  }
}

TEST_CASE("A refusal says what was expected and what came, and changes nothing") {
  CHECK(refusal("heads", "99") == "heads: expected an integer from 1 to 32, got 99");
  CHECK(refusal("heads", "0") == "heads: expected an integer from 1 to 32, got 0");
  CHECK(refusal("heads", "many") == "heads: expected an integer from 1 to 32, got many");
  CHECK(refusal("heads", "") == "heads: expected an integer from 1 to 32, got nothing");
  CHECK(refusal("heads", "3x") == "heads: expected an integer from 1 to 32, got 3x");
  CHECK(refusal("heads", "3 4") == "heads: expected an integer from 1 to 32, got \"3 4\"");
  CHECK(refusal("heads", "3.5") == "heads: expected an integer from 1 to 32, got 3.5");
  CHECK(refusal("heads", "+-3") == "heads: expected an integer from 1 to 32, got +-3");
  CHECK(refusal("heads", "4294967297") ==
        "heads: expected an integer from 1 to 32, got 4294967297");
  CHECK(refusal("heads", "99999999999999999999") ==
        "heads: expected an integer from 1 to 32, got 99999999999999999999");
  CHECK(refusal("head", "9") == "head: expected an integer from 1 to 8, got 9");
  CHECK(refusal("block", "6") == "block: expected an integer from 4 to 30 in steps of 4, got 6");
  CHECK(refusal("block", "30") == "block: expected an integer from 4 to 30 in steps of 4, got 30");
  CHECK(refusal("temperature", "nan") == "temperature: expected a number from 0.05 to 20, got nan");
  CHECK(refusal("temperature", "inf") == "temperature: expected a number from 0.05 to 20, got inf");
  CHECK(refusal("temperature", "1,5") ==
        "temperature: expected a number from 0.05 to 20, got \"1,5\"");
  CHECK(refusal("base", "1e999") == "base: expected a number from 100 to 10000000, got 1e999");
  CHECK(refusal("base", "0x1p9") == "base: expected a number from 100 to 10000000, got 0x1p9");
  CHECK(refusal("mask", "sideways") == "mask: expected one of none, causal, local, got sideways");
  CHECK(refusal("mask", "1") == "mask: expected one of none, causal, local, got 1");
  CHECK(refusal("scaled", "maybe") == "scaled: expected true or false, got maybe");
  CHECK(refusal("text", "a\xff") ==
        "text: expected UTF-8 text of at most 20 bytes, got the byte 0xff at offset 1");
  CHECK(refusal("text", std::string("a\0b", 3)) ==
        "text: expected UTF-8 text of at most 20 bytes, got a zero byte at offset 1");
  CHECK(refusal("text", std::string(21, 'x')) ==
        "text: expected UTF-8 text of at most 20 bytes, got 21 bytes");
  CHECK(refusal("text", std::string(20, 'x')) == "accepted");
}

TEST_CASE("A message shows foreign text safely and short") {
  CHECK(refusal("heads", "a\x1b[31m\xff") ==
        "heads: expected an integer from 1 to 32, got \"a\\x1b[31m\\xff\"");
  CHECK(refusal("heads", "中" + std::string(100, 'x')) ==
        "heads: expected an integer from 1 to 32, got \"中" + std::string(37, 'x') + "…\"");
  CHECK(refusal("heads", std::string(39, 'x') + "中y") ==
        "heads: expected an integer from 1 to 32, got \"" + std::string(39, 'x') + "…\"");
}

TEST_CASE("JSON of the wrong type or out of range is refused in a sentence") {
  const auto refused = [](std::string_view id, const json& value) -> std::string {
    Sample s;
    const param::Values before = param::values(describer(s));
    try {
      param::from_json(*describe(s).find(id), value);
    } catch (const InputError& error) {
      CHECK(param::values(describer(s)) == before);
      return error.what();
    }
    return "accepted";
  };
  CHECK(refused("heads", "8") == "heads: expected an integer from 1 to 32, got \"8\"");
  CHECK(refused("heads", 8.5) == "heads: expected an integer from 1 to 32, got 8.5");
  CHECK(refused("heads", 8.0) == "accepted");
  CHECK(refused("heads", 1e300) == "heads: expected an integer from 1 to 32, got 1e+300");
  CHECK(refused("heads", nullptr) == "heads: expected an integer from 1 to 32, got null");
  CHECK(refused("base", 5) == "base: expected a number from 100 to 10000000, got 5");
  CHECK(refused("base", std::numeric_limits<double>::quiet_NaN()) ==
        "base: expected a number from 100 to 10000000, got null");
  CHECK(refused("mask", 1) == "mask: expected one of none, causal, local, got 1");
  CHECK(refused("scaled", 1) == "scaled: expected true or false, got 1");
  CHECK(refused("text", "\xff").find("the byte 0xff at offset 0") != std::string::npos);
  CHECK(refused("text", json::array({1, 2})) ==
        "text: expected UTF-8 text of at most 20 bytes, got [1,2]");
}

TEST_CASE("Several values are set in the order of description, whatever order they come in") {
  Sample s;
  param::assign(describer(s), {{"head", "20"}, {"heads", "32"}, {"mask", "none"}});
  CHECK(s.head == 20);
  CHECK(s.heads == 32);
  param::assign(describer(s), {{"heads", "4"}});
  CHECK(s.head == 4);  // settled
  param::assign(describer(s), {{"heads", "5"}, {"heads", "6"}});
  CHECK(s.heads == 6);  // the last one counts
}

TEST_CASE("A refused assignment changes nothing at all") {
  Sample s;
  s.head = 8;
  const param::Values before = param::values(describer(s));
  CHECK_THROWS_WITH_AS(param::assign(describer(s), {{"heads", "4"}, {"head", "5"}}),
                       "head: expected an integer from 1 to 4, got 5", InputError);
  CHECK(param::values(describer(s)) == before);
  CHECK_THROWS_WITH_AS(
      param::assign(describer(s), {{"heads", "4"}, {"text", "\xff"}}),
      "text: expected UTF-8 text of at most 20 bytes, got the byte 0xff at offset 0", InputError);
  CHECK(param::values(describer(s)) == before);
  CHECK_THROWS_WITH_AS(
      param::assign(describer(s), {{"heads", "4"}, {"haeds", "5"}}),
      "expected a parameter (one of scaled, heads, head, block, temperature, base, "
      "mask, text), got haeds",
      InputError);
  CHECK(param::values(describer(s)) == before);
}

TEST_CASE("Settling brings numbers back and leaves good ones alone") {
  Sample s;
  s.heads = 400;
  s.head = 40;
  s.block = 7;
  s.temperature = std::numeric_limits<double>::quiet_NaN();
  s.base = 12345.678;
  param::settle(describer(s));
  CHECK(s.heads == 32);
  CHECK(s.head == 32);  // against the settled number of heads
  CHECK(s.block == 8);
  CHECK(s.temperature == 0.05);
  CHECK(s.base == 12345.678);
  s.temperature = 0.123;  // off the slider's step, typed by hand
  s.base = std::numeric_limits<double>::infinity();
  param::settle(describer(s));
  CHECK(s.temperature == 0.123);
  CHECK(s.base == 1e7);
}

TEST_CASE("The nearest permitted value lies in the range and on the step") {
  Sample s;
  param::List list = describe(s);
  CHECK(param::nearest(*list.find("heads"), 7.6) == 8);
  CHECK(param::nearest(*list.find("heads"), -3) == 1);
  CHECK(param::nearest(*list.find("heads"), 1e18) == 32);
  CHECK(param::nearest(*list.find("block"), 30) == 28);
  CHECK(param::nearest(*list.find("block"), 13.9) == 12);
  CHECK(param::nearest(*list.find("temperature"), 0.31) == 0.3);
  CHECK(param::nearest(*list.find("temperature"), 25) == 20);
  CHECK(param::nearest(*list.find("base"), 123.456) == 123.456);
  CHECK(param::nearest(*list.find("base"), std::numeric_limits<double>::quiet_NaN()) == 100);
  core::Random random(2);
  for (int k = 0; k < 1000; ++k) {
    for (const char* id : {"heads", "head", "block", "temperature", "base"}) {
      const param::Parameter& p = *list.find(id);
      const double value = param::nearest(p, 1e3 * random.gaussian());
      CHECK_NOTHROW(param::parse(p, json(value).dump().ends_with(".0")
                                        ? std::to_string(std::lround(value))
                                        : json(value).dump()));
      CHECK(param::nearest(p, value) == value);
    }
  }
}

namespace {

struct Drawn {
  std::string path;
  param::PointList points;
  std::string column;
  param::Facts facts = {};
};

void describe(Drawn& d, param::List& list) {
  list.file(d.path, "data", "Data", "", ".csv .txt");
  list.points({&d.points, 3, 0, 10, -1, 1}, "points", "Points", "");
  list.name(d.column, "column", "Column", "", d.path, 1);
}

param::Describe describer(Drawn& d) {
  return [&d] {
    param::List list(d.facts);
    describe(d, list);
    return list;
  };
}

std::string refused(Drawn& d, const std::string& id, const std::string& text) {
  try {
    param::assign(describer(d), {{id, text}});
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Points are pairs in the order in which they were set") {
  Drawn d;
  CHECK(refused(d, "points", " 0.5,1; 2,-1\n3,0.25 ").empty());
  CHECK(d.points == param::PointList{{0.5, 1}, {2, -1}, {3, 0.25}});
  CHECK(param::values(describer(d))[1].second == "0.5,1 2,-1 3,0.25");
  const auto written = param::to_json(describer(d)().items()[1]);
  CHECK(written.dump() == "[[0.5,1.0],[2.0,-1.0],[3.0,0.25]]");
  CHECK(refused(d, "points", "").empty());
  CHECK(d.points.empty());
  param::from_json(describer(d)().items()[1], written);
  CHECK(d.points.size() == 3);

  const std::string wanted =
      "points: expected at most 3 points such as 0.5,1 with x from 0 to 10 and y from -1 to 1, "
      "got ";
  CHECK(refused(d, "points", "1,1 2,1 3,1 4,1") == wanted + "4 points");
  CHECK(refused(d, "points", "1,1.5") == wanted + "1,1.5");
  CHECK(refused(d, "points", "nan,0") == wanted + "nan,0");
  CHECK(refused(d, "points", "1") == wanted + "1");
  CHECK(refused(d, "points", "1,2,3") == wanted + "\"1,2,3\"");
  for (const char* bad : {"[1]", "[[1]]", "[[1,2,3]]", "[[1,\"2\"]]", "{}", "7"}) {
    CHECK_THROWS_AS(param::from_json(describer(d)().items()[1], nlohmann::json::parse(bad)),
                    param::Refusal);
  }
  CHECK(d.points.size() == 3);
}

TEST_CASE("A file is a path of one line") {
  Drawn d;
  CHECK(refused(d, "data", " some folder/a.csv ").empty());
  CHECK(d.path == "some folder/a.csv");
  CHECK(refused(d, "data", "").empty());
  CHECK(d.path.empty());
  CHECK(refused(d, "data", "a\nb") ==
        "data: expected the path of a file (.csv .txt) or nothing, got \"a\\x0ab\"");
  CHECK(refused(d, "data", std::string(5000, 'a')) ==
        "data: expected the path of a file (.csv .txt) or nothing, got 5000 bytes");
  CHECK_THROWS_AS(param::from_json(describer(d)().items()[0], nlohmann::json(3)), param::Refusal);
}

TEST_CASE("A name is any line, whether it is there or not, and is known to be missing or not") {
  Drawn d;
  d.path = "a.csv";
  const auto name = [&] { return std::get<param::Name>(describer(d)().items()[2].kind); };
  const auto found = [&](std::vector<param::Named> names, const std::string& of = "a.csv") {
    d.facts["column"] = {of, std::make_shared<const std::vector<param::Named>>(std::move(names))};
  };
  const std::string unknown = "column: expected a name in one line of at most 4096 bytes, got ";
  CHECK(refused(d, "column", "a\nb") == unknown + "\"a\\x0ab\"");
  CHECK(refused(d, "column", "\xff") == unknown + "\"\\xff\"");
  CHECK(refused(d, "column", std::string(4097, 'a')) == unknown + "4097 bytes");
  CHECK(refused(d, "column", " the ").empty());  // tokens begin with spaces
  CHECK(d.column == " the ");
  CHECK(param::values(describer(d))[2].second == " the ");
  CHECK_FALSE(name().missing());  // nobody knows
  CHECK_FALSE(name().at());
  found({{"height"}, {"weight"}, {"column 3", "column three"}});
  CHECK(name().missing());
  CHECK(name().names->at(2).shown() == "column three");
  CHECK(name().names->at(1).shown() == "weight");
  CHECK_THROWS_WITH_AS(param::require_names(describer(d)()),
                       "column: expected one of height, weight, column 3, got \" the \"",
                       param::Refusal);
  for (const auto& [text, at] : {std::pair{"height", 0}, {"column 3", 2}, {"", 1}}) {
    CHECK(refused(d, "column", text).empty());
    CHECK(name().at() == at);
    CHECK_FALSE(name().missing());
  }
  found({{"only"}});
  CHECK_FALSE(name().at());  // there is no second one
  CHECK_FALSE(name().missing());
  found({{"height"}}, "b.csv");  // of another file
  CHECK(name().names == nullptr);
  const auto written = param::to_json(describer(d)().items()[2]);
  d.column = "x";
  param::from_json(describer(d)().items()[2], written);
  CHECK(d.column.empty());
  CHECK_THROWS_AS(param::from_json(describer(d)().items()[2], nlohmann::json(3)), param::Refusal);
  CHECK(param::kind_name(describer(d)().items()[2]) == "name");
  CHECK_FALSE(param::is_text(describer(d)().items()[2]));
  // Of very many the first dozen are listed.
  std::vector<param::Named> many;
  for (int k = 0; k < 40; ++k) many.push_back({std::to_string(k)});
  found(many);
  d.column = "x";
  CHECK_THROWS_WITH_AS(
      param::require_names(describer(d)()),
      "column: expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 28 more, got x",
      param::Refusal);
}

TEST_CASE("A refused assignment gives names back, too") {
  Drawn d;
  d.column = "height";
  CHECK_FALSE(refused(d, "column", std::string("a\0b", 3)).empty());
  CHECK_THROWS_AS(param::assign(describer(d), {{"points", "1,0"}, {"column", "a\nb"}}),
                  core::InputError);
  CHECK(d.column == "height");
  CHECK(d.points.empty());
}

TEST_CASE("numbers are brought near, one after the other, and all or nothing is set") {
  Sample s;
  param::assign_near(describer(s), {{"mask", "none"}}, {{"block", 9.4}, {"temperature", 1.234}});
  CHECK(s.mask == Mask::none);
  CHECK(s.block == 8);
  CHECK(s.temperature == doctest::Approx(1.25));
  // The range of the second follows from the first.
  param::assign_near(describer(s), {}, {{"heads", 4.4}, {"head", 99}});
  CHECK(s.heads == 4);
  CHECK(s.head == 4);
  param::assign_near(describer(s), {}, {{"base", 1e99}, {"head", -5}});
  CHECK(s.base == 1e7);
  CHECK(s.head == 1);
  const param::Values before = param::values(describer(s));
  CHECK_THROWS_AS(param::assign_near(describer(s), {{"heads", "9"}}, {{"mask", 1}}), InputError);
  CHECK_THROWS_AS(param::assign_near(describer(s), {{"heads", "9"}}, {{"none", 1}}), InputError);
  CHECK_THROWS_AS(param::assign_near(describer(s), {{"heads", "99"}}, {{"head", 1}}), InputError);
  CHECK(param::values(describer(s)) == before);
}

TEST_CASE("the ending of a file's name is found among several, in capitals or not") {
  CHECK(param::has_ending("/a/b.csv", ".csv .txt"));
  CHECK(param::has_ending("b.TxT", ".csv .txt"));
  CHECK_FALSE(param::has_ending("b.csv.png", ".csv .txt"));
  CHECK_FALSE(param::has_ending("csv", ".csv"));
  CHECK_FALSE(param::has_ending("b.csv", ""));
  CHECK_FALSE(param::has_ending("", ".csv"));
}

TEST_CASE("a folder that is there is a file where its sign is among the endings") {
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK(param::has_ending(folder, ".json /"));
  CHECK_FALSE(param::has_ending(folder, ".json"));
  CHECK_FALSE(param::has_ending(folder + "/no such folder", ".json /"));
  CHECK(param::has_ending("a.json", ".json /"));
}

TEST_CASE("the nearest permitted point, and points as text") {
  param::PointList list{{0.5, -1}, {2, 1e-3}};
  const param::Points kind{&list, 4, 0, 5, -1, 1};
  CHECK(param::nearest(kind, 9, 0.25) == std::array{5.0, 0.25});
  CHECK(param::nearest(kind, -1, -9) == std::array{0.0, -1.0});
  CHECK(param::nearest(kind, std::nan(""), 0) == std::array{0.0, 0.0});
  CHECK(param::print(list) == "0.5,-1 2,0.001");
  CHECK(param::print(param::PointList{}).empty());
}

namespace {

struct Opened {
  std::string file = "a.npy";
  int layer = 1;
  double share = 0.5;
  param::Facts facts = {};
};

param::Describe describer(Opened& o) {
  return [&o] {
    param::List list(o.facts);
    list.file(o.file, "file", "File", "", ".npy");
    list.integer(o.layer, "layer", "Layer", "", {.min = 1, .max = 512, .slides_to = 32});
    list.real(o.share, "share", "Share", "", {.min = 0, .max = 1});
    list.found_ranges({"layer", "share"}, o.file);
    return list;
  };
}

}  // namespace

TEST_CASE("A range that was found holds for what was opened alone, and says what that is") {
  Opened o;
  const param::Describe describe = describer(o);
  param::assign(describe, {{"layer", "11"}});  // nothing is known yet
  CHECK(param::settle_found(describe).empty());
  o.facts["layer"] = {.of = "a.npy", .range = {{1, 3}}, .in = "a.npy"};
  const auto said = [&](const std::vector<std::string>& ids) {
    try {
      param::require_found(describe(), ids);
    } catch (const param::Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  CHECK(said({"layer"}) == "layer: expected an integer from 1 to 3 in a.npy, got 11");
  CHECK(said({"share"}).empty());
  const auto beyond = param::settle_found(describe);
  REQUIRE(beyond.size() == 1);
  CHECK(beyond[0].id == "layer");
  CHECK(beyond[0].got.in_english() == "11");
  CHECK(o.layer == 3);
  CHECK(param::settle_found(describe).empty());
  // What is typed from now on is refused as any number is.
  CHECK_THROWS_WITH_AS(param::assign(describe, {{"layer", "4"}}),
                       "layer: expected an integer from 1 to 3 in a.npy, got 4", param::Refusal);
  CHECK(describe().find("layer")->info.active);
  CHECK(!describe().find("layer")->info.slides_to);

  // Of another file nothing is known, and a range is never wider than described.
  param::assign(describe, {{"file", "b.npy"}, {"layer", "500"}});
  CHECK(o.layer == 500);
  o.facts["layer"] = {.of = "b.npy", .range = {{0, 1000}}, .in = "b.npy"};
  CHECK(describe().find("layer")->info.max == 512);
  CHECK(describe().find("layer")->info.min == 1);
  // What can have one value alone has no effect.
  o.facts["layer"] = {.of = "b.npy", .range = {{1, 1}}, .in = "b.npy"};
  CHECK(!describe().find("layer")->info.active);
  CHECK(said({"layer"}) == "layer: expected an integer from 1 to 1 in b.npy, got 500");
  CHECK_THROWS_AS(param::List().found_ranges({"none"}, ""), std::out_of_range);
}

}  // namespace param_test
