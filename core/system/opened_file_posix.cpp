#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "core/system/error.h"
#include "core/system/opened_file.h"

namespace core {

OpenedFile::~OpenedFile() {
  if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

std::error_code OpenedFile::open(const std::filesystem::path& path) {
  handle_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return handle_ < 0 ? last_error() : std::error_code();
}

std::error_code OpenedFile::read(std::uint64_t begin, std::span<std::byte> to,
                                 std::size_t& got) const {
  for (;;) {
    const ssize_t bytes =
        ::pread(static_cast<int>(handle_), to.data(), to.size(), static_cast<off_t>(begin));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return last_error();
    got = static_cast<std::size_t>(bytes);
    return {};
  }
}

}  // namespace core
