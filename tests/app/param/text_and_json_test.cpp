#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/random.h"
#include "samples.h"

namespace text_and_json_test {

using core::InputError;
using nlohmann::json;
using namespace param_samples;

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
  CHECK(param::serialize(*describe(s).find("temperature")) == "0.1");
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

}  // namespace text_and_json_test
