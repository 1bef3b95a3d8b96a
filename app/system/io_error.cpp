#include "app/system/io_error.h"

#include "core/text/printable.h"

namespace sys {

std::string shown_path(const std::filesystem::path& path) {
  constexpr std::size_t kMost = 400;  // a path is of use only when it is whole
  return core::printable(path.string(), kMost);
}

}  // namespace sys
