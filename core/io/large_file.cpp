#include "core/io/large_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/io/regular_file.h"
#include "core/refuse.h"
#include "core/text/printable.h"

namespace core {
namespace {

constexpr std::size_t kBytesBetweenPolls = std::size_t{4} << 20;

std::filesystem::path absolute_or_same(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute;
}

FileIdentity identity_of(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
          static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

}  // namespace

LargeFile::LargeFile(const std::filesystem::path& path)
    : path_(absolute_or_same(path)), name_(printable(path.string(), 400)) {
  if (const Message reason = regular_fault(path_); !reason.empty()) {
    throw InputError(Message(N_("cannot read {}: {}"), name_, reason));
  }
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    throw InputError(Message(N_("cannot read {}: {}"), name_, system_reason(errno)));
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0) opened_ = identity_of(status);
}

LargeFile::~LargeFile() { ::close(descriptor_); }

void LargeFile::require_unchanged() const {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    throw InputError(
        Message(N_("{}: expected the file that was opened, but {}"), name_, system_reason(errno)));
  }
  const FileIdentity now = identity_of(status);
  if (now.device != opened_.device || now.node != opened_.node) {
    throw InputError(Message(
        N_("{}: expected the file that was opened, got another one in its place: open it again"),
        name_));
  }
  if (now.size != opened_.size) {
    throw InputError(
        Message(N_("{}: expected {} bytes, as when it was opened, got {}: open it again"), name_,
                opened_.size, now.size));
  }
  if (now.seconds != opened_.seconds || now.nanoseconds != opened_.nanoseconds) {
    throw InputError(Message(
        N_("{}: expected the file that was opened, got one that was written to since: open it "
           "again"),
        name_));
  }
}

void LargeFile::read(std::uint64_t begin, std::span<std::byte> to, const Cancel& cancel) const {
  if (begin > size() || to.size() > size() - begin) {
    refuse("reading a file", "a part of its " + std::to_string(size()) + " bytes",
           std::to_string(to.size()) + " from " + std::to_string(begin));
  }
  while (!to.empty()) {
    cancel.poll();
    const ssize_t got = ::pread(descriptor_, to.data(), std::min(to.size(), kBytesBetweenPolls),
                                static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(Message(N_("cannot read {}: {}"), name_, system_reason(errno)));
    if (got == 0) break;  // cut off: found below
    begin += static_cast<std::uint64_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
  require_unchanged();
  if (!to.empty()) {
    throw InputError(
        Message(N_("{}: expected {} bytes, as when it was opened, got {}: open it again"), name_,
                size(), begin));
  }
}

LargeFile::Stretch LargeFile::data_from(std::uint64_t begin) const {
  if (begin >= size()) return {size(), size()};
  const off_t data = ::lseek(descriptor_, static_cast<off_t>(begin), SEEK_DATA);
  if (data < 0) return {errno == ENXIO ? size() : begin, size()};
  const off_t hole = ::lseek(descriptor_, data, SEEK_HOLE);
  const auto first = std::min(static_cast<std::uint64_t>(data), size());
  return {first, hole < 0 ? size() : std::min(static_cast<std::uint64_t>(hole), size())};
}

}  // namespace core
