// The files that a session reads: how it names them, and whether they are what they were.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/words/sentence.h"

namespace lab {

// How a session in `folder` names a file: from there, or whole where they share no more than the
// root. `path` counts from the current folder.
std::string named_from(const std::filesystem::path& folder, const std::string& path);
// The whole path of what a session in `folder` names.
std::string found_from(const std::filesystem::path& folder, const std::string& name);

// What a file holds, in short, or a folder's files together.
struct Fingerprint {
  std::uintmax_t bytes = 0;
  std::string hash;
};
// Empty when it cannot be read, or is too long to be read for this.
std::optional<Fingerprint> fingerprint(const std::string& path);

// What to say of a file that held `then`; empty: nobody knows.
words::Sentence file_note(const std::string& path, const std::optional<Fingerprint>& then);

}  // namespace lab
