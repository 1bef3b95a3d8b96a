// Opening files that a person named, which may be anything.
#pragma once

#include <filesystem>
#include <fstream>

#include "core/message.h"

namespace core {

// Why what the path names is no regular file; empty when it is one.
Message regular_fault(const std::filesystem::path& path);

// Opens a regular file to be read. What is none (a folder, a pipe, a socket, a device) is refused
// before it is opened: a pipe would keep its reader waiting for ever. Why it could not be opened;
// empty when `in` is open.
Message open_regular(const std::filesystem::path& path, std::ifstream& in);

}  // namespace core
