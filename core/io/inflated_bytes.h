// The bytes of a deflated entry of an archive, inflated as they are read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/io/zip_index.h"

namespace core {

class Inflater;

// Holds no more of the entry than what is being read: deflate has no way into its middle, so states
// of the inflater on its way (40 KB each) are kept, at most kMostStates, from which later readings
// go on. Whoever reads on where the last reading ended has nothing inflated twice.
class InflatedBytes final : public ByteSource {
 public:
  static constexpr std::uint64_t kMostStates = 256;

  InflatedBytes(std::shared_ptr<const LargeFile> file, ZipEntry entry);
  ~InflatedBytes() override;

  std::uint64_t size() const override { return entry_.size; }
  // InputError too when the entry is damaged, or inflates to more or fewer bytes than its size; its
  // checksum is compared when its last byte is read.
  void read(std::uint64_t begin, std::span<std::byte> to, const Cancel& cancel) const override;

 private:
  void go_to(std::uint64_t begin, const Cancel& cancel) const;
  void keep_state() const;

  const std::shared_ptr<const LargeFile> file_;
  const ZipEntry entry_;
  const std::uint64_t apart_;  // bytes between states
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Inflater> now_;
  mutable std::map<std::uint64_t, std::unique_ptr<const Inflater>> states_;  // by their position
};

}  // namespace core
