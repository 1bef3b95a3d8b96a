// Small files of a page lie in its memory, as POSIX has them. Of a large one that a person chose
// only the beginning does: the rest is read from the person's disk, in places, through an address
// of the page's (blob:...). What JavaScript does for it is in packaging/web/library.js.
#include <emscripten.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/system/error.h"
#include "core/system/opened_file.h"

extern "C" {
// Copies bytes of what lies at an address; how many, or -1: it has changed or is not there.
double attnscope_slice(const char* address, double begin, double size, void* to);
}

namespace core {
namespace {

struct Laid {
  std::mutex mutex;
  std::map<std::string, std::string> by_path;
  std::map<std::intptr_t, std::string> by_file;  // open ones
} laid;

std::optional<std::string> address_of(std::intptr_t file) {
  const std::lock_guard lock(laid.mutex);
  const auto found = laid.by_file.find(file);
  return found == laid.by_file.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

OpenedFile::~OpenedFile() {
  if (handle_ < 0) return;
  {
    const std::lock_guard lock(laid.mutex);
    laid.by_file.erase(handle_);
  }
  ::close(static_cast<int>(handle_));
}

std::error_code OpenedFile::open(const std::filesystem::path& path) {
  handle_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle_ < 0) return last_error();
  const std::lock_guard lock(laid.mutex);
  if (const auto found = laid.by_path.find(path.string()); found != laid.by_path.end()) {
    laid.by_file[handle_] = found->second;
  }
  return {};
}

std::error_code OpenedFile::read(std::uint64_t begin, std::span<std::byte> to,
                                 std::size_t& got) const {
  if (const auto address = address_of(handle_)) {
    const double bytes = attnscope_slice(address->c_str(), static_cast<double>(begin),
                                         static_cast<double>(to.size()), to.data());
    if (bytes < 0) return std::make_error_code(std::errc::io_error);
    got = static_cast<std::size_t>(bytes);
    return {};
  }
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

// For the page's script: the file of this path is read at this address from now on.
extern "C" EMSCRIPTEN_KEEPALIVE void attnscope_lay(const char* path, const char* address) {
  const std::lock_guard lock(core::laid.mutex);
  core::laid.by_path[path] = address;
}
