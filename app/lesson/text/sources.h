// The papers that a lesson rests on: those that its stops name, of what their labs cite.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/labs/lab.h"
#include "app/lesson/lesson.h"

namespace lesson {

// The one source of a lab whose citation begins so; null: there is none, or there are several.
const lab::Source* find_source(const lab::Lab& lab, std::string_view begins);

// Those that stops name (`source:`), in their order; where none does, all that their labs cite.
// Throws Fault where a lab cites no such work.
std::vector<const lab::Source*> sources_of(const Lesson& lesson);

}  // namespace lesson
