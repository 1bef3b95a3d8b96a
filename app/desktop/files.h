// What lies beside an installed program, in a folder such as /usr/share or ~/.local/share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace desktop {

struct File {
  std::filesystem::path path;  // from that folder: "applications/attnscope.desktop"
  std::string bytes;
};

// Entry, icons of all sizes, file types and metadata. `program`: how it is started.
std::vector<File> files(const std::string& program);

// Writes them all, with the folders they need. Throws sys::IoError; what is written stays.
void write(const std::filesystem::path& share, const std::vector<File>& files);
// Removes those that are there, and folders that are then empty; how many there were.
std::size_t remove(const std::filesystem::path& share, const std::vector<File>& files);

// Tells the desktop what has changed, by its own programs where they are installed.
void refresh(const std::filesystem::path& share);

}  // namespace desktop
