// What is not yet on paper where something is asked.
#include <algorithm>
#include <cmath>

#include "app/lesson/handout/handout_parts.h"
#include "app/lesson/text/answer.h"

namespace lesson {
namespace {

bool hides_it(const Question& question, const std::string& id) {
  return std::any_of(question.hides.begin(), question.hides.end(), [&](const Named& one) {
    return one.is.kind != Kind::readout && one.is.id == id;
  });
}

// Its axes alone; of cells with their edges where they are not too many to count.
void empty(figure::Plot& plot) {
  constexpr double kMostCells = 40;
  plot.marks.clear();
  plot.note.clear();
  const auto rule = [&](const figure::Axis& along, bool upright) {
    const figure::Axis& across = upright ? plot.y : plot.x;
    if (!along.cells || std::abs(along.hi - along.lo) > kMostCells) return;
    const double lo = std::min(along.lo, along.hi), hi = std::max(along.lo, along.hi);
    for (double at = lo; at <= hi; ++at) {
      const std::vector<double> here{at, at}, there{across.lo, across.hi};
      plot.add(figure::Line{.x = upright ? here : there,
                            .y = upright ? there : here,
                            .color = figure::Role::line,
                            .width = 0.75f});
    }
  };
  rule(plot.x, true);
  rule(plot.y, false);
}

// Whether a mark says where the line runs.
class Tells {
 public:
  Tells(const figure::Line& line, const figure::Plot& plot)
      : line_(line), near_(std::abs(plot.y.hi - plot.y.lo) / 500) {}
  bool operator()(const figure::Points& points) const {
    for (std::size_t k = 0; k < std::min(points.x.size(), points.y.size()); ++k) {
      if (!on_it(points.x[k], points.y[k])) return false;
    }
    return !points.x.empty();
  }
  bool operator()(const figure::Note& note) const { return on_it(note.x, note.y); }
  bool operator()(const figure::Handle& handle) const { return on_it(handle.x, handle.y); }
  bool operator()(const auto&) const { return false; }

 private:
  bool on_it(double x, double y) const { return std::abs(value_at(line_, x) - y) <= near_; }
  const figure::Line& line_;
  double near_;
};

// All but one line and what stands on it.
void leave_out(figure::Plot& plot, core::Index index) {
  const figure::Line* found = line_of(plot, index);
  if (!found) return;
  const figure::Line line = *found;
  const Tells tells(line, plot);
  core::Index at = 0;
  std::erase_if(plot.marks, [&](const figure::Mark& mark) {
    if (std::holds_alternative<figure::Line>(mark)) return at++ == index;
    return std::visit(tells, mark);
  });
  plot.note.clear();
}

}  // namespace

std::optional<OnPaper> on_paper(const figure::Figure& figure, const Stop& stop,
                                const lab::Page& page) {
  OnPaper paper{figure};
  if (!stop.question) return paper;
  const Question& q = *stop.question;
  const auto about = asked_about(q);
  const figure::Plot* plot = about ? find_plot(page, about->id) : nullptr;
  const bool whole = hides_it(q, figure.id);
  for (figure::Plot& one : paper.figure.plots) {
    const bool hidden = whole || hides_it(q, one.id);
    const bool drawn = plot && plot->id == one.id && about->kind == Kind::line;
    if (!drawn && !hidden) continue;
    if (!plot && (whole || paper.figure.plots.size() == 1)) return std::nullopt;
    hidden ? empty(one) : leave_out(one, about->at.front().number.value_or(-1));
    paper.covered = true;
  }
  if (paper.covered) paper.figure.note.clear(), paper.figure.footer.clear();
  return paper;
}

}  // namespace lesson
