#include <windows.h>
// After it.
#include <winioctl.h>

#include <algorithm>

#include "core/system/opened_file.h"
#include "core/system/windows/wide.h"

namespace core {
namespace {

HANDLE file_of(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

std::intptr_t open_to(const std::filesystem::path& path, DWORD access, DWORD flags) {
  return reinterpret_cast<std::intptr_t>(::CreateFileW(
      system_path(path).c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
      nullptr, OPEN_EXISTING, flags, nullptr));
}

std::error_code identify_open(std::intptr_t handle, FileIdentity& identity) {
  BY_HANDLE_FILE_INFORMATION file{};
  if (!::GetFileInformationByHandle(file_of(handle), &file)) return last_system_error();
  const auto whole = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  // In units of 100 ns, from 1601 on.
  constexpr std::int64_t kSecond = 10'000'000, kUntil1970 = 11'644'473'600 * kSecond;
  const std::int64_t time = static_cast<std::int64_t>(whole(file.ftLastWriteTime.dwHighDateTime,
                                                            file.ftLastWriteTime.dwLowDateTime)) -
                            kUntil1970;
  const std::int64_t part = (time % kSecond + kSecond) % kSecond;  // before 1970, too
  identity = {file.dwVolumeSerialNumber, whole(file.nFileIndexHigh, file.nFileIndexLow),
              whole(file.nFileSizeHigh, file.nFileSizeLow), (time - part) / kSecond, part * 100};
  return {};
}

}  // namespace

std::error_code identify(const std::filesystem::path& path, FileIdentity& identity) {
  // Folders are opened with this flag alone.
  const std::intptr_t handle = open_to(path, FILE_READ_ATTRIBUTES, FILE_FLAG_BACKUP_SEMANTICS);
  if (handle == -1) return last_system_error();
  const std::error_code error = identify_open(handle, identity);
  ::CloseHandle(file_of(handle));
  return error;
}

OpenedFile::~OpenedFile() {
  if (handle_ != -1) ::CloseHandle(file_of(handle_));
}

std::error_code OpenedFile::open(const std::filesystem::path& path) {
  handle_ = open_to(path, GENERIC_READ, FILE_ATTRIBUTE_NORMAL);
  return handle_ == -1 ? last_system_error() : std::error_code();
}

std::error_code OpenedFile::identify(FileIdentity& identity) const {
  return identify_open(handle_, identity);
}

std::error_code OpenedFile::read(std::uint64_t begin, std::span<std::byte> to,
                                 std::size_t& got) const {
  constexpr std::size_t kMost = 1 << 30;  // a call takes 32 bits
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(begin);
  at.OffsetHigh = static_cast<DWORD>(begin >> 32);
  DWORD bytes = 0;
  const auto wanted = static_cast<DWORD>(std::min(to.size(), kMost));
  if (!::ReadFile(file_of(handle_), to.data(), wanted, &bytes, &at) &&
      ::GetLastError() != ERROR_HANDLE_EOF) {
    return last_system_error();
  }
  got = bytes;
  return {};
}

OpenedFile::Stretch OpenedFile::data_from(std::uint64_t begin, std::uint64_t size) const {
  if (begin >= size) return {size, size};
  FILE_ALLOCATED_RANGE_BUFFER wanted{}, data{};
  wanted.FileOffset.QuadPart = static_cast<LONGLONG>(begin);
  wanted.Length.QuadPart = static_cast<LONGLONG>(size - begin);
  DWORD bytes = 0;
  const bool known = ::DeviceIoControl(file_of(handle_), FSCTL_QUERY_ALLOCATED_RANGES, &wanted,
                                       sizeof wanted, &data, sizeof data, &bytes, nullptr) != 0 ||
                     ::GetLastError() == ERROR_MORE_DATA;  // one stretch of several
  if (!known) return {begin, size};
  if (bytes < sizeof data) return {size, size};
  const auto first = static_cast<std::uint64_t>(data.FileOffset.QuadPart);
  const auto end = first + static_cast<std::uint64_t>(data.Length.QuadPart);
  return {std::clamp(first, begin, size), std::clamp(end, begin, size)};
}

}  // namespace core
