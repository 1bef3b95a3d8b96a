#include "core/io/large_file.h"

#include <algorithm>
#include <system_error>

#include "core/io/regular_file.h"
#include "core/refuse.h"
#include "core/system/error.h"
#include "core/text/printable.h"

namespace core {
namespace {

constexpr std::size_t kBytesBetweenPolls = std::size_t{4} << 20;

std::filesystem::path absolute_or_same(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute;
}

}  // namespace

LargeFile::LargeFile(const std::filesystem::path& path)
    : path_(absolute_or_same(path)), name_(printable(path.string(), 400)) {
  if (const Message reason = regular_fault(path_); !reason.empty()) {
    throw InputError(Message(N_("cannot read {}: {}"), name_, reason));
  }
  std::error_code error = file_.open(path_);
  if (!error) error = file_.identify(opened_);
  if (error) throw InputError(Message(N_("cannot read {}: {}"), name_, system_reason(error)));
}

void LargeFile::require_unchanged() const {
  FileIdentity now;
  if (const std::error_code error = identify(path_, now)) {
    throw InputError(
        Message(N_("{}: expected the file that was opened, but {}"), name_, system_reason(error)));
  }
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
    std::size_t got = 0;
    const std::error_code error =
        file_.read(begin, to.first(std::min(to.size(), kBytesBetweenPolls)), got);
    if (error) throw InputError(Message(N_("cannot read {}: {}"), name_, system_reason(error)));
    if (got == 0) break;  // cut off: found below
    begin += got;
    to = to.subspan(got);
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
  return file_.data_from(begin, size());
}

}  // namespace core
