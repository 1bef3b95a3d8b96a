#include "app/state/route.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace state {

RouteStatus status(const lesson::Route& route, const lesson::Progress& progress,
                   words::Language language) {
  RouteStatus all;
  std::string first, untouched, left;
  for (const std::string& name : lesson::of_route(route.id)) {
    const lesson::Lesson& one = lesson::shipped(name, language);
    const lesson::Place place = progress.of(name);
    all.minutes += one.minutes;
    ++all.lessons;
    all.stops += one.stops.size();
    if (place.done) ++all.finished;
    all.seen += place.done ? one.stops.size() : std::min(place.furthest, one.stops.size());
    const bool begun = progress.begun(name);
    all.begun = all.begun || begun;
    if (first.empty()) first = name;
    if (!place.done && begun && left.empty()) left = name;
    if (!place.done && !begun && untouched.empty()) untouched = name;
  }
  all.next = !left.empty() ? left : !untouched.empty() ? untouched : first;
  return all;
}

namespace {

std::vector<std::string> all_of(const lesson::Route& route) {
  std::vector<std::string> names = lesson::of_route(route.id);
  std::ranges::move(lesson::after_route(route.id), std::back_inserter(names));
  return names;
}

}  // namespace

std::string next_lesson(const lesson::Progress& progress, const Recents& recents) {
  const auto is_open = [&](const std::string& name) { return !progress.of(name).done; };
  for (const Recent& one : recents.all()) {
    if (one.kind == Recent::Kind::lesson && lesson::exists(one.name) && is_open(one.name) &&
        progress.begun(one.name)) {
      return one.name;
    }
  }
  for (const lesson::Route& route : lesson::routes()) {
    const std::vector<std::string> names = all_of(route);
    if (const auto next = std::ranges::find_if(names, is_open); next != names.end()) return *next;
  }
  return lesson::of_route(lesson::routes().front().id).front();
}

std::string what_is_done(const lesson::Play& play, const lesson::Progress& progress,
                         const words::Words& words) {
  const std::string& lesson = play.lesson().title;
  for (const lesson::Route& route : lesson::routes()) {
    // The start page, too, counts a route's own lessons and those that are optional apart.
    const auto has_it = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, play.name()) != names.end();
    };
    const auto finished_of = [&](const std::vector<std::string>& names) {
      return static_cast<std::size_t>(std::ranges::count_if(
          names, [&](const std::string& name) { return progress.of(name).done; }));
    };
    const std::vector<std::string> own = lesson::of_route(route.id);
    const bool optional = !has_it(own);
    const std::vector<std::string> names = optional ? lesson::after_route(route.id) : own;
    if (!has_it(names)) continue;
    if (names.size() == 1) break;  // it is all of its route
    const std::size_t finished = finished_of(names);
    if (finished == names.size() && (!optional || finished_of(own) == own.size()))
      return words.format(N_("“{}” is done, and so is every lesson of “{}”."), lesson,
                          words(route.title));
    return words.format(optional
                            ? N_("“{}” is done. Optional lessons finished: {} of the {} of “{}”.")
                            : N_("“{}” is done. Lessons finished: {} of the {} of “{}”."),
                        lesson, finished, names.size(), words(route.title));
  }
  return words.format(N_("“{}” is done."), lesson);
}

}  // namespace state
