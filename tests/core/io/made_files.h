// Small files of tensors, byte by byte, so that each can be broken in one place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/io/tensor/tensor_file.h"
#include "folder.h"

namespace made {

using test::Folder;

// Why the file is refused, without the folder before its name.
inline std::string why_not(const Folder& folder, const std::filesystem::path& path) {
  try {
    core::open_tensors(path);
  } catch (const core::InputError& error) {
    std::string why = error.what();
    const std::string before = (folder.path() / "").string();
    for (std::size_t at; (at = why.find(before)) != why.npos;) why.erase(at, before.size());
    return why;
  }
  return "nothing was refused";
}

inline std::string little(std::uint64_t number, int bytes) {
  std::string out;
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(number >> (8 * k) & 0xff);
  return out;
}

inline std::string npy_header(const std::string& dictionary) {
  return "\x93NUMPY" + std::string("\x01\x00", 2) + little(dictionary.size(), 2) + dictionary;
}
inline std::string npy(const std::string& descr, const std::string& shape,
                       const std::string& numbers) {
  return npy_header("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape +
                    ", }\n") +
         numbers;
}

inline std::string safetensors(const std::string& header, const std::string& data) {
  return little(header.size(), 8) + header + data;
}

inline std::uint32_t crc32_of(const std::string& bytes) {
  std::uint32_t sum = ~0u;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0u);
  }
  return ~sum;
}

// A deflate stream that holds the bytes, at most 65535, as they are.
inline std::string deflate_stored(const std::string& bytes) {
  return '\x01' + little(bytes.size(), 2) + little(~bytes.size() & 0xffff, 2) + bytes;
}

// What an archive says of an entry; `packed` are its bytes.
struct Entry {
  std::string name, packed;
  std::uint64_t size = 0;
  int method = 0, flags = 0;
  std::uint32_t checksum = 0;
};
inline Entry stored(const std::string& name, const std::string& bytes) {
  return {name, bytes, bytes.size(), 0, 0, crc32_of(bytes)};
}
inline Entry deflated(const std::string& name, const std::string& bytes) {
  return {name, deflate_stored(bytes), bytes.size(), 8, 0, crc32_of(bytes)};
}

inline std::string local_header(const Entry& entry) {
  return "PK\x03\x04" + little(20, 2) + little(static_cast<unsigned>(entry.flags), 2) +
         little(static_cast<unsigned>(entry.method), 2) + little(0, 4) + little(entry.checksum, 4) +
         little(entry.packed.size(), 4) + little(entry.size, 4) + little(entry.name.size(), 2) +
         little(0, 2) + entry.name;
}
// `packed` bytes after a header at `offset`; zip64 puts all three numbers into the extra field.
inline std::string central_header(const Entry& entry, std::uint64_t packed, std::uint64_t offset,
                                  bool zip64 = false) {
  const std::string extra = zip64 ? little(1, 2) + little(24, 2) + little(entry.size, 8) +
                                        little(packed, 8) + little(offset, 8)
                                  : "";
  const std::uint64_t full = 0xffffffff;
  return "PK\x01\x02" + little(20, 2) + little(20, 2) +
         little(static_cast<unsigned>(entry.flags), 2) +
         little(static_cast<unsigned>(entry.method), 2) + little(0, 4) + little(entry.checksum, 4) +
         little(zip64 ? full : packed, 4) + little(zip64 ? full : entry.size, 4) +
         little(entry.name.size(), 2) + little(extra.size(), 2) + little(0, 2) + little(0, 2) +
         little(0, 2) + little(0, 4) + little(zip64 ? full : offset, 4) + entry.name + extra;
}
inline std::string end_record(std::uint64_t entries, std::uint64_t size, std::uint64_t begin) {
  return "PK\x05\x06" + little(0, 4) + little(entries, 2) + little(entries, 2) + little(size, 4) +
         little(begin, 4) + little(0, 2);
}
inline std::string end_records_64(std::uint64_t entries, std::uint64_t size, std::uint64_t begin) {
  return "PK\x06\x06" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8) +
         little(entries, 8) + little(entries, 8) + little(size, 8) + little(begin, 8) +
         "PK\x06\x07" + little(0, 4) + little(begin + size, 8) + little(1, 4) +
         end_record(0xffff, 0xffffffff, 0xffffffff);
}

inline std::string zip(const std::vector<Entry>& entries) {
  std::string out, directory;
  for (const Entry& entry : entries) {
    directory += central_header(entry, entry.packed.size(), out.size());
    out += local_header(entry) + entry.packed;
  }
  const std::size_t begin = out.size();
  return out + directory + end_record(entries.size(), directory.size(), begin);
}

}  // namespace made
