// What follows "answer:", "click:", "mark:" and "draw:" in a lesson's question.
#pragma once

#include "app/lesson/lesson.h"

namespace lesson {

// Each throws Fault.
decltype(Question::kind) read_answer(std::string_view text, const Where& where);
Click read_click(std::string_view text, const Where& where);
MarkAll read_mark(std::string_view text, const Where& where);
Draw read_draw(std::string_view text, const Where& where);
Named read_elements(std::string_view text, const Where& where);

}  // namespace lesson
