#include "core/io/content_hash.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "core/parallel.h"

namespace core {
namespace {

constexpr std::size_t kBlocksAtOnce = 64;

bool all_zero(std::span<const std::byte> bytes) {
  return bytes.front() == std::byte{0} &&
         std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

template <std::size_t kCount>
std::uint64_t hash_of(const std::array<std::uint64_t, kCount>& numbers) {
  std::array<std::byte, 8 * kCount> bytes;
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    bytes[k] = static_cast<std::byte>(numbers[k / 8] >> (8 * (k % 8)) & 0xff);
  }
  return xxh64(bytes);
}

}  // namespace

std::uint64_t xxh64(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH64(bytes.data(), bytes.size(), seed);
}

std::vector<std::uint64_t> stored_blocks(const LargeFile& file, const Cancel& cancel,
                                         std::size_t most) {
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t at = 0; at < file.size() && blocks.size() < most;) {
    cancel.poll();
    const LargeFile::Stretch data = file.data_from(at);
    if (data.begin == data.end) break;
    const std::uint64_t last = (data.end - 1) / kContentBlock;
    for (std::uint64_t k = data.begin / kContentBlock; k <= last && blocks.size() < most; ++k) {
      blocks.push_back(k);
    }
    at = (last + 1) * kContentBlock;
  }
  return blocks;
}

std::uint64_t content_hash(const LargeFile& file, int threads, const Cancel& cancel,
                           const ShareDone& share) {
  const std::vector<std::uint64_t> blocks = stored_blocks(file, cancel);
  const auto workers = static_cast<std::size_t>(thread_count(threads));
  std::vector<std::vector<std::byte>> rooms(workers);
  std::vector<std::optional<std::uint64_t>> hashes(kBlocksAtOnce);  // none: zeros
  const Cancel quiet = cancel.without_progress();
  std::uint64_t hash = hash_of<1>({file.size()});
  for (std::size_t first = 0; first < blocks.size(); first += kBlocksAtOnce) {
    cancel.poll();
    const float done = static_cast<float>(first) / static_cast<float>(blocks.size());
    cancel.progress(share.begin + done * (share.end - share.begin));
    const std::size_t count = std::min(kBlocksAtOnce, blocks.size() - first);
    parallel_for(static_cast<Index>(count), threads, [&](Index k, int worker) {
      const auto at = static_cast<std::size_t>(k);
      const std::uint64_t begin = blocks[first + at] * kContentBlock;
      std::vector<std::byte>& room = rooms[static_cast<std::size_t>(worker)];
      room.resize(static_cast<std::size_t>(std::min(kContentBlock, file.size() - begin)));
      file.read(begin, room, quiet);
      hashes[at] = all_zero(room) ? std::nullopt : std::optional(xxh64(room));
    });
    for (std::size_t k = 0; k < count; ++k) {
      if (hashes[k]) hash = hash_of<3>({hash, blocks[first + k], *hashes[k]});
    }
  }
  return hash;
}

}  // namespace core
