// What a lab prints can be redone from what it prints.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "arithmetic/equations.h"
#include "settings.h"

namespace redone_test {

using namespace contract;

namespace {

// At least this share of the lines with numbers is redone; it may only rise. Of labs that are not
// named, kLeastShare.
constexpr double kLeastShare = 0.25;
const std::map<std::string_view, double> kShares{
    {"pooling", 0.77},
    {"scoring", 0.83},
    {"softmax", 0.68},
    {"multi_head", 0.97},
    {"absolute", 0.70},
    {"rotary", 0.86},
    {"relative", 0.89},
    {"extrapolation", 0.55},
    {"position_compare", 0.63},
    {"number_line", 0.51},
    {"position_ids", 0.44},
    {"rope_rounding", 0.65},
    {"alibi_rounding", 0.62},
    {"low_precision_math", 0.32},
    {"masks", 0.89},
    {"cost", 0.63},
    {"transformer", 0.8},
    {"alignment", 0.98},
    {"documents", 0.96},
    {"translation", 0.97},
    {"gpt_training", 0.98},
    {"gpt_inside", 0.98},
    {"cache", 0.79},
    {"decoding", 0.69},
    {"tensors", 0.77},
    {"checkpoint", 0.97},
};

// Here "=" stands only before what the printed numbers give to the last digit.
constexpr std::string_view kExact[] = {"number_line", "rope_rounding", "low_precision_math"};

struct Result {
  std::size_t failing = 0, with_numbers = 0, taking_part = 0;
  std::string told;
};

Result result_of(const Lab& lab) {
  Result result;
  const bool exact = std::find(std::begin(kExact), std::end(kExact), lab.id) != std::end(kExact);
  for (const Setting& setting : presets_and_random(lab)) {
    const param::Values values =
        tried_wholly() ? setting.values : with_short_training(lab, setting.values);
    const Audit audit = contract::audit(seen(lab, values).page.explanation);
    result.with_numbers += audit.with_numbers;
    result.taking_part += audit.taking_part;
    for (const auto& [line, check] : failing_lines(audit)) {
      ++result.failing;
      result.told += fmt::format("  {} {}\n", setting.name, describe(check));
    }
    if (!exact) continue;
    for (const Redone& check : rounded_behind_equal(audit)) {
      ++result.failing;
      result.told += fmt::format("  {} \"=\" before {}\n", setting.name, describe(check));
    }
  }
  return result;
}

}  // namespace

// `page_digest --redo` lists the lines.
TEST_CASE("Every printed result follows from the printed numbers before it") {
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    const auto found = kShares.find(lab.id);
    const Result result = result_of(lab);
    CHECK_MESSAGE(result.failing == 0, "\n" << result.told);
    const double share = static_cast<double>(result.taking_part) /
                         static_cast<double>(std::max<std::size_t>(1, result.with_numbers));
    if (result.with_numbers > 0)
      CHECK(share >= (found == kShares.end() ? kLeastShare : found->second));
  }
}

}  // namespace redone_test
