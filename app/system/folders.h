// Folders for what is not a person's own file.
#pragma once

#include <filesystem>

namespace sys {

// The program's folders, made or not; empty where the environment names none.
std::filesystem::path settings_folder();  // how the window looks: XDG_CONFIG_HOME or ~/.config
std::filesystem::path data_folder();      // what it keeps: XDG_DATA_HOME or ~/.local/share

// Whether a file can be made there, or in what of its way there is already; nothing stays.
bool can_write_below(const std::filesystem::path& folder);

// Makes the folder with its parents; true when it was not there. IoError when it cannot be made.
bool make_folder(const std::filesystem::path& folder);

}  // namespace sys
