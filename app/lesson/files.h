// The files that a lesson names: counted from where it lies.
#pragma once

#include <filesystem>

#include "app/lesson/lesson.h"

namespace lesson {

// The folder of a lesson's file, to be counted from.
std::filesystem::path folder_of(const std::filesystem::path& file);
// Whole paths in place of the names of files in its settings.
void find_files(Lesson& lesson, const std::filesystem::path& folder);
// The values as a lesson in `folder` has them: files are named from there.
param::Values with_named_files(std::string_view lab, const param::Values& values,
                               const std::filesystem::path& folder);

}  // namespace lesson
