#include "app/system/folders.h"
#include "core/system/environment.h"

namespace sys {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const char* variable) {
  const fs::path folder = core::environment(variable).value_or("");
  return folder.is_absolute() ? folder / "attnscope" : fs::path();
}

}  // namespace

// Settings go with a person from machine to machine, what is kept stays.
fs::path settings_folder() { return folder_of("APPDATA"); }
fs::path data_folder() { return folder_of("LOCALAPPDATA"); }
bool has_desktop_files() { return false; }

}  // namespace sys
