#include "core/io/zip_index.h"

#include <algorithm>
#include <set>

#include "core/io/little_endian.h"
#include "core/text/printable.h"
#include "core/text/utf8.h"

namespace core {
namespace {

constexpr std::uint32_t kEndSignature = 0x06054b50, kEnd64Signature = 0x06064b50,
                        kLocator64Signature = 0x07064b50, kEntrySignature = 0x02014b50,
                        kLocalSignature = 0x04034b50;
constexpr std::size_t kEndBytes = 22, kLocator64Bytes = 20, kEnd64Bytes = 56, kEntryBytes = 46,
                      kLocalBytes = 30, kLongestComment = 65535;
constexpr std::uint16_t kFull16 = 0xffff;  // what stands where zip64 has the number
constexpr std::uint32_t kFull32 = 0xffffffff;
constexpr std::uint16_t kEncrypted = 1 | 1 << 6 | 1 << 13;  // flags: so, strongly, and its names
constexpr std::uint16_t kZip64Extra = 1;

using Bytes = std::span<const std::byte>;

std::uint16_t u16(Bytes bytes, std::size_t at) { return little_endian<std::uint16_t>(bytes, at); }
std::uint32_t u32(Bytes bytes, std::size_t at) { return little_endian<std::uint32_t>(bytes, at); }
std::uint64_t u64(Bytes bytes, std::size_t at) { return little_endian<std::uint64_t>(bytes, at); }

std::string text_at(Bytes bytes, std::size_t at, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes.data()) + at, size};
}

class ZipReader {
 public:
  ZipReader(const LargeFile& file, const Cancel& cancel) : file_(file), cancel_(cancel) {}

  std::vector<ZipEntry> read() {
    find_directory();
    const std::vector<std::byte> directory = bytes_at(directory_begin_, directory_bytes_);
    std::vector<ZipEntry> entries;
    Bytes left = directory;
    for (std::uint64_t k = 0; k < entry_count_; ++k) take_entry(left, k + 1, entries);
    require_once(entries);
    for (ZipEntry& entry : entries) locate(entry);
    require_apart(entries);
    return entries;
  }

 private:
  // `args` follow the file, or the file and the entry.
  template <class... Args>
  [[noreturn]] void refuse_archive(std::string_view message, const Args&... args) const {
    throw InputError(Message(message, file_.name(), args...));
  }
  template <class... Args>
  [[noreturn]] void refuse_entry(const ZipEntry& entry, std::string_view message,
                                 const Args&... args) const {
    throw InputError(Message(message, file_.name(), printable(entry.name), args...));
  }

  std::vector<std::byte> bytes_at(std::uint64_t begin, std::uint64_t size) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    file_.read(begin, bytes, cancel_);
    return bytes;
  }

  // The end record is the last thing in the file but for a comment, whose length it says.
  void find_directory() {
    const std::uint64_t tail_bytes =
        std::min<std::uint64_t>(file_.size(), kEndBytes + kLongestComment);
    const std::vector<std::byte> tail = bytes_at(file_.size() - tail_bytes, tail_bytes);
    for (std::size_t at = tail.size() + 1; at-- > 0;) {
      if (tail.size() - at < kEndBytes || u32(tail, at) != kEndSignature) continue;
      if (u16(tail, at + 20) != tail.size() - at - kEndBytes) continue;
      return read_end(Bytes(tail).subspan(at), file_.size() - tail.size() + at);
    }
    refuse_archive(N_("{}: expected a zip archive, got no end of its directory"));
  }

  void read_end(Bytes end, std::uint64_t end_begin) {
    std::uint32_t disk = u16(end, 4), disk_of_directory = u16(end, 6);
    entry_count_ = u16(end, 10);
    directory_bytes_ = u32(end, 12);
    directory_begin_ = u32(end, 16);
    if (disk == kFull16 || entry_count_ == kFull16 || directory_bytes_ == kFull32 ||
        directory_begin_ == kFull32) {
      const std::vector<std::byte> end64 = zip64_end(end_begin);
      disk = u32(end64, 16);
      disk_of_directory = u32(end64, 20);
      entry_count_ = u64(end64, 32);
      directory_bytes_ = u64(end64, 40);
      directory_begin_ = u64(end64, 48);
    }
    if (disk != 0 || disk_of_directory != 0) {
      refuse_archive(N_("{}: expected a zip archive in one file, got part {} of several"), disk);
    }
    if (directory_begin_ > end_begin || directory_bytes_ > end_begin - directory_begin_) {
      refuse_archive(N_("{}: expected a directory within its {} bytes, got {} bytes from {} on"),
                     file_.size(), directory_bytes_, directory_begin_);
    }
    if (directory_bytes_ > kMostZipDirectoryBytes) {
      refuse_archive(N_("{}: expected a directory of at most {} bytes, got {}"),
                     kMostZipDirectoryBytes, directory_bytes_);
    }
  }

  std::vector<std::byte> zip64_end(std::uint64_t end_begin) const {
    if (end_begin >= kLocator64Bytes) {
      const auto locator = bytes_at(end_begin - kLocator64Bytes, kLocator64Bytes);
      const std::uint64_t begin = u64(locator, 8);
      if (u32(locator, 0) == kLocator64Signature && begin <= end_begin &&
          end_begin - begin >= kEnd64Bytes) {
        std::vector<std::byte> end64 = bytes_at(begin, kEnd64Bytes);
        if (u32(end64, 0) == kEnd64Signature) return end64;
      }
    }
    refuse_archive(N_("{}: expected a zip64 archive, got no zip64 end of its directory"));
  }

  // Takes an entry off the directory.
  void take_entry(Bytes& left, std::uint64_t position, std::vector<ZipEntry>& entries) const {
    const bool whole = left.size() >= kEntryBytes && u32(left, 0) == kEntrySignature;
    const std::size_t name_bytes = whole ? u16(left, 28) : 0,
                      extra_bytes = whole ? u16(left, 30) : 0;
    const std::size_t bytes = kEntryBytes + name_bytes + extra_bytes + (whole ? u16(left, 32) : 0u);
    if (!whole || left.size() < bytes) {
      refuse_archive(N_("{}: expected {} entries in its directory, got a damaged one at number {}"),
                     entry_count_, position);
    }
    ZipEntry entry;
    entry.name = text_at(left, kEntryBytes, name_bytes);
    if (invalid_utf8(entry.name)) {
      refuse_archive(N_("{}: expected names in UTF-8, got \"{}\""), printable(entry.name));
    }
    entry.checksum = u32(left, 16);
    entry.packed = u32(left, 20);
    entry.size = u32(left, 24);
    entry.header = u32(left, 42);
    take_zip64(left.subspan(kEntryBytes + name_bytes, extra_bytes), entry);
    if (!entry.name.ends_with('/')) {
      require_readable(entry, u16(left, 8), u16(left, 10));
      entry.deflated = u16(left, 10) == 8;
      entries.push_back(std::move(entry));
    }
    left = left.subspan(bytes);
  }

  // Numbers that did not fit follow each other in the extra field of zip64.
  void take_zip64(Bytes extra, ZipEntry& entry) const {
    while (extra.size() >= 4) {
      const std::size_t size = u16(extra, 2);
      if (size > extra.size() - 4) break;
      if (u16(extra, 0) == kZip64Extra) {
        Bytes numbers = extra.subspan(4, size);
        for (std::uint64_t* number : {&entry.size, &entry.packed, &entry.header}) {
          if (*number != kFull32 || numbers.size() < 8) continue;
          *number = u64(numbers, 0);
          numbers = numbers.subspan(8);
        }
        return;
      }
      extra = extra.subspan(4 + size);
    }
  }

  void require_readable(const ZipEntry& entry, std::uint16_t flags, std::uint16_t method) const {
    if ((flags & kEncrypted) != 0) {
      refuse_entry(entry,
                   N_("{}, entry \"{}\": expected an unencrypted file, got an encrypted one"));
    }
    if (method != 0 && method != 8) {
      refuse_entry(
          entry, N_("{}, entry \"{}\": expected it stored or deflated, got compression method {}"),
          method);
    }
    if (method == 0 && entry.packed != entry.size) {
      refuse_entry(entry, N_("{}, entry \"{}\": expected {} stored bytes, got {}"), entry.size,
                   entry.packed);
    }
    if (method == 8 && entry.size / kMostDeflateRatio > entry.packed) {
      refuse_entry(entry,
                   N_("{}, entry \"{}\": expected at most {} times its {} bytes, got {}: deflate "
                      "cannot do that"),
                   kMostDeflateRatio, entry.packed, entry.size);
    }
  }

  void require_once(const std::vector<ZipEntry>& entries) const {
    std::set<std::string_view> names;
    for (const ZipEntry& entry : entries) {
      if (!names.insert(entry.name).second) {
        refuse_archive(N_("{}: expected each name once, got \"{}\" twice"), printable(entry.name));
      }
    }
  }

  // An entry's bytes follow its own header, which repeats its name.
  void locate(ZipEntry& entry) const {
    const std::uint64_t end = directory_begin_;
    if (entry.header > end || end - entry.header < kLocalBytes + entry.name.size()) {
      refuse_outside(entry);
    }
    const auto header = bytes_at(entry.header, kLocalBytes + entry.name.size());
    if (u32(header, 0) != kLocalSignature || u16(header, 26) != entry.name.size() ||
        text_at(header, kLocalBytes, entry.name.size()) != entry.name ||
        u16(header, 8) != (entry.deflated ? 8 : 0)) {
      refuse_entry(entry,
                   N_("{}, entry \"{}\": expected a header as in the directory, got another"));
    }
    entry.begin = entry.header + header.size() + u16(header, 28);
    if (entry.begin > end || entry.packed > end - entry.begin) refuse_outside(entry);
  }

  [[noreturn]] void refuse_outside(const ZipEntry& entry) const {
    refuse_entry(entry, N_("{}, entry \"{}\": expected it before byte {}, got {} bytes from {} on"),
                 directory_begin_, entry.packed, entry.header);
  }

  void require_apart(const std::vector<ZipEntry>& entries) const {
    std::vector<const ZipEntry*> in_order;
    for (const ZipEntry& entry : entries) in_order.push_back(&entry);
    std::sort(in_order.begin(), in_order.end(),
              [](const ZipEntry* a, const ZipEntry* b) { return a->header < b->header; });
    for (std::size_t k = 1; k < in_order.size(); ++k) {
      const ZipEntry &before = *in_order[k - 1], &entry = *in_order[k];
      if (entry.header >= before.begin + before.packed) continue;
      refuse_entry(entry, N_("{}, entry \"{}\": expected bytes of its own, got some of \"{}\""),
                   printable(before.name));
    }
  }

  const LargeFile& file_;
  const Cancel& cancel_;
  std::uint64_t entry_count_ = 0, directory_bytes_ = 0, directory_begin_ = 0;
};

}  // namespace

std::vector<ZipEntry> read_zip_index(const LargeFile& file, const Cancel& cancel) {
  return ZipReader(file, cancel).read();
}

}  // namespace core
