// What tells a stage that a file was written anew.
#pragma once

#include <cstdint>
#include <string>

namespace lab {

struct FileStamp {
  std::string path = {};
  std::uintmax_t size = 0;
  std::int64_t time = 0;  // when it was last written, in the file system's own units
  bool operator==(const FileStamp&) const = default;
};

// All 0 but the path for what cannot be looked at: reading it will say why. An empty path: no file.
FileStamp stamp_of(const std::string& path);

}  // namespace lab
