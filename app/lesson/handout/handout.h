// A lesson on paper: its text with the figures as they are at each stop, its questions, and their
// answers.
#pragma once

#include <filesystem>
#include <vector>

#include "app/lesson/text/check.h"
#include "app/paper/file/inputs.h"

namespace lesson {

// Where the answers to the questions stand: nowhere, on a page of their own at the end, or each
// below its question.
enum class AnswersStand { none, end, place };

// .pdf is laid out for A4, .html is one file with its pictures inside, .md has them as .svg files
// beside it, named after it: NAME-1.svg and so on. Answers with these. A file of such a name is
// written over only when it is a figure that this program made.
// Throws core::InputError for another ending, for a file of `inputs` or another's that would be
// written over, and Fault for what the pages do not have; sys::IoError when it cannot be written.
// Nothing is written then.
std::vector<std::filesystem::path> write_handout(const Lesson& lesson, const PageOf& page_of,
                                                 words::Language language,
                                                 const std::filesystem::path& out,
                                                 const paper::Inputs& inputs = {},
                                                 AnswersStand answers = AnswersStand::end);

}  // namespace lesson
