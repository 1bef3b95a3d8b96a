#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <random>
#include <set>
#include <utility>

#include "app/system/posix/calls.h"
#include "app/system/temporary.h"
#include "core/per_thread.h"
#include "core/system/error.h"

namespace sys {
namespace {

// Removes a file whose writer is gone. Its number may mean another process here than where it was
// written (containers, shared disks), so that nobody may hold the writer's lock either.
void remove_if_left(const std::filesystem::path& path, pid_t writer) {
  if (::kill(writer, 0) == 0 || errno != ESRCH) return;
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  const bool ours =
      ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
  if (ours && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(file);
}

void sweep(const std::filesystem::path& folder) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> swept;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(folder, error);
  const std::scoped_lock lock(mutex);
  if (error || !swept.insert(whole).second) return;
  for (std::filesystem::directory_iterator at(whole, error), end; !error && at != end;
       at.increment(error)) {
    // A number that is none of this system's would name a group of processes.
    const auto pid = static_cast<pid_t>(process_of(at->path().filename().string()));
    if (pid > 0) remove_if_left(at->path(), pid);
  }
}

std::filesystem::path name_beside(const std::filesystem::path& target) {
  // The target's name is cut so that the temporary's stays within the usual 255 bytes.
  const std::string name = target.filename().string().substr(0, 190);
  return target.parent_path() / fmt::format(".{}{}", name, new_mark());
}

}  // namespace

std::string new_mark() {
  static thread_local core::PerThread<std::mt19937_64> random(std::random_device{}());
  return fmt::format("{}{}-{:016x}{}", kTemporaryMark, ::getpid(), random(), kTemporaryEnd);
}

std::error_code Temporary::open(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  sweep(folder);
  int file = posix::nameless_file_in(folder);
  if (file < 0) {
    take_name(target);
    file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  handle_ = file;
  if (file < 0) return core::last_error();
  ::flock(file, LOCK_EX | LOCK_NB);  // a disk without locks is no reason to lose an export
  return {};
}

Temporary::~Temporary() {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (handle_ >= 0) ::close(static_cast<int>(handle_));  // the lock goes last
}

// Before there is a file of this name that would have to be removed.
void Temporary::take_name(const std::filesystem::path& target) {
  path_ = name_beside(target);
  guard_.emplace(path_);
}

std::error_code Temporary::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(static_cast<int>(handle_), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return core::last_error();
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

void Temporary::take_permissions(std::filesystem::perms permissions) {
  [[maybe_unused]] const int refused =
      ::fchmod(static_cast<int>(handle_), static_cast<mode_t>(permissions));
}

std::error_code Temporary::replace(const std::filesystem::path& target) {
  const int file = static_cast<int>(handle_);
  if (::fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP) return core::last_error();
  if (path_.empty()) {
    // A link cannot take a name that there is: it gets one of its own, and is renamed.
    take_name(target);
    if (::linkat(AT_FDCWD, posix::path_of(file).c_str(), AT_FDCWD, path_.c_str(),
                 AT_SYMLINK_FOLLOW)) {
      return core::last_error();
    }
  }
  handle_ = -1;
  if (::close(file) != 0 || ::rename(path_.c_str(), target.c_str()) != 0) {
    return core::last_error();
  }
  path_.clear();
  return {};
}

}  // namespace sys
