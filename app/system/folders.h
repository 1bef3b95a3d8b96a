// Folders for what is not a person's own file.
#pragma once

#include <filesystem>
#include <vector>

namespace sys {

// The program's folders, made or not; empty where the environment names none. How the window looks:
// in XDG_CONFIG_HOME or ~/.config, in %APPDATA% on Windows.
std::filesystem::path settings_folder();
// What it keeps: in XDG_DATA_HOME or ~/.local/share, in %LOCALAPPDATA% on Windows.
std::filesystem::path data_folder();

// Whether entries of menus, icons and types of files are files of such a folder (the Desktop Entry
// Specification and its kin).
bool has_desktop_files();

// Where whole paths begin: "/", or the drives of Windows that are there.
std::vector<std::filesystem::path> roots();

// Whether a file can be made there, or in what of its way there is already; nothing stays.
bool can_write_below(const std::filesystem::path& folder);

// Makes the folder with its parents; true when it was not there. IoError when it cannot be made.
bool make_folder(const std::filesystem::path& folder);

}  // namespace sys
