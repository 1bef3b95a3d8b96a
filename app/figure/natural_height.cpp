// How high a card wants to be when its pictures fill its width.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"
#include "app/figure/paper_look.h"

namespace figure {
namespace {

using parts::kFooterRow, parts::kTitleRow;
constexpr float kRowGap = 12;
constexpr float kThumbnail = 92, kThumbnailGap = 12, kThumbnailCaption = 24;
// A square heatmap does not grow beyond half of a wide card, so that two fill it, nor beyond this.
constexpr float kLeastMost = 440, kMostSide = 620;
constexpr float kUnbounded = 8000;
constexpr float kLeastTable = 40, kMostTable = 6000;  // a longer one says how many rows are missing

bool all_plots(const Figure& figure, bool (*is)(const Plot&)) {
  return !figure.plots.empty() && std::all_of(figure.plots.begin(), figure.plots.end(), is);
}

// Height by width of a picture of square cells that is wider than high; 1 for all others.
float height_by_width(const Plot& plot) {
  const double x = std::abs(plot.x.hi - plot.x.lo), y = std::abs(plot.y.hi - plot.y.lo);
  return plot.square && y < x ? static_cast<float>(y / x) : 1.0f;
}

float most_side(float width, const LayoutOptions& options) {
  if (options.paper && options.look && options.look->alone) return width;
  if (options.paper) return kLeastMost * options.scale;
  return std::clamp(width / 2, kLeastMost * options.scale, kMostSide * options.scale);
}

// The most that one picture of a contact sheet takes, at 100 %: a few may be larger than many.
float most_thumbnail(std::size_t count, const LayoutOptions& options) {
  constexpr float kOfMany = 180, kOfSome = 220, kOfFew = 320;
  if (options.paper || count > 12) return kOfMany;
  return count > 4 ? kOfSome : kOfFew;
}

float contact_sheet_height(const Figure& figure, float width, const LayoutOptions& options) {
  const float scale = options.scale, inside = options.inside;
  const float inner = width / scale - 2 * inside;
  const float count = static_cast<float>(figure.plots.size());
  const float fit = std::floor((inner + kThumbnailGap) / (kThumbnail + kThumbnailGap));
  float rows = std::ceil(count / std::clamp(fit, 1.0f, count));
  float columns = std::ceil(count / rows);
  if (figure.columns > 0) {
    Drawing unused;
    const auto grid = parts::grid(figure, {0, 0, inner * scale, 0}, parts::Pen(unused, options));
    rows = static_cast<float>(grid.size());
    columns = static_cast<float>(grid.front().size());
  }
  const float side = std::min((inner + kThumbnailGap) / columns - kThumbnailGap,
                              most_thumbnail(figure.plots.size(), options));
  float highest = 0;
  for (const Plot& plot : figure.plots) highest = std::max(highest, height_by_width(plot));
  std::size_t lines = 1;
  if (options.paper) {
    Drawing unused;
    const parts::Pen pen(unused, options);
    for (const Plot& plot : figure.plots) {
      lines = std::max(lines, pen.wrap(plot.title, TextStyle::label_bold, side * scale).size());
    }
  }
  constexpr float kTitleLine = 15;
  const float caption = kThumbnailCaption + kTitleLine * static_cast<float>(lines - 1);
  return scale *
         (2 * inside + kTitleRow + rows * (highest * side + caption) + (rows - 1) * kThumbnailGap);
}

float bottom_of(const draw::Text& text, const TextMeasure& measure) {
  const Point size = measure.size(text.text, text.style);
  if (text.angle == 0) return text.at.y + (1 - text.align_y) * size.y;
  return text.at.y + std::abs(std::sin(text.angle)) * size.x * (1 - text.align_x) +
         std::abs(std::cos(text.angle)) * size.y;
}

// What one row of plots covers, from the top of its slots to the lowest mark.
struct RowExtent {
  float top = kUnbounded * 4, bottom = 0;
};

// By the top of the data, which the plots of a row share.
std::map<float, RowExtent> rows_of(const Drawing& drawing, const LayoutOptions& options) {
  std::map<float, RowExtent> rows;
  for (const PlotFrame& frame : drawing.frames) {
    RowExtent& row = rows[frame.area.y];
    row.top = std::min(row.top, frame.whole.y);
    row.bottom = std::max(row.bottom, frame.area.bottom());
  }
  for (const Primitive& primitive : drawing.primitives) {
    const auto* text = std::get_if<draw::Text>(&primitive);
    if (!text || rows.empty()) continue;
    // Paper's colour keys stand at the foot of the card without bounds.
    if (text->at.y > 0.9f * kUnbounded * options.scale) continue;
    auto row = rows.begin();
    while (std::next(row) != rows.end() && text->at.y >= std::next(row)->second.top) ++row;
    row->second.bottom = std::max(row->second.bottom, bottom_of(*text, *options.measure));
  }
  return rows;
}

// On paper, what the texts around all plots take: the footer's rows and the colour keys.
float footer_and_keys(const Figure& figure, float width, const LayoutOptions& options) {
  Drawing unused;
  const parts::Pen pen(unused, options);
  const float inner = width - 2 * pen.px(options.inside);
  const auto placed = parts::place(figure, {0, 0, inner, kUnbounded * options.scale}, {}, pen);
  const auto keys = parts::color_keys(figure, placed, pen);
  return parts::footer_of(figure, inner, pen).height + parts::color_keys_height(keys, inner, pen);
}

// What the heading takes beyond one row, and the footer and the keys.
float extra_around(const Figure& figure, float width, const LayoutOptions& options) {
  Drawing unused;
  const parts::Pen pen(unused, options);
  const float inner = width - 2 * pen.px(options.inside);
  return parts::heading_of(figure, inner, pen).height - pen.px(kTitleRow) +
         footer_and_keys(figure, width, options);
}

// Square pictures are laid out from the top of a card without bounds, which leaves room under each
// row; how high the highest row is then decides, since rows are equally high.
float squares_height(const Figure& figure, float width, const LayoutOptions& options) {
  LayoutOptions bare = options;
  bare.card = false;
  Figure without_footer = figure;
  without_footer.footer.clear();
  const Drawing drawing =
      layout(without_footer, {0, 0, width, kUnbounded * options.scale}, {}, bare);
  const std::map<float, RowExtent> rows = rows_of(drawing, options);
  if (rows.empty()) return figure.height * options.scale;
  float side = 0, highest = 0, sum = 0;
  for (const PlotFrame& frame : drawing.frames) side = std::max(side, frame.area.h);
  for (const auto& [top, row] : rows) {
    highest = std::max(highest, row.bottom - row.top);
    sum += row.bottom - row.top;
  }
  const auto count = static_cast<float>(rows.size());
  const float less = std::max(0.0f, side - most_side(width, options));
  const bool shared = options.paper && options.look && options.look->shared_axes;
  const float all = shared ? sum - count * less : count * (highest - less);
  const float footer = options.paper           ? footer_and_keys(figure, width, options)
                       : figure.footer.empty() ? 0
                                               : kFooterRow * options.scale;
  return rows.begin()->second.top + all + (count - 1) * kRowGap * options.scale + footer +
         options.inside * options.scale;
}

struct DataSize {
  float w = 0, h = 0;  // of the least data rectangle that follows the card's height
  float rows = 1;
};

DataSize data_in(const Figure& figure, float width, float height, const LayoutOptions& options) {
  LayoutOptions bare = options;
  bare.card = false;
  DataSize size{1e9f, 1e9f, 1};
  std::set<float> tops;
  // A square is as high as it is wide, however high the card is: beside others it says nothing.
  const bool squares = all_plots(figure, [](const Plot& plot) { return plot.square; });
  for (const PlotFrame& frame : layout(figure, {0, 0, width, height}, {}, bare).frames) {
    tops.insert(std::round(frame.area.y));
    if (!squares && figure.plots[static_cast<std::size_t>(frame.index)].square) continue;
    size.w = std::min(size.w, frame.area.w);
    size.h = std::min(size.h, frame.area.h);
  }
  size.rows = static_cast<float>(std::max<std::size_t>(1, tops.size()));
  return size;
}

// Boxes over one another have words, which are no lower where they are narrower.
bool has_diagram(const Figure& figure) {
  return std::any_of(figure.plots.begin(), figure.plots.end(), [](const Plot& plot) {
    return std::any_of(plot.marks.begin(), plot.marks.end(),
                       [](const Mark& mark) { return std::holds_alternative<Diagram>(mark); });
  });
}

// On paper the data keeps the height that it has on a page, less where it is much narrower; what
// stands around it comes on top, in as many lines as that takes.
float paper_height(const Figure& figure, float width, const LayoutOptions& options) {
  constexpr float kPage = 1000, kLeastAlone = 480, kHighest = 0.75f, kLeastData = 110;
  if (figure.plots.empty()) return figure.height * options.scale;
  LayoutOptions screen = options;
  screen.paper = false;
  screen.inside = 16;
  const float usual = std::max(kLeastAlone, kPage * static_cast<float>(figure.span) / 12 - 12);
  const DataSize before =
      data_in(figure, usual * options.scale, figure.height * options.scale, screen);
  const bool strips = !figure.plots.front().lead.empty();
  float height = (figure.height + 1000) * options.scale +
                 400 * options.scale * static_cast<float>(figure.plots.size());
  for (int pass = 0; pass < 2; ++pass) {
    const DataSize now = data_in(figure, width, height, options);
    const float least = std::max(before.h > 0 ? std::min(before.h, kLeastData * options.scale) : 0,
                                 (strips ? 18 : 32) * options.scale);
    const bool narrower = !has_diagram(figure) && now.w < 0.9f * before.w;
    const float wanted = narrower ? std::clamp(kHighest * now.w, least, std::max(least, before.h))
                                  : std::max(least, before.h);
    height += now.rows * (wanted - now.h);
  }
  return std::ceil(height - 0.01f);
}

bool is_table(const Plot& plot) { return parts::table_of(plot) != nullptr; }

// As high as makes room for every row of every table. What stands around the data hardly depends on
// the height: laid out once too high, then once at what that comes to.
float tables_height(const Figure& figure, float width, const LayoutOptions& options) {
  float height = kUnbounded * options.scale;
  for (int pass = 0; pass < 2; ++pass) {
    const Drawing drawing = layout(figure, {0, 0, width, height}, {}, options);
    Drawing unused;
    const parts::Pen pen(unused, options);
    std::set<float> tops;
    float missing = -height;
    for (const PlotFrame& frame : drawing.frames) {
      tops.insert(frame.area.y);
      const Table* table = parts::table_of(figure.plots[static_cast<std::size_t>(frame.index)]);
      if (!table) continue;
      const float wanted = std::clamp(parts::table_height(*table, frame.area.w, pen),
                                      pen.px(kLeastTable), pen.px(kMostTable));
      missing = std::max(missing, wanted - frame.area.h);
    }
    height += static_cast<float>(tops.size()) * missing;  // rows of plots are equally high
    if (!all_plots(figure, is_table)) height = std::max(height, figure.height * options.scale);
  }
  return std::ceil(height - 0.01f);
}

}  // namespace

float natural_height(const Figure& figure, float width, const LayoutOptions& options) {
  if (all_plots(figure, [](const Plot& p) { return p.thumbnail; })) {
    const float height = contact_sheet_height(figure, width, options);
    return options.paper ? height + extra_around(figure, width, options) : height;
  }
  if (std::any_of(figure.plots.begin(), figure.plots.end(), is_table)) {
    return tables_height(figure, width, options);
  }
  if (all_plots(figure, [](const Plot& p) { return p.square; })) {
    return squares_height(figure, width, options);
  }
  return options.paper ? paper_height(figure, width, options) : figure.height * options.scale;
}

}  // namespace figure
