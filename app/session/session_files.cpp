#include "app/session/session_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

#include "core/io/content_hash.h"
#include "core/io/large_file.h"
#include "core/io/regular_file.h"
#include "core/text/printable.h"

namespace session {
namespace {

namespace fs = std::filesystem;
using core::LargeFile;
using words::Sentence;

using Clock = std::chrono::system_clock;
constexpr auto kSettled = std::chrono::seconds(2);  // no file system's clock is coarser

// Systems count the time of a file in units of 1 ns and of 100 ns, or are told of it so by another:
// what a session holds is read on all of them.
constexpr std::int64_t kUnit = 100;

// The time in whole units, rounded down.
std::int64_t in_units(std::int64_t time) { return time - (time % kUnit + kUnit) % kUnit; }

std::int64_t time_of(const core::FileIdentity& file) {
  return in_units(file.seconds * 1'000'000'000 + file.nanoseconds);
}

Clock::time_point written_at(std::int64_t time) {
  return Clock::time_point(
      std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(time)));
}
Clock::time_point written_at(const core::FileIdentity& file) { return written_at(time_of(file)); }

// What was read once, by what the system tells of a file: the same for all that write sessions.
class KnownContents {
 public:
  std::optional<std::uint64_t> of(const core::FileIdentity& file) const {
    const std::scoped_lock lock(mutex_);
    const auto found = known_.find(file);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  // Not of a file that was written just before it was read: another writing might leave it with the
  // same time.
  void set(const core::FileIdentity& file, std::uint64_t hash, Clock::time_point began) {
    if (began - written_at(file) < kSettled) return;
    const std::scoped_lock lock(mutex_);
    known_[file] = hash;
  }

 private:
  mutable std::mutex mutex_;
  std::map<core::FileIdentity, std::uint64_t> known_;
};

KnownContents& known_contents() {
  static KnownContents known;
  return known;
}

std::string digits(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

// Files whose contents are asked for together. No two of them are open at once.
class Contents {
 public:
  explicit Contents(std::vector<fs::path> paths) : paths_(std::move(paths)) {
    for (const fs::path& path : paths_) files_.push_back(LargeFile(path).identity());
  }
  std::uintmax_t bytes() const {
    std::uintmax_t all = 0;
    for (const core::FileIdentity& file : files_) all += file.size;
    return all;
  }
  std::int64_t written() const {
    std::int64_t latest = files_.empty() ? 0 : time_of(files_.front());
    for (const core::FileIdentity& file : files_) latest = std::max(latest, time_of(file));
    return latest;
  }
  // Hashes of the files; empty where that would take more than so many bytes.
  std::vector<std::uint64_t> read(std::uint64_t most, const core::Cancel& cancel) const {
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < files_.size() && all <= most; ++k) {
      if (!known_contents().of(files_[k])) all += bytes_to_read(k, most, cancel);
    }
    if (all > most) return {};
    std::vector<std::uint64_t> hashes;
    std::uintmax_t done = 0;
    const auto whole = static_cast<float>(std::max<std::uintmax_t>(bytes(), 1));
    for (std::size_t k = 0; k < files_.size(); ++k) {
      const float begin = static_cast<float>(done) / whole;
      done += files_[k].size;
      hashes.push_back(hash_of(k, {begin, static_cast<float>(done) / whole}, cancel));
    }
    return hashes;
  }

 private:
  // A small file is read sooner than its holes are found.
  std::uint64_t bytes_to_read(std::size_t k, std::uint64_t most, const core::Cancel& cancel) const {
    if (files_[k].size <= most) return files_[k].size;
    const std::size_t too_many = static_cast<std::size_t>(most / core::kContentBlock) + 1;
    return core::stored_blocks(LargeFile(paths_[k]), cancel, too_many).size() * core::kContentBlock;
  }
  // On this thread alone: it waits for the memory, and others have something to show.
  std::uint64_t hash_of(std::size_t k, const core::ShareDone& share,
                        const core::Cancel& cancel) const {
    if (const auto known = known_contents().of(files_[k])) return *known;
    const Clock::time_point began = Clock::now();
    const LargeFile file(paths_[k]);
    const std::uint64_t hash = core::content_hash(file, 1, cancel, share);
    known_contents().set(file.identity(), hash, began);
    return hash;
  }

  std::vector<fs::path> paths_;
  std::vector<core::FileIdentity> files_;
};

// Those within other folders are not looked at. Sorted by their names in UTF-8, which is not the
// order of paths where these are UTF-16.
std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& one : fs::directory_iterator(folder)) {
    if (one.is_regular_file()) files.push_back(one.path());
  }
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return a.string() < b.string(); });
  return files;
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
  const fs::path ours = from.relative_path(), theirs = to.relative_path();  // without the root
  const bool near = from.root_path() == to.root_path() && !ours.empty() && !theirs.empty() &&
                    *ours.begin() == *theirs.begin();
  const fs::path relative = near ? to.lexically_relative(from) : fs::path();
  // With the "/" that every system reads.
  return relative.empty() ? to.string() : relative.generic_string();
}

std::string found_from(const fs::path& folder, const std::string& name) {
  return (whole(folder) / name).lexically_normal().string();
}

std::optional<Fingerprint> fingerprint(const std::string& path, std::uint64_t most,
                                       const core::Cancel& cancel) {
  try {
    const bool folder = fs::is_directory(path);
    const std::vector<fs::path> files = folder ? files_of(path) : std::vector<fs::path>{path};
    const Contents contents(files);
    Fingerprint fingerprint{contents.bytes(), contents.written()};
    const std::vector<std::uint64_t> hashes = contents.read(most, cancel);
    if (hashes.size() < files.size()) return fingerprint;
    std::string all;  // of a folder its files' names and contents
    for (std::size_t k = 0; folder && k < files.size(); ++k) {
      all += files[k].filename().string() + '\0' + digits(hashes[k]) + '\0';
    }
    fingerprint.contents =
        folder ? digits(core::xxh64(std::as_bytes(std::span(all)))) : digits(hashes.front());
    return fingerprint;
  } catch (const core::InputError&) {
    return std::nullopt;
  } catch (const fs::filesystem_error&) {
    return std::nullopt;
  }
}

namespace {

enum class Now { unknown, same, seems_same, other_time, other_contents, longer };

Now compared(const Fingerprint& then, const Fingerprint& now) {
  if (then.bytes != now.bytes) return Now::longer;
  const bool both = !then.contents.empty() && !now.contents.empty();
  if (both) return then.contents == now.contents ? Now::same : Now::other_contents;
  if (then.written == 0) return Now::unknown;
  // Sessions of before hold single nanoseconds.
  return in_units(then.written) == now.written ? Now::seems_same : Now::other_time;
}

std::string_view said_of(Now now, bool folder) {
  switch (now) {
    case Now::unknown: break;
    case Now::same:
      return folder ? N_("this session reads the folder {}, which has not changed")
                    : N_("this session reads the file {}, which has not changed");
    case Now::seems_same:
      return folder ? N_("this session reads the folder {}, whose length and time have not "
                         "changed: its contents were not compared")
                    : N_("this session reads the file {}, whose length and time have not changed: "
                         "its contents were not compared");
    case Now::other_time:
      return folder ? N_("this session reads the folder {}, which has the same length but was "
                         "written at another time: its contents were not compared")
                    : N_("this session reads the file {}, which has the same length but was "
                         "written at another time: its contents were not compared");
    case Now::other_contents:
      return folder ? N_("this session reads the folder {}, whose contents have changed since")
                    : N_("this session reads the file {}, whose contents have changed since");
    case Now::longer:
      return folder ? N_("this session reads the folder {}, which has changed since: it had {} "
                         "bytes then, and has {} now")
                    : N_("this session reads the file {}, which has changed since: it had {} "
                         "bytes then, and has {} now");
  }
  return folder ? N_("this session reads the folder {}") : N_("this session reads the file {}");
}

}  // namespace

Sentence file_note(const SessionFile& file, std::uint64_t most, const core::Cancel& cancel) {
  const std::string shown = core::printable(file.path, 400);
  std::error_code unread;
  const bool folder = fs::is_directory(file.path, unread);
  std::ifstream in;
  if (const Sentence reason = folder ? Sentence() : core::open_regular(file.path, in);
      !reason.empty()) {
    return Sentence(N_("this session reads the file {}, which cannot be read: {}"), shown, reason);
  }
  const auto now = file.then ? fingerprint(file.path, most, cancel) : std::nullopt;
  if (!now) return Sentence(said_of(Now::unknown, folder), shown);
  const Now state = compared(*file.then, *now);
  if (state != Now::longer) return Sentence(said_of(state, folder), shown);
  return Sentence(said_of(state, folder), shown, file.then->bytes, now->bytes);
}

void wait_until_settled(const std::string& path, const core::Cancel& cancel) {
  const auto now = fingerprint(path, 0);
  // A time to come is not waited for.
  const Clock::time_point latest = Clock::now() + kSettled;
  while (now && Clock::now() < std::min(latest, written_at(now->written) + kSettled)) {
    cancel.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

bool waits_for_contents(const SessionFile& file) {
  if (!file.then || file.then->contents.empty()) return false;
  const auto now = fingerprint(file.path);
  return now && now->bytes == file.then->bytes && now->contents.empty();
}

}  // namespace session
