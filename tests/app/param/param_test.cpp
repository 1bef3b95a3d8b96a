#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/random.h"
#include "samples.h"

namespace param_test {

using nlohmann::json;
using namespace param_samples;

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

TEST_CASE("the ending of a file's name is found among several, in capitals or not") {
  CHECK(param::has_ending("/a/b.csv", ".csv .txt"));
  CHECK(param::has_ending("b.TxT", ".csv .txt"));
  CHECK_FALSE(param::has_ending("b.csv.png", ".csv .txt"));
  CHECK_FALSE(param::has_ending("csv", ".csv"));
  CHECK_FALSE(param::has_ending("b.csv", ""));
  CHECK_FALSE(param::has_ending("", ".csv"));
}

TEST_CASE("a folder that is there is a file where its sign is among the endings") {
  const std::string folder = ATTNSCOPE_SOURCE_DIR;
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
  CHECK(param::serialize(list) == "0.5,-1 2,0.001");
  CHECK(param::serialize(param::PointList{}).empty());
}

}  // namespace param_test
