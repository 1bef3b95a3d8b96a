#include "system_files.h"

namespace test {

void grow(const std::filesystem::path& path, std::uintmax_t bytes) {
  std::filesystem::resize_file(path, bytes);
}

void set_time(const std::filesystem::path& path, std::filesystem::file_time_type time) {
  std::filesystem::last_write_time(path, time);
}

bool replace_open(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::filesystem::rename(from, to);
  return true;
}

}  // namespace test
