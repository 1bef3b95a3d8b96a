// What is said of a route once a lesson is finished.
#include "app/state/route.h"

#include <doctest/doctest.h>

#include <string>

namespace route_test {

TEST_CASE(
    "a finished lesson is counted among its route's own, an optional one among the optional") {
  const words::Words english;
  lesson::Progress progress;
  const auto said = [&](const std::string& name) {
    progress.finish(name);
    const lesson::Lesson& one = lesson::shipped(name, words::Language::en);
    const std::string text = state::what_is_done({name, one}, progress, english);
    return text.substr(text.find("” is done") + std::string("”").size());
  };
  for (const lesson::Route& route : lesson::routes()) {
    CAPTURE(route.id);
    progress = {};
    const auto own = lesson::of_route(route.id), after = lesson::after_route(route.id);
    const auto counted = [&](std::size_t finished, std::size_t of,
                             const std::string& lessons = "Lessons") {
      return " is done. " + lessons + " finished: " + std::to_string(finished) + " of the " +
             std::to_string(of) + " of “" + std::string(route.title) + "”.";
    };
    const std::string whole =
        " is done, and so is every lesson of “" + std::string(route.title) + "”.";
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::string last = own.size() > 1 ? whole : " is done.";  // alone it is all of it
      CHECK(said(own[k]) == (k + 1 < own.size() ? counted(k + 1, own.size()) : last));
    }
    for (std::size_t k = 0; k < after.size(); ++k) {
      CHECK(said(after[k]) ==
            (k + 1 < after.size() ? counted(k + 1, after.size(), "Optional lessons") : whole));
    }
  }
}

}  // namespace route_test
