// A file of any size that is never read whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/io/byte_source.h"
#include "core/system/opened_file.h"

namespace core {

// Each reading is a copy out of the system's cache of pages (pread) and not a look into a mapping
// (mmap), though both read no more than is looked at: a mapped page that another program cuts off,
// as numpy.save does to a file that it overwrites, would end this program with SIGBUS, at any
// moment of a long pass over it, and pages of a mapping would count as this program's own memory.
class LargeFile final : public ByteSource {
 public:
  // Opens a regular file. InputError when there is none or it cannot be read.
  explicit LargeFile(const std::filesystem::path& path);

  // As messages show it.
  const std::string& name() const { return name_; }
  std::uint64_t size() const override { return opened_.size; }
  const FileIdentity& identity() const { return opened_; }
  // Afterwards the file is held against what was opened, so that nothing is returned that was
  // written since: its length, when it was last written to, and whether its name still means it.
  void read(std::uint64_t begin, std::span<std::byte> to, const Cancel& cancel) const override;

  // From `begin` on the first bytes that lie in no hole; begin = end: there are none. All is data
  // where the file system knows no holes.
  using Stretch = OpenedFile::Stretch;
  Stretch data_from(std::uint64_t begin) const;

 private:
  void require_unchanged() const;

  std::filesystem::path path_;
  std::string name_;
  OpenedFile file_;
  FileIdentity opened_;
};

}  // namespace core
