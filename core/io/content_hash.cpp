#include "core/io/content_hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "core/io/little_endian.h"
#include "core/parallel.h"

namespace core {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u, kPrime2 = 0xC2B2AE3D27D4EB4Fu,
                        kPrime3 = 0x165667B19E3779F9u, kPrime4 = 0x85EBCA77C2B2AE63u,
                        kPrime5 = 0x27D4EB2F165667C5u;
constexpr std::size_t kBlocksAtOnce = 64;

std::uint64_t taken_up(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

std::uint64_t merged(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ taken_up(0, lane)) * kPrime1 + kPrime4;
}

// Four lanes take 32 bytes in turns; what is left stays in `bytes`.
std::uint64_t by_lanes(std::span<const std::byte>& bytes, std::uint64_t seed) {
  std::array<std::uint64_t, 4> lane = {seed + kPrime1 + kPrime2, seed + kPrime2, seed,
                                       seed - kPrime1};
  for (; bytes.size() >= 32; bytes = bytes.subspan(32)) {
    for (std::size_t k = 0; k < 4; ++k) {
      lane[k] = taken_up(lane[k], little_endian<std::uint64_t>(bytes, 8 * k));
    }
  }
  std::uint64_t hash = std::rotl(lane[0], 1) + std::rotl(lane[1], 7) + std::rotl(lane[2], 12) +
                       std::rotl(lane[3], 18);
  for (const std::uint64_t one : lane) hash = merged(hash, one);
  return hash;
}

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
  const std::uint64_t size = bytes.size();
  std::uint64_t hash = (size >= 32 ? by_lanes(bytes, seed) : seed + kPrime5) + size;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    hash ^= taken_up(0, little_endian<std::uint64_t>(bytes, 0));
    hash = std::rotl(hash, 27) * kPrime1 + kPrime4;
  }
  if (bytes.size() >= 4) {
    hash ^= little_endian<std::uint32_t>(bytes, 0) * kPrime1;
    hash = std::rotl(hash, 23) * kPrime2 + kPrime3;
    bytes = bytes.subspan(4);
  }
  for (const std::byte b : bytes) {
    hash = std::rotl(hash ^ static_cast<std::uint64_t>(b) * kPrime5, 11) * kPrime1;
  }
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
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
