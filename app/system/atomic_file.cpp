#include "app/system/atomic_file.h"

#include "app/system/protection.h"
#include "core/system/error.h"

namespace sys {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = 1 << 18;

[[noreturn]] void refuse(const fs::path& target, const core::Message& reason) {
  words::refuse<IoError>(N_("cannot write {}: {}"), shown_path(target), reason);
}

// Where the bytes will really lie: links are followed, also to a file that is not there yet.
fs::path real_target(const fs::path& target) {
  constexpr int kMostHops = 40;  // as Linux has it
  std::error_code error;
  fs::path path = target;
  for (int hops = 0; fs::is_symlink(path, error); ++hops) {
    if (hops == kMostHops) {
      refuse(target,
             core::system_reason(std::make_error_code(std::errc::too_many_symbolic_link_levels)));
    }
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : target_(real_target(target)) {
  if (!target_.has_filename()) {
    words::refuse<IoError>(N_("cannot write \"{}\": it names no file"), shown_path(target));
  }
  std::error_code error;
  const fs::file_status old = fs::status(target_, error);
  const bool exists = fs::exists(old);
  if (fs::is_directory(old)) require(std::make_error_code(std::errc::is_a_directory));
  if (exists && !fs::is_regular_file(old)) {
    words::refuse<IoError>(N_("cannot write {}: it is not a regular file"), shown_path(target_));
  }
  temporary_.emplace();
  require(temporary_->open(target_));
  if (!exists) return;
  if (const words::Sentence reason = protection(target_); !reason.empty()) {
    refuse(target_, reason);
  }
  temporary_->take_permissions(old.permissions());
}

void AtomicFile::require(const std::error_code& error) const {
  if (error) refuse(target_, core::system_reason(error));
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBuffer) flush();
  if (bytes.size() > kBuffer) return require(temporary_->write(bytes));
  buffer_.append(bytes);
}

void AtomicFile::flush() {
  require(temporary_->write(buffer_));
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  require(temporary_->replace(target_));
}

void write_atomically(const fs::path& target, std::string_view bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

}  // namespace sys
