#include "app/paper/touch/touch_page.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "app/paper/file/export_bytes.h"
#include "app/paper/file/session_carrier.h"
#include "app/paper/touch/touch_numbers.h"
#include "app/paper/touch/touch_sheet.h"
#include "core/tile.h"
#include "support.h"

namespace touch_page_test {

namespace {

using paper::Decimals;
namespace draw = figure::draw;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

lab::Page page_of(figure::Plot plot, const std::string& title = "A figure") {
  lab::Page page;
  figure::Figure figure;
  figure.id = "one";
  figure.title = title;
  figure.plots.push_back(std::move(plot));
  page.figures.push_back(std::move(figure));
  return page;
}

std::string html(const lab::Page& page, paper::PaperOptions options = {}) {
  return paper::export_bytes(page, {}, {}, options, ".html");
}

}  // namespace

TEST_CASE("numbers are kept to three digits, as they are read") {
  const std::vector<float> values = {0.12345f, -4.996e-5f, 999.6f, 1, 3e-36f, 0};
  const int least = Decimals::least(values);
  CHECK(least == 3 - 35);
  const auto again = [&](float v) { return Decimals::value(Decimals::code(v, least), least); };
  CHECK(again(0.12345f) == 0.123);
  CHECK(again(-4.996e-5f) == -5e-5);
  CHECK(again(999.6f) == 1000);
  CHECK(again(1) == 1);
  CHECK(again(0) == 0);
  CHECK(again(3e-36f) == 0);  // 36 decades below the largest
  constexpr float inf = std::numeric_limits<float>::infinity();
  CHECK(again(inf) == inf);
  CHECK(again(-inf) == -inf);
  CHECK(std::isnan(again(std::numeric_limits<float>::quiet_NaN())));
  CHECK(Decimals::code(std::numeric_limits<float>::quiet_NaN(), 0) == Decimals::kNan);
  CHECK(Decimals::code(core::kMasked, 0) == Decimals::kMasked);
  CHECK(Decimals::least({0, core::kMasked}) == 0);
  // No number's code is one of the special ones.
  CHECK(Decimals::code(-999.4f, least) < Decimals::kMinus);
}

TEST_CASE("cells that come again are kept once, others as what changed") {
  paper::TouchNumbers numbers;
  CHECK(numbers.add({0, 1, 3, {1, 2, 300}, -1}, -1) == 0);
  CHECK(numbers.add({0, 1, 3, {1, 2, 300}, -1}, 0) == 0);
  CHECK(numbers.add({1, 1, 3, {1, 2, 300}, -1}, -1) == 1);  // other colors
  CHECK(numbers.add({0, 1, 3, {2, 2, 299}, -1}, 0) == 2);
  CHECK(numbers.add({0, 2, 2, {2, 2, 2, 2}, -1}, 0) == 3);
  CHECK(numbers.entries()[2].before == 0);
  CHECK(numbers.entries()[3].before == -1);  // of another size
  const std::string bytes = numbers.bytes();
  CHECK(bytes.substr(0, 6) == std::string("\x01\x02\x2c\x00\x00\x01", 6));
  CHECK(bytes.substr(12, 6) == std::string("\x01\x00\xff\x00\x00\xff", 6));
  CHECK(bytes.size() == 3 * 6 + 8);
}

TEST_CASE("colors follow the theme, texts stay what they are") {
  paper::TouchPalette palette;
  const figure::Rgba white{255, 255, 255, 255}, black{0, 0, 0, 255}, pale{0, 0, 255, 51};
  paper::Sheet light, dark;
  figure::Drawing drawing;
  draw::Text text{{0, 0}, "a \"#000001\" <b>", figure::TextStyle::mono, black};
  drawing.primitives = {draw::Fill{{0, 0, 4, 4}, white}, draw::Fill{{4, 0, 4, 4}, pale}, text};
  light.drawings = {drawing};
  std::get<draw::Fill>(drawing.primitives[0]).color = black;
  std::get<draw::Text>(drawing.primitives[2]).color = white;
  dark.drawings = {drawing};
  const paper::PaperMeasure measure;
  const paper::TouchInk ink = paper::touch_ink(light, dark, {"a&\"b"}, measure, palette);
  REQUIRE(ink.pieces.size() == 5);
  CHECK(ink.pieces[0] == "<g data-f=\"a&amp;&quot;b\">\n");
  CHECK(ink.pieces[1] == "<rect x=\"0\" y=\"0\" width=\"4\" height=\"4\" fill=\"var(--c0)\"/>\n");
  CHECK(has(ink.pieces[3], "class=\"f1\""));
  CHECK(has(ink.pieces[3], ">a \"#000001\" &lt;b&gt;</text>"));
  CHECK(palette.style(false) == "--c0:#ffffffff;--c1:#0000ff33;--c2:#000000ff;");
  CHECK(palette.style(true) == "--c0:#000000ff;--c1:#0000ff33;--c2:#ffffffff;");
}

TEST_CASE("paths of straight pieces are written as what they move by, in hundredths") {
  paper::TouchPalette palette;
  paper::Sheet sheet;
  figure::Drawing drawing;
  const float none = std::numeric_limits<float>::quiet_NaN();
  draw::Path path;
  path.points = {{10.004f, 20}, {10.5f, 19.4996f}, {110.5f, 19.5f},
                 {none, none},  {3, 0.25f},        {2, 0}};
  drawing.primitives = {path, draw::Curve{{0, 0}, {1, 0}, {1, 1}, {2, 1.1234f}, {}, 1}};
  sheet.drawings = {drawing};
  const paper::TouchInk ink = paper::touch_ink(sheet, sheet, {}, paper::PaperMeasure(), palette);
  REQUIRE(ink.pieces.size() == 2);
  CHECK(has(ink.pieces[0], "d=\"M10 20l.5-.5 100 0M3 .25l-1-.25\""));
  CHECK(has(ink.pieces[1], "1.123\""));  // a curve stays as it is
}

TEST_CASE("places of lines that several frames share are kept once") {
  figure::Plot plot;
  plot.id = "curve";
  plot.x = {.lo = -1, .hi = 1}, plot.y = {.lo = 0, .hi = 40};
  // Lines that move up, more of them than what packing looks back to.
  const auto size = [&](int frames) {
    paper::TouchPage touch;
    for (int k = 0; k < frames; ++k) {
      plot.marks.clear();
      for (int n = 0; n < 12; ++n) {
        figure::Line line;
        for (int i = 0; i < 500; ++i) line.add(std::sin(i * 1.7 + n), k + n);
        plot.marks.emplace_back(line);
      }
      touch.frames.push_back({page_of(plot).figures, {}, std::to_string(k)});
    }
    return paper::touch_page(touch).size();
  };
  const std::size_t each = (size(7) - size(2)) / 5;
  CHECK(each < 36'000);
}

TEST_CASE("a page to be touched stands alone") {
  const std::string evil = "</script><img src=http://x onerror=alert(1)>\"";
  figure::Plot plot = test::heatmap_plot("map", test::ramp(3, 4));
  plot.x.labels = std::make_shared<const std::vector<std::string>>(4, evil);
  paper::PaperOptions options;
  options.title = evil;
  options.session = "{\"attnscope\":1,\"text\":\"a<b\"}";
  const std::string page = html(page_of(plot, evil), options);
  CHECK(page.starts_with("<!doctype html>\n<html lang=\"en\">"));
  CHECK_FALSE(has(page, "<img"));
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++scripts;
  CHECK(scripts == 2);
  CHECK(has(page, "<image data-m=\"0\""));
  CHECK_FALSE(has(page, "id=\"sweep\""));
  CHECK(paper::session_in(page, "page.html") == options.session);
  options.session.clear();
  CHECK_THROWS_AS(paper::session_in(html(page_of(plot), options), "page.html"), core::InputError);
  options.language = words::Language::zh_CN;
  options.theme = figure::ThemeName::dark;
  CHECK(has(html(page_of(plot), options), "<html lang=\"zh-CN\" data-theme=\"dark\">"));
}

TEST_CASE("what is too large to be carried is pooled") {
  const std::string page = html(page_of(test::heatmap_plot("map", test::ramp(900, 900))));
  CHECK(page.size() < 400'000);
  CHECK(has(page, "<image data-m=\"0\""));
}

TEST_CASE("a slider has as many places as there are frames") {
  const figure::Plot plot = test::heatmap_plot("map", test::ramp(3, 4));
  const std::vector<figure::Figure> figures = page_of(plot).figures;
  paper::TouchPage touch;
  for (const char* label : {"1", "2 <", "3"}) touch.frames.push_back({figures, {}, label});
  touch.first = 1;
  touch.knob = "Knob & co";
  const std::string page = paper::touch_page(touch);
  CHECK(has(page, "<label for=\"at\">Knob &amp; co</label>"));
  CHECK(has(page, "max=\"2\" step=\"1\" value=\"1\" aria-valuetext=\"2 &lt;\""));
}

}  // namespace touch_page_test
