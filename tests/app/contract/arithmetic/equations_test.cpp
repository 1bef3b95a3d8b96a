#include "arithmetic/equations.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace equations_test {

using namespace contract;

namespace {

std::size_t failing(const Audit& audit) {
  return static_cast<std::size_t>(std::count_if(audit.checks.begin(), audit.checks.end(),
                                                [](const Redone& r) { return !r.holds; }));
}

struct Expected {
  std::size_t checks, failing;
};

void expect(const std::vector<PrintedLine>& lines, const Expected& expected) {
  const Audit result = audit(lines);
  CAPTURE(lines.front().left + " " + lines.front().right);
  CHECK(result.checks.size() == expected.checks);
  CHECK(failing(result) == expected.failing);
}

}  // namespace

TEST_CASE("A result follows from the line before, to half a unit of its last digit") {
  expect({{"s", "= 5.250 · 0.7071"}, {"", "= 3.712"}}, {1, 0});
  expect({{"s", "= 5.250 · 0.7071"}, {"", "= 3.713"}}, {1, 1});
  expect({{"p", "= 1.0000 / 1.0675"}, {"", "= 0.9367"}}, {1, 1});
  expect({{"p", "= 1.0000 / 1.0675"}, {"", "≈ 0.9367"}}, {1, 0});
  expect({{"p", "= 1.0000 / 1.0675"}, {"", "≈ 0.9371"}}, {1, 1});
  expect({{"w", "= 0.219"}, {"", "= exp(s) / Σ exp"}, {"", "= 6.877 / 31.457"}}, {1, 0});
  expect({{"w", "= 0.217"}, {"", "= exp(s) / Σ exp"}, {"", "= 6.877 / 31.457"}}, {1, 1});
  expect({{"", "= 85.052 / √128 = 7.518"}}, {1, 0});
  expect({{"ops", "= 1,024²·512"}, {"", "= 536,870,912"}}, {1, 0});
  expect({{"ops", "= 1,024²·512"}, {"", "= 536,870,911"}}, {1, 1});
  expect({{"reduced", "= 6.579634 - 1 · 2π"}, {"", "= 0.296449 = 17.0°"}}, {2, 0});
}

TEST_CASE("Turns, degrees and bits are compared as what they mean") {
  expect({{"angle", "= 4 · 0.5"}, {"", "= 2.000 rad"}, {"", "= 0.3183 turns"}, {"", "= 114.59°"}},
         {3, 0});
  expect({{"angle", "= 2.000 rad"}, {"", "= 0.3193 turns"}}, {1, 1});
  expect({{"in training", "= 16 / 6.28319"}, {"", "= 2.54648 turns"}}, {1, 0});
  expect({{"e", "= 10000010 = 130"}, {"m", "= 101 = 6"}}, {2, 1});
}

TEST_CASE("Words between the lines of an equation, and complete lines, do not disturb it") {
  expect({{"m", "= sin(5 · 1)"}, {"", "one turn taken away:"}, {"", "= -0.9589"}}, {1, 0});
  expect({{"q·k", "= 0.675"}, {"", "m + s = 10012, n + s = 10000"}, {"", "= 0.675"}}, {1, 0});
  expect({{"a(q, k)", "= q·k / √d,  d = 2"}, {"", "= 3 / √2"}}, {0, 0});
  expect({{"dense", ""}, {"", "8·(64 + 64)"}, {"", "= 1,024"}}, {1, 0});
  expect({{"a", "= 3 · 2"}, {"b", "= 7"}}, {0, 0});
  expect({{"a", "= 3 · 2"}, {"", "= 7", true}, {"", "= 8"}}, {0, 0});
  expect({{"h", "≤ 3 · 2"}, {"", "= 6"}}, {1, 0});
  expect({{"h", "= 9 ≤ 3 · 4"}}, {0, 0});
}

TEST_CASE("An arrow behind something to be worked out claims a result, else it says a rounding") {
  expect({{"", "  (0.99)(-1.10) → -1.089"}, {"", "+ (0.49)(0.13) → 0.064"}, {"", "= -1.025"}},
         {3, 0});
  expect({{"", "  (0.99)(-1.10) → -1.091"}, {"", "+ (0.49)(0.13) → 0.064"}, {"", "= -1.025"}},
         {3, 2});
  expect({{"q", "= 1.0235303 → 1.0234375"}, {"", "→ 1.02"}}, {0, 0});
  expect({{"minus max", "= -1.1953125 - (2.78125)"}, {"", "→ -3.96875"}}, {0, 0});
  expect({{"", "  10 -0.119 - (-0.120) → 0.001"}, {"", "= 0.001"}}, {2, 0});
  expect({{"", "  0  1.41·0.55·cos(-1.046) → 0.384"}, {"", "= 0.384"}}, {2, 1});
}

TEST_CASE(
    "A product behind which its rounded value stands is a term, and so is one with a remark") {
  const std::vector<PrintedLine> terms{{"", "  (0.99106)(-1.10113) ≈ -1.0913  [0]"},
                                       {"", "+ (0.49107)(0.13113) ≈ 0.0644  [1]"},
                                       {"", "≈ -1.0269"}};
  expect(terms, {3, 0});
  for (const std::size_t wrong : {0U, 1U, 2U}) {
    std::vector<PrintedLine> lines = terms;
    lines[wrong].right.replace(lines[wrong].right.find("≈") + 4, 4, wrong == 1 ? "0.07" : "1.07");
    CHECK_FALSE(failing_lines(audit(lines)).empty());
  }
  expect(
      {{"Σ exp", "≈ 1.2131"}, {"", "  0.6065  ≈ exp(-0.50000)"}, {"", "+ 0.6065  ≈ exp(-0.50000)"}},
      {3, 0});
  expect(
      {{"Σ exp", "≈ 1.2136"}, {"", "  0.6065  ≈ exp(-0.50000)"}, {"", "+ 0.6068  ≈ exp(-0.50000)"}},
      {3, 2});
}

TEST_CASE("Terms add up to the line behind them, or else to the one before") {
  const std::vector<PrintedLine> terms{{"", "  1.0000  exp(3.712 - 3.712)  (0)"},
                                       {"", "+ 0.0495  exp(0.707 - 3.712)  (1)"},
                                       {"", "+ 0.0009  … 3 smaller ones"}};
  std::vector<PrintedLine> before = terms, after = terms;
  before.insert(before.begin(), {"Σ exp", "= 1.0504"});
  expect(before, {3, 0});
  before.front().right = "= 1.0505";
  expect(before, {3, 1});
  after.push_back({"", "= 1.0504 / 2 = 0.5252"});
  expect(after, {4, 0});
  after.back().right = "= 1.0506 / 2 = 0.5252";
  expect(after, {4, 2});
  after.back().right = "≈ 1.0505";
  expect(after, {3, 0});
  expect(
      {{"|q - k|²", "= 0.850"}, {"", "  0.490"}, {"", "+ 0.360"}, {"", "= -2² · 0.850 / 2 = -1.7"}},
      {2, 0});
  expect({{"s", ""}, {"", "  4.1"}, {"", "+ 0.4"}, {"", "= -4.5 / 2"}}, {1, 1});
  // A sum that could not be read whole is no sum.
  expect({{"Σ", "= 3"}, {"", "  1"}, {"", "+ something"}, {"p", "= 1 / 3"}}, {0, 0});
  expect({{"Σ", "= 3"}, {"", "  1"}, {"", "+ 1"}, {"p", "= 1 / 3"}}, {1, 1});
}

TEST_CASE("Sums in one line are compared term by term, as far as both say them") {
  expect({{"f", "= 0.02·1.49 + 0.02·2.722 + …"},
          {"", "= 0.0298 + 0.0544 + 2.1517 (the last: 44 more)"},
          {"", "= 2.2359"}},
         {3, 0});
  expect({{"f", "= 0.02·1.49 + 0.02·2.722 + …"},
          {"", "= 0.0298 + 0.0545 + 2.1517 (the last: 44 more)"},
          {"", "= 2.2359"}},
         {3, 2});
}

TEST_CASE("Equal signs before what was rounded are told from those before what is exact") {
  const auto count = [](const std::vector<PrintedLine>& lines) {
    const Audit result = audit(lines);
    CHECK(failing_lines(result).empty());
    return rounded_behind_equal(result).size();
  };
  CHECK(count({{"r", "= 5.250 · 0.7071"}, {"", "= 3.712"}}) == 1);
  CHECK(count({{"r", "= 5.250 · 0.7071"}, {"", "≈ 3.712"}}) == 0);
  CHECK(count({{"r", "= 5.250 · 0.7071"}, {"", "= 3.712275"}}) == 0);
  CHECK(count({{"u", "= 2^-8 = 0.003906"}, {"", "≤ 1"}}) == 1);
  CHECK(count({{"u", "= 2^-8 ≈ 0.003906"}, {"", "≤ 1"}}) == 0);
}

TEST_CASE("Lines with numbers are counted, and those among them that take part") {
  const Audit result = audit({{"s", "= 5.250 · 0.7071"},
                              {"", "= 3.712"},
                              {"", "weights of 16 words"},
                              {"", "= x1 · θ_2"},
                              {"", "no number"}});
  CHECK(result.with_numbers == 3);
  CHECK(result.taking_part == 2);
}

}  // namespace equations_test
