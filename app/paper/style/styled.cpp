#include "app/paper/style/styled.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "app/paper/file/selection.h"
#include "app/paper/file/without_marks.h"
#include "app/paper/style/colors.h"
#include "app/paper/style/lettering.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace paper {
namespace {

using core::InputError;
using figure::Axis;
using figure::Figure;
using figure::Heatmap;
using figure::Mark;
using figure::Plot;

constexpr int kAlphabet = 26;

// Plots with axes that are drawn.
bool has_axes(const Plot& plot) {
  return !plot.thumbnail && std::none_of(plot.marks.begin(), plot.marks.end(), [](const Mark& m) {
    return std::holds_alternative<figure::Links>(m) || std::holds_alternative<figure::Table>(m);
  });
}

template <class Visit>
void each_plot(std::vector<Figure>& figures, Visit&& visit) {
  for (Figure& figure : figures) {
    for (Plot& plot : figure.plots) visit(plot);
  }
}

template <class M, class Visit>
void each_mark(std::vector<Figure>& figures, Visit&& visit) {
  each_plot(figures, [&](Plot& plot) {
    for (Mark& mark : plot.marks) {
      if (M* found = std::get_if<M>(&mark)) visit(*found, plot);
    }
  });
}

[[noreturn]] void refuse_nothing(std::string_view id, std::string_view what) {
  words::refuse<InputError>(N_("{}: these figures have no {}"), id, words::Sentence(what));
}

// --- texts

void set_title(std::vector<Figure>& figures, const std::string& title) {
  if (title.empty()) return;
  if (figures.size() != 1) {
    words::refuse<InputError>(N_("title: expected one figure to be called so, got {}"),
                              figures.size());
  }
  figures.front().title = typeset(title);
  // What was the title's is not to stand under another one.
  if (figures.front().plots.size() == 1) figures.front().plots.front().title.clear();
}

void set_caption(std::vector<Figure>& figures, const std::string& caption) {
  if (caption.empty()) return;
  if (figures.size() != 1) {
    words::refuse<InputError>(N_("caption: expected one figure that it is of, got {}"),
                              figures.size());
  }
  figures.front().caption = typeset(caption);
}

void set_label(std::vector<Figure>& figures, std::string_view id, const std::string& label,
               Axis Plot::*axis) {
  if (label.empty()) return;
  bool any = false;
  each_plot(figures, [&](Plot& plot) {
    if (!has_axes(plot) || !(plot.*axis).visible) return;
    (plot.*axis).label = typeset(label);
    any = true;
  });
  if (!any) refuse_nothing(id, N_("axis that could have a label"));
}

void set_letters(std::vector<Figure>& figures) {
  int next = 0;
  const auto letter = [&](std::string& title) {
    // (a) to (z), (aa) to (zz)
    std::string mark(1, static_cast<char>('a' + next % kAlphabet));
    if (next >= kAlphabet)
      mark.insert(0, 1, static_cast<char>('a' + next / kAlphabet % kAlphabet - 1));
    ++next;
    mark = "(" + mark + ")";
    title = title.empty() ? mark : mark + " " + title;
  };
  if (figures.size() > 1) {
    for (Figure& figure : figures) {
      const int own = next;
      letter(figure.title);
      if (!figure.caption.empty()) next = own, letter(figure.caption);
    }
    return;
  }
  each_plot(figures, [&](Plot& plot) {
    if (!plot.thumbnail) letter(plot.title);
  });
}

// One colour key for all of them stands under the figure.
void set_grid_names(std::vector<Figure>& figures) {
  each_plot(figures, [](Plot& plot) {
    if (!plot.thumbnail) return;
    plot.thumbnail = false;
    for (Mark& mark : plot.marks) {
      if (Heatmap* map = std::get_if<Heatmap>(&mark)) map->color_bar = false;
    }
  });
}

// --- lines

void set_lines(std::vector<Figure>& figures, const Style& style, double points_a_unit) {
  if (style.line_width > 0) {
    const auto width = static_cast<float>(style.line_width / points_a_unit);
    each_mark<figure::Line>(figures, [&](figure::Line& line, const Plot&) { line.width = width; });
  }
  if (style.legend != LegendPlace::none) return;
  each_mark<figure::Line>(figures, [](figure::Line& line, const Plot&) { line.label.clear(); });
}

// --- what of the figures

// What can be chosen by name: small pictures, or plots where there are several, and lines.
class Choice {
 public:
  Choice(const std::string& words, std::vector<Figure>& figures) : figures_(figures) {
    std::string_view rest = words;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      std::string word(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      while (word.starts_with(' ')) word.erase(0, 1);
      while (word.ends_with(' ')) word.pop_back();
      if (!word.empty()) words_.push_back(word);
    }
    find_names();
  }

  // Plots and lines of which none is named stay.
  void keep() {
    if (plots_.empty() && lines_.empty()) {
      refuse_nothing("only", N_("plots or lines to choose from"));
    }
    std::set<std::string> plots, lines;
    for (const std::string& word : words_) {
      const bool is_plot = named(plots_, word) != nullptr;
      const std::string* name = is_plot ? named(plots_, word) : named(lines_, word);
      if (!name) refuse(word);
      (is_plot ? plots : lines).insert(*name);
    }
    for (Figure& figure : figures_) {
      if (!plots.empty()) {
        std::erase_if(figure.plots, [&](const Plot& plot) {
          return (!thumbnails_ || plot.thumbnail) && !plots.contains(called(plot));
        });
      }
      if (lines.empty()) continue;
      for (Plot& plot : figure.plots) {
        std::erase_if(plot.marks, [&](const Mark& mark) {
          const figure::Line* line = std::get_if<figure::Line>(&mark);
          return line && !line->label.empty() && !lines.contains(line->label);
        });
      }
    }
    std::erase_if(figures_, [](const Figure& figure) { return figure.plots.empty(); });
    for (Figure& figure : figures_) {
      const bool one = figure.plots.size() == 1 && figure.plots.front().thumbnail;
      if (one && !plots.empty()) figure = alone(figure, Plot(figure.plots.front()));
    }
  }

 private:
  using Names = std::vector<std::string>;

  static const std::string& called(const Plot& plot) {
    return plot.title.empty() ? plot.id : plot.title;
  }
  static void add(Names& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  void find_names() {
    std::size_t most = 0;
    for (const Figure& figure : figures_) most = std::max(most, figure.plots.size());
    each_plot(figures_, [&](const Plot& plot) { thumbnails_ = thumbnails_ || plot.thumbnail; });
    if (thumbnails_ || most > 1) {
      each_plot(figures_, [&](const Plot& plot) {
        if (!thumbnails_ || plot.thumbnail) add(plots_, called(plot));
      });
    }
    if (thumbnails_) return;
    each_mark<figure::Line>(figures_, [&](const figure::Line& line, const Plot&) {
      if (!line.label.empty()) add(lines_, line.label);
    });
  }
  const Names& numbered() const { return plots_.empty() ? lines_ : plots_; }
  // A name, or which of them it is, counted from 1; null where it is none of these.
  const std::string* named(const Names& names, const std::string& word) const {
    for (const std::string& name : names) {
      if (same_name(name, word)) return &name;
    }
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool whole = error == std::errc{} && end == word.data() + word.size();
    if (&names != &numbered() || !whole || number < 1 || number > names.size()) return nullptr;
    return &names[number - 1];
  }
  [[noreturn]] void refuse(const std::string& word) const {
    Names all = plots_;
    all.insert(all.end(), lines_.begin(), lines_.end());
    words::refuse<InputError>(N_("only: expected some of {}, or numbers from 1 to {}, got \"{}\""),
                              words::listed(all), numbered().size(), core::printable(word, 100));
  }

  std::vector<Figure>& figures_;
  Names words_, plots_, lines_;
  bool thumbnails_ = false;
};

// --- axes

std::string name_of(const Plot& plot) {
  return core::printable(plot.title.empty() ? plot.id : plot.title, 100);
}

// The least number above 0 that the plot has along an axis.
std::optional<double> least_positive(const Plot& plot, bool x) {
  std::optional<double> least;
  const auto look_at = [&](const std::vector<double>& values) {
    for (const double v : values) {
      if (v > 0 && std::isfinite(v)) least = std::min(least.value_or(v), v);
    }
  };
  for (const Mark& mark : plot.marks) {
    if (const auto* line = std::get_if<figure::Line>(&mark)) look_at(x ? line->x : line->y);
    if (const auto* points = std::get_if<figure::Points>(&mark)) look_at(x ? points->x : points->y);
    if (const auto* band = std::get_if<figure::Band>(&mark)) look_at(x ? band->x : band->lo);
  }
  return least;
}

struct Ends {
  std::vector<double> numbers;  // two; none: as they are
  bool given() const { return !numbers.empty(); }
};

void make_logarithmic(Plot& plot, bool x, const Ends& limits) {
  Axis& axis = x ? plot.x : plot.y;
  const char* id = x ? "x_scale" : "y_scale";
  axis.scale = figure::AxisScale::log;
  if (limits.given()) {
    if (limits.numbers[0] > 0) return;
    words::refuse<InputError>(N_("{}: expected limits above 0, as the axis is logarithmic, got {}"),
                              x ? "x_limits" : "y_limits", limits.numbers[0]);
  }
  if (axis.lo > 0 && axis.hi > 0) return;
  const std::optional<double> least = least_positive(plot, x);
  if (!least || !(axis.hi > *least)) {
    words::refuse<InputError>(
        N_("{}: \"{}\" has nothing above 0 that a logarithmic axis could show"), id, name_of(plot));
  }
  axis.lo = *least;
}

void set_scale(std::vector<Figure>& figures, bool x, AxisChoice scale, const Ends& limits) {
  if (scale == AxisChoice::figure) return;
  bool any = false;
  each_plot(figures, [&](Plot& plot) {
    Axis& axis = x ? plot.x : plot.y;
    if (!has_axes(plot) || axis.cells || !axis.visible) return;
    const bool bars = std::any_of(plot.marks.begin(), plot.marks.end(), [](const Mark& mark) {
      return std::holds_alternative<figure::Bars>(mark);
    });
    if (!x && bars) return;  // they begin at 0
    any = true;
    if (scale == AxisChoice::linear) {
      axis.scale = figure::AxisScale::linear;
    } else {
      make_logarithmic(plot, x, limits);
    }
  });
  if (!any) refuse_nothing(x ? "x_scale" : "y_scale", N_("axis of numbers"));
}

// Cells from the first index to the last one.
void set_limits(std::vector<Figure>& figures, bool x, const Ends& limits, figure::Views& views) {
  if (!limits.given()) return;
  const char* id = x ? "x_limits" : "y_limits";
  bool any = false;
  each_plot(figures, [&](Plot& plot) {
    const Axis& axis = x ? plot.x : plot.y;
    if (!has_axes(plot) || !axis.visible) return;
    any = true;
    double lo = limits.numbers[0], hi = limits.numbers[1] + (axis.cells ? 1 : 0);
    if (axis.cells &&
        (lo < axis.lo || hi > axis.hi || lo != std::floor(lo) || hi != std::floor(hi))) {
      words::refuse<InputError>(
          N_("{}: expected whole numbers from {} to {} for \"{}\", got {} {}"), id, axis.lo,
          axis.hi - 1, name_of(plot), lo, hi - 1);
    }
    const auto at = views.find(plot.id);
    figure::View view = at == views.end() ? figure::whole_view(plot) : at->second;
    double &from = x ? view.x0 : view.y0, &to = x ? view.x1 : view.y1;
    if (from > to) std::swap(lo, hi);
    from = lo, to = hi;
    views[plot.id] = view;
  });
  if (!any) refuse_nothing(id, N_("axis that could have limits"));
}

void set_ticks(std::vector<Figure>& figures, bool x, const std::string& text,
               const figure::Views& views) {
  const char* id = x ? "x_ticks" : "y_ticks";
  const std::vector<double> ticks = numbers(id, text);
  if (ticks.empty()) return;
  bool any = false;
  each_plot(figures, [&](Plot& plot) {
    Axis& axis = x ? plot.x : plot.y;
    if (!has_axes(plot) || !axis.visible) return;
    any = true;
    const auto at = views.find(plot.id);
    const figure::View view = at == views.end() ? figure::whole_view(plot) : at->second;
    double lo = x ? view.x0 : view.y0, hi = x ? view.x1 : view.y1;
    if (lo > hi) std::swap(lo, hi);
    if (axis.cells) lo = std::ceil(lo - 0.5), hi = std::floor(hi - 0.5);
    const double slack = 1e-9 * std::abs(hi - lo);
    for (const double tick : ticks) {
      const bool whole = !axis.cells || tick == std::floor(tick);
      if (whole && tick >= lo - slack && tick <= hi + slack) continue;
      words::refuse<InputError>(
          axis.cells ? N_("{}: expected whole numbers from {} to {}, the axis of \"{}\", got {}")
                     : N_("{}: expected numbers from {} to {}, the axis of \"{}\", got {}"),
          id, lo, hi, name_of(plot), tick);
    }
    axis.ticks = ticks;
  });
  if (!any) refuse_nothing(id, N_("axis that could have ticks"));
}

figure::PaperLook look_of(const Style& style) {
  using Legend = figure::PaperLook::Legend;
  return {.legend = style.legend == LegendPlace::beside  ? Legend::beside
                    : style.legend == LegendPlace::below ? Legend::below
                                                         : Legend::automatic,
          .tick_names = style.tick_size > 0,
          .dashes = style.dashes,
          .markers = style.markers,
          .shared_axes = style.grid_names};
}

}  // namespace

Styled styled(std::vector<Figure> figures, const figure::Views& views, const Style& style,
              double points_a_unit) {
  Styled s{std::move(figures), views, look_of(style)};
  if (style == Style{}) return s;
  if (style.no_marks) s.figures = without_marks(std::move(s.figures));
  if (!style.only.empty()) Choice(style.only, s.figures).keep();
  if (style.grid_names) set_grid_names(s.figures);
  set_title(s.figures, style.title);
  set_caption(s.figures, style.caption);
  set_label(s.figures, "x_label", style.x_label, &Plot::x);
  set_label(s.figures, "y_label", style.y_label, &Plot::y);
  if (style.letters) set_letters(s.figures);
  set_lines(s.figures, style, points_a_unit);
  const Ends x{numbers("x_limits", style.x_limits)}, y{numbers("y_limits", style.y_limits)};
  set_scale(s.figures, true, style.x_scale, x);
  set_scale(s.figures, false, style.y_scale, y);
  set_limits(s.figures, true, x, s.views);
  set_limits(s.figures, false, y, s.views);
  set_ticks(s.figures, true, style.x_ticks, s.views);
  set_ticks(s.figures, false, style.y_ticks, s.views);
  set_colors(s.figures, style);
  return s;
}

}  // namespace paper
