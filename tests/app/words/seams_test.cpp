#include "app/words/seams.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>

namespace seams_test {

std::string filled(std::string_view format, std::string_view value) {
  return words::without_seams(
      fmt::vformat(words::with_seams(format), fmt::make_format_args(value)));
}

TEST_CASE("a blank stands between Chinese and Latin, and none between Chinese and Chinese") {
  for (const std::string_view format : {"将{}舍入", "将 {} 舍入", "将 {}舍入"}) {
    CHECK(filled(format, "m") == "将 m 舍入");
    CHECK(filled(format, "θ2") == "将 θ2 舍入");
    CHECK(filled(format, "位置") == "将位置舍入");
    CHECK(filled(format, "位置 m") == "将位置 m 舍入");
    CHECK(filled(format, "m 位置") == "将 m 位置舍入");
    CHECK(filled(format, "（一）") == "将（一）舍入");
    CHECK(filled(format, "“a”") == "将“a”舍入");
    CHECK(filled(format, "") == "将舍入");
  }
  CHECK(filled("将 {} 舍入", "-3") == "将 -3 舍入");
  CHECK(filled("{} 个头", "12") == "12 个头");
  CHECK(filled("{}个头", "12") == "12 个头");
  CHECK(filled("头 {}", "12") == "头 12");
  CHECK(filled("“{0}”，{{{0}}}", "a") == "“a”，{a}");
}

TEST_CASE("what is not beside a Chinese character stays as it was written") {
  CHECK(filled("n = {}, d", "3") == "n = 3, d");
  CHECK(filled("：{}。", "x") == "：x。");
  CHECK(filled("{}", "每 个x字 y") == "每 个x字 y");  // a value is no message
  CHECK(filled("", "x").empty());
}

}  // namespace seams_test
