// A route through the course for somebody who has come so far in its lessons.
#pragma once

#include <cstddef>
#include <string>

#include "app/lesson/library.h"
#include "app/lesson/play.h"
#include "app/lesson/progress.h"
#include "app/state/files/recents.h"

namespace state {

struct RouteStatus {
  int minutes = 0;  // of its own lessons, without those that come after it
  std::size_t lessons = 0, finished = 0;
  std::size_t stops = 0, seen = 0;  // stops that were left behind
  bool begun = false;               // some lesson of it was opened
  // The lesson to go on with: one that was left in the middle, else the first that is not finished;
  // the first of all once every one is. Empty: the route has no lessons.
  std::string next = {};
  bool finished_all() const { return lessons > 0 && finished == lessons; }
};

RouteStatus status(const lesson::Route& route, const lesson::Progress& progress,
                   words::Language language);

// The lesson to take now: of those left in the middle the one that was opened last; else, route by
// route, with what comes after each, the first that is not finished; the very first once all are.
std::string next_lesson(const lesson::Progress& progress, const Recents& recents);

// Message for somebody who has just finished the lesson: how many of its route's own lessons are,
// or of its optional ones if it is one of these, or that there is no more.
std::string what_is_done(const lesson::Play& play, const lesson::Progress& progress,
                         const words::Words& words);

}  // namespace state
