// Every figure of every lab can be laid out in a box of any size.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "figure/fake_measure.h"
#include "settings.h"

namespace narrow_test {

using namespace contract;

// A number that is none, in a drawing as text.
bool has_no_number(const std::string& recorded) {
  for (const std::string_view word : {" nan", " -nan", " inf", " -inf"}) {
    if (recorded.find(word) != std::string::npos) return true;
  }
  return false;
}

// All of them where a lab is tried wholly; else closer where a figure is narrower.
std::vector<int> widths() {
  if (!tried_wholly()) return {0, 1, 2, 3, 5, 8, 13, 21, 34, 51, 81, 100};
  std::vector<int> all(101);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void lay_out_narrow(const figure::Figure& figure, const figure::LayoutOptions& options) {
  for (const int width : widths()) {
    const auto w = static_cast<float>(width);
    const float natural = figure::natural_height(figure, w, options);
    CAPTURE(width);
    CHECK(std::isfinite(natural));
    for (const float height : {w, 400.0f, natural}) {
      CAPTURE(height);
      const figure::Drawing drawn = figure::layout(figure, {0, 0, w, height}, {}, options);
      if (width % 10 == 1) CHECK_FALSE(has_no_number(figure::record(drawn)));
    }
    figure::layout(figure, {0, 0, 400, w}, {}, options);  // low, and as wide as a card
  }
}

TEST_CASE("Every figure is laid out at widths and heights from 0 to 100") {
  FakeOptions screen, paper;
  paper.options.paper = true;
  paper.options.card = false;
  for (const Lab& lab : tried_labs()) {
    CAPTURE(named(lab));
    const std::vector<param::Values> all =
        tried_wholly() ? settings(lab) : std::vector<param::Values>{{}};
    for (const param::Values& values : all) {
      const auto state = lab.make();
      param::assign(state->describe(), values);
      for (const figure::Figure& figure : compute(*state).figures) {
        CAPTURE(figure.id);
        lay_out_narrow(figure, screen.options);
        lay_out_narrow(figure, paper.options);
      }
    }
  }
}

}  // namespace narrow_test
