// What tests of the lab of published models share.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "app/labs/checkpoint/page.h"
#include "folder.h"
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

using test::Folder;

}  // namespace checkpoint_rig
