#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "app/system/streams.h"
#include "core/system/windows/wide.h"

namespace sys {
namespace {

UINT code_page_before = 0;
bool unheard = false;  // nobody reads the standard error

void restore_code_page() { ::SetConsoleOutputCP(code_page_before); }

// Whether the console was made for this program alone, by a click: it goes when the program ends,
// and nobody reads what is said there.
bool has_own_console() {
  std::array<DWORD, 2> processes{};
  return ::GetConsoleProcessList(processes.data(), static_cast<DWORD>(processes.size())) == 1;
}

}  // namespace

void keep_streams() {
  const bool to_console = ::GetFileType(::GetStdHandle(STD_ERROR_HANDLE)) == FILE_TYPE_CHAR;
  unheard = to_console && has_own_console();
  // What the console shows is UTF-8, until it is another program's again.
  code_page_before = ::GetConsoleOutputCP();
  if (code_page_before != 0 && code_page_before != CP_UTF8 && ::SetConsoleOutputCP(CP_UTF8)) {
    std::atexit(restore_code_page);
  }
  FILE* const streams[] = {stdin, stdout, stderr};
  for (int stream = 0; stream < 3; ++stream) {
    // Bytes are what they are: no "\r" comes before "\n".
    if (::_fileno(streams[stream]) >= 0 && ::_get_osfhandle(stream) != -1) {
      ::_setmode(stream, _O_BINARY);
      continue;
    }
    unheard = unheard || stream == 2;
    std::freopen("NUL", stream == 0 ? "wb" : "rb", streams[stream]);
  }
  // The C library keeps what goes to a console or a pipe back otherwise.
  std::setvbuf(stderr, nullptr, _IONBF, 0);
}

void outlive_readers() {}

void leave_own_console() {
  if (has_own_console()) ::FreeConsole();
}

void show_unheard(const std::string& text) {
  if (!unheard) return;
  ::MessageBoxW(nullptr, core::wide(text).c_str(), L"attnscope", MB_OK | MB_ICONINFORMATION);
}

}  // namespace sys
