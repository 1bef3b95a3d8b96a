// The file that stands beside a target while it is written: without a name where the file system
// has such files, and hidden where it has none.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "app/system/guard.h"

namespace sys {

// A new file in the target's folder that is gone with the object or the program, whatever ends
// that. Only at the end, or from the first where no other is to be had, it is called
// ".TARGET.attnscope-PID-RANDOM.tmp": then it is guarded (guard.h), and swept where no guard could
// act.
class Temporary {
 public:
  Temporary() = default;
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  // Once; for writing, locked. The first time a folder is written to, what older processes left
  // there is removed: files of that name, of this user, that nobody holds and whose process is
  // gone.
  std::error_code open(const std::filesystem::path& target);
  // All of the bytes.
  std::error_code write(std::string_view bytes);
  // Takes over permissions, as far as the file system has them.
  void take_permissions(std::filesystem::perms permissions);
  // Flushes to the disk, closes it and puts it in the target's place, in one step.
  std::error_code replace(const std::filesystem::path& target);

  // The open file as the system calls it, for this room alone.
  std::intptr_t handle() const { return handle_; }

 private:
  void take_name(const std::filesystem::path& target);

  std::filesystem::path path_;  // empty while it has no name
  std::optional<Guard> guard_;
  std::intptr_t handle_ = -1;
};

inline constexpr std::string_view kTemporaryMark = ".attnscope-", kTemporaryEnd = ".tmp";

// The process in a temporary's name; 0 when it is the name of none.
std::uint32_t process_of(std::string_view name);

// Ending of the hidden name of a file that this process writes, another one each time.
std::string new_mark();

}  // namespace sys
