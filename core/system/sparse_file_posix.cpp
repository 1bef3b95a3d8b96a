#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/system/opened_file.h"

namespace core {

OpenedFile::Stretch OpenedFile::data_from(std::uint64_t begin, std::uint64_t size) const {
  const off_t data = ::lseek(static_cast<int>(handle_), static_cast<off_t>(begin), SEEK_DATA);
  if (data < 0) return {errno == ENXIO ? size : begin, size};
  const off_t hole = ::lseek(static_cast<int>(handle_), data, SEEK_HOLE);
  const auto first = std::min(static_cast<std::uint64_t>(data), size);
  return {first, hole < 0 ? size : std::min(static_cast<std::uint64_t>(hole), size)};
}

}  // namespace core
