#include <windows.h>

#include <string>

#include "core/system/own_program.h"

namespace core {

std::filesystem::path own_program() {
  std::wstring path(1 << 15, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

}  // namespace core
