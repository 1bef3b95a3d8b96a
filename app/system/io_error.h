// Errors of files that could not be read or written.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/words/sentence.h"

namespace sys {

// A file could not be read or written: one sentence with the path and the system's reason.
struct IoError : std::runtime_error, core::Translatable {
  explicit IoError(core::Message message)
      : std::runtime_error(message.in_english()), core::Translatable(std::move(message)) {}
};

// A path as messages name it.
std::string shown_path(const std::filesystem::path& path);

}  // namespace sys
