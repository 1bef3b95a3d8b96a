#include <windows.h>

#include "core/system/environment.h"
#include "core/system/windows/wide.h"

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

std::string message_locale() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const std::string value = environment(name).value_or("");
    if (!value.empty()) return value;
  }
  wchar_t name[LOCALE_NAME_MAX_LENGTH] = {};
  ::LCIDToLocaleName(MAKELCID(::GetUserDefaultUILanguage(), SORT_DEFAULT), name,
                     LOCALE_NAME_MAX_LENGTH, 0);
  return utf8(name);
}

}  // namespace core
