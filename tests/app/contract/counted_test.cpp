#include "counted.h"

#include <doctest/doctest.h>

#include <algorithm>

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
  figure::Diagram diagram;
  diagram.nodes = {{.note = "1 heads"}};
  diagram.wires = {{.label = "1 layers"}};
  page.figures[0].plots = {{.marks = {diagram}}};
  page.notes = {"1 ids"};
  const std::vector<std::string> all = texts_of(page);
  for (const char* text : {"1 rows", "1 keys", "1 heads", "1 layers", "1 ids"})
    CHECK(std::find(all.begin(), all.end(), text) != all.end());
}

}  // namespace counted_test
