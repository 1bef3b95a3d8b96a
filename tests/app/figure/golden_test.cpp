// Whole layouts against recorded ones. After a wanted change of the layout run the tests once with
// ATTNSCOPE_WRITE_GOLDEN=1 and read the difference before it is committed.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "app/figure/formula.h"
#include "fake_measure.h"
#include "samples.h"

namespace golden_test {

using namespace figure;

namespace {

// The first line that differs, with its number; empty when the texts are equal.
std::string first_difference(const std::string& got, const std::string& wanted) {
  std::istringstream a(got), b(wanted);
  for (int number = 1;; ++number) {
    std::string x, y;
    const bool more_a = static_cast<bool>(std::getline(a, x));
    const bool more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b) return got == wanted ? "" : "the ends of lines differ";
    if (more_a != more_b || x != y) {
      return "line " + std::to_string(number) + "\n  expected: " + (more_b ? y : "(end)") +
             "\n  got:      " + (more_a ? x : "(end)");
    }
  }
}

void check_golden(const std::string& name, const Drawing& drawing) {
  const std::string path =
      std::string(ATTNSCOPE_SOURCE_DIR "/tests/app/figure/golden/") + name + ".txt";
  const std::string got = record(drawing);
  if (std::getenv("ATTNSCOPE_WRITE_GOLDEN")) {
    std::ofstream(path) << got;
    return;
  }
  std::ifstream file(path);
  const std::string wanted((std::istreambuf_iterator<char>(file)), {});
  const std::string difference = first_difference(got, wanted);
  CHECK_MESSAGE(difference.empty(), name << ".txt, " << difference);
}

}  // namespace

TEST_CASE("layouts are what they were") {
  const FakeOptions one;
  check_golden("heatmaps", layout(samples::heatmaps(), {0, 0, 700, 360}, {}, one.options));
  check_golden("thumbnails", layout(samples::thumbnails(5), {0, 0, 700, 180}, {}, one.options));
  check_golden("lines", layout(samples::lines(), {10, 20, 480, 300}, {}, one.options));
  check_golden("strips", layout(samples::strips(), {0, 0, 480, 260}, {}, one.options));
  check_golden("links", layout(samples::links(), {0, 0, 320, 240}, {}, one.options));
  check_golden("field", layout(samples::field(), {0, 0, 480, 300}, {}, one.options));
  check_golden("table", layout(samples::table(), {0, 0, 480, 320}, {}, one.options));
  check_golden("table_cut", layout(samples::table(), {0, 0, 300, 180}, {}, one.options));
  check_golden("boxes", layout(samples::boxes(), {0, 0, 480, 160}, {}, one.options));
  check_golden("diagram", layout(samples::diagram(), {0, 0, 480, 320}, {}, one.options));
  const Views zoomed = {{"scores", {1.5, 4.5, 2, 5}}};
  check_golden("zoomed", layout(samples::heatmaps(), {0, 0, 900, 500}, zoomed, one.options));
  const FakeOptions two(2, ThemeName::light);
  check_golden("doubled", layout(samples::heatmaps(), {0, 0, 1400, 720}, {}, two.options));
  check_golden("formula",
               formula("\\softmax\\left(\\frac{\\Q{Q}\\K{K}^\\top}{\\sqrt{d_k}}\\right)\\V{V}",
                       {5, 6}, one.options));
}

TEST_CASE("the first difference is named") {
  CHECK(first_difference("a\nb\n", "a\nb\n").empty());
  CHECK(first_difference("a\nb\n", "a\nc\n").find("line 2") == 0);
  CHECK(first_difference("a\n", "a\nc\n").find("line 2") == 0);
  CHECK_FALSE(first_difference("a", "a\n").empty());
}

}  // namespace golden_test
