// Where pages of a document end.
#include "app/paper/a4.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace a4_test {

using namespace paper::a4;

Item item(float share, bool keep = false) {
  return {.height = share * kUnitsHigh, .gap = 0, .keep = keep};
}
Item picture(float share, float least) {
  Item one = item(share);
  one.least = least * kUnitsHigh;
  one.redrawn = [](float) { return figure::Drawing(); };
  return one;
}

// How many items are on each page.
std::vector<std::size_t> counts(const std::vector<Item>& items) {
  std::vector<std::size_t> all;
  for (const auto& page : pages_of(items)) all.push_back(page.size());
  return all;
}

using Counts = std::vector<std::size_t>;

TEST_CASE("every item is on one page, in order and within it; one too high stands alone") {
  std::vector<Item> items;
  for (int k = 0; k < 40; ++k) items.push_back(item(k == 17 ? 1.4f : 0.07f * float(1 + k % 4)));
  std::size_t next = 0;
  for (const auto& page : pages_of(items)) {
    for (const Placed& one : page) CHECK(one.item == &items[next++]);
    const float bottom = page.back().y + page.back().height;
    CHECK((bottom <= kUnitsHigh || page.size() == 1));
  }
  CHECK(next == items.size());
  CHECK(pages_of({}).size() == 1);
}

TEST_CASE("what is kept together is, however much stays empty") {
  CHECK(counts({item(0.5f), item(0.3f, true), item(0.3f)}) == Counts{1, 2});
  CHECK(counts({item(0.5f), item(0.3f), item(0.3f)}) == Counts{2, 1});
}

TEST_CASE("what is tied is parted only where a large part of a page would stay empty") {
  std::vector<Item> items = {item(0.8f), item(0.1f), item(0.5f)};
  items[1].tie = 30;
  CHECK(counts(items) == Counts{1, 2});
  items = {item(0.3f), item(0.3f), item(0.6f)};
  items[1].tie = 8;
  CHECK(counts(items) == Counts{2, 1});
}

TEST_CASE("a picture is lowered rather than put on the next page, and no more than it may be") {
  const std::vector<Item> items = {item(0.5f), picture(0.6f, 0.4f), item(0.5f)};
  const auto pages = pages_of(items);
  REQUIRE(pages.size() == 2);
  REQUIRE(pages[0].size() == 2);
  CHECK(pages[0][1].height == doctest::Approx(0.5f * kUnitsHigh));
  CHECK(counts({item(0.7f), picture(0.6f, 0.4f)}) == Counts{1, 1});
}

TEST_CASE("no page begins for a few lines where pictures before them can give the room") {
  std::vector<Item> items = {picture(0.5f, 0.4f), picture(0.49f, 0.4f), item(0.06f)};
  CHECK(counts(items) == Counts{3});
  // Nor where what stands before them can come along.
  items = {item(0.3f), item(0.3f), item(0.39f), item(0.05f)};
  CHECK(counts(items) == Counts{2, 2});
}

// Boxes with such a word in each, side by side, on the page.
Item row_of_boxes(const std::string& word) {
  figure::Figure figure{.id = "f", .span = 12};
  figure::Plot plot{.id = "p", .x = {.lo = 0, .hi = 60}, .y = {.lo = 40, .hi = 0}};
  plot.x.visible = plot.y.visible = false;
  figure::Diagram diagram;
  for (int k = 0; k < 6; ++k) {
    diagram.nodes.push_back({.x0 = 10.0 * k, .y0 = 1, .x1 = 10.0 * k + 9, .y1 = 39, .title = word});
  }
  plot.add(diagram);
  figure.plots = {plot};
  const paper::PaperMeasure measure;
  const Writer write{measure, figure::theme(figure::ThemeName::light), words::Words()};
  return write.picture(figure);
}

TEST_CASE("a diagram is made smaller only as far as its words need") {
  const Item narrow = row_of_boxes("q"), wide = row_of_boxes("overparameterization");
  CHECK(narrow.zoom == 1);
  CHECK(wide.zoom < 0.95f);
  for (const auto& [item, word] : {std::pair(&narrow, "q"), {&wide, "overparameterization"}}) {
    const auto boxes =
        std::ranges::count_if(item->drawing.primitives, [word = word](const auto& one) {
          const auto* text = std::get_if<figure::draw::Text>(&one);
          return text && text->text == word;
        });
    CHECK(boxes == 6);
  }
}

}  // namespace a4_test
