#include "app/lesson/lecture.h"

#include <algorithm>
#include <filesystem>

#include "app/lesson/text/answer.h"
#include "app/lesson/text/elements.h"

namespace lesson {
namespace {

constexpr std::size_t kMostPictured = 2;
constexpr int kColumns = 12;  // of a page

// The figure that a reference names; empty: it is no part of a page's figures.
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

std::string stroke_place(const std::string& lesson, std::size_t stop) {
  return fmt::format("{} {}", std::filesystem::path(lesson).filename().string(), stop);
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

std::vector<session::Session> scenes_ahead(const Lesson& lesson, std::size_t stop,
                                           const std::vector<bool>& answered) {
  const auto is_answered = [&](std::size_t k) { return k < answered.size() && answered[k]; };
  const session::Session now = scene(lesson, stop, is_answered(stop));
  std::vector<session::Session> all;
  const auto add = [&](std::size_t k, bool revealed) {
    session::Session one = scene(lesson, k, revealed);
    const auto same = [&](const session::Session& other) {
      return other.lab == one.lab && other.values == one.values;
    };
    if (!same(now) && std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(one));
  };
  if (lesson.stops[stop].question && !is_answered(stop)) add(stop, true);
  if (stop + 1 < lesson.stops.size()) add(stop + 1, is_answered(stop + 1));
  if (stop > 0) add(stop - 1, is_answered(stop - 1));
  if (stop + 2 < lesson.stops.size()) add(stop + 2, is_answered(stop + 2));
  return all;
}

}  // namespace lesson
