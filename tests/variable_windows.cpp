#include <windows.h>

#include <array>
#include <filesystem>

#include "variable.h"

namespace test {

namespace {

using Name = std::filesystem::path;  // in UTF-8 and in the system's letters

void set(const Name& name, const wchar_t* value) { ::SetEnvironmentVariableW(name.c_str(), value); }

}  // namespace

const char* const kDataFolder = "LOCALAPPDATA";
const char* const kSettingsFolder = "APPDATA";

Variable::Variable(const char* name, const char* value) : name_(name) {
  std::array<wchar_t, 1 << 15> now{};  // no variable is longer
  if (::GetEnvironmentVariableW(Name(name).c_str(), now.data(), static_cast<DWORD>(now.size())) !=
      0) {
    was_ = Name(now.data()).string();
  }
  set(name, value ? Name(value).c_str() : nullptr);
}

Variable::~Variable() { set(name_, was_ ? Name(*was_).c_str() : nullptr); }

}  // namespace test
