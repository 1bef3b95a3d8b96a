// What a handout shows of a figure before its question is answered, and the words for places in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

struct OnPaper {
  figure::Figure figure;
  bool covered = false;  // parts of it are empty
};
// Without the line that is to be drawn, and with empty axes where something is hidden that is to be
// marked; none: all of it is hidden.
std::optional<OnPaper> on_paper(const figure::Figure& figure, const Stop& stop,
                                const lab::Page& page);

// The places that are right, of what is clicked or marked, as the axes call them; empty: of no
// other question.
std::string places_text(const Question& question, const Sight& sight, const words::Words& words);
// The same of some of its places, as of those that were marked.
std::string places_text(const Question& question, const std::vector<Element>& places,
                        const Sight& sight, const words::Words& words);

// What is cited, each work once with all of its places.
std::vector<std::string> cited(const std::vector<const lab::Source*>& sources,
                               const words::Words& words);

}  // namespace lesson
