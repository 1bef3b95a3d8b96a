// Files of models that have read, which travel with the program: beside it, and in a browser inside
// of it.
#pragma once

#include <filesystem>
#include <string>

namespace lab {

// The folder of model `name` beside the program, which has `file` in it. InputError where there is
// none.
std::filesystem::path folder_beside(const std::string& name, const char* file);
// The bytes of a file of model `name`, wherever it lies. InputError where it cannot be read.
std::string shipped_bytes(const std::string& name, const char* file);
// The bytes of a file.
std::string file_bytes(const std::filesystem::path& path);

}  // namespace lab
