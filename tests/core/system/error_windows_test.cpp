#include <doctest/doctest.h>
#include <windows.h>

#include <filesystem>
#include <string>

#include "core/system/error.h"
#include "core/system/windows/wide.h"

namespace error_windows_test {

TEST_CASE("errors of Windows are told in words") {
  const auto said = [](DWORD error) {
    return core::system_reason({static_cast<int>(error), std::system_category()}).in_english();
  };
  CHECK(said(ERROR_FILE_NOT_FOUND) == "there is no such file or folder");
  CHECK(said(ERROR_PATH_NOT_FOUND) == "there is no such file or folder");
  CHECK(said(ERROR_ACCESS_DENIED) == "permission denied");
  CHECK(said(ERROR_SHARING_VIOLATION) == "it is in use");
  CHECK(said(ERROR_DISK_FULL) == "the disk is full");
  CHECK(said(ERROR_WRITE_PROTECT) == "the disk is read-only");
  CHECK(said(ERROR_FILENAME_EXCED_RANGE) == "the name is too long");
  CHECK(said(ERROR_INVALID_NAME) == "there is no such file or folder");
}

TEST_CASE("a path is made of UTF-8, and malformed bytes make no error") {
  const std::string name = "注意力 \xF0\x9F\x94\x8D é";
  CHECK(std::filesystem::path(name).string() == name);
  CHECK(std::filesystem::path(name).native() == core::wide(name));
  CHECK(core::utf8(core::wide(name)) == name);
  CHECK((std::filesystem::path("a") / name).filename().string() == name);
  CHECK(std::filesystem::path("a\xFFz\xE6").native() == L"a\xFFFDz\xFFFD");
}

TEST_CASE("a long path is whole and marked") {
  const std::filesystem::path folder = "C:\\" + std::string(200, 'a');
  CHECK(core::system_path(folder) == folder.native());
  const std::filesystem::path path = folder / std::string(100, 'b') / ".." / std::string(50, 'c');
  CHECK(core::system_path(path) == LR"(\\?\)" + (folder / std::string(50, 'c')).native());
  CHECK(core::system_path(LR"(\\server\share\)" + std::wstring(300, L'd')) ==
        LR"(\\?\UNC\server\share\)" + std::wstring(300, L'd'));
}

}  // namespace error_windows_test
