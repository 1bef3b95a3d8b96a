// A lesson on paper: its text with the figures as they are at each stop, its questions, and their
// answers at the end.
#pragma once

#include <filesystem>

#include "app/lesson/check.h"

namespace lesson {

// .pdf is laid out for A4, .html is one file with its pictures inside, .md has them as .svg files
// beside it, named after it.
// Throws core::InputError for another ending and Fault for what the pages do not have;
// page::IoError when it cannot be written: the old file stays then.
void write_handout(const Lesson& lesson, const PageOf& page_of, words::Language language,
                   const std::filesystem::path& out);

}  // namespace lesson
