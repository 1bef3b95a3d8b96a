#include <windows.h>

#include "app/system/protection.h"
#include "core/system/windows/wide.h"

namespace sys {

// Whose a file is says little here: its access list does, and it is asked by opening the file.
words::Sentence protection(const std::filesystem::path& path) {
  const std::wstring name = core::system_path(path);
  const words::Sentence is_protected(N_("it is write-protected"));
  const DWORD attributes = ::GetFileAttributesW(name.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return {};
  if ((attributes & FILE_ATTRIBUTE_READONLY) != 0) return is_protected;
  const HANDLE file = ::CreateFileW(name.c_str(), GENERIC_WRITE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    return ::GetLastError() == ERROR_ACCESS_DENIED ? is_protected : words::Sentence();
  }
  ::CloseHandle(file);
  return {};
}

}  // namespace sys
