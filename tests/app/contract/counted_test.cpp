#include "counted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

namespace counted_test {

using namespace contract;

TEST_CASE("One of something in the plural is found") {
  CHECK(plural_of_one("1 heads") == "1 heads");
  CHECK(plural_of_one("n = 4 · 1 key heads · d 8") == "1 key heads");
  CHECK(plural_of_one("of 3 (1 tokens)") == "1 tokens");
  CHECK_FALSE(plural_of_one("21 heads, 0.1 tokens, 1 head, heads: 1"));
  CHECK_FALSE(plural_of_one("query 1 sees key 0; 1 of 4 rows; t + 1 keys; pair 1 turns"));
  lab::Page page;
  page.figures = {{.id = "a", .title = "1 rows", .caption = "1 keys"}};
  page.notes = {"1 ids"};
  figure::Plot plot;
  plot.x.labels = std::make_shared<const std::vector<std::string>>(1, "1 bits");
  plot.marks = {figure::Note{.text = "1 heads"}, figure::Diagram{.wires = {{.label = "1 layers"}}}};
  page.figures[0].plots = {plot};
  const std::vector<std::string> all = texts_of(page);
  for (const char* text : {"1 rows", "1 keys", "1 ids", "1 bits", "1 heads", "1 layers"})
    CHECK(std::find(all.begin(), all.end(), text) != all.end());
}

}  // namespace counted_test
