#include "app/paper/svg/svg_painter.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "app/labs/labs.h"
#include "app/paper/export_figure.h"
#include "support.h"

namespace svg_painter_test {

namespace {

using figure::Rgba;
namespace draw = figure::draw;

std::string elements(std::vector<figure::Primitive> primitives, double scale = 1,
                     figure::Point origin = {}) {
  figure::Drawing drawing;
  drawing.primitives = std::move(primitives);
  return paper::SvgPainter(paper::PaperMeasure(), scale, origin, "p").elements(drawing);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const Rgba kRed{255, 0, 0, 255}, kPale{0, 0, 255, 51};

}  // namespace

TEST_CASE("each primitive is its element") {
  CHECK(elements({draw::Fill{{1, 2, 3, 4}, kRed}}) ==
        "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#ff0000\"/>\n");
  CHECK(elements({draw::Fill{{0, 0, 9, 4}, kPale, 5}}) ==
        "<rect x=\"0\" y=\"0\" width=\"9\" height=\"4\" rx=\"2\" fill=\"#0000ff\" "
        "fill-opacity=\"0.2\"/>\n");
  // It lies inside of its rectangle.
  CHECK(elements({draw::Outline{{0, 0, 10, 10}, kRed, 2, 3}}) ==
        "<rect x=\"1\" y=\"1\" width=\"8\" height=\"8\" rx=\"2\" fill=\"none\" "
        "stroke=\"#ff0000\" stroke-width=\"2\"/>\n");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  draw::Path path{{{0, 0}, {1, 1}, {2, 0}, {nan, 0}, {3, 3}, {4, 4}}, kRed};
  CHECK(elements({path}) ==
        "<path d=\"M0 0L1 1 2 0M3 3L4 4\" fill=\"none\" stroke=\"#ff0000\" "
        "stroke-linejoin=\"round\"/>\n");
  path.dashed = path.closed = true;
  CHECK(has(elements({path}, 2),
            "M6 6L8 8Z\" fill=\"none\" stroke=\"#ff0000\" "
            "stroke-width=\"2\" stroke-dasharray=\"8 6\""));
  path.filled = true;
  CHECK(has(elements({path}), "Z\" fill=\"#ff0000\"/>"));
  CHECK(elements({draw::Path{{{nan, 0}}, kRed}}).empty());
  CHECK(has(elements({draw::Curve{{0, 0}, {1, 0}, {2, 1}, {3, 1}, kRed}}),
            "d=\"M0 0C1 0 2 1 3 1\" fill=\"none\""));
  CHECK(elements({draw::Disc{{1, 2}, 3, kRed}}, 2, {1, 1}) ==
        "<circle cx=\"0\" cy=\"2\" r=\"6\" fill=\"#ff0000\"/>\n");
  CHECK(has(elements({draw::Disc{{1, 2}, 3, kRed, false}}), "fill=\"none\" stroke=\"#ff0000\""));
}

TEST_CASE("text is text, escaped, at its anchor") {
  draw::Text text{{10, 20}, "a < b & \"c\"", figure::TextStyle::label, kRed};
  text.align_x = 0.5f;
  CHECK(has(elements({text}), "text-anchor=\"middle\""));
  CHECK(has(elements({text}), ">a &lt; b &amp; \"c\"</text>"));
  text.angle = -std::numbers::pi_v<float> / 2;
  CHECK(has(elements({text}), "transform=\"translate(10 20) rotate(-90)\""));
}

TEST_CASE("clips are closed, and each has a name of its own") {
  const draw::Clip clip{{0, 0, 5, 5}};
  const std::string both = elements({clip, draw::Unclip{}, clip});
  CHECK(has(both, "<clipPath id=\"pclip1\">"));
  CHECK(has(both, "<g clip-path=\"url(#pclip2)\">"));
  CHECK(both.ends_with("</g>\n"));
  CHECK(elements({draw::Unclip{}}).empty());
}

TEST_CASE("few cells are rectangles, many an image, and masked ones are hatched") {
  auto colors = std::make_shared<figure::ValueColors>(figure::ColorScale{},
                                                      figure::theme(figure::ThemeName::light));
  const auto cells = [&](core::Index size, float first) {
    std::vector<float> values(static_cast<std::size_t>(size * size), 0.5f);
    values[0] = first;
    const auto n = static_cast<double>(size);
    return draw::Cells{.rect = {0, 0, 100, 100},
                       .shown = {0, n, 0, n},
                       .source = std::make_shared<test::PlainSource>(size, size, values),
                       .colors = colors};
  };
  CHECK(has(elements({cells(2, 0)}), "M0 0h50.6v50.6h-50.6z"));
  CHECK_FALSE(has(elements({cells(2, 0)}), "stroke"));
  CHECK(has(elements({cells(2, core::kMasked)}), "stroke-width=\"0.707\""));
  const std::string many = elements({cells(65, 0)});
  CHECK(has(many, "image-rendering:pixelated"));
  CHECK(has(many, "href=\"data:image/png;base64,iVBORw0KGgo"));
  CHECK(elements({draw::Cells{}}).empty());
}

// The picture that another program makes of the SVG, and Cairo's.
double difference(const lab::Page& page, const std::filesystem::path& folder) {
  paper::PaperOptions options;
  options.width = 900;
  const std::string svg = (folder / "a.svg").string(), png = (folder / "a.png").string();
  paper::export_page(page, {}, {}, options, svg);
  const std::string command = "rsvg-convert -o '" + png + "' '" + svg + "'";
  REQUIRE(std::system(command.c_str()) == 0);
  const test::Picture theirs = test::decode_png(test::read(png));
  const test::Picture ours = test::decode_png(paper::render_png(page, {}, {}, options));
  REQUIRE(theirs.width == ours.width);
  REQUIRE(std::abs(theirs.height - ours.height) <= 1);
  double sum = 0;
  const int height = std::min(theirs.height, ours.height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < ours.width; ++x) {
      const Rgba a = theirs.at(x, y), b = ours.at(x, y);
      sum += std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
    }
  }
  return sum / 3 / 255 / ours.width / height;
}

TEST_CASE("another program draws each lab's SVG as Cairo draws the lab") {
  if (std::system("rsvg-convert --version > /dev/null 2>&1") != 0) {
    REQUIRE_MESSAGE(std::getenv("CI") == nullptr, "librsvg2-bin is not installed");
    MESSAGE("SKIPPED: librsvg2-bin is not installed");
    return;
  }
  const test::Folder folder;
  const words::Words english;
  for (const lab::Lab& one : lab::all()) {
    CAPTURE(std::string(one.id));
    lab::Memo memo;
    const lab::Page page = one.make()->compute({{}, english, memo, {}, 0});
    CHECK(difference(page, folder.path()) < 0.02);
  }
}

}  // namespace svg_painter_test
