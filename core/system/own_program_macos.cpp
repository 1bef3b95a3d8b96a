#include <mach-o/dyld.h>

#include <cstdint>
#include <string>

#include "core/system/own_program.h"

namespace core {

std::filesystem::path own_program() {
  std::uint32_t size = 0;
  ::_NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  if (size == 0 || ::_NSGetExecutablePath(path.data(), &size) != 0) return {};
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(path.c_str(), error);
  return error ? std::filesystem::path() : whole;
}

}  // namespace core
