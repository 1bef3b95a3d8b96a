#include <windows.h>
// After it.
#include <winioctl.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "system_files.h"

namespace test {

namespace {

// A file or folder that is open.
class Opened {
 public:
  Opened(const std::filesystem::path& path, DWORD access)
      : handle_(::CreateFileW(path.c_str(), access,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr)) {
    require(handle_ != INVALID_HANDLE_VALUE);
  }
  ~Opened() { ::CloseHandle(handle_); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  HANDLE handle() const { return handle_; }
  static void require(bool done) {
    if (!done) throw std::runtime_error("error " + std::to_string(::GetLastError()));
  }

 private:
  HANDLE handle_;
};

}  // namespace

void grow(const std::filesystem::path& path, std::uintmax_t bytes) {
  const Opened file(path, GENERIC_WRITE);
  DWORD none = 0;
  // Where there are no holes the new part is stored.
  ::DeviceIoControl(file.handle(), FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0, &none, nullptr);
  LARGE_INTEGER end{};
  end.QuadPart = static_cast<LONGLONG>(bytes);
  Opened::require(::SetFilePointerEx(file.handle(), end, nullptr, FILE_BEGIN) != 0);
  Opened::require(::SetEndOfFile(file.handle()) != 0);
}

void set_time(const std::filesystem::path& path, std::filesystem::file_time_type time) {
  const Opened file(path, FILE_WRITE_ATTRIBUTES);
  // In units of 100 ns, from 1601 on.
  using Units = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
  const auto since_1970 = std::chrono::floor<Units>(std::chrono::file_clock::to_sys(time));
  const auto units = static_cast<std::uint64_t>(since_1970.time_since_epoch().count() +
                                                11'644'473'600 * std::int64_t{10'000'000});
  const FILETIME written{static_cast<DWORD>(units), static_cast<DWORD>(units >> 32)};
  Opened::require(::SetFileTime(file.handle(), nullptr, nullptr, &written) != 0);
}

// As Windows 10 and later can where the other one shares it; Wine 8 cannot.
bool replace_open(const std::filesystem::path& from, const std::filesystem::path& to) {
  struct Rename {
    DWORD flags;
    HANDLE root;
    DWORD bytes;
    wchar_t name[1];
  };
  constexpr DWORD kReplace = 1, kPosix = 2;
  constexpr auto kRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
  const std::size_t bytes = to.native().size() * sizeof(wchar_t);
  std::vector<std::byte> memory(sizeof(Rename) + bytes);
  auto* rename = reinterpret_cast<Rename*>(memory.data());
  rename->flags = kReplace | kPosix;
  rename->bytes = static_cast<DWORD>(bytes);
  std::memcpy(rename->name, to.c_str(), bytes);
  const Opened file(from, DELETE);
  return ::SetFileInformationByHandle(file.handle(), kRenameInfoEx, rename,
                                      static_cast<DWORD>(memory.size())) != 0;
}

}  // namespace test
