// What tests of the lab of published models share.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "app/labs/checkpoint/page.h"
#include "trying.h"

namespace checkpoint_rig {

using namespace lab::checkpoint;  // NOLINT: the box under test
using namespace lab::trying;
namespace fs = std::filesystem;
using core::Index, core::VectorD;

using Made = Trial<Parameters>;
inline Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
inline Made preset(std::string_view id) {
  return lab::trying::preset<Parameters>("checkpoint", id);
}

inline fs::path reference(const std::string& name) {
  return fs::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference" / name;
}
inline fs::path shipped(const std::string& name) {
  return fs::path(ATTNSCOPE_SOURCE_DIR) / "assets/checkpoints" / name;
}

inline std::string refusal(Made& m) {
  try {
    m.page();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

// A folder of its own that goes with the block.
class Folder {
 public:
  explicit Folder(const fs::path& from) {
    fs::remove_all(path_);
    fs::copy(from, path_);
    for (const auto& file : fs::directory_iterator(path_)) {
      fs::permissions(file, fs::perms::owner_all);
    }
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path() const { return path_.string(); }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(path_ / file, std::ios::binary) << bytes;
  }
  std::string read(const std::string& file) const {
    std::ifstream in(path_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void remove(const std::string& file) const { fs::remove(path_ / file); }
  void take(const fs::path& from) const {
    fs::copy_file(from, path_ / from.filename(), fs::copy_options::overwrite_existing);
  }

 private:
  fs::path path_ = fs::temp_directory_path() / "attnscope_lab_checkpoint";
};

}  // namespace checkpoint_rig
