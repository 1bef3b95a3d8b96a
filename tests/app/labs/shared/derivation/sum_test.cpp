#include "app/labs/shared/derivation/sum.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace sum_test {

using lab::SumForm;
using lab::Written;
using Order = std::vector<std::size_t>;

const std::vector<double> kValues{1, -5, 2, 5, 0.25};

TEST_CASE("Which terms of a sum are written, by hand") {
  CHECK(lab::written_of(kValues, {.most = 5, .shown = 2}) == Order{0, 1, 2, 3, 4});
  CHECK(lab::written_of(kValues, {.most = 4, .shown = 2}) == Order{0, 1});
  const SumForm largest{.most = 4, .shown = 3, .which = Written::largest};
  CHECK(lab::written_of(kValues, largest) == Order{1, 3, 2});  // of equal ones the first
  SumForm in_order{.most = 4, .shown = 3, .which = Written::largest_in_order};
  CHECK(lab::written_of(kValues, in_order) == Order{1, 2, 3});
  in_order.always = 4;
  CHECK(lab::written_of(kValues, in_order) == Order{1, 3, 4});
}

TEST_CASE("The terms that are not written stand as one") {
  const auto what = [](std::size_t k) { return fmt::format("[{}]", k); };
  const auto rest = [](std::size_t count) { return fmt::format("{} more", count); };
  const auto terms = lab::sum_terms(
      kValues, {.most = 4, .shown = 2, .which = Written::largest, .digits = 2}, what, rest);
  REQUIRE(terms.size() == 3);
  CHECK(terms[0].value == "-5.00");
  CHECK(terms[0].remark == "[1]");
  CHECK(terms[1].remark == "[3]");
  CHECK(terms[2].value == "3.25");
  CHECK(terms[2].remark == "3 more");
  const auto all = lab::sum_terms(kValues, {.most = 5, .shown = 2, .digits = 2}, what, rest);
  REQUIRE(all.size() == 5);
  CHECK(all[4].remark == "[4]");
  CHECK(lab::sum_terms({}, {}, what, rest).empty());
}

}  // namespace sum_test
