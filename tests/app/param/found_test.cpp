#include <nlohmann/json.hpp>

#include "samples.h"

namespace found_test {

using namespace param_samples;

TEST_CASE("A name is any line, whether it is there or not, and is known to be missing or not") {
  Drawn d;
  d.path = "a.csv";
  const auto name = [&] { return std::get<param::Name>(describer(d)().items()[2].kind); };
  const auto found = [&](std::vector<param::Named> names, const std::string& of = "a.csv") {
    d.facts["column"] = {of, std::make_shared<const std::vector<param::Named>>(std::move(names))};
  };
  const std::string unknown = "column: expected a one-line name of at most 4096 bytes, got ";
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

namespace {

struct Ablated {
  std::string file = "a";
  std::string heads = {};
  param::Facts facts = {};

  param::Describe describer() {
    return [this] {
      param::List list(facts);
      list.file(file, "file", "File", "", ".npy");
      list.text(heads, "heads", "Heads", "", 100);
      list.found_words("heads", file);
      return list;
    };
  }
  void find(const std::vector<std::string>& all) {
    std::vector<param::Named> names;
    for (const std::string& one : all) names.push_back({one});
    facts["heads"] = {file, std::make_shared<const std::vector<param::Named>>(names), {}, "a.npy"};
  }
  std::string said(const std::vector<std::string>& ids) {
    try {
      param::require_found(describer()(), ids);
    } catch (const param::Refusal& refusal) {
      return refusal.what();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("the words of a text are held to those that were found, in what was opened alone") {
  Ablated k;
  const param::Describe describe = k.describer();
  param::assign(describe, {{"heads", "2.1  3.1 1.1 otter"}});  // nothing is known yet
  CHECK(param::settle_found(describe).empty());
  k.find({"1.1", "1.2", "2.1"});
  CHECK(param::beyond_found(*describe().find("heads")));
  CHECK(k.said({"heads"}) == "heads: expected any of 1.1, 1.2, 2.1 in a.npy, got \"3.1 otter\"");
  CHECK(k.said({"file"}).empty());
  const auto beyond = param::settle_found(describe);
  REQUIRE(beyond.size() == 1);
  CHECK(beyond[0].id == "heads");
  CHECK(beyond[0].got.in_english() == "\"3.1 otter\"");
  CHECK(k.heads == "2.1 1.1");  // in their order
  CHECK(param::settle_found(describe).empty());
  CHECK(k.said({"heads"}).empty());
  // What is typed from now on is refused, and what was there is kept.
  CHECK_THROWS_WITH_AS(param::assign(describe, {{"heads", "1.2 4.1"}}),
                       "heads: expected any of 1.1, 1.2, 2.1 in a.npy, got 4.1", param::Refusal);
  CHECK(k.heads == "2.1 1.1");
  CHECK_THROWS_AS(param::from_json(*describe().find("heads"), nlohmann::json("4.1")),
                  param::Refusal);
  param::assign(describe, {{"heads", ""}});
  CHECK(k.heads.empty());

  // Of very many the first dozen and the last are listed.
  std::vector<std::string> many;
  for (int at = 1; at <= 20; ++at) many.push_back("1." + std::to_string(at));
  k.find(many);
  CHECK_THROWS_WITH_AS(
      param::assign(describe, {{"heads", "2.1"}}),
      "heads: expected any of 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 1.10, 1.11, 1.12, … up "
      "to 1.20 in a.npy, got 2.1",
      param::Refusal);
  // Of another file nothing is known.
  param::assign(describe, {{"file", "b"}, {"heads", "9.9"}});
  CHECK(k.heads == "9.9");
  CHECK_FALSE(param::beyond_found(*describe().find("heads")));
  CHECK_THROWS_AS(param::List().found_words("none", ""), std::out_of_range);
}

}  // namespace found_test
