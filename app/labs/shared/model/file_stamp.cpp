#include "app/labs/shared/model/file_stamp.h"

#include <filesystem>

namespace lab {

FileStamp stamp_of(const std::string& path) {
  FileStamp stamp{.path = path};
  if (path.empty()) return stamp;
  std::error_code unread;
  const std::filesystem::path file(path);
  const std::uintmax_t size = std::filesystem::file_size(file, unread);
  if (unread) return stamp;
  stamp.size = size;
  stamp.time = static_cast<std::int64_t>(
      std::filesystem::last_write_time(file, unread).time_since_epoch().count());
  return stamp;
}

}  // namespace lab
