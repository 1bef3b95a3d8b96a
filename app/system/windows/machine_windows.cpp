#include <fmt/format.h>
#include <windows.h>
// After it.
#include <winternl.h>

#include "app/system/machine.h"

namespace sys {
namespace {

template <class Function>
Function function_of(const wchar_t* library, const char* name) {
  const HMODULE module = ::GetModuleHandleW(library);
  return module
             ? reinterpret_cast<Function>(reinterpret_cast<void*>(::GetProcAddress(module, name)))
             : nullptr;
}

}  // namespace

std::string system_name() {
  // GetVersionEx says what the program's manifest knows of.
  using GetVersion = LONG(WINAPI*)(OSVERSIONINFOW*);
  OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  const auto get = function_of<GetVersion>(L"ntdll.dll", "RtlGetVersion");
  std::string name = "Windows";
  if (get && get(&version) == 0) {
    name += fmt::format(" {}.{}.{}", version.dwMajorVersion, version.dwMinorVersion,
                        version.dwBuildNumber);
  }
  SYSTEM_INFO machine{};
  ::GetNativeSystemInfo(&machine);
  name += machine.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64 ? ", x86_64" : ", ARM64";
  using WineVersion = const char* (*)();
  const auto wine = function_of<WineVersion>(L"ntdll.dll", "wine_get_version");
  return wine ? fmt::format("{}, Wine {}", name, wine()) : name;
}

}  // namespace sys
