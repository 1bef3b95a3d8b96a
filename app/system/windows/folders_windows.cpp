#include <windows.h>

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

std::vector<fs::path> roots() {
  constexpr int kLetters = 26;
  const DWORD drives = ::GetLogicalDrives();
  std::vector<fs::path> all;
  for (int k = 0; k < kLetters; ++k) {
    if ((drives >> k & 1) != 0)
      all.emplace_back(std::string(1, static_cast<char>('A' + k)) + ":\\");
  }
  return all;
}

}  // namespace sys
