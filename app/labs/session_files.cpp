#include "app/labs/session_files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include "core/io/regular_file.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lab {
namespace {

namespace fs = std::filesystem;
using words::Sentence;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 28;

// What a regular file holds; empty when it cannot be read or is longer than that.
std::optional<std::string> bytes_of(const fs::path& path, std::uintmax_t most) {
  std::ifstream in;
  std::error_code error;
  if (!core::open_regular(path.string(), in).empty()) return std::nullopt;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > most) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

// Of a folder its files by their names; those within other folders are not looked at.
std::optional<Fingerprint> folder_fingerprint(const fs::path& folder) {
  std::error_code error;
  std::map<std::string, std::string> hashes;
  std::uintmax_t all = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!at->is_regular_file(error)) continue;
    const auto bytes = bytes_of(at->path(), kMostBytes - all);
    if (!bytes) return std::nullopt;
    all += bytes->size();
    hashes[at->path().filename().string()] = fmt::format("{:016x}", core::hash64(*bytes));
  }
  if (error) return std::nullopt;
  std::string text;
  for (const auto& [name, hash] : hashes) text += name + '\0' + hash + '\0';
  return Fingerprint{all, fmt::format("{:016x}", core::hash64(text))};
}

fs::path whole(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = path.empty() ? fs::current_path(error) : fs::absolute(path, error);
  fs::path normal = (error ? path : absolute).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();  // "/a/" is "/a"
}

}  // namespace

std::string named_from(const fs::path& folder, const std::string& path) {
  const fs::path from = whole(folder), to = whole(path);
  // The first part of a whole path is the root.
  const bool near = std::next(from.begin()) != from.end() && std::next(to.begin()) != to.end() &&
                    *std::next(from.begin()) == *std::next(to.begin());
  const fs::path relative = near ? to.lexically_relative(from) : fs::path();
  return (relative.empty() ? to : relative).string();
}

std::string found_from(const fs::path& folder, const std::string& name) {
  return (whole(folder) / name).lexically_normal().string();
}

std::optional<Fingerprint> fingerprint(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return folder_fingerprint(path);
  const auto bytes = bytes_of(path, kMostBytes);
  if (!bytes) return std::nullopt;
  return Fingerprint{bytes->size(), fmt::format("{:016x}", core::hash64(*bytes))};
}

Sentence file_note(const std::string& path, const std::optional<Fingerprint>& then) {
  const std::string shown = core::printable(path, 400);
  std::error_code unread;
  const bool folder = fs::is_directory(path, unread);
  std::ifstream in;
  if (const Sentence reason = folder ? Sentence() : core::open_regular(path, in); !reason.empty()) {
    return Sentence(N_("this session reads the file {}, which cannot be read: {}"), shown, reason);
  }
  const auto now = then ? fingerprint(path) : std::nullopt;
  if (!now) {
    return Sentence(
        folder ? N_("this session reads the folder {}") : N_("this session reads the file {}"),
        shown);
  }
  if (now->bytes == then->bytes && now->hash == then->hash) {
    return Sentence(folder ? N_("this session reads the folder {}, which is as it was")
                           : N_("this session reads the file {}, which is as it was"),
                    shown);
  }
  return Sentence(folder ? N_("this session reads the folder {}, which has changed since: it had "
                              "{} bytes then, and has {} now")
                         : N_("this session reads the file {}, which has changed since: it had {} "
                              "bytes then, and has {} now"),
                  shown, then->bytes, now->bytes);
}

}  // namespace lab
