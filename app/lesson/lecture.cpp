#include "app/lesson/lecture.h"

#include <algorithm>
#include <cmath>

#include "app/lesson/answer.h"
#include "app/lesson/elements.h"

namespace lesson {
namespace {

constexpr std::size_t kMostPictured = 2;
constexpr int kColumns = 12;  // of a page

using At = std::array<float, 2>;

// From p to the line between a and b.
float distance(At p, At a, At b) {
  const float dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  const float along = length > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length : 0;
  const float share = std::clamp(along, 0.0f, 1.0f);
  return std::hypot(p[0] - a[0] - share * dx, p[1] - a[1] - share * dy);
}

// Of what a reference names; empty: it is no part of a page's figures.
std::string figure_with(const Reference& reference, const lab::Page& page) {
  const Kind kind = reference.kind;
  const bool beside = kind == Kind::knob || kind == Kind::readout || kind == Kind::moved;
  const figure::Figure* figure = beside ? nullptr : holder(page, reference.id);
  return figure ? figure->id : std::string();
}

}  // namespace

std::vector<Row> rows_of(const std::vector<figure::Figure>& figures) {
  std::vector<Row> rows;
  int used = 0;
  for (const figure::Figure& one : figures) {
    const int span = std::clamp(one.span, 1, kColumns);
    if (rows.empty() || used + span > kColumns || rows.back().size() == kMostPictured) {
      rows.emplace_back(), used = 0;
    }
    rows.back().push_back(one.id);
    used += span;
  }
  return rows;
}

std::string figure_of(const Stop& stop, const lab::Page& page) {
  if (stop.shows) return stop.shows->is.id;
  for (const Named& one : stop.points) {
    if (const std::string id = figure_with(one.is, page); !id.empty()) return id;
  }
  return {};
}

Row pictured(const Stop& stop, const lab::Page& page) {
  Row row;
  const auto add = [&](const Reference& reference) {
    const std::string id = figure_with(reference, page);
    const bool there = std::find(row.begin(), row.end(), id) != row.end();
    if (!id.empty() && !there && row.size() < kMostPictured) row.push_back(id);
  };
  if (stop.shows) add(stop.shows->is);
  // What is asked about has to be seen, whatever else is.
  if (const auto about = stop.question ? asked_about(*stop.question) : std::nullopt) add(*about);
  if (!stop.alone) {
    for (const Named& one : stop.points) add(one.is);
  }
  if (row.empty()) {
    const std::vector<Row> rows = rows_of(page.figures);
    if (!rows.empty()) row = rows.front();
  }
  return row;
}

std::vector<std::string> knobs_of(const Stop& stop) {
  std::vector<std::string> knobs;
  const auto add = [&](const std::string& id) {
    if (std::find(knobs.begin(), knobs.end(), id) == knobs.end()) knobs.push_back(id);
  };
  for (const Named& one : stop.points) {
    if (one.is.kind == Kind::knob) add(one.is.id);
  }
  if (stop.wait) {
    for (const Reference& one : references(stop.wait->is)) {
      if (one.kind == Kind::knob || one.kind == Kind::moved) add(one.id);
    }
  }
  for (const Settings* sets : {&stop.does, &stop.sets}) {
    for (const auto& [id, value] : sets->values) add(id);
  }
  return knobs;
}

bool touches(const Stroke& stroke, At at, float reach, float aspect) {
  const auto square = [&](At point) { return At{point[0] * aspect, point[1]}; };
  const auto& points = stroke.points;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const At from = square(points[k == 0 ? 0 : k - 1]);
    if (distance(square(at), from, square(points[k])) <= reach) return true;
  }
  return false;
}

void Lecture::begin(double now) {
  const bool sentence = sentence_;
  *this = Lecture();
  sentence_ = sentence;
  on_ = true;
  began_ = now;
}

void Lecture::take_ink(int ink) {
  ink_ = std::clamp(ink, 0, kInks - 1);
  tool_ = Tool::pen;
}

const std::vector<Stroke>& Lecture::strokes(const std::string& place) const {
  static const std::vector<Stroke> none;
  const auto found = strokes_.find(place);
  return found == strokes_.end() ? none : found->second;
}

void Lecture::begin_stroke(const std::string& place, At at) {
  strokes_[place].push_back({ink_, {at}});
}

void Lecture::go_on_stroke(const std::string& place, At to) {
  auto& strokes = strokes_[place];
  if (strokes.empty()) return begin_stroke(place, to);
  auto& points = strokes.back().points;
  if (points.back() != to) points.push_back(to);
}

void Lecture::erase(const std::string& place, At at, float reach, float aspect) {
  const auto found = strokes_.find(place);
  if (found == strokes_.end()) return;
  std::erase_if(found->second, [&](const Stroke& one) { return touches(one, at, reach, aspect); });
}

std::vector<lab::Session> scenes_ahead(const Lesson& lesson, std::size_t stop,
                                       const std::vector<bool>& answered) {
  const auto is_answered = [&](std::size_t k) { return k < answered.size() && answered[k]; };
  const lab::Session now = scene(lesson, stop, is_answered(stop));
  std::vector<lab::Session> all;
  const auto add = [&](std::size_t k, bool revealed) {
    lab::Session one = scene(lesson, k, revealed);
    const auto same = [&](const lab::Session& other) {
      return other.lab == one.lab && other.values == one.values;
    };
    if (!same(now) && std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(one));
  };
  if (lesson.stops[stop].question && !is_answered(stop)) add(stop, true);
  if (stop + 1 < lesson.stops.size()) add(stop + 1, is_answered(stop + 1));
  if (stop > 0) add(stop - 1, is_answered(stop - 1));
  return all;
}

}  // namespace lesson
