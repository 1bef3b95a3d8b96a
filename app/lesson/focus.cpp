#include "app/lesson/focus.h"

#include <algorithm>

#include "app/lesson/text/answer.h"
#include "app/lesson/text/elements.h"

namespace lesson {
namespace {

constexpr std::size_t kMostFigures = 2;

class Collector {
 public:
  explicit Collector(Focus& focus) : focus_(focus) {}

  void offer(const std::string& id) {
    if (std::ranges::find(focus_.knobs, id) == focus_.knobs.end()) focus_.knobs.push_back(id);
  }
  void offer(const Settings& settings) {
    for (const auto& [id, value] : settings.values) offer(id);
  }
  void named(const Reference& one) {
    if (one.kind == Kind::knob || one.kind == Kind::moved) offer(one.id);
    if (one.kind == Kind::readout) focus_.readouts.insert(one.id);
    focus_.derivation = focus_.derivation || one.kind == Kind::picked;
  }
  // Numbers are read; a knob that stands for itself in a sentence is not offered.
  void read(const Expression& e) {
    for (const Reference& one : references(e)) {
      if (one.kind != Kind::knob) named(one);
    }
  }
  void waited(const Expression& e) {
    for (const Reference& one : references(e)) named(one);
  }
  void said(const Paragraph& paragraph) {
    for (const Piece& piece : paragraph.pieces) {
      if (piece.kind == Piece::Kind::link) named(piece.target);
      if (piece.kind == Piece::Kind::live) read(piece.value);
    }
  }

 private:
  Focus& focus_;
};

// A knob that the answer turns would give it away to whoever turned it before.
bool gives_away(const Stop& stop, const Reference& one) {
  if (!stop.question || one.kind != Kind::knob) return false;
  return std::ranges::any_of(stop.question->reveals.values,
                             [&](const auto& set) { return set.first == one.id; });
}

void find_before(const Stop& stop, Collector& find, Focus& focus) {
  for (const Named& one : stop.points) {
    if (!gives_away(stop, one.is)) find.named(one.is);
  }
  if (stop.wait) find.waited(stop.wait->is);
  find.offer(stop.does);
  for (const Paragraph& one : stop.text) find.said(one);
  if (stop.question) find.said(stop.question->asked);
  // What its sums are about was chosen by the lesson's author.
  for (const auto& [id, value] : stop.sets.values) {
    focus.derivation = focus.derivation || id == "explain";
  }
}

void find_after(const Question& q, Collector& find) {
  find.said(q.why);
  for (const Paragraph& one : q.after) find.said(one);
  find.offer(q.reveals);
  if (const auto* typed = std::get_if<TypeNumber>(&q.kind)) {
    find.read(typed->value.is);
    if (typed->from_page) find.read(typed->from_page->is);
  }
}

void add_figure(const Reference& in, const lab::Page& page, Row& figures) {
  const figure::Figure* figure = holder(page, in.id);
  if (!figure || figures.size() >= kMostFigures) return;
  if (std::ranges::find(figures, figure->id) == figures.end()) figures.push_back(figure->id);
}

// What travels begins and ends somewhere.
void add_travels(const std::vector<Travel>& travels, const lab::Page& page, Row& figures) {
  for (const Travel& one : travels) {
    add_figure(one.from.is, page, figures);
    add_figure(one.to.is, page, figures);
  }
}

// The figure of the number that was asked for, where it has one.
void add_answer(const Question& q, const lab::Page& page, Row& figures) {
  std::vector<Reference> all;
  const auto add = [&](const Expression& e) {
    for (const Reference& one : references(e)) all.push_back(one);
  };
  if (const auto* typed = std::get_if<TypeNumber>(&q.kind)) {
    add(typed->value.is);
    if (typed->from_page) add(typed->from_page->is);
  }
  for (const Piece& piece : q.why.pieces) {
    if (piece.kind == Piece::Kind::link) all.push_back(piece.target);
    if (piece.kind == Piece::Kind::live) add(piece.value);
  }
  for (const Reference& one : all) {
    const bool drawn = one.kind != Kind::knob && one.kind != Kind::readout;
    if (drawn) add_figure(one, page, figures);
  }
}

}  // namespace

Focus focus_of(const Stop& stop, bool answered, const lab::Page& page, bool derives) {
  Focus now;
  now.figures = pictured(stop, page);
  Collector find(now);
  find_before(stop, find, now);
  now.derivation = now.derivation && derives;
  Focus then = now;
  if (stop.question) {
    Collector find_then(then);
    find_after(*stop.question, find_then);
  }
  Collector(then).said(stop.seen);  // numbers of what was done stand there once it is done
  const bool beside = !then.knobs.empty() || !then.readouts.empty() || then.derivation;
  if (answered) now = std::move(then);
  if (answered && stop.question) {
    if (!stop.alone) {
      add_travels(stop.question->travels, page, now.figures);
      add_answer(*stop.question, page, now.figures);
    }
  } else if (!stop.alone) {
    add_travels(stop.travels, page, now.figures);
  }
  now.beside = beside;
  return now;
}

}  // namespace lesson
