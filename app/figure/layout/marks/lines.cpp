// Lines and bands, thinned out to what the pixels can show.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/segment.h"
#include "app/figure/layout/marks/strokes.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kFar = 4096;    // pixels outside of the plot where lines may end
constexpr float kLabelGap = 8;  // between a line's end and its label

using Points2 = std::vector<Point>;

// A point in pixels, not further away than painters can take; NaN where there is none.
Point to_pixels(const PlotFrame& frame, double x, double y) {
  const Rect& a = frame.area;
  const float px = frame.px_at(x), py = frame.py_at(y);
  return {std::isnan(px) ? px : std::clamp(px, a.x - kFar, a.right() + kFar),
          std::isnan(py) ? py : std::clamp(py, a.y - kFar, a.bottom() + kFar)};
}

// Pieces between breaks.
std::vector<Points2> pieces_of(const PlotFrame& frame, const std::vector<double>& xs,
                               const std::vector<double>& ys) {
  std::vector<Points2> pieces(1);
  for (std::size_t k = 0; k < std::min(xs.size(), ys.size()); ++k) {
    const Point p = to_pixels(frame, xs[k], ys[k]);
    const bool there =
        std::isfinite(xs[k]) && std::isfinite(ys[k]) && std::isfinite(p.x) && std::isfinite(p.y);
    if (there) {
      pieces.back().push_back(p);
    } else if (!pieces.back().empty()) {
      pieces.emplace_back();
    }
  }
  if (pieces.back().empty()) pieces.pop_back();
  return pieces;
}

// Keeps the first, lowest, highest and last of the consecutive points in one column of pixels.
Points2 decimated(const Points2& points, float pixel) {
  Points2 kept;
  for (std::size_t k = 0; k < points.size();) {
    const float column = std::floor(points[k].x / pixel);
    std::size_t low = k, high = k, end = k;
    for (; end < points.size() && std::floor(points[end].x / pixel) == column; ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    std::size_t shown[] = {k, std::min(low, high), std::max(low, high), end - 1};
    for (std::size_t i = 0; i < 4; ++i) {
      if (i == 0 || shown[i] != shown[i - 1]) kept.push_back(points[shown[i]]);
    }
    k = end;
  }
  return kept;
}

// A staircase: each height holds halfway to its neighbours.
Points2 stepped(const Points2& points) {
  Points2 stairs;
  for (const Point p : points) {
    if (!stairs.empty() && stairs.back().y != p.y) {
      const Point from = stairs.back();
      const float middle = (from.x + p.x) / 2;
      stairs.push_back({middle, from.y});
      stairs.push_back({middle, p.y});
    }
    stairs.push_back(p);
  }
  return stairs;
}

bool too_many(std::size_t count, const Placed& p, const Pen& pen) {
  return static_cast<float>(count) > 2 * p.area.w * pen.options().pixel_ratio;
}

// A band's upper and lower edge over one x.
struct Slice {
  float x, hi, lo;
};

void fill_slices(const std::vector<Slice>& s, Rgba color, const Pen& pen) {
  if (s.size() < 2) return;
  Points2 outline;
  outline.reserve(2 * s.size());
  for (const Slice& at : s) outline.push_back({at.x, at.hi});
  for (auto at = s.rbegin(); at != s.rend(); ++at) outline.push_back({at->x, at->lo});
  pen.add(draw::Path{std::move(outline), color, 1, false, true, true});
}

struct EndLabel {
  float y;
  const Line* line;
};

// Moves labels apart so that none overlaps, downwards first and then back up from the floor.
void push_apart(std::vector<EndLabel>& labels, float top, float bottom, float pitch) {
  std::sort(labels.begin(), labels.end(),
            [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
  float least = top;
  for (EndLabel& label : labels) {
    label.y = std::max(label.y, least);
    least = label.y + pitch;
  }
  float most = bottom;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, most);
    most = label->y - pitch;
  }
}

}  // namespace

std::vector<std::vector<Point>> drawn_pieces(const Line& line, const Placed& p, const Pen& pen) {
  std::vector<Points2> pieces = pieces_of(p.frame, line.x, line.y);
  for (Points2& piece : pieces) {
    if (line.steps) piece = stepped(piece);
    if (too_many(piece.size(), p, pen)) piece = decimated(piece, 1 / pen.options().pixel_ratio);
  }
  return pieces;
}

void draw_line(const Line& line, const Placed& p, const Pen& pen) {
  const Rgba color = resolve(line.color, pen.theme());
  const Stroke stroke = stroke_of(line, *p.plot, pen);
  for (Points2& piece : drawn_pieces(line, p, pen)) {
    if (piece.size() == 1) {
      pen.add(draw::Disc{piece[0], pen.px(line.width), color});
    } else {
      draw_stroke(std::move(piece), stroke, color, pen.px(line.width), pen);
    }
  }
}

void draw_line_markers(const Line& line, const Placed& p, const Pen& pen) {
  if (!pen.look().markers || p.plot->thumbnail) return;
  const Stroke stroke = stroke_of(line, *p.plot, pen);
  for (const Points2& piece : drawn_pieces(line, p, pen)) {
    draw_markers(piece, stroke, resolve(line.color, pen.theme()), pen.px(line.width), p.area, pen);
  }
}

void draw_band(const Band& band, const Placed& p, const Pen& pen) {
  const Rgba color = resolve(band.color, pen.theme());
  const std::size_t count = std::min({band.x.size(), band.lo.size(), band.hi.size()});
  const bool thin_out = too_many(count, p, pen);
  std::vector<Slice> slices;
  for (std::size_t k = 0; k < count; ++k) {
    const Point hi = to_pixels(p.frame, band.x[k], band.hi[k]);
    const Point lo = to_pixels(p.frame, band.x[k], band.lo[k]);
    if (!std::isfinite(hi.x) || !std::isfinite(hi.y) || !std::isfinite(lo.y)) {
      fill_slices(slices, color, pen);
      slices.clear();
    } else if (thin_out && !slices.empty() &&
               std::floor(hi.x * pen.options().pixel_ratio) ==
                   std::floor(slices.back().x * pen.options().pixel_ratio)) {
      slices.back().hi = std::min(slices.back().hi, hi.y);
      slices.back().lo = std::max(slices.back().lo, lo.y);
    } else {
      slices.push_back({hi.x, hi.y, lo.y});
    }
  }
  fill_slices(slices, color, pen);
}

float line_label_width(const Plot& plot, const Pen& pen) {
  if (plot.thumbnail) return 0;
  float width = 0;
  for (const Mark& mark : plot.marks) {
    const Line* line = std::get_if<Line>(&mark);
    if (line && !line->label.empty()) {
      width = std::max(width, pen.size(line->label, TextStyle::label).x);
    }
  }
  return width > 0 ? std::min(width, pen.px(140)) + pen.px(kLabelGap) : 0;
}

std::optional<Point> end_of(const Line& line, const Placed& p) {
  for (std::size_t k = std::min(line.x.size(), line.y.size()); k-- > 0;) {
    const Point at = to_pixels(p.frame, line.x[k], line.y[k]);
    if (inside(p.area, at, 0.5f)) return at;
  }
  return {};
}

std::optional<Point> ends_early(const Line& line, const Placed& p, const Pen& pen) {
  constexpr float kRoom = 2;  // times the label's width
  const std::optional<Point> end = end_of(line, p);
  const float needed = kRoom * pen.size(line.label, TextStyle::label).x;
  return end && end->x + needed < p.area.right() ? end : std::nullopt;
}

void draw_line_labels(const Placed& p, const Pen& pen) {
  if (p.plot->thumbnail || p.line_legend || p.detail >= Detail::no_titles) return;
  std::vector<EndLabel> labels;
  for (const Mark& mark : p.plot->marks) {
    const Line* line = std::get_if<Line>(&mark);
    if (!line || line->label.empty() || ends_early(*line, p, pen)) continue;
    if (const auto end = end_of(*line, p)) labels.push_back({end->y, line});
  }
  const float pitch = pen.line_height(TextStyle::label);
  const auto most = static_cast<std::size_t>(std::max(0.0f, p.area.h / pitch)) + 1;
  for (std::size_t k = most; k < labels.size(); ++k) pen.left_out(labels[k].line->label);
  if (labels.size() > most) labels.resize(most);
  push_apart(labels, p.area.y, p.area.bottom(), pitch);
  const float x = p.area.right() + pen.px(kLabelGap);
  for (const EndLabel& label : labels) {
    const std::string text =
        pen.fit(label.line->label, TextStyle::label, p.slot.right() - x + 0.5f);
    pen.text({x, label.y}, text, TextStyle::label, resolve(label.line->color, pen.theme()));
  }
}

namespace {

constexpr float kStroke = 16, kPatterned = 30, kStrokeGap = 6, kLegendGap = 16;

// Width of a line's sample in the legend: long enough to show how it is dashed.
float sample_width(const Pen& pen) { return pen.look().dashes ? kPatterned : kStroke; }

// The names of lines in rows, each with its place; names of one line stand together.
struct LegendName {
  const Line* line;
  std::vector<std::string> text;  // more than one line when it is wider than the plot
  float x, y;
};

std::vector<LegendName> legend_of(const Plot& plot, float width, float& height, const Pen& pen) {
  const float row = pen.line_height(TextStyle::label),
              before = pen.px(sample_width(pen) + kStrokeGap);
  std::vector<LegendName> names;
  float x = 0, y = 0, next = 0;
  for (const Mark& mark : plot.marks) {
    const Line* line = std::get_if<Line>(&mark);
    if (!line || line->label.empty()) continue;
    auto text = pen.wrap(line->label, TextStyle::label, width - before);
    const float wide = before + (text.size() == 1 ? pen.size(text[0], TextStyle::label).x : width);
    if (x > 0 && x + wide > width) x = 0, y = next;
    next = std::max(next, y + row * static_cast<float>(text.size()));
    names.push_back({line, std::move(text), x, y});
    x += wide + pen.px(kLegendGap);
  }
  height = next;
  return names;
}

}  // namespace

float line_legend_height(const Plot& plot, float width, const Pen& pen) {
  float height = 0;
  legend_of(plot, width, height, pen);
  return height > 0 ? height + pen.px(6) : 0;
}

void draw_line_legend(const Placed& p, const Pen& pen) {
  if (!p.line_legend || p.legend_height <= 0) return;
  float height = 0;
  const auto names = legend_of(*p.plot, p.slot.right() - p.area.x, height, pen);
  // Above the note, if there is one, and under the axis.
  const auto lines =
      static_cast<float>(p.note_below ? std::max<std::size_t>(1, p.note_lines.size()) : 0);
  const float note = lines > 0 ? lines * pen.line_height(TextStyle::small) + pen.px(4) : 0;
  const float bottom = std::min(p.slot.bottom(), p.area.bottom() + p.sides.bottom) - note;
  const float row = pen.line_height(TextStyle::label);
  for (const LegendName& name : names) {
    const float x = p.area.x + name.x, y = bottom - height + name.y + row / 2;
    const Rgba color = resolve(name.line->color, pen.theme());
    const Stroke stroke = stroke_of(*name.line, *p.plot, pen);
    const float sample = pen.px(sample_width(pen));
    draw_sample({x, y}, sample, stroke, color, pen.px(std::max(1.5f, name.line->width)), pen);
    pen.lines({x + sample + pen.px(kStrokeGap), y}, name.text, TextStyle::label, pen.theme().text);
  }
}

}  // namespace figure::parts
