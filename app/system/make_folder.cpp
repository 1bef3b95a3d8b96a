#include "app/system/folders.h"
#include "app/system/io_error.h"
#include "app/system/temporary.h"
#include "core/system/error.h"

namespace sys {

bool make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  const bool made = std::filesystem::create_directories(folder, error);
  if (error) {
    words::refuse<IoError>(N_("cannot make the folder {}: {}"), shown_path(folder),
                           core::system_reason(error));
  }
  return made;
}

bool can_write_below(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path there = folder;
  while (!there.empty() && !std::filesystem::exists(there, error) && there != there.root_path()) {
    there = there.parent_path();
  }
  Temporary probe;
  return !probe.open(there / "attnscope");
}

}  // namespace sys
