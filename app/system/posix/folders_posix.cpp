#include "app/system/folders.h"
#include "core/system/environment.h"

namespace sys {
namespace {

namespace fs = std::filesystem;

// The program's folder where `variable` says that such files are kept, or in `usual` at home (XDG
// Base Directory Specification: what is not absolute counts as not set).
fs::path folder_of(const char* variable, const char* usual) {
  const fs::path wanted = core::environment(variable).value_or("");
  if (wanted.is_absolute()) return wanted / "attnscope";
  const fs::path home = core::environment("HOME").value_or("");
  return home.is_absolute() ? home / usual / "attnscope" : fs::path();
}

}  // namespace

fs::path settings_folder() { return folder_of("XDG_CONFIG_HOME", ".config"); }
fs::path data_folder() { return folder_of("XDG_DATA_HOME", ".local/share"); }
bool has_desktop_files() { return true; }
std::vector<fs::path> roots() { return {"/"}; }

}  // namespace sys
