// Entries of a zip archive, from its directory alone.
//
// Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 (structure), 4.4 (fields) and 4.5.3 (zip64).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/large_file.h"

namespace core {

struct ZipEntry {
  std::string name;  // valid UTF-8
  bool deflated = false;
  std::uint64_t header = 0;    // where its own header begins in the file
  std::uint64_t begin = 0;     // where its bytes do
  std::uint64_t packed = 0;    // how many they are
  std::uint64_t size = 0;      // and when inflated
  std::uint32_t checksum = 0;  // CRC-32 of these
};

inline constexpr std::uint64_t kMostZipDirectoryBytes = std::uint64_t{64} << 20;
// Deflate makes at most 258 bytes out of two bits.
inline constexpr std::uint64_t kMostDeflateRatio = 1032;

// The files of an archive of one part, zip64 or not, in the order of its directory; folders are
// left out. InputError for what is damaged, encrypted, neither stored nor deflated, there twice,
// overlapping with another entry, or said to inflate to more than it can.
std::vector<ZipEntry> read_zip_index(const LargeFile& file, const Cancel& cancel = {});

}  // namespace core
