// The lab that docs/developer/add-a-lab.md begins with; ATTNSCOPE_LAB=example has what holds for
// every lab tried with it.
#include "example_lab/example.h"

#include <doctest/doctest.h>

#include "labs/trying.h"
#include "settings.h"

namespace example_test {

using namespace lab::example;  // NOLINT: the box under test
using namespace lab::trying;

TEST_CASE("The example of how a lab is added explains its weights, by hand") {
  CHECK(contract::example().id == contract::kExample);
  auto made = lab::trying::made<Parameters>({{"key", "2"}});
  // exp(-1) / (1 + exp(-1))
  CHECK(made.model().weights(1) == doctest::Approx(0.268941421369995));
  const lab::Page page = made.page();
  CHECK(mark_of<figure::Bars>(plot_of(page, "weights")).marked == 1);
  REQUIRE(page.explanation.lines.size() >= 3);
  CHECK(page.explanation.lines[0].right.front().text.find("0.2689") != std::string::npos);
  CHECK(readout(page, "larger") == doctest::Approx(0.731058578630005));
}

}  // namespace example_test
