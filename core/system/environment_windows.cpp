#include <windows.h>

#include "core/system/environment.h"
#include "core/system/wide.h"

namespace core {

std::optional<std::string> environment(const char* name) {
  const std::wstring wide_name = wide(name);
  std::wstring value;
  for (;;) {
    ::SetLastError(ERROR_SUCCESS);
    const DWORD units = ::GetEnvironmentVariableW(wide_name.c_str(), value.data(),
                                                  static_cast<DWORD>(value.size()));
    if (units == 0 && ::GetLastError() != ERROR_SUCCESS) return std::nullopt;
    const bool whole = units < value.size() || units == 0;
    value.resize(units);
    if (whole) return utf8(value);
  }
}

}  // namespace core
