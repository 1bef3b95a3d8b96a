// Bytes that are read where they are looked at: of a file, or of what is deflated in one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/types.h"

namespace core {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  // Fills `to` with the bytes from `begin` on, which must be there. Callable from any thread.
  // InputError when they cannot be read or are no longer those that were opened.
  virtual void read(std::uint64_t begin, std::span<std::byte> to, const Cancel& cancel) const = 0;
  // The same in memory of its own: how many they are is to be checked before.
  std::string read_string(std::uint64_t begin, std::uint64_t count, const Cancel& cancel) const {
    std::string bytes(static_cast<std::size_t>(count), '\0');
    read(begin, std::as_writable_bytes(std::span(bytes)), cancel);
    return bytes;
  }
};

}  // namespace core
