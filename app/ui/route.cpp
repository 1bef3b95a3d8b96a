#include "app/ui/route.h"

namespace ui {

RouteStanding standing(const lesson::Route& route, const lesson::Progress& progress,
                       words::Language language) {
  RouteStanding all;
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

}  // namespace ui
