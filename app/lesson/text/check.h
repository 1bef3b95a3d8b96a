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

// The same of the whole lesson, on pages that `page_of` computes.
using PageOf = std::function<lab::Page(const session::Session& session)>;
void check_pages(const Lesson& lesson, const PageOf& page_of);

}  // namespace lesson
