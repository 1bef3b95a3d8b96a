#include "app/lesson/cover.h"

#include <algorithm>
#include <cmath>

#include "app/lesson/text/answer.h"
#include "app/lesson/text/elements.h"

namespace lesson {
namespace {

// What a stop shows, points at or speaks of before its question is answered, and after it.
class Topic {
 public:
  Topic(const Stop& stop, bool asks, const lab::Page& page) {
    if (stop.shows) add(stop.shows->is);
    for (const Named& one : stop.points) add(one.is);
    for (const Paragraph& one : stop.text) add(one);
    if (stop.wait) add(stop.wait->is);
    if (!stop.question) return;
    const Question& q = *stop.question;
    add(q.asked);
    if (const auto about = asked_about(q)) add(*about);
    if (asks) return;
    add(q.why);
    for (const Paragraph& one : q.after) add(one);
    // What it has hidden of a figure that it shows.
    for (const Named& one : q.hides) {
      const figure::Figure* in = one.is.kind == Kind::plot ? holder(page, one.is.id) : nullptr;
      if (in && of(*in)) add(one.is);
    }
  }

  bool of_readout(const std::string& id) const { return readouts_.contains(id); }
  // The derivation of what is clicked.
  bool of_derivation() const { return clicks_; }
  // By its own name, or by that of something in it.
  bool of(const std::string& figure_or_plot) const { return drawn_.contains(figure_or_plot); }
  bool of(const figure::Figure& figure) const {
    return of(figure.id) ||
           std::ranges::any_of(figure.plots, [&](const figure::Plot& plot) { return of(plot.id); });
  }

 private:
  void add(const Reference& one) {
    if (one.kind == Kind::readout) readouts_.insert(one.id);
    const bool beside =
        one.kind == Kind::readout || one.kind == Kind::knob || one.kind == Kind::moved;
    if (!beside) drawn_.insert(one.id);
    clicks_ = clicks_ || one.kind == Kind::picked;
  }
  void add(const Expression& e) {
    for (const Reference& one : references(e)) add(one);
  }
  void add(const Paragraph& paragraph) {
    for (const Piece& piece : paragraph.pieces) {
      if (piece.kind == Piece::Kind::link) add(piece.target);
      if (piece.kind == Piece::Kind::live) add(piece.value);
    }
  }

  std::set<std::string> readouts_, drawn_;
  bool clicks_ = false;
};

// What is asked about keeps its place on the page; other figures that would tell it have none yet.
void cover_own(const Question& question, const Topic& spoken, const lab::Page& page, Cover& cover) {
  for (const Named& one : question.hides) {
    const std::string& id = one.is.id;
    if (one.is.kind == Kind::readout) cover.readouts.insert(id);
    if (one.is.kind == Kind::plot) cover.whole.insert(id);
    const figure::Figure* figure = one.is.kind == Kind::figure ? find_figure(page, id) : nullptr;
    if (figure) (spoken.of(*figure) ? cover.whole : cover.left_out).insert(id);
  }
  cover.words = cover.captions = !question.hides.empty();
}

// What a later question hides, as far as it is on this page and the stop is not about it.
void cover_later(const Question& question, const Topic& spoken, const lab::Page& page,
                 Cover& cover) {
  for (const Named& one : question.hides) {
    const std::string& id = one.is.id;
    if (one.is.kind == Kind::readout && !spoken.of_readout(id)) cover.readouts.insert(id);
    if (one.is.kind != Kind::figure && one.is.kind != Kind::plot) continue;
    const figure::Figure* in = holder(page, id);
    if (!in) continue;
    if (in->id != id && !spoken.of(id)) cover.whole.insert(id), cover.later.insert(id);
    if (in->id == id && !spoken.of(*in)) cover.left_out.insert(id);
  }
  cover.words = cover.words || (!question.hides.empty() && !spoken.of_derivation());
}

std::string_view lab_of(const Lesson& lesson, std::size_t stop) {
  for (std::size_t k = stop + 1; k-- > 0;) {
    if (!lesson.stops[k].lab.empty()) return lesson.stops[k].lab;
  }
  return lesson.lab;
}

// The plot has points to pick that are no curve's: few of them lie on one of its lines.
bool gives_points(const figure::Plot& plot) {
  std::size_t all = 0, on_lines = 0;
  for (const figure::Mark& mark : plot.marks) {
    const auto* points = std::get_if<figure::Points>(&mark);
    if (!points || points->picks.empty()) continue;
    for (std::size_t k = 0; k < points->x.size(); ++k) {
      const auto lies_on = [&](const figure::Mark& other) {
        const auto* line = std::get_if<figure::Line>(&other);
        const double off = line ? value_at(*line, points->x[k]) - points->y[k] : 1;
        return std::abs(off) <= 1e-6 * std::abs(plot.y.hi - plot.y.lo);
      };
      ++all;
      on_lines += std::ranges::any_of(plot.marks, lies_on);
    }
  }
  return all > 0 && 2 * on_lines < all;
}

// What is clicked, marked or drawn on has to be seen as far as its places go.
void keep_places(const Question& question, const lab::Page& page, Cover& cover) {
  const auto about = asked_about(question);
  const figure::Plot* plot = about ? find_plot(page, about->id) : nullptr;
  if (!plot) return;
  cover.asked = plot->id;
  bool inside = about->kind == Kind::line || cover.whole.erase(plot->id) > 0;
  const figure::Figure* figure = holder(page, about->id);
  if (figure && cover.whole.erase(figure->id) > 0) {
    inside = true;
    for (const figure::Plot& one : figure->plots) {
      if (one.id != plot->id) cover.whole.insert(one.id);
    }
  }
  if (inside) cover.inside.insert(plot->id);
  if (about->kind == Kind::line && gives_points(*plot)) cover.points.insert(plot->id);
}

bool has_axes(const figure::Plot& plot) {
  const auto draws_places = [](const figure::Mark& mark) {
    return std::holds_alternative<figure::Table>(mark) ||
           std::holds_alternative<figure::Boxes>(mark) ||
           std::holds_alternative<figure::Diagram>(mark);
  };
  return (plot.x.visible || plot.y.visible) && !plot.thumbnail &&
         std::ranges::none_of(plot.marks, draws_places);
}

// The scene stands: of a figure that the stop shows, plots with axes keep them.
void keep_axes(const Stop& stop, const lab::Page& page, Cover& cover) {
  const figure::Figure* shown = stop.shows ? find_figure(page, stop.shows->is.id) : nullptr;
  if (!shown) return;
  const bool whole = cover.whole.contains(shown->id);
  if (whole && !std::ranges::any_of(shown->plots, has_axes)) return;
  for (const figure::Plot& plot : shown->plots) {
    if (!whole && !cover.whole.contains(plot.id)) continue;
    cover.whole.erase(plot.id);
    (has_axes(plot) ? cover.inside : cover.whole).insert(plot.id);
  }
  cover.whole.erase(shown->id);
}

}  // namespace

bool Cover::hides(const figure::Figure& figure, const figure::Plot& plot) const {
  return hides(figure) || whole.contains(plot.id) || inside.contains(plot.id);
}

Cover cover_of(const Lesson& lesson, std::size_t stop, const Answered& answered,
               const lab::Page& page) {
  Cover made;
  const Stop& now = lesson.stops.at(stop);
  const bool asks = now.question && !answered(stop);
  const Topic spoken(now, asks, page);
  for (std::size_t k = stop + 1; k < lesson.stops.size(); ++k) {
    const auto& later = lesson.stops[k].question;
    // Another lab's names are those of other things.
    const bool here = lab_of(lesson, k) == lab_of(lesson, stop);
    if (here && later && !answered(k)) cover_later(*later, spoken, page, made);
  }
  if (asks) {
    cover_own(*now.question, spoken, page, made);
    keep_places(*now.question, page, made);
    keep_axes(now, page, made);
  }
  for (const std::string& id : made.whole) made.left_out.erase(id);
  if (asks) {
    for (const Named& one : now.question->hides) made.later.erase(one.is.id);
  }
  return made;
}

}  // namespace lesson
