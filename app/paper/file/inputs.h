// Input files of an output: none of them may be written over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

#include "app/session/session.h"

namespace paper {

// Whether the file carries a session, as all do that this program exports.
bool written_here(const std::filesystem::path& path);

class Inputs {
 public:
  // Adds a file, or a folder with the files in it (not those of folders in it). What is not there
  // is no input.
  void add(const std::filesystem::path& path);
  // Adds what a lab with these values reads.
  void add(const lab::Lab& lab, const param::Values& values);
  // Adds what a session reads, its holds included.
  void add(const session::Session& session);

  // Throws core::InputError where the file at `out`, or a frame in the folder at `out`, is one of
  // them, whatever name or link leads there. A figure or numbers that this program wrote into a
  // folder that is read may be written again.
  void refuse(const std::filesystem::path& out) const;

 private:
  // A file's device and number.
  using Identity = std::pair<std::uint64_t, std::uint64_t>;
  enum class Named { itself, by_folder };
  void add_file(const std::filesystem::path& path, Named how);
  void refuse_file(const std::filesystem::path& out) const;

  std::map<Identity, Named> files_;
};

}  // namespace paper
