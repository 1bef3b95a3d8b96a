// Bars from zero, their numbers, and the letter beside a strip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kShare = 0.6f;  // of a cell's width
constexpr float kWidest = 72;
constexpr float kRotated = 0.85f;  // of a line's height: what digits cover
constexpr std::size_t kNamed = 3;  // numbers in a message

struct Column {
  float x, w;  // the cell on screen
};

Column column_of(const Placed& p, std::size_t k) {
  const double first = std::min(p.plot->x.lo, p.plot->x.hi) + static_cast<double>(k);
  const float a = p.frame.px_at(first), b = p.frame.px_at(first + 1);
  return {std::min(a, b), std::abs(b - a)};
}

bool visible(const Placed& p, const Column& c) {
  return c.x + c.w > p.area.x + 0.01f && c.x < p.area.right() - 0.01f;
}

float base_of(const Placed& p) {
  const float zero = p.frame.py_at(0);
  return std::isfinite(zero) ? std::clamp(zero, p.area.y, p.area.bottom()) : p.area.bottom();
}

float top_of(const Placed& p, double value) {
  const float y = p.frame.py_at(value);
  return std::isfinite(y) ? std::clamp(y, p.area.y, p.area.bottom()) : base_of(p);
}

Rect bar_rect(const Placed& p, const Column& c, double value, const Pen& pen) {
  const float w = std::min(std::max(c.w * kShare, std::min(c.w, 1.0f)), pen.px(kWidest));
  const float base = base_of(p), top = top_of(p, value);
  return {c.x + (c.w - w) / 2, std::min(base, top), w, std::abs(top - base)};
}

// More bars than pixels: one for each column of pixels, from its least to its greatest value.
void draw_pooled(const Bars& bars, const Placed& p, Rgba color, const Pen& pen) {
  const float step = 1 / pen.options().pixel_ratio;
  std::size_t k = 0;
  for (float x = p.area.x; x < p.area.right(); x += step) {
    float high = base_of(p), low = base_of(p);
    for (; k < bars.values.size() && column_of(p, k).x < x + step; ++k) {
      if (column_of(p, k).x < x || std::isnan(bars.values[k])) continue;
      high = std::min(high, top_of(p, bars.values[k]));
      low = std::max(low, top_of(p, bars.values[k]));
    }
    pen.fill({x, high, step, low - high}, color);
  }
}

// As many decimals for all as give the largest three significant digits: numbers that can be
// compared.
int decimals_for(const std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  }
  if (largest == 0 || largest >= 1e5 || largest < 1e-4) return -1;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 0, 6);
}

std::vector<std::string> numbers_of(const std::vector<double>& values) {
  const int decimals = decimals_for(values);
  const bool whole =
      std::all_of(values.begin(), values.end(), [](double v) { return v == std::floor(v); });
  const bool sign = std::any_of(values.begin(), values.end(), [](double v) { return v < 0; });
  std::vector<std::string> texts;
  for (const double v : values) {
    std::string text = decimals < 0 || whole || !std::isfinite(v)
                           ? number_text(v, 3)
                           : fmt::format("{:.{}f}", v, decimals);
    if (sign && v > 0) text = fmt::format("+{}", text);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string tooltip(const Bars& bars, const Placed& p, std::size_t k, const Pen& pen) {
  const Axis& axis = p.plot->x;
  const auto first = static_cast<Index>(std::floor(std::min(axis.lo, axis.hi)));
  const Labels& names = axis.labels;
  const std::string name =
      names && k < names->size() ? (*names)[k] : std::to_string(first + static_cast<Index>(k));
  return name + pen.options().colon + number_text(bars.values[k], 6);
}

// What has no room is named as "keys: 4, 5, 6, …".
void report_numbers(const Bars& bars, const Placed& p, const Pen& pen) {
  const std::vector<std::string> texts = numbers_of(bars.values);
  const std::string& name = p.plot->y.label.empty() ? p.plot->title : p.plot->y.label;
  std::string text = name.empty() ? name : name + pen.options().colon;
  for (std::size_t k = 0; k < std::min(texts.size(), kNamed); ++k) {
    text += (k == 0 ? "" : ", ") + texts[k];
  }
  pen.left_out(texts.size() > kNamed ? text + ", …" : text);
}

}  // namespace

std::optional<Rect> bar_of(const Placed& p, std::size_t k, double value, const Pen& pen) {
  const Column c = column_of(p, k);
  if (!visible(p, c) || std::isnan(value)) return std::nullopt;
  return bar_rect(p, c, value, pen);
}

void draw_bars(const Bars& bars, const Placed& p, const Pen& pen) {
  const Theme& theme = pen.theme();
  const Rgba color = resolve(bars.color, theme);
  const float base = base_of(p);
  pen.line({p.area.x, base}, {p.area.right(), base}, theme.line, pen.px(1));
  if (bars.values.empty()) return;
  const float pitch = column_of(p, 0).w;
  if (pitch * pen.options().pixel_ratio < 1) return draw_pooled(bars, p, color, pen);
  const auto names = column_names(p, bars.values.size(), pen);
  for (std::size_t k = 0; k < bars.values.size(); ++k) {
    const Column c = column_of(p, k);
    if (!visible(p, c)) continue;
    const bool marked = static_cast<int>(k) == bars.marked;
    if (!std::isnan(bars.values[k])) {
      Rect rect = bar_rect(p, c, bars.values[k], pen);
      // What is small is still seen to be there; what is zero is not.
      if (bars.values[k] != 0 && rect.h < pen.px(1)) {
        if (rect.y < base) rect.y = base - pen.px(1);
        rect.h = pen.px(1);
      }
      pen.fill(rect, marked ? theme.accent : color, std::min({pen.px(2), rect.h / 2, rect.w / 2}));
    }
    const bool picks = k < bars.picks.size() && !bars.picks[k].empty();
    pen.drawing().hits.push_back({{c.x, p.area.y, c.w, p.area.h},
                                  p.index,
                                  picks ? bars.picks[k] : Assignments{},
                                  tooltip(bars, p, k, pen),
                                  k < bars.losses.size() ? bars.losses[k] : Loss{},
                                  names[k]});
  }
}

BarNumbers bar_numbers(const Bars& bars, float pitch, const Pen& pen) {
  BarNumbers made{numbers_of(bars.values), false, pen.line_height(TextStyle::mono_small)};
  float widest = 0;
  for (const std::string& text : made.texts) {
    widest = std::max(widest, pen.size(text, TextStyle::mono_small).x);
  }
  if (pitch >= pen.px(16) && widest + pen.px(4) <= pitch) return made;
  made.rotated = pen.paper() && kRotated * made.high <= pitch;
  if (!made.rotated) return {{}, false, made.high};
  made.high = widest;
  return made;
}

void draw_bar_numbers(const Bars& bars, const Placed& p, const Pen& pen) {
  if (!bars.numbers || p.plot->thumbnail || p.detail >= Detail::no_notes || bars.values.empty() ||
      p.area.h < pen.px(12)) {
    return;
  }
  const BarNumbers numbers = bar_numbers(bars, column_of(p, 0).w, pen);
  if (numbers.texts.empty()) return report_numbers(bars, p, pen);
  const float gap = pen.px(3), half = numbers.rotated ? 0 : numbers.high / 2;
  for (std::size_t k = 0; k < bars.values.size(); ++k) {
    const Column c = column_of(p, k);
    if (!visible(p, c)) continue;
    const bool below = bars.values[k] < 0;
    const float y = std::isnan(bars.values[k]) ? base_of(p) : top_of(p, bars.values[k]);
    // Rotated, they begin over their bar, or end under it.
    const float align = !numbers.rotated ? 0.5f : below ? 1 : 0;
    pen.text({c.x + c.w / 2, below ? y + gap + half : y - gap - half}, numbers.texts[k],
             TextStyle::mono_small,
             static_cast<int>(k) == bars.marked ? pen.theme().accent : pen.theme().dim, align, 0.5f,
             numbers.rotated ? -std::numbers::pi_v<float> / 2 : 0);
  }
}

}  // namespace figure::parts
