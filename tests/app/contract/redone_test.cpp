// What a lab prints can be redone from what it prints.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "arithmetic/equations.h"
#include "settings.h"

using namespace contract;

namespace {

struct Expected {
  std::size_t failing;  // lines whose numbers do not give what they say; may only become fewer
  double taking_part;   // at least this share of the lines with numbers is redone
};

const std::map<std::string_view, Expected> kExpected{
    {"pooling", {0, 0.77}},
    {"scoring", {1, 0.75}},
    {"softmax", {1, 0.68}},
    {"multi_head", {1, 0.65}},
    {"absolute", {1, 0.70}},
    {"rotary", {17, 0.54}},
    {"relative", {0, 0.40}},
    {"extrapolation", {2, 0.42}},
    {"position_compare", {0, 0.31}},
    {"number_line", {0, 0.51}},
    {"position_ids", {1, 0.44}},
    {"rope_rounding", {2, 0.62}},
    {"alibi_rounding", {0, 0.40}},
    {"low_precision_math", {0, 0.32}},
    {"masks", {0, 0.29}},
    {"cost", {2, 0.63}},
};

struct Result {
  std::size_t failing = 0, with_numbers = 0, taking_part = 0;
  std::string told;
};

Result result_of(const Lab& lab) {
  Result result;
  for (const Setting& setting : presets_and_random(lab)) {
    const auto state = lab.make();
    param::assign(state->describe(), setting.values);
    const Audit audit = contract::audit(compute(*state).explanation);
    result.with_numbers += audit.with_numbers;
    result.taking_part += audit.taking_part;
    for (const auto& [line, check] : failing_lines(audit)) {
      ++result.failing;
      result.told += fmt::format("  {} {}\n", setting.name, describe(check));
    }
  }
  return result;
}

}  // namespace

// `page_digest --redo` lists the lines.
TEST_CASE("Every printed result follows from the printed numbers before it") {
  for (const Lab& lab : lab::all()) {
    CAPTURE(named(lab));
    const auto found = kExpected.find(lab.id);
    REQUIRE(found != kExpected.end());
    const Expected& expected = found->second;
    const Result result = result_of(lab);
    CHECK_MESSAGE(result.failing <= expected.failing, "\n" << result.told);
    CHECK_MESSAGE(result.failing >= expected.failing, "fewer fail now: lower the table's number");
    const double share = static_cast<double>(result.taking_part) /
                         static_cast<double>(std::max<std::size_t>(1, result.with_numbers));
    CHECK(share >= expected.taking_part);
  }
}
