#include "core/io/case/reference_case.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace reference_case_test {

namespace {

using core::CaseValue;
using Kind = core::CaseValue::Kind;

// A file whose only case has these inputs.
core::ReferenceCase parsed(const std::string& inputs) {
  return core::parse_reference_file(
             R"({"topic":"t","title":"u","cases":[{"name":"c","params":{},"inputs":)" + inputs +
                 R"(,"expected":{},"tolerance":{"atol":1e-9,"rtol":0}}]})",
             "t.json")
      .cases.at(0);
}

CaseValue value(const std::string& json) { return parsed("{\"x\":" + json + "}").inputs.at("x"); }

}  // namespace

TEST_CASE("every form of a value is read") {
  CHECK(value("3").as_index() == 3);
  CHECK(value("3").kind() == Kind::integer);
  CHECK(value("3.0").kind() == Kind::real);
  CHECK(value("true").as_bool());
  CHECK(value("null").kind() == Kind::null);
  CHECK(value("\"word\"").as_text() == "word");
  CHECK(std::isnan(value("\"NaN\"").as_real()));
  CHECK(value("\"-Infinity\"").as_real() < -1e308);
  CHECK(value("[1, [2, 3]]").items()[1].as_indices() == std::vector<core::Index>{2, 3});
  const CaseValue array = value(R"({"shape":[2,3],"data":[1.5,2,3,4,"Infinity",6]})");
  CHECK(array.as_matrix()(1, 0) == 4.0);
  CHECK(std::isinf(array.as_matrix()(1, 1)));
  CHECK_FALSE(array.integers());
  CHECK(value(R"({"shape":[2],"data":[1,2]})").integers());
  CHECK(value(R"({"shape":[2,1,2],"data":[1,2,3,4]})").as_matrices()[1](0, 1) == 4.0);
  CHECK(value(R"({"shape":[1],"re":[1.5],"im":[-2]})").imaginary()[0] == -2.0);
  const core::BoolMatrix bits = value(R"({"shape":[2,3],"rows":["010","111"]})").as_bits();
  CHECK(bits(0, 1));
  CHECK_FALSE(bits(0, 0));
  CHECK(parsed("{\"b\":1,\"a\":2}").inputs.members()[0].first == "b");
  CHECK(value(R"({"shape":[0,4],"data":[]})").as_matrix().cols() == 4);
}

TEST_CASE("a malformed case is broken and says why, the file is still read") {
  const auto why = [](const std::string& json) { return parsed("{\"x\":" + json + "}").broken; };
  CHECK(why(R"({"shape":[2,2],"data":[1,2,3]})") ==
        "array: expected as many values as shape [2, 2] has, got 3");
  for (const std::string json :
       {R"({"shape":[-1],"data":[1]})", R"({"shape":[2],"data":[1,"two"]})",
        R"({"shape":[2],"data":[1,[2]]})", R"({"shape":"2","data":[1]})",
        R"({"shape":[1],"data":1})", R"({"shape":[4294967296,4294967296],"data":[]})",
        R"({"shape":[999999999,0],"data":[]})", R"({"shape":[1,2],"rows":["012"]})",
        R"({"shape":[1,2],"rows":["02"]})", R"({"shape":[2,2],"rows":["01"]})",
        R"({"shape":[1],"rows":["1"]})", R"({"shape":[0,-5],"rows":[]})",
        R"({"shape":[1],"re":[1]})", R"({"shape":[1],"re":[1],"im":[1,2]})",
        R"({"shape":[1],"data":[9007199254740993]})", "18446744073709551615"}) {
    CAPTURE(json);
    CHECK(why(json).find("expected") != std::string::npos);
  }
  CHECK(why(std::string(200, '[') + std::string(200, ']')).find("nesting") != std::string::npos);
  CHECK_FALSE(parsed("3").broken.empty());
}

TEST_CASE("a file that is not one is refused with a sentence") {
  for (const std::string text :
       {"", "{", "[]", "3", "null", "{\"topic\":1}", "\xff\xfe", R"({"topic":"t","title":"u"})",
        R"({"topic":"t","title":"u","cases":{}})",
        R"({"topic":"t","title":"u","cases":[1e999]})"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(core::parse_reference_file(text, "f.json"), core::InputError);
  }
  CHECK_THROWS_WITH(core::parse_reference_file("[]", "f.json"),
                    "f.json: file: expected an object with a key \"topic\", got array");
  CHECK_THROWS_AS(core::read_reference_file("/no/such/file.json"), core::InputError);
  CHECK_THROWS_AS(core::read_reference_file("/"), core::InputError);
  CHECK_FALSE(core::parse_reference_file(R"({"topic":"t","title":"u","cases":[{}]})", "f")
                  .cases[0]
                  .broken.empty());
}

TEST_CASE("accessors refuse another kind with a sentence") {
  CHECK_THROWS_WITH(value("3").as_matrix(),
                    "value: expected an array of two axes, got the integer 3");
  CHECK_THROWS_AS(value("1.5").as_index(), core::InputError);
  CHECK_THROWS_AS(value("[0.5]").as_indices(), core::InputError);
  CHECK_THROWS_AS(value("[\"a\"]").as_vector(), core::InputError);
  CHECK_THROWS_AS(value("3").items(), core::InputError);
  CHECK_THROWS_AS(value("3").find("a"), core::InputError);
  CHECK_THROWS_WITH(value("{\"a\":1}").at("b"), "case: expected a key \"b\", got keys a");
  CHECK_THROWS_AS(CaseValue::stack({core::VectorD(2), core::VectorD(3)}), core::InputError);
}

TEST_CASE("every case of the reference files is read") {
  int cases = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(ATTNSCOPE_SOURCE_DIR "/tests/reference")) {
    if (entry.path().extension() != ".json" || entry.path().stem() == "index") continue;
    for (const auto& one : core::read_reference_file(entry.path()).cases) {
      CAPTURE(one.name);
      CHECK(one.broken == "");
      // What is equal to itself is the least that a comparison must find.
      CHECK(core::compare_values(one.expected, one.expected, {0, 0}).message == "");
      ++cases;
    }
  }
  CHECK(cases == 347 + 45 + 690);
}

}  // namespace reference_case_test
