#include <windows.h>

#include "app/system/protection.h"
#include "core/system/wide.h"

namespace sys {

// Whose a file is says little here: its access list does, and it is asked by opening the file.
words::Sentence protection(const std::filesystem::path& path) {
  const HANDLE file = ::CreateFileW(core::system_path(path).c_str(), GENERIC_WRITE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file != INVALID_HANDLE_VALUE) {
    ::CloseHandle(file);
    return {};
  }
  if (::GetLastError() != ERROR_ACCESS_DENIED) return {};
  return words::Sentence(N_("it is write-protected"));
}

}  // namespace sys
