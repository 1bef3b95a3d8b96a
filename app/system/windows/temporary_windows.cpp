#include <fmt/format.h>
#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "app/system/temporary.h"
#include "core/per_thread.h"
#include "core/system/windows/wide.h"

namespace sys {
namespace {

HANDLE file_of(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

bool runs(DWORD process) {
  const HANDLE handle = ::OpenProcess(SYNCHRONIZE, FALSE, process);
  if (!handle) return ::GetLastError() == ERROR_ACCESS_DENIED;
  const bool ended = ::WaitForSingleObject(handle, 0) == WAIT_OBJECT_0;
  ::CloseHandle(handle);
  return !ended;
}

// Removes what writers that are gone left. A file that a writer elsewhere holds open, on a shared
// disk, cannot be removed: it did not share that.
void sweep(const std::filesystem::path& folder) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> swept;
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(folder, error);
  const std::scoped_lock lock(mutex);
  if (error || !swept.insert(whole).second) return;
  WIN32_FIND_DATAW found{};
  const HANDLE search = ::FindFirstFileW(core::system_path(whole / ".*.tmp").c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return;
  do {
    const DWORD process = process_of(core::utf8(found.cFileName));
    if (process == 0 || runs(process)) continue;
    const DWORD no_file = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
    if ((found.dwFileAttributes & no_file) != 0) continue;
    ::DeleteFileW(core::system_path(whole / found.cFileName).c_str());
  } while (::FindNextFileW(search, &found));
  ::FindClose(search);
}

std::filesystem::path name_beside(const std::filesystem::path& target) {
  // The target's name is cut so that the temporary's stays within the usual 255 units.
  const std::wstring name = target.filename().native().substr(0, 190);
  return target.parent_path() / (L"." + name + core::wide(new_mark()));
}

// Puts a file in the target's place, where the system can also while other programs read what stood
// there.
bool rename_to(const std::wstring& from, const std::wstring& target) {
  // The layout of FILE_RENAME_INFO with the flags that Windows 10 gave it.
  struct Rename {
    DWORD flags;
    HANDLE root;
    DWORD bytes;
    wchar_t name[1];
  };
  constexpr DWORD kReplace = 1, kPosix = 2;
  constexpr auto kRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
  const std::size_t bytes = target.size() * sizeof(wchar_t);
  std::vector<std::byte> memory(sizeof(Rename) + bytes);
  auto* rename = reinterpret_cast<Rename*>(memory.data());
  rename->flags = kReplace | kPosix;
  rename->bytes = static_cast<DWORD>(bytes);
  std::memcpy(rename->name, target.c_str(), bytes);
  const HANDLE file =
      ::CreateFileW(from.c_str(), DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  const auto size = static_cast<DWORD>(memory.size());
  const bool renamed = ::SetFileInformationByHandle(file, kRenameInfoEx, rename, size) != 0;
  ::CloseHandle(file);
  return renamed;
}

// The same on older systems. Programs that look at every new file, for viruses
// or for an index, hold it for a moment.
bool move_to(const std::wstring& from, const std::wstring& to) {
  constexpr int kTries = 20;
  constexpr DWORD kBetween = 25;  // ms
  for (int tried = 1;; ++tried) {
    if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING)) return true;
    const DWORD error = ::GetLastError();
    const bool held = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
    if (!held || tried == kTries) {
      ::SetLastError(error);
      return false;
    }
    ::Sleep(kBetween);
  }
}

}  // namespace

std::string new_mark() {
  static thread_local core::PerThread<std::mt19937_64> random(std::random_device{}());
  return fmt::format("{}{}-{:016x}{}", kTemporaryMark, ::GetCurrentProcessId(), random(),
                     kTemporaryEnd);
}

std::error_code Temporary::open(const std::filesystem::path& target) {
  sweep(target.has_parent_path() ? target.parent_path() : ".");
  take_name(target);
  // Others may write to it, as a program that makes films does, but not remove it: nor does this
  // handle ask for that, which they would have to share.
  const HANDLE file = ::CreateFileW(core::system_path(path_).c_str(), GENERIC_WRITE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, CREATE_NEW,
                                    FILE_ATTRIBUTE_HIDDEN, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    const std::error_code error = core::last_system_error();
    path_.clear();
    guard_.reset();
    return error;
  }
  handle_ = reinterpret_cast<std::intptr_t>(file);
  return {};
}

Temporary::~Temporary() {
  if (handle_ != -1) ::CloseHandle(file_of(handle_));
  if (!path_.empty()) ::DeleteFileW(core::system_path(path_).c_str());
}

// Before there is a file of this name that would have to be removed.
void Temporary::take_name(const std::filesystem::path& target) {
  path_ = name_beside(target);
  guard_.emplace(path_);
}

std::error_code Temporary::write(std::string_view bytes) {
  constexpr std::size_t kMost = 1 << 30;  // a call takes 32 bits
  while (!bytes.empty()) {
    DWORD written = 0;
    if (!::WriteFile(file_of(handle_), bytes.data(),
                     static_cast<DWORD>(std::min(bytes.size(), kMost)), &written, nullptr)) {
      return core::last_system_error();
    }
    bytes.remove_prefix(written);
  }
  return {};
}

// Files have access lists here, which a new one has from its folder.
void Temporary::take_permissions(std::filesystem::perms) {}

std::error_code Temporary::replace(const std::filesystem::path& target) {
  const HANDLE file = file_of(handle_);
  if (!::FlushFileBuffers(file)) return core::last_system_error();
  const std::wstring from = core::system_path(path_);
  ::SetFileAttributesW(from.c_str(), FILE_ATTRIBUTE_NORMAL);  // hidden no more
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(target, error).make_preferred();
  if (error) return error;
  handle_ = -1;
  ::CloseHandle(file);
  const std::wstring to = core::system_path(whole);
  if (!rename_to(from, to) && !move_to(from, to)) return core::last_system_error();
  path_.clear();
  return {};
}

}  // namespace sys
