#include "app/page/sheet.h"
#include "app/words/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace page {
namespace {

using figure::Drawing;
using figure::Figure;
using figure::Rect;
using figure::TextStyle;

constexpr float kMargin = 8;
constexpr float kInset = 16;         // of text from a figure's edge: captions stand under titles
constexpr float kCaptionGap = 4;     // above a caption
constexpr float kAfterCaption = 12;  // below it
constexpr float kLineSpacing = 1.25f;
constexpr float kPageWidth = 1000, kLeastAlone = 480;
constexpr float kLeastWidth = 80;
constexpr float kLeastPageHeight = 60;  // of a figure that is pressed into a given height

// Text in lines of one style and colour.
struct Block {
  std::vector<std::string> lines;
  TextStyle style = TextStyle::label;
  figure::Rgba color;
  float line_height = 0;
  float height() const { return static_cast<float>(lines.size()) * line_height; }
};

Block block(const std::string& text, TextStyle style, figure::Rgba color, float width,
            const PaperMeasure& measure) {
  Block b;
  b.style = style;
  b.color = color;
  b.line_height = measure.size("x", style).y * kLineSpacing;
  if (!text.empty()) b.lines = measure.wrap(text, style, width);
  return b;
}

Drawing drawn(const Block& block, float x, float y) {
  Drawing drawing;
  for (std::size_t k = 0; k < block.lines.size(); ++k) {
    figure::draw::Text text;
    text.at = {x, y + (static_cast<float>(k) + 0.5f) * block.line_height};
    text.text = block.lines[k];
    text.style = block.style;
    text.color = block.color;
    drawing.primitives.emplace_back(std::move(text));
  }
  return drawing;
}

// Figures side by side, as `arrange` put them: they begin at the same height.
struct Row {
  std::size_t begin, end;
  float height;        // of the highest figure
  float gap;           // to the next row
  float captions = 0;  // height of the highest caption with the room around it
};

std::vector<Row> rows_of(const std::vector<Rect>& boxes) {
  std::vector<Row> rows;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    if (rows.empty() || std::abs(boxes[k].y - boxes[rows.back().begin].y) > 1) {
      rows.push_back({k, k, 0, 0});
    }
    rows.back().end = k + 1;
    rows.back().height = std::max(rows.back().height, boxes[k].h);
  }
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    const float bottom = boxes[rows[r].begin].y + rows[r].height;
    rows[r].gap = std::max(0.0f, boxes[rows[r + 1].begin].y - bottom);
  }
  return rows;
}

// How much every figure is stretched so that all fill the given height; 1 when none is given.
float stretch(const std::vector<Row>& rows, float below, const PaperOptions& options) {
  if (options.height <= 0) return 1;
  float fixed = 2 * kMargin + below, figures = 0, least = 0;
  for (const Row& row : rows) {
    fixed += row.gap + row.captions;
    figures += row.height;
    least += std::min(row.height, kLeastPageHeight);
  }
  const float room = static_cast<float>(options.height) - fixed;
  if (room < least) {
    words::refuse<core::InputError>(
        N_("a height of {} is too little for these figures: expected at least {}, or 0 for as high "
           "as they are"),
        options.height, std::ceil(fixed + least));
  }
  return figures > 0 ? room / figures : 1;
}

float width_of(const std::vector<Figure>& figures, const PaperOptions& options) {
  if (options.width > 0) return static_cast<float>(options.width);
  if (figures.size() != 1) return kPageWidth;
  const float share = static_cast<float>(figures.front().span) / 12;
  return std::clamp(std::round(kPageWidth * share), kLeastAlone, kPageWidth);
}

}  // namespace

Sheet compose(const std::vector<Figure>& chosen, const figure::Views& views,
              const PaperOptions& options, const PaperMeasure& measure, float pixel_ratio) {
  const figure::Theme& theme = figure::theme(options.theme);
  std::vector<Figure> figures = chosen;
  Sheet sheet;
  sheet.width = width_of(figures, options);
  if (figures.size() == 1) figures.front().span = 12;
  const float inner = sheet.width - 2 * kMargin;
  if (inner < kLeastWidth) {
    words::refuse<core::InputError>(N_("a width of {} is too little: expected at least {}"),
                                    options.width, kLeastWidth + 2 * kMargin);
  }
  const figure::LayoutOptions as_wished{.theme = &theme, .measure = &measure};
  std::vector<Rect> boxes = figure::arrange(figures, inner, 1, [&](std::size_t k, float width) {
    return figure::natural_height(figures[k], width, as_wished);
  });
  std::vector<Row> rows = rows_of(boxes);

  std::vector<Block> captions;
  for (std::size_t k = 0; k < figures.size(); ++k) {
    const std::string text = options.caption ? figures[k].caption : "";
    captions.push_back(block(text, TextStyle::label, theme.text, boxes[k].w - 2 * kInset, measure));
  }
  for (Row& row : rows) {
    for (std::size_t k = row.begin; k < row.end; ++k) {
      if (captions[k].lines.empty()) continue;
      row.captions = std::max(row.captions, kCaptionGap + captions[k].height() + kAfterCaption);
    }
  }
  const Block parameters = block(options.caption ? options.parameters : "", TextStyle::small,
                                 theme.dim, inner - 2 * kInset, measure);
  const float below = parameters.lines.empty() ? 0 : parameters.height() + kCaptionGap + kInset;
  const float factor = stretch(rows, below, options);

  figure::LayoutOptions layout;
  layout.theme = &theme;
  layout.measure = &measure;
  layout.card = false;
  layout.pixel_ratio = pixel_ratio;
  const words::Words w(options.language);
  layout.largest = w("max");
  layout.mean = w("mean");
  float y = kMargin;
  for (const Row& row : rows) {
    for (std::size_t k = row.begin; k < row.end; ++k) {
      const Rect box{kMargin + boxes[k].x, y, boxes[k].w, boxes[k].h * factor};
      sheet.drawings.push_back(figure::layout(figures[k], box, views, layout));
      sheet.drawings.push_back(drawn(captions[k], box.x + kInset, box.bottom() + kCaptionGap));
    }
    y += row.height * factor + row.captions + row.gap;
  }
  sheet.drawings.push_back(drawn(parameters, kMargin + kInset, y + kCaptionGap));
  const float natural = std::ceil(y + below + kMargin);
  sheet.height = options.height > 0 ? static_cast<float>(options.height) : natural;
  return sheet;
}

}  // namespace page
