#include "core/system/opened_file.h"

namespace core {

// A page's files have no holes.
OpenedFile::Stretch OpenedFile::data_from(std::uint64_t begin, std::uint64_t size) const {
  return {begin, size};
}

}  // namespace core
