#include "app/cli/shared/given_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGivenName = "given-";
constexpr std::uint64_t kMostInput = std::uint64_t{1} << 32;  // bytes

// What the bytes are: ".npz", ".npy", ".safetensors", ".json" or ".txt".
std::string_view ending_in(std::string_view bytes) {
  if (bytes.starts_with("\x93NUMPY")) return ".npy";
  if (bytes.starts_with("PK")) return ".npz";
  constexpr std::size_t kLength = 8;  // of a .safetensors' header, before it
  if (bytes.size() > kLength && bytes[kLength] == '{' && bytes[kLength - 1] == 0) {
    return ".safetensors";
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool json = first != bytes.npos && (bytes[first] == '[' || bytes[first] == '{');
  return json ? ".json" : ".txt";
}

// One of the endings that are wanted: the bytes' own where that is among them, else the first.
std::string chosen_ending(std::string_view bytes, std::string_view endings) {
  const std::string_view own = ending_in(bytes);
  std::string_view first;
  while (!endings.empty()) {
    const std::size_t space = std::min(endings.find(' '), endings.size());
    const std::string_view one = endings.substr(0, space);
    endings.remove_prefix(std::min(space + 1, endings.size()));
    if (one == own) return std::string(one);
    if (first.empty() && one.starts_with('.')) first = one;
  }
  return std::string(first);
}

fs::path new_folder() {
  std::error_code error;
  const fs::path all = fs::temp_directory_path(error);
  if (error) {
    words::refuse<sys::IoError>(N_("there is no folder for temporary files: {}"), error.message());
  }
  fs::path folder = all / ("given" + sys::new_mark());
  sys::make_folder(folder);
  fs::permissions(folder, fs::perms::owner_all, error);  // where the system has such
  return folder;
}

}  // namespace

GivenFile::GivenFile(std::string_view bytes, std::string_view endings)
    : folder_(new_folder()),
      path_(folder_ / (kGivenName + ("1" + chosen_ending(bytes, endings)))),
      guard_(folder_, true, kGivenName, 1, path_.extension().string()) {
  guard_.cover(1);
  try {
    sys::write_atomically(path_, bytes);
  } catch (...) {
    std::error_code error;
    fs::remove_all(folder_, error);
    throw;
  }
}

GivenFile::~GivenFile() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string standard_input() {
  std::string bytes;
  std::array<char, 1 << 16> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), stdin)) {
    bytes.append(part.data(), count);
    if (const std::uint64_t size = bytes.size(); size > kMostInput) {
      words::refuse<core::InputError>(
          N_("expected at most {} GB on the standard input, got more: write a file"),
          kMostInput >> 30);
    }
  }
  if (std::ferror(stdin)) {
    words::refuse<sys::IoError>(N_("the standard input cannot be read"));
  }
  if (bytes.empty()) {
    words::refuse<core::InputError>(N_("expected a file on the standard input, got nothing"));
  }
  return bytes;
}

}  // namespace cli
