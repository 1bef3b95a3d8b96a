// What tests of the model share.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "app/state/program.h"
#include "test_lab.h"

namespace program_rig {

// A folder of its own, gone with the block.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("attnscope_model_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// What computations do in this block; models are made in it, too.
struct During {
  explicit During(test_lab::During what) { test_lab::during = std::move(what); }
  ~During() { test_lab::during = {}; }
  During(const During&) = delete;
  During& operator=(const During&) = delete;
};

}  // namespace program_rig
