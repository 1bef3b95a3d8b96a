// Bytes that no file holds, on the standard input or in a call, as a file that labs can read.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "app/system/guard.h"

namespace cli {

// Lies in a folder of its own, which only this person may read, while it lives.
class GivenFile {
 public:
  // `endings`: of the files that are wanted (param::File); the bytes say which of them it gets.
  // IoError when it cannot be written.
  GivenFile(std::string_view bytes, std::string_view endings);
  ~GivenFile();
  GivenFile(const GivenFile&) = delete;
  GivenFile& operator=(const GivenFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path folder_, path_;
  sys::Guard guard_;
};

using GivenFiles = std::map<std::string, std::unique_ptr<GivenFile>>;  // by their paths

// All of the standard input. Throws core::InputError where nothing comes, IoError where it cannot
// be read.
std::string standard_input();

}  // namespace cli
