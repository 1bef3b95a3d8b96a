#include "app/page/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <system_error>

namespace page {
namespace {

constexpr std::size_t kBuffer = 1 << 18;
constexpr int kTries = 16;  // of names for the temporary

// Where the bytes will really lie: links are followed, also to a file that is not there yet.
std::filesystem::path real_target(const std::filesystem::path& target) {
  std::error_code error;
  std::filesystem::path path = target;
  for (int hops = 0; hops < 32 && std::filesystem::is_symlink(path, error); ++hops) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static thread_local std::mt19937_64 random(std::random_device{}());
  // The target's name is cut so that the temporary's stays within the usual 255 bytes.
  const std::string name = target.filename().string().substr(0, 200);
  return target.parent_path() / fmt::format(".{}.{:016x}.tmp", name, random());
}

}  // namespace

words::Sentence system_reason(int error) {
  switch (error) {
    case ENOENT:
      return words::Sentence(N_("there is no such file or folder"));
    case EACCES:
    case EPERM:
      return words::Sentence(N_("permission denied"));
    case EISDIR:
      return words::Sentence(N_("it is a folder"));
    case ENOTDIR:
      return words::Sentence(N_("a part of the path is no folder"));
    case ENOSPC:
    case EDQUOT:
      return words::Sentence(N_("the disk is full"));
    case EROFS:
      return words::Sentence(N_("the disk is read-only"));
    case ENAMETOOLONG:
      return words::Sentence(N_("the name is too long"));
    case EIO:
      return words::Sentence(N_("the disk reported an error"));
    default:
      return words::Sentence("{}", std::generic_category().message(error));
  }
}

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(real_target(target)) {
  if (!target_.has_filename()) {
    words::refuse<IoError>(N_("cannot write \"{}\": it names no file"), target.string());
  }
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    words::refuse<IoError>(N_("cannot write {}: it is not a regular file"), target_.string());
  }
  for (int k = 0; k < kTries && file_ < 0; ++k) {
    temporary_ = temporary_beside(target_);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST) fail(errno);
  }
  if (file_ < 0) fail(EEXIST);
  // Best effort: a file system without permissions is no reason to lose an export.
  if (exists && ::fchmod(file_, old.st_mode & 07777) != 0) errno = 0;
}

AtomicFile::~AtomicFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(int error) const {
  words::refuse<IoError>(N_("cannot write {}: {}"), target_.string(), system_reason(error));
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
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) fail(errno);
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  flush();
  if (::fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) fail(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void write_atomically(const std::filesystem::path& target, std::string_view bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

}  // namespace page
