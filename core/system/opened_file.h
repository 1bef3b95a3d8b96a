// A file that is open to be read in places, and what tells it from others.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>

namespace core {

// What tells a file from another, and from itself after it was written to.
struct FileIdentity {
  std::uint64_t device = 0, node = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  // when it was last written to
  auto operator<=>(const FileIdentity&) const = default;
};

// Identity of what the path names; links are followed.
std::error_code identify(const std::filesystem::path& path, FileIdentity& identity);

class OpenedFile {
 public:
  OpenedFile() = default;
  ~OpenedFile();
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

  // Once. Other programs may write to it, replace it and remove it meanwhile; programs that this
  // one starts do not inherit it.
  std::error_code open(const std::filesystem::path& path);
  // Identity of what was opened, whatever the path means now.
  std::error_code identify(FileIdentity& identity) const;
  // Copies bytes from `begin` on and says how many: fewer than asked for are no error, 0 is the
  // file's end. Several threads may read at once.
  std::error_code read(std::uint64_t begin, std::span<std::byte> to, std::size_t& got) const;

  // The first bytes from `begin` on that lie in no hole; begin = end: there are none. `size` is the
  // file's. All is data where the file system knows no holes.
  struct Stretch {
    std::uint64_t begin = 0, end = 0;
  };
  Stretch data_from(std::uint64_t begin, std::uint64_t size) const;

 private:
  std::intptr_t handle_ = -1;
};

}  // namespace core
