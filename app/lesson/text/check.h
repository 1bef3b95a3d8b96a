// Checks that a lesson speaks of what there is. Faults come with file and line.
#pragma once

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

// Labs, presets, knobs with their values, and the knobs and words that its expressions name, for
// every stop; it computes no page. Throws Fault.
void check_scenes(const Lesson& lesson);

// Checks what one stop names on its page: readouts, figures, plots and their parts, and that every
// live number is a number. With `revealed` on the page after the question. Throws Fault.
void check_page(const Lesson& lesson, std::size_t stop, const Sight& sight, bool revealed);

// All that is wrong with the lesson, in the order of its stops, on pages that `page_of` computes:
// what check_page looks at, and that what is waited for is not there at first and comes by what is
// done. Empty: nothing is.
using PageOf = std::function<lab::Page(const session::Session& session)>;
std::vector<Fault> faults_of(const Lesson& lesson, const PageOf& page_of);

// A condition with the page's values in the place of what it names: "0.31 > 0.5 and 3 = 4".
std::string with_values(const Expression& condition, const Sight& sight);

}  // namespace lesson
