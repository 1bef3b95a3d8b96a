// A file that is there whole or not at all: written to a temporary beside the target, flushed to
// the disk, then renamed over it. Whatever fails, the old file stays and the temporary goes.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/words/sentence.h"

namespace page {

// It could not be read or written; one sentence with the path and the system's reason.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The system's reason, an errno, in words.
words::Sentence system_reason(int error);

class AtomicFile {
 public:
  // Opens a new temporary in the target's folder. A symbolic link is followed; a target that is a
  // folder, a device or a pipe is refused.
  explicit AtomicFile(const std::filesystem::path& target);
  // Removes the temporary unless `commit` went through.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  // Flushes to the disk and renames. An existing target keeps its permissions.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  void flush();
  void write_out(std::string_view bytes);

  std::filesystem::path target_, temporary_;
  std::string buffer_;
  int file_ = -1;
};

// A whole file at once.
void write_atomically(const std::filesystem::path& target, std::string_view bytes);

}  // namespace page
