#include "app/ui/search.h"

#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "test_lab.h"

namespace search_test {

TEST_CASE("names are searched by every word, whatever the case") {
  const std::vector<param::Named> names = {
      {"layers.0.attn.weight"}, {"layers.1.attn.weight"}, {"Layers.1.mlp"}, {"x", "la 1 身高"}};
  using Found = std::vector<std::size_t>;
  CHECK(ui::search(names, "") == Found{0, 1, 2, 3});
  CHECK(ui::search(names, "LAYERS 1") == Found{1, 2});
  CHECK(ui::search(names, "attn 1") == Found{1});
  CHECK(ui::search(names, "身高") == Found{3});
  CHECK(ui::search(names, "nothing").empty());
}

TEST_CASE("search finds labs, presets and knobs by every word typed") {
  const words::Words w;
  const auto& labs = test_lab::labs();
  CHECK(ui::search(labs, "", w).empty());
  CHECK(ui::search(labs, "   ", w).empty());
  const auto hot = ui::search(labs, "HOT sc", w);
  REQUIRE(hot.size() == 1);
  CHECK(hot[0].kind == ui::Found::Kind::preset);
  CHECK(hot[0].id == "hot");
  const auto knobs = ui::search(labs, "temperature", w);
  REQUIRE(knobs.size() == 2);
  CHECK(knobs[0].kind == ui::Found::Kind::knob);
  CHECK(knobs[0].lab == "one");
  CHECK(ui::search(labs, "second", w)[0].kind == ui::Found::Kind::lab);
  CHECK(ui::search(labs, "hot nothing", w).empty());
}

// Trainings --------------------------------------------------------------------------------------

}  // namespace search_test
