#include "app/paper/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace paper {
namespace {

constexpr std::size_t kBuffer = 1 << 18;

// Where the bytes will really lie: links are followed, also to a file that is not there yet.
std::filesystem::path real_target(const std::filesystem::path& target) {
  constexpr int kMostHops = 40;  // as Linux has it
  std::error_code error;
  std::filesystem::path path = target;
  for (int hops = 0; std::filesystem::is_symlink(path, error); ++hops) {
    if (hops == kMostHops) {
      words::refuse<IoError>(N_("cannot write {}: {}"), shown_path(target),
                             core::system_reason(ELOOP));
    }
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

// What stands there and must not be replaced: renaming would get round its protection, and would
// make another user's file one's own.
words::Sentence protection(const struct stat& old) {
  if ((old.st_mode & S_IWUSR) == 0) {
    return words::Sentence(N_("it is write-protected"));
  }
  if (old.st_uid != ::geteuid()) return words::Sentence(N_("it belongs to another user"));
  return {};
}

}  // namespace

std::string shown_path(const std::filesystem::path& path) {
  constexpr std::size_t kMost = 400;  // a path is of use only when it is whole
  return core::printable(path.string(), kMost);
}

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(real_target(target)) {
  if (!target_.has_filename()) {
    words::refuse<IoError>(N_("cannot write \"{}\": it names no file"), shown_path(target));
  }
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    words::refuse<IoError>(N_("cannot write {}: it is not a regular file"), shown_path(target_));
  }
  temporary_.emplace(target_);
  if (temporary_->file() < 0) fail(errno);
  if (exists) {
    if (const words::Sentence reason = protection(old); !reason.empty()) {
      words::refuse<IoError>(N_("cannot write {}: {}"), shown_path(target_), reason);
    }
  }
  // Best effort: a file system without permissions is no reason to lose an export.
  if (exists && ::fchmod(temporary_->file(), old.st_mode & 07777) != 0) errno = 0;
}

void AtomicFile::fail(int error) const {
  words::refuse<IoError>(N_("cannot write {}: {}"), shown_path(target_),
                         core::system_reason(error));
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBuffer) flush();
  if (bytes.size() > kBuffer) return write_out(bytes);
  buffer_.append(bytes);
}

void AtomicFile::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void AtomicFile::write_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(temporary_->file(), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) fail(errno);
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  flush();
  if (::fsync(temporary_->file()) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
  if (const int error = temporary_->rename_to(target_)) fail(error);
}

void write_atomically(const std::filesystem::path& target, std::string_view bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

}  // namespace paper
