#include <emscripten.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "app/system/temporary.h"
#include "core/system/error.h"

namespace sys {
namespace {

// A page's files lie in memory and end with it. What is written to this folder the page gives to
// the person, as a download.
constexpr std::string_view kGiven = "/downloads/";

}  // namespace

std::string new_mark() {
  static std::atomic<unsigned> number{0};
  return fmt::format(".attnscope-{}.tmp", ++number);
}

std::error_code Temporary::open(const std::filesystem::path& target) {
  take_name(target);
  const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  handle_ = file;
  return file < 0 ? core::last_error() : std::error_code();
}

Temporary::~Temporary() {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

void Temporary::take_name(const std::filesystem::path& target) {
  path_ = target.parent_path() / ("." + target.filename().string() + new_mark());
}

std::error_code Temporary::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(static_cast<int>(handle_), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return core::last_error();
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

void Temporary::take_permissions(std::filesystem::perms) {}

std::error_code Temporary::replace(const std::filesystem::path& target) {
  const int file = static_cast<int>(handle_);
  handle_ = -1;
  if (::close(file) != 0 || ::rename(path_.c_str(), target.c_str()) != 0) {
    return core::last_error();
  }
  path_.clear();
  const std::string name = std::filesystem::absolute(target).lexically_normal().string();
  if (name.starts_with(kGiven)) {
    char* kept = ::strdup(name.c_str());  // as long as the page needs it
    MAIN_THREAD_ASYNC_EM_ASM({ attnscope.give($0); }, kept);
  }
  return {};
}

}  // namespace sys
