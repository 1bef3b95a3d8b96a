// The files that a session reads: how it names them, and whether they have changed since.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/words/sentence.h"
#include "core/types.h"

namespace session {

// How a session in `folder` names a file: from there, or whole where they share no more than the
// root. `path` counts from the current folder.
std::string named_from(const std::filesystem::path& folder, const std::string& path);
// The whole path of what a session in `folder` names.
std::string found_from(const std::filesystem::path& folder, const std::string& name);

// What a file holds, in short, or the files of a folder together (those of folders in it aside).
struct Fingerprint {
  std::uintmax_t bytes = 0;
  std::int64_t written = 0;   // in ns since 1970, whole units of 100; of a folder, its newest
  std::string contents = {};  // core::content_hash in 16 digits; empty: not read
  bool operator==(const Fingerprint&) const = default;
};

// Bytes read for a fingerprint while somebody waits; by a command, where nobody drags a knob; and
// in the background. Holes are not read, nor what this program has read before and nobody has
// written to since.
inline constexpr std::uint64_t kReadAtOnce = std::uint64_t{16} << 20;
inline constexpr std::uint64_t kReadByCommand = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kReadAll = static_cast<std::uint64_t>(-1);

// Fingerprint of a file or folder; empty when it cannot be read. `contents` stays empty where more
// than `most` bytes would be read.
std::optional<Fingerprint> fingerprint(const std::string& path, std::uint64_t most = kReadAtOnce,
                                       const core::Cancel& cancel = {});

// A file of a session, by its whole path.
struct SessionFile {
  std::string path = {};
  std::optional<Fingerprint> then = {};  // what it held; empty: nobody knows
};

// Note about the file. Contents that are not read are not compared: then length and time are, and
// the note says so.
words::Sentence file_note(const SessionFile& file, std::uint64_t most = kReadAtOnce,
                          const core::Cancel& cancel = {});
// Waits until a file that was written just now has another time when it is written again: at most
// two seconds. What is read of it after that is remembered.
void wait_until_settled(const std::string& path, const core::Cancel& cancel);
// True while its contents are to be compared and not read yet.
bool waits_for_contents(const SessionFile& file);

}  // namespace session
