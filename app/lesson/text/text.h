// The sentences of a lesson: **strong** words, [words](knob:n) that stand for something on the
// page, and {live numbers}. A backslash before one of \ * [ { takes it as it is.
#pragma once

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

// Throws Fault.
Paragraph read_paragraph(std::string_view text, const Where& where);

// One line after the other, with a blank between them unless both sides are Chinese.
std::string joined(std::string before, std::string_view next);

// A paragraph's text with the numbers of a page. Throws core::InputError where the page lacks one.
struct TextRun {
  std::string text;
  bool strong = false;
  std::optional<Reference> target = {};
  bool link = false;  // words that stand for the target, not its value
};
std::vector<TextRun> text_of(const Paragraph& paragraph, const Sight& sight,
                             const words::Words& words);
std::string plain(const std::vector<TextRun>& text_of);

}  // namespace lesson
