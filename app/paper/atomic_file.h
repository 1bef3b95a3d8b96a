// A file that is there whole or not at all: written to a temporary beside the target, flushed to
// the disk, then renamed over it. Whatever fails, the old file stays and the temporary goes.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/paper/temporaries.h"
#include "app/words/sentence.h"

namespace paper {

// It could not be read or written; one sentence with the path and the system's reason.
struct IoError : std::runtime_error, core::Told {
  explicit IoError(core::Message message)
      : std::runtime_error(message.in_english()), core::Told(std::move(message)) {}
};

// A path as messages name it.
std::string shown_path(const std::filesystem::path& path);

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
  int file() const { return temporary_->file(); }
  // Flushes to the disk and renames. An existing target keeps its permissions.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  void flush();
  void write_out(std::string_view bytes);

  std::filesystem::path target_;
  std::string buffer_;
  std::optional<Temporary> temporary_;
};

// A whole file at once.
void write_atomically(const std::filesystem::path& target, std::string_view bytes);

}  // namespace paper
