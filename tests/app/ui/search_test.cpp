#include "app/ui/search.h"

#include <doctest/doctest.h>

#include <algorithm>

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
  const ui::SearchIndex index(test_lab::labs(), words::Words());
  CHECK(index.find("").empty());
  CHECK(index.find("   ").empty());
  const auto hot = index.find("HOT sc");
  REQUIRE(hot.size() == 1);
  CHECK(hot[0].kind == ui::Found::Kind::preset);
  CHECK(hot[0].id == "hot");
  CHECK(hot[0].where == "The first");
  const auto knobs = index.find("temperature");
  REQUIRE(knobs.size() == 2);
  CHECK(knobs[0].kind == ui::Found::Kind::knob);
  CHECK(knobs[0].lab == "one");
  CHECK(index.find("second")[0].kind == ui::Found::Kind::lab);
  CHECK(index.find("hot nothing").empty());
}

TEST_CASE("what is typed is taken apart into what it asks for") {
  const ui::Query divide("Why divide by sqrt(d)?");
  CHECK(divide.count() == 3);
  CHECK(divide.matches("divided by √d_k"));
  CHECK_FALSE(divide.matches("divided by d"));
  CHECK(ui::Query("长度外推").count() == 2);
  CHECK(ui::Query("长度外推").matches("超出训练长度"));
  CHECK(ui::Query("extrapolation").matches("longer than trained"));
  CHECK(ui::Query("为什么是257").count() == 1);
  CHECK(ui::Query("why").count() == 1);  // nothing else was asked for
  CHECK(ui::Query("fp16x").count() == 1);
  CHECK(ui::Query("xfp16").matches("xfp16"));
  CHECK_FALSE(ui::Query("xfp16").matches("float16"));
  CHECK(ui::Query("divide sqrt").count_in("divide") == 1);
}

TEST_CASE("ideas are found in both languages, whichever the window's is") {
  struct Case {
    const char *query, *lab, *preset;  // preset "": the lab itself
  };
  const Case cases[] = {{"divide by sqrt(d)", "multi_head", "saturated"},
                        {"除以根号d", "multi_head", "saturated"},
                        {"why 257", "number_line", "integer"},
                        {"为什么是257", "number_line", "integer"},
                        {"长度外推", "extrapolation", ""},
                        {"length extrapolation", "extrapolation", ""},
                        {"Vaswani", "transformer", ""},
                        {"word order", "absolute", ""}};
  for (const auto language : {words::Language::en, words::Language::zh_CN}) {
    const ui::SearchIndex index(lab::all(), words::Words(language));
    for (const Case& one : cases) {
      CAPTURE(one.query);
      const auto found = index.find(one.query);
      const auto wanted = [&](const ui::Found& hit) {
        return hit.lab == one.lab && hit.id == one.preset;
      };
      CHECK(std::any_of(found.begin(), found.end(), wanted));
      CHECK(found.size() < 40);
    }
  }
}

}  // namespace search_test
