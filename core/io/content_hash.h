// Hash of a file's contents: the same for every copy, whatever its name and time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/io/large_file.h"

namespace core {

// XXH64 (Collet, xxHash): not for secrets.
std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// A file in blocks of kContentBlock bytes, the last one shorter. Blocks that lie in holes wholly
// need not be read: they are zeros.
inline constexpr std::uint64_t kContentBlock = std::uint64_t{1} << 20;
// The numbers of the blocks that are to be read, rising; of more than `most` so many.
std::vector<std::uint64_t> stored_blocks(const LargeFile& file, const Cancel& cancel = {},
                                         std::size_t most = static_cast<std::size_t>(-1));

// h_0 = xxh64(size); for every block that has a byte other than 0, by its number k in rising order,
// h = xxh64(h, k, xxh64(block)), numbers as eight bytes, lowest first. So a hole counts as what it
// reads as, and costs nothing. The same with any number of threads. InputError where the file
// cannot be read, or was written to meanwhile. `share`: of the progress that is told, its part.
struct ShareDone {
  float begin = 0, end = 1;
};
std::uint64_t content_hash(const LargeFile& file, int threads = 0, const Cancel& cancel = {},
                           const ShareDone& share = {});

}  // namespace core
