#include "app/paper/paper_painter.h"

#include <cairo/cairo.h>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support.h"

namespace paper_painter_test {

namespace {

using figure::Rgba;
namespace draw = figure::draw;

constexpr Rgba kPaper{255, 255, 255, 255};

// A white canvas that tells its pixels.
class Canvas {
 public:
  Canvas(int width, int height, double scale = 1)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)),
        cairo_(cairo_create(surface_)) {
    cairo_set_source_rgb(cairo_, 1, 1, 1);
    cairo_paint(cairo_);
    cairo_scale(cairo_, scale, scale);
  }
  ~Canvas() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void paint(std::vector<figure::Primitive> primitives) {
    figure::Drawing drawing;
    drawing.primitives = std::move(primitives);
    paper::paint(drawing, cairo_, measure_, paper::Medium::raster);
    CHECK(cairo_status(cairo_) == CAIRO_STATUS_SUCCESS);
    cairo_surface_flush(surface_);
  }
  Rgba at(int x, int y) const {
    const unsigned char* row = cairo_image_surface_get_data(surface_) +
                               y * cairo_image_surface_get_stride(surface_) + 4 * x;
    return {row[2], row[1], row[0], 255};
  }
  int marked(int x0, int y0, int x1, int y1) const {
    int count = 0;
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) count += !(at(x, y) == kPaper);
    }
    return count;
  }

 private:
  cairo_surface_t* surface_;
  cairo_t* cairo_;
  paper::PaperMeasure measure_;
};

std::shared_ptr<const figure::ValueColors> colors(float lo = 0, float hi = 1) {
  figure::ColorScale scale;
  scale.lo = lo;
  scale.hi = hi;
  return std::make_shared<figure::ValueColors>(scale, figure::theme(figure::ThemeName::light));
}

draw::Cells cells(std::shared_ptr<const figure::TileSource> source, figure::Rect rect) {
  draw::Cells c;
  c.rect = rect;
  c.shown = {0, static_cast<double>(source->cols()), 0, static_cast<double>(source->rows())};
  c.source = std::move(source);
  c.colors = colors();
  return c;
}

TEST_CASE("every pixel of a cell has exactly its colour") {
  const auto source = test::ramp(5, 7);
  for (const double scale : {1.0, 1.5, 2.0}) {
    for (const figure::Rect rect :
         {figure::Rect{10, 20, 70, 50}, figure::Rect{10.3f, 20.7f, 61, 43}}) {
      Canvas canvas(200, 200, scale);
      const draw::Cells c = cells(source, rect);
      canvas.paint({c});
      const double left = scale * static_cast<double>(rect.x);
      const double top = scale * static_cast<double>(rect.y);
      const double wide = scale * static_cast<double>(rect.w);
      const double high = scale * static_cast<double>(rect.h);
      int wrong = 0;
      for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 200; ++x) {
          const double col = std::floor((x + 0.5 - left) / wide * 7);
          const double row = std::floor((y + 0.5 - top) / high * 5);
          const bool inside = col >= 0 && col < 7 && row >= 0 && row < 5;
          const Rgba expected = inside
                                    ? c.colors->color(source->value(static_cast<core::Index>(row),
                                                                    static_cast<core::Index>(col)))
                                    : kPaper;
          wrong += !(canvas.at(x, y) == expected);
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a zoomed view shows its cells only; what lies beyond the source stays paper") {
  const auto source = test::ramp(8, 8);
  draw::Cells c = cells(source, {0, 0, 80, 80});
  c.shown = {2.5, 6.5, -1, 3};  // columns 2.5 to 6.5, rows -1 to 3, 20 pixels each
  Canvas canvas(100, 100);
  canvas.paint({c});
  CHECK(canvas.at(5, 25) == c.colors->color(source->value(0, 2)));
  CHECK(canvas.at(15, 25) == c.colors->color(source->value(0, 3)));
  CHECK(canvas.at(75, 79) == c.colors->color(source->value(2, 6)));
  CHECK(canvas.marked(0, 0, 100, 20) == 0);
  CHECK(canvas.marked(80, 0, 100, 100) == 0);
}

TEST_CASE("pooled cells, the last one cut short") {
  const auto source = test::ramp(5, 5);
  draw::Cells c = cells(source, {0, 0, 50, 50});
  c.level = 1;
  Canvas canvas(50, 50);
  canvas.paint({c});
  CHECK(canvas.at(0, 0) == c.colors->color(source->value(1, 1)));
  CHECK(canvas.at(19, 19) == canvas.at(0, 0));
  CHECK(canvas.at(20, 0) == c.colors->color(source->value(1, 3)));
  CHECK(canvas.at(40, 0) == c.colors->color(source->value(1, 4)));
  CHECK(canvas.at(49, 49) == c.colors->color(source->value(4, 4)));
}

TEST_CASE("values that have no colour on the scale have their own") {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto source =
      std::make_shared<test::PlainSource>(1, 4, std::vector<float>{nan, inf, -inf, 0.5f});
  const draw::Cells c = cells(source, {0, 0, 40, 10});
  Canvas canvas(40, 10);
  canvas.paint({c});
  CHECK(canvas.at(5, 5) == c.colors->colors()[figure::ValueColors::kNan]);
  CHECK(canvas.at(15, 5) == c.colors->colors()[figure::ValueColors::kAbove]);
  CHECK(canvas.at(25, 5) == c.colors->colors()[figure::ValueColors::kBelow]);
  CHECK(canvas.at(35, 5) == c.colors->color(0.5f));
}

TEST_CASE("masked cells are hatched and nothing beside them is") {
  const auto source =
      std::make_shared<test::PlainSource>(1, 2, std::vector<float>{core::kMasked, 0.5f});
  const draw::Cells c = cells(source, {0, 0, 60, 30});
  for (const int scale : {1, 2}) {
    Canvas canvas(60 * scale, 30 * scale, scale);
    canvas.paint({c});
    int base = 0, hatch = 0, other = 0;
    for (int y = 0; y < 30 * scale; ++y) {
      for (int x = 0; x < 30 * scale; ++x) {
        const Rgba pixel = canvas.at(x, y);
        const bool is_hatch = pixel == c.colors->hatch();
        hatch += is_hatch;
        base += pixel == c.colors->colors()[figure::ValueColors::kMaskedBin];
        CHECK(is_hatch == ((x + y) % (6 * scale) < scale));
      }
      for (int x = 30 * scale; x < 60 * scale; ++x) {
        other += !(canvas.at(x, y) == c.colors->color(0.5f));
      }
    }
    CHECK(other == 0);
    CHECK(base + hatch == 900 * scale * scale);
    CHECK(hatch == 150 * scale * scale);
  }
}

TEST_CASE("a clip cuts, an unclip ends it, and one left open does not leak") {
  const Rgba red{200, 0, 0, 255};
  Canvas canvas(100, 100);
  canvas.paint({draw::Clip{{10, 10, 20, 20}}, draw::Fill{{0, 0, 100, 50}, red}, draw::Unclip{},
                draw::Unclip{}, draw::Fill{{0, 60, 10, 10}, red}, draw::Clip{{90, 90, 5, 5}}});
  CHECK(canvas.marked(0, 0, 100, 50) == 400);
  CHECK(canvas.at(10, 10) == red);
  CHECK(canvas.at(29, 29) == red);
  CHECK(canvas.at(5, 65) == red);
  canvas.paint({draw::Fill{{50, 80, 10, 10}, red}});
  CHECK(canvas.at(55, 85) == red);
}

TEST_CASE("cells obey a clip") {
  Canvas canvas(100, 100);
  canvas.paint({draw::Clip{{20, 20, 30, 30}}, cells(test::ramp(4, 4), {0, 0, 100, 100})});
  CHECK(canvas.marked(0, 0, 100, 100) == 900);
}

TEST_CASE("text stands where its anchor says, turned or not") {
  const Rgba black{0, 0, 0, 255};
  draw::Text text{{50, 50}, "Hg", figure::TextStyle::title, black};
  {
    Canvas canvas(100, 100);
    canvas.paint({text});
    CHECK(canvas.marked(50, 35, 90, 65) > 40);
    CHECK(canvas.marked(0, 0, 49, 100) == 0);
  }
  {
    text.align_x = 1;
    Canvas canvas(100, 100);
    canvas.paint({text});
    CHECK(canvas.marked(0, 35, 50, 65) > 40);
    CHECK(canvas.marked(52, 0, 100, 100) == 0);
  }
  {
    text.align_x = 0;
    text.angle = 1.5707964f;  // clockwise: it runs down
    Canvas canvas(100, 100);
    canvas.paint({text});
    CHECK(canvas.marked(35, 50, 65, 90) > 40);
    CHECK(canvas.marked(0, 0, 100, 49) == 0);
  }
  for (const char* symbols : {"熵", "∈", "ℝ", "再次"}) {
    Canvas canvas(100, 100);
    canvas.paint({draw::Text{{10, 50}, symbols, figure::TextStyle::body, black}});
    CHECK(canvas.marked(0, 0, 100, 100) > 10);
  }
}

TEST_CASE("hairlines and plain fills are crisp") {
  const Rgba black{0, 0, 0, 255};
  Canvas canvas(100, 100);
  canvas.paint({draw::Path{{{10, 20.4f}, {90, 20.4f}}, black, 1},
                draw::Fill{{10.3f, 40.2f, 30, 10}, black},
                draw::Outline{{60, 60, 20, 20}, black, 1}});
  CHECK(canvas.marked(0, 0, 100, 30) == 80);
  CHECK(canvas.at(50, 20) == black);
  CHECK(canvas.marked(0, 30, 59, 59) == 300);
  CHECK(canvas.marked(55, 55, 90, 90) == 76);
  CHECK(canvas.at(60, 60) == black);
  CHECK(canvas.at(79, 79) == black);
}

TEST_CASE("dashes leave gaps; a point without a place breaks a line") {
  const Rgba black{0, 0, 0, 255};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Canvas canvas(100, 100);
  canvas.paint({draw::Path{{{0, 10}, {100, 10}}, black, 1, true},
                draw::Path{{{0, 50}, {40, 50}, {nan, nan}, {60, 50}, {100, 50}}, black, 2},
                draw::Disc{{nan, 3}, 5, black},
                draw::Curve{{0, 0}, {nan, 0}, {1, 1}, {9, 9}, black}});
  CHECK(canvas.marked(0, 8, 100, 13) > 40);
  CHECK(canvas.marked(0, 8, 100, 13) < 75);
  CHECK(canvas.marked(42, 40, 58, 60) == 0);
  CHECK(canvas.marked(0, 40, 40, 60) == 80);
}

TEST_CASE("a colour bar runs from the first colour to the last") {
  const draw::ColorBar bar{{0, 0, 512, 8}, colors(-3, 7)};
  Canvas canvas(512, 8);
  canvas.paint({bar});
  for (int k = 0; k < 256; ++k) {
    CHECK(canvas.at(2 * k, 4) == bar.colors->colors()[static_cast<std::size_t>(k)]);
    CHECK(canvas.at(2 * k + 1, 0) == bar.colors->colors()[static_cast<std::size_t>(k)]);
  }
}

TEST_CASE("the head of an arrow, a handle and a row of a table reach the paper") {
  figure::Figure f;
  f.id = "f";
  figure::Plot plot;
  plot.id = "p";
  plot.x.visible = plot.y.visible = false;
  figure::Arrows arrows;
  arrows.arrows = {{0.1, 0.25, 0.9, 0.25}};
  arrows.color = figure::Role::key;
  figure::Handle handle;
  handle.x = 0.5, handle.y = 0.75, handle.radius = 10;
  handle.color = figure::Role::value;
  plot.add(std::move(arrows));
  plot.add(std::move(handle));
  f.plots = {plot};
  const paper::PaperMeasure measure;
  const figure::Theme& theme = figure::theme(figure::ThemeName::light);
  figure::LayoutOptions options;
  options.theme = &theme;
  options.measure = &measure;
  const figure::Drawing d = figure::layout(f, {0, 0, 300, 200}, {}, options);
  Canvas canvas(300, 200);
  canvas.paint(d.primitives);
  const auto pixel = [](float v) { return static_cast<int>(v); };
  const figure::PlotFrame& frame = d.frames[0];
  // Seven pixels behind its tip a head is wider than the shaft, which is seen behind it.
  const int tip = pixel(frame.px_at(0.9)), y = pixel(frame.py_at(0.25));
  CHECK(canvas.at(tip - 5, y) == theme.key);
  CHECK(canvas.marked(tip - 8, y - 4, tip - 7, y + 5) >= 5);
  CHECK(canvas.marked(tip - 15, y - 4, tip - 14, y + 5) <= 3);
  CHECK(canvas.marked(tip + 2, y - 5, tip + 20, y + 5) == 0);
  CHECK(canvas.at(pixel(frame.px_at(0.5)), pixel(frame.py_at(0.75))) == theme.value);
  CHECK(canvas.at(pixel(frame.px_at(0.5)) + 11, pixel(frame.py_at(0.75))) == theme.card);
  figure::Table table;
  table.columns = {{"步骤", 1, 1}, {"said", 3}};
  table.rows = {{{{"1"}}, {{"河岸很陡"}}}, {{{"2"}}, {{"words"}}}};
  table.marked = 1;
  f.plots[0].marks = {table};
  Canvas sheet(300, 200);
  const figure::Drawing rows = figure::layout(f, {0, 0, 300, 200}, {}, options);
  sheet.paint(rows.primitives);
  for (const figure::Primitive& primitive : rows.primitives) {
    const auto* text = std::get_if<draw::Text>(&primitive);
    if (!text) continue;
    const float w = measure.size(text->text, text->style).x;
    const float x = text->at.x - text->align_x * w;
    CAPTURE(text->text);
    CHECK(sheet.marked(pixel(x), pixel(text->at.y) - 8, pixel(x + w) + 1, pixel(text->at.y) + 8) >
          5);
  }
}

}  // namespace

}  // namespace paper_painter_test
