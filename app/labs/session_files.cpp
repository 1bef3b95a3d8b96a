#include "app/labs/session_files.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include "core/io/regular_file.h"
#include "core/random.h"
#include "core/text/printable.h"

namespace lab {
namespace {

namespace fs = std::filesystem;
using words::Sentence;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 28;

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
  std::ifstream in;
  std::error_code error;
  if (!core::open_regular(path, in).empty()) return std::nullopt;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > kMostBytes) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return Fingerprint{bytes.size(), fmt::format("{:016x}", core::hash64(bytes))};
}

Sentence file_note(const std::string& path, const std::optional<Fingerprint>& then) {
  const std::string shown = core::printable(path, 400);
  std::error_code unread;
  if (fs::is_directory(path, unread)) {
    return Sentence(N_("this session reads the folder {}"), shown);
  }
  std::ifstream in;
  if (const Sentence reason = core::open_regular(path, in); !reason.empty()) {
    return Sentence(N_("this session reads the file {}, which cannot be read: {}"), shown, reason);
  }
  const auto now = then ? fingerprint(path) : std::nullopt;
  if (!now) return Sentence(N_("this session reads the file {}"), shown);
  if (now->bytes == then->bytes && now->hash == then->hash) {
    return Sentence(N_("this session reads the file {}, which is as it was"), shown);
  }
  return Sentence(N_("this session reads the file {}, which has changed since: it had {} bytes "
                     "then, and has {} now"),
                  shown, then->bytes, now->bytes);
}

}  // namespace lab
