// What tests do with files that standard C++ has no calls for, or has for some systems alone.
#pragma once

#include <cstdint>
#include <filesystem>

namespace test {

// Makes the file this long; what is new is a hole where the system knows holes.
void grow(const std::filesystem::path& path, std::uintmax_t bytes);

// Sets when a file or folder was last written to.
void set_time(const std::filesystem::path& path, std::filesystem::file_time_type time);

// Puts a file in the place of one that is open. False: the system cannot.
bool replace_open(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace test
