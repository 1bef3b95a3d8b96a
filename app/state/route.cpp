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

std::string what_is_done(const lesson::Play& play, const lesson::Progress& progress,
                         const words::Words& words) {
  const std::string& lesson = play.lesson().title;
  for (const lesson::Route& route : lesson::routes()) {
    std::vector<std::string> names = lesson::of_route(route.id);
    std::ranges::move(lesson::after_route(route.id), std::back_inserter(names));
    if (std::ranges::find(names, play.name()) == names.end()) continue;
    const auto finished = std::ranges::count_if(
        names, [&](const std::string& name) { return progress.of(name).done; });
    return std::cmp_equal(finished, names.size())
               ? words.format(N_("“{}” is done, and so is every lesson of “{}”."), lesson,
                              words(route.title))
               : words.format(N_("“{}” is done. Lessons finished: {} of the {} of “{}”."), lesson,
                              finished, names.size(), words(route.title));
  }
  return words.format(N_("“{}” is done."), lesson);
}

}  // namespace state
