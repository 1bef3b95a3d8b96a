// Where this program lies.
#pragma once

#include <filesystem>

namespace core {

// The file that this program was started from; empty where the system does not say.
std::filesystem::path own_program();

}  // namespace core
