// A file that is there whole or not at all: written to a temporary beside the target, flushed to
// the disk, then renamed over it. Whatever fails, the old file stays and the temporary goes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "app/system/io_error.h"
#include "app/system/temporary.h"

namespace sys {

class AtomicFile {
 public:
  // Opens a new temporary in the target's folder. A symbolic link is followed; a target that is a
  // folder, a device or a pipe, that is write-protected or another user's is refused.
  explicit AtomicFile(const std::filesystem::path& target);
  // Removes the temporary unless `commit` went through.
  ~AtomicFile() = default;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  // For another program to write to, instead of `write`.
  const Temporary& temporary() const { return *temporary_; }
  // Flushes to the disk and renames. An existing target keeps its permissions.
  void commit();

 private:
  void require(const std::error_code& error) const;
  void flush();

  std::filesystem::path target_;
  std::string buffer_;
  std::optional<Temporary> temporary_;
};

// A whole file at once.
void write_atomically(const std::filesystem::path& target, std::string_view bytes);

}  // namespace sys
