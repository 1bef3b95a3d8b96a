// Bytes in memory, read as a file's are.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/io/byte_source.h"
#include "core/refuse.h"

namespace core {

class MemoryBytes final : public ByteSource {
 public:
  // Does not copy the bytes: they must outlive this.
  explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
  // These live as long as this.
  explicit MemoryBytes(std::shared_ptr<const std::string> bytes)
      : owner_(std::move(bytes)), bytes_(*owner_) {}

  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t begin, std::span<std::byte> to, const Cancel&) const override {
    if (begin > bytes_.size() || to.size() > bytes_.size() - begin) {
      refuse("bytes", "a range of " + std::to_string(bytes_.size()), std::to_string(begin));
    }
    std::memcpy(to.data(), bytes_.data() + begin, to.size());
  }

 private:
  std::shared_ptr<const std::string> owner_;
  std::string_view bytes_;
};

}  // namespace core
