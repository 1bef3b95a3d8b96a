#include "core/io/case/json_check.h"

#include <doctest/doctest.h>

#include <string>

namespace json_check_test {

namespace {

std::string fault(const std::string& text, int deepest = 32) {
  return core::json_fault(text, deepest).in_english();
}

std::string nested(int levels) {
  const auto n = static_cast<std::size_t>(levels);
  return std::string(n, '[') + std::string(n, ']');
}

}  // namespace

TEST_CASE("what is JSON has no fault") {
  for (const std::string text :
       {"{}", "[1,-2.5e3,true,null,\"x\"]", R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})",
        "\xef\xbb\xbf[]", R"(["[[[[{{{{\""])"}) {
    CAPTURE(text);
    CHECK(fault(text).empty());
  }
  CHECK(fault(nested(32)).empty());
}

TEST_CASE("depth is refused, however deep, without the stack that a walk would take") {
  CHECK(fault(nested(33)) == "its nesting is deeper than 32 levels");
  CHECK(fault(nested(60'000)) == "its nesting is deeper than 32 levels");
  CHECK(fault(nested(60'000), 100'000).empty());
  std::string objects;
  for (int k = 0; k < 60'000; ++k) objects += "{\"a\":";
  CHECK(fault(objects + "1" + std::string(60'000, '}')) == "its nesting is deeper than 32 levels");
}

TEST_CASE("a key twice in one object") {
  CHECK(fault(R"({"a":1,"b":2,"a":3})") == "it has the key \"a\" twice in one object");
  CHECK(fault(R"({"a":{"x":1,"x":1}})") == "it has the key \"x\" twice in one object");
  CHECK(fault("{\"\\u001b[2J\":1,\"\\u001b[2J\":2}") ==
        "it has the key \"\\x1b[2J\" twice in one object");
}

TEST_CASE("where it ceases to be JSON") {
  CHECK(fault("") == "it is not valid JSON from line 1, column 1 on");
  CHECK(fault("{\"a\":1,\n \"b\":oops}") == "it is not valid JSON from line 2, column 6 on");
  CHECK(fault("[1] 2") == "it is not valid JSON from line 1, column 5 on");
}

}  // namespace json_check_test
