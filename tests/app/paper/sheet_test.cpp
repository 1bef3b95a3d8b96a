#include "app/paper/sheet.h"

#include <doctest/doctest.h>

#include "support.h"

namespace sheet_test {

namespace {

TEST_CASE("captions and parameters stay on the sheet, below their figures") {
  const paper::PaperMeasure measure;
  const lab::Page page = test::heatmap_page();
  paper::PaperOptions options;
  for (int k = 0; k < 60; ++k) options.parameters += "parameter_" + std::to_string(k) + " = 1, ";
  for (const int width : {160, 480, 1000}) {
    options.width = width;
    const paper::Sheet sheet = paper::compose(page.figures, {}, options, measure, 1);
    CHECK(sheet.width == static_cast<float>(width));
    const float card = sheet.drawings.front().bounds.bottom();
    // One drawing a figure, one its caption, the last the parameters.
    REQUIRE(sheet.drawings.size() == 3);
    std::size_t lines = 0;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      for (const figure::Primitive& primitive : sheet.drawings[k].primitives) {
        const auto& text = std::get<figure::draw::Text>(primitive);
        const figure::Point size = measure.size(text.text, text.style);
        CHECK(text.at.x >= 8);
        CHECK(text.at.x + size.x <= sheet.width - 8);
        CHECK(text.at.y - size.y / 2 >= card);
        CHECK(text.at.y + size.y / 2 <= sheet.height);
        ++lines;
      }
    }
    CHECK(lines >= 4);
  }
}

TEST_CASE("a given height is filled by the figures and kept") {
  const paper::PaperMeasure measure;
  const lab::Page page = test::heatmap_page();
  paper::PaperOptions options;
  const paper::Sheet natural = paper::compose(page.figures, {}, options, measure, 1);
  options.height = 700;
  const paper::Sheet tall = paper::compose(page.figures, {}, options, measure, 1);
  CHECK(tall.height == 700);
  CHECK(tall.drawings.front().bounds.h - natural.drawings.front().bounds.h ==
        doctest::Approx(700 - natural.height).epsilon(0.01));
}

}  // namespace

}  // namespace sheet_test
