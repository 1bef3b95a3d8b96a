// Which ticks an axis gets, and what is written at them.
#include <algorithm>
#include <cmath>
#include <set>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kWidePitch = 14;       // of Chinese and other full-height letters
constexpr float kNamePitch = 11;       // names closer than this are thinned out
constexpr float kSlantedPitch = 12;    // of slanted ones
constexpr float kPaperNamePitch = 13;  // on paper, where none may touch another
constexpr std::size_t kCounted = 3;    // different whole numbers that make an axis one of counts
constexpr int kThinnest = 8;           // beyond every 8th name, indices say more
constexpr float kNameWidth = 90;       // a name is cut to this width

constexpr float kTickPitchX = 64, kTickPitchY = 30;
constexpr float kIndexPitchX = 44, kIndexPitchY = 18;

struct Span1 {
  double from, to;  // from < to
  float length;
  float pixels(double units) const { return static_cast<float>(units / (to - from)) * length; }
};

Span1 span_of(double a, double b, float length) {
  return {std::min(a, b), std::max(a, b), std::max(length, 1.0f)};
}

std::string cut(const std::string& token, TextStyle style, const Pen& pen) {
  return pen.fit(short_name(token), style, pen.px(kNameWidth));
}

// Whether letters from CJK on occur; the first names stand for all.
bool full_height(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < std::min<std::size_t>(names.size(), 256); ++k) {
    for (const char c : names[k]) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0xE3 && byte <= 0xF4) return true;  // lead bytes of U+3000 and above
    }
  }
  return false;
}

// Every cell's name, or every k-th; the marked one in any case, its neighbours giving way. Turned
// names are closer to each other than their ticks. `least`: pixels from one upright name to the
// next.
std::vector<Tick> name_ticks(const Axis& axis, const Span1& span, TextStyle style, bool rotated,
                             float least, const Pen& pen) {
  const auto count = static_cast<long>(axis.labels->size());
  const long first = std::max(0L, static_cast<long>(std::floor(span.from)));
  const long last = std::min(count, static_cast<long>(std::ceil(span.to)));
  const float usual = full_height(*axis.labels) ? kWidePitch
                      : pen.paper()             ? kPaperNamePitch
                      : rotated                 ? kSlantedPitch
                                                : kNamePitch;
  const float upright = pen.paper() ? pen.row_height(usual, style) : usual;
  const float pitch = rotated ? upright / static_cast<float>(std::sin(kSlant)) : upright;
  const float apart = std::max(pen.px(pitch), least);
  const auto every = static_cast<long>(std::ceil(apart / span.pixels(1)));
  // A slanted name in bold letters is as high as full-height ones.
  const float bold = rotated ? kWidePitch / static_cast<float>(std::sin(kSlant)) : pitch;
  const auto clear = std::max(every, static_cast<long>(std::ceil(pen.px(bold) / span.pixels(1))));
  std::vector<Tick> ticks;
  for (long cell = (first + every - 1) / every * every; cell < last; cell += every) {
    const double middle = static_cast<double>(cell) + 0.5;
    if (cell != axis.marked && std::abs(cell - axis.marked) < clear && axis.marked >= 0) continue;
    if (middle < span.from || middle > span.to) continue;
    ticks.push_back({middle, cut((*axis.labels)[static_cast<std::size_t>(cell)], style, pen),
                     cell == axis.marked});
  }
  const bool written = axis.marked % every == 0;
  if (!written && axis.marked >= first && axis.marked < last) {
    ticks.push_back({axis.marked + 0.5,
                     cut((*axis.labels)[static_cast<std::size_t>(axis.marked)], style, pen), true});
  }
  return ticks;
}

// Whole numbers at the middle of cells.
std::vector<Tick> index_ticks(const Axis& axis, const Span1& span, int most) {
  std::vector<Tick> ticks;
  const double last = std::floor(span.to - 1e-9);
  std::vector<double> at = nice_ticks(std::ceil(span.from - 0.5), last, most);
  for (const double index : at) {
    if (index != std::floor(index) || index < axis.lo || index + 0.5 > span.to) continue;
    ticks.push_back({index + 0.5, number_text(index), static_cast<int>(index) == axis.marked});
  }
  return ticks;
}

// Decades of a wide logarithmic axis as 1e4: zeros need not be counted.
std::string power_text(double at, const Span1& span) {
  const double exponent = std::round(std::log10(at));
  const bool wide = span.to >= 1e5 || span.from <= 1e-4;
  const bool decade = std::abs(at / std::pow(10.0, exponent) - 1) < 1e-9;
  if (!wide || !decade || std::abs(exponent) < 3) return number_text(at, 6);
  return "1e" + number_text(exponent);
}

bool whole(double value) { return value == std::floor(value); }

// Adds what a mark shows along an axis; false where something on it is no whole number.
bool add_whole(const std::vector<double>& values, std::set<double>& found) {
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    if (!whole(v)) return false;
    if (found.size() < kCounted) found.insert(v);
  }
  return true;
}

// Whether an axis counts (lengths, layers, steps): all that stands on it are whole numbers, and
// more of them than a yes and a no.
bool counts(const Plot& plot, bool x) {
  std::set<double> found;
  for (const Mark& mark : plot.marks) {
    bool all = true;
    if (const auto* line = std::get_if<Line>(&mark)) all = add_whole(x ? line->x : line->y, found);
    if (const auto* points = std::get_if<Points>(&mark)) {
      all = points->points_param.empty() && add_whole(x ? points->x : points->y, found);
    }
    if (const auto* band = std::get_if<Band>(&mark)) {
      all = add_whole(x ? band->x : band->lo, found) && (x || add_whole(band->hi, found));
    }
    if (!all || std::holds_alternative<Bars>(mark) || std::holds_alternative<Heatmap>(mark)) {
      return false;
    }
  }
  return found.size() >= kCounted;
}

// Half a token is no tick.
void keep_whole(std::vector<double>& ticks, const Span1& span) {
  const double between = std::floor(span.to) - std::ceil(span.from) + 1;
  if (between < 1) return;
  ticks = nice_ticks(span.from, span.to, static_cast<int>(between));
  std::erase_if(ticks, [](double at) { return !whole(at); });
}

std::vector<Tick> value_ticks(const Plot& plot, bool x, const Span1& span, int most) {
  const bool log = (x ? plot.x : plot.y).scale == AxisScale::log;
  std::vector<double> places =
      log ? log_ticks(span.from, span.to, most) : nice_ticks(span.from, span.to, most);
  if (!log && !std::all_of(places.begin(), places.end(), whole) && counts(plot, x)) {
    keep_whole(places, span);
  }
  std::erase_if(places, [&](double at) { return at > (x ? plot.x : plot.y).end * (1 + 1e-9); });
  std::vector<Tick> ticks;
  for (const double at : places) {
    ticks.push_back({at, log ? power_text(at, span) : number_text(at, 6), false});
  }
  return ticks;
}

// Those that an author asks for, as far as they are shown. Cells have theirs in their middle.
std::vector<Tick> asked_ticks(const Plot& plot, bool x, const Span1& span, bool names,
                              TextStyle style, const Pen& pen) {
  const Axis& axis = x ? plot.x : plot.y;
  const bool log = axis.scale == AxisScale::log;
  std::vector<Tick> ticks;
  for (const double value : axis.ticks) {
    const double at = axis.cells ? value + 0.5 : value;
    const double slack = 1e-9 * (span.to - span.from);
    if (at < span.from - slack || at > span.to + slack) continue;
    const bool named = names && value >= 0 && value < static_cast<double>(axis.labels->size());
    const auto cell = static_cast<std::size_t>(named ? value : 0);
    ticks.push_back({at,
                     named ? cut((*axis.labels)[cell], style, pen)
                     : log ? power_text(at, span)
                           : number_text(value, 6),
                     axis.cells && value == axis.marked});
  }
  std::sort(ticks.begin(), ticks.end(), [](const Tick& a, const Tick& b) { return a.at < b.at; });
  return ticks;
}

bool can_name(const Axis& axis, const Span1& span, const Pen& pen) {
  return axis.cells && axis.labels && !axis.labels->empty() &&
         pen.px(kNamePitch) <= span.pixels(kThinnest);
}

// Whether none of these numbers touches another.
bool apart(const std::vector<Tick>& ticks, bool x, bool log, const Span1& span, const Pen& pen) {
  const auto place = [&](double at) {
    const double part = log ? std::log(at / span.from) / std::log(span.to / span.from)
                            : (at - span.from) / (span.to - span.from);
    return static_cast<float>(part) * span.length;
  };
  const auto size = [&](const Tick& tick) {
    const Point whole = pen.size(tick.text, TextStyle::mono_small);
    return x ? whole.x : whole.y;
  };
  for (std::size_t k = 1; k < ticks.size(); ++k) {
    const float needed = (size(ticks[k - 1]) + size(ticks[k])) / 2 + pen.px(x ? 6 : 2);
    if (std::abs(place(ticks[k].at) - place(ticks[k - 1].at)) < needed) return false;
  }
  return true;
}

// Numbers at an axis: at most so many, but two at least where they have room, as one alone tells no
// scale; on paper, which cannot be zoomed, three.
std::vector<Tick> number_ticks(const Plot& plot, bool x, const Span1& span, int most,
                               const Pen& pen) {
  constexpr int kMostTried = 8;
  const Axis& axis = x ? plot.x : plot.y;
  const bool log = axis.scale == AxisScale::log;
  const auto ticks = [&](int count) {
    return axis.cells ? index_ticks(axis, span, count) : value_ticks(plot, x, span, count);
  };
  std::vector<Tick> made = ticks(most);
  for (std::size_t least = pen.paper() ? 3 : 2; made.size() < least && least >= 2; --least) {
    for (int more = most + 1; more <= kMostTried; ++more) {
      std::vector<Tick> tried = ticks(more);
      if (tried.size() >= least && apart(tried, x, log, span, pen)) return tried;
    }
  }
  return made;
}

Ticks ticks_of(const Plot& plot, bool x, const Span1& span, float pitch, TextStyle style,
               bool rotated, const Pen& pen, float least = 0) {
  const Axis& axis = x ? plot.x : plot.y;
  Ticks made;
  made.rotated = rotated;
  if (!axis.visible) return made;
  const int most = std::max(2, static_cast<int>(span.length / pen.px(pitch)));
  made.names = can_name(axis, span, pen);
  made.ticks = !axis.ticks.empty() ? asked_ticks(plot, x, span, made.names, style, pen)
               : made.names        ? name_ticks(axis, span, style, rotated, least, pen)
                                   : number_ticks(plot, x, span, most, pen);
  if (made.names) {
    const double last = std::min(static_cast<double>(axis.labels->size()), std::ceil(span.to));
    const double cells = last - std::max(0.0, std::floor(span.from));
    made.thinned = static_cast<double>(made.ticks.size()) < cells;
  }
  for (const Tick& tick : made.ticks) {
    const TextStyle written = !made.names   ? TextStyle::mono_small
                              : tick.marked ? marked_name_style(pen)
                                            : style;
    made.width = std::max(made.width, pen.size(tick.text, written).x);
  }
  return made;
}

float width_of(const Tick& tick, const Pen& pen) {
  const TextStyle usual = name_style(TextStyle::small, pen);
  return pen.size(tick.text, tick.marked ? marked_name_style(pen) : usual).x;
}

// The width that nine of ten names have at most.
float usual_width(const Ticks& names, const Pen& pen) {
  std::vector<float> widths;
  for (const Tick& tick : names.ticks) widths.push_back(width_of(tick, pen));
  if (widths.empty()) return 0;
  const std::size_t place = widths.size() * 9 / 10;  // below the size
  std::nth_element(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(place),
                   widths.end());
  return widths[place];
}

// Where two would run into each other the wider one goes, or the one that is not marked.
void drop_overlapping(Ticks& names, const Span1& span, const Pen& pen) {
  std::sort(names.ticks.begin(), names.ticks.end(),
            [](const Tick& a, const Tick& b) { return a.at < b.at; });
  std::vector<Tick> kept;
  for (Tick& tick : names.ticks) {
    const float width = width_of(tick, pen);
    const auto runs_into = [&](const Tick& before) {
      return span.pixels(std::abs(tick.at - before.at)) <
             (width + width_of(before, pen)) / 2 + pen.px(4);
    };
    bool room = true;
    while (room && !kept.empty() && runs_into(kept.back())) {
      const Tick& before = kept.back();
      if (!before.marked && (tick.marked || width < width_of(before, pen))) {
        kept.pop_back();
      } else {
        room = false;
      }
    }
    if (room) kept.push_back(std::move(tick));
  }
  names.thinned = names.thinned || kept.size() < names.ticks.size();
  names.ticks = std::move(kept);
}

}  // namespace

TextStyle name_style(TextStyle usual, const Pen& pen) {
  return pen.look().tick_names ? TextStyle::reading : usual;
}

TextStyle marked_name_style(const Pen& pen) {
  return pen.look().tick_names ? TextStyle::title : TextStyle::label_bold;
}

Ticks x_ticks(const Plot& plot, const View& shown, float length, const Pen& pen) {
  if (!has_axes(plot)) return {};
  const Span1 span = span_of(shown.x0, shown.x1, length);
  const auto ticks = [&](bool rotated, float least = 0) {
    const float pitch = plot.x.cells ? kIndexPitchX : kTickPitchX;
    return ticks_of(plot, true, span, pitch, name_style(TextStyle::small, pen), rotated, pen,
                    least);
  };
  Ticks made = ticks(false);
  bool too_wide = made.names && made.width > span.length;
  if (made.names && made.ticks.size() > 1) {
    double pitch = span.to - span.from;
    for (std::size_t k = 1; k < made.ticks.size(); ++k) {
      pitch = std::min(pitch, std::abs(made.ticks[k].at - made.ticks[k - 1].at));
    }
    too_wide = made.width + pen.px(6) > span.pixels(pitch);
  }
  if (!too_wide) return made;
  // Letters stay upright, fewer of them, a long name among them or not; so do others of which no
  // fewer have room than slanted ones.
  const float usual = usual_width(made, pen);
  if (usual <= pen.px(kNamePitch)) {
    Ticks letters = ticks(false, usual + pen.px(6));
    drop_overlapping(letters, span, pen);
    return letters;
  }
  Ticks upright = ticks(false, made.width + pen.px(6));
  Ticks slanted = ticks(true);
  return upright.ticks.size() >= slanted.ticks.size() ? upright : slanted;
}

Ticks y_ticks(const Plot& plot, const View& shown, float length, const Pen& pen) {
  if (!has_axes(plot)) return {};
  const Span1 span = span_of(shown.y0, shown.y1, length);
  return ticks_of(plot, false, span, plot.y.cells ? kIndexPitchY : kTickPitchY,
                  name_style(TextStyle::label, pen), false, pen);
}

Point reach(const Ticks& ticks, const Pen& pen) {
  if (ticks.ticks.empty()) return {};
  const bool sized = pen.look().tick_names && !ticks.names;
  const float line =
      pen.line_height(sized ? TextStyle::mono_small : name_style(TextStyle::small, pen));
  if (!ticks.rotated) return {0, line + pen.px(kTickGap)};
  const auto cosine = static_cast<float>(std::cos(kSlant));
  const auto sine = static_cast<float>(std::sin(kSlant));
  return {ticks.width * cosine + line / 2 * sine,
          ticks.width * sine + line / 2 * cosine + pen.px(kTickGap)};
}

}  // namespace figure::parts
