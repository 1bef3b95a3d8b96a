#include "core/io/deflate.h"

#include <zlib.h>

#include <new>

namespace core {

std::string deflated(std::string_view text, Effort effort) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()),
                effort == Effort::most ? Z_BEST_COMPRESSION : Z_BEST_SPEED) != Z_OK) {
    throw std::bad_alloc();
  }
  bytes.resize(size);
  return bytes;
}

Inflated inflate(std::string_view bytes, std::size_t most, std::string& text) {
  text.assign(most, '\0');
  auto size = static_cast<uLongf>(text.size());
  auto taken = static_cast<uLong>(bytes.size());
  const int result = uncompress2(reinterpret_cast<Bytef*>(text.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()), &taken);
  // Where there is room left, it is the bytes that ended too soon.
  if (result == Z_BUF_ERROR && size == text.size()) return Inflated::too_long;
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_OK || taken != bytes.size()) return Inflated::damaged;
  text.resize(size);
  return Inflated::whole;
}

}  // namespace core
