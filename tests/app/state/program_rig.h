// What tests of the model share.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "app/state/program.h"
#include "folder.h"
#include "test_lab.h"

namespace program_rig {

using test::Folder;

// What computations do in this block; models are made in it, too.
struct During {
  explicit During(test_lab::During what) { test_lab::during = std::move(what); }
  ~During() { test_lab::during = {}; }
  During(const During&) = delete;
  During& operator=(const During&) = delete;
};

}  // namespace program_rig
