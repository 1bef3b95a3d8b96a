#include <doctest/doctest.h>
#include <windows.h>

#include <filesystem>
#include <string>

#include "app/system/atomic_file.h"
#include "app/system/folders.h"
#include "app/system/temporary_series.h"
#include "core/system/windows/wide.h"
#include "folder.h"

namespace files_windows_test {

namespace {

std::string refusal(const std::filesystem::path& target) {
  try {
    sys::write_atomically(target, "new");
  } catch (const sys::IoError& error) {
    return error.what();
  }
  return "";
}

// Another program's open file.
struct Held {
  Held(const std::filesystem::path& path, DWORD shared)
      : file(::CreateFileW(path.c_str(), GENERIC_READ, shared, nullptr, OPEN_EXISTING,
                           FILE_ATTRIBUTE_NORMAL, nullptr)) {
    REQUIRE(file != INVALID_HANDLE_VALUE);
  }
  ~Held() { ::CloseHandle(file); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  HANDLE file;
};

}  // namespace

TEST_CASE("a file is written, replaced, and nothing else is left") {
  const test::Folder folder;
  sys::write_atomically(folder / "a.txt", "old");
  std::string large(3'000'000, 'x');
  large.back() = 'y';
  {
    sys::AtomicFile file(folder / "a.txt");
    file.write("begin");
    file.write(large);
    file.write("end");
    CHECK(test::read(folder / "a.txt") == "old");
    CHECK(folder.files() == 2);
    file.commit();
  }
  CHECK(test::read(folder / "a.txt") == "begin" + large + "end");
  CHECK(folder.files() == 1);
  const DWORD attributes = ::GetFileAttributesW((folder / "a.txt").c_str());
  CHECK((attributes & FILE_ATTRIBUTE_HIDDEN) == 0);
  { sys::AtomicFile(folder / "a.txt").write("new"); }
  CHECK(test::read(folder / "a.txt").starts_with("begin"));
  CHECK(folder.files() == 1);
}

TEST_CASE("files have names of any language, and paths of any length") {
  const test::Folder folder;
  const std::filesystem::path chinese = folder / "注意力 é.txt";
  sys::write_atomically(chinese, "here");
  CHECK(test::read(chinese) == "here");
  CHECK(std::filesystem::directory_iterator(folder.path())->path().filename() == "注意力 é.txt");

  std::filesystem::path deep = folder.path();
  while (deep.native().size() < 300) {
    deep /= std::string(50, 'd');
    REQUIRE(::CreateDirectoryW(core::system_path(deep).c_str(), nullptr));
  }
  sys::write_atomically(deep / "a.txt", "far");
  sys::write_atomically(deep / "a.txt", "farther");
  const HANDLE file =
      ::CreateFileW(core::system_path(deep / "a.txt").c_str(), GENERIC_READ, FILE_SHARE_READ,
                    nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  REQUIRE(file != INVALID_HANDLE_VALUE);
  CHECK(::GetFileSize(file, nullptr) == 7);
  ::CloseHandle(file);
}

TEST_CASE("what cannot be written is said with its path and reason") {
  const test::Folder folder;
  std::filesystem::create_directory(folder / "sub");
  CHECK(refusal(folder / "sub").ends_with("sub: it is a folder"));
  CHECK(refusal(folder / "none" / "a.txt").ends_with("there is no such file or folder"));
  CHECK(refusal("").ends_with("it names no file"));
  test::write(folder / "a.txt", "old");
  ::SetFileAttributesW((folder / "a.txt").c_str(), FILE_ATTRIBUTE_READONLY);
  CHECK(refusal(folder / "a.txt").ends_with("a.txt: it is write-protected"));
  ::SetFileAttributesW((folder / "a.txt").c_str(), FILE_ATTRIBUTE_NORMAL);
  {
    const Held held(folder / "a.txt", FILE_SHARE_READ);
    CHECK(refusal(folder / "a.txt") != "");
  }
  CHECK(test::read(folder / "a.txt") == "old");
  CHECK(folder.files() == 2);
}

TEST_CASE("what is being written cannot be removed, and what was left by others goes") {
  const test::Folder folder;
  const std::string left = ".a.txt.attnscope-4294967292-0123456789abcdef.tmp";
  test::write(folder / left, "left");
  test::write(folder / ".a.txt.attnscope-1-0123.tmp", "not ours");
  {
    sys::AtomicFile file(folder / "a.txt");
    CHECK_FALSE(std::filesystem::exists(folder / left));
    CHECK(folder.files() == 2);
    for (const auto& one : std::filesystem::directory_iterator(folder.path())) {
      const std::string name = one.path().filename().string();
      if (name.size() > 40) CHECK_FALSE(::DeleteFileW(one.path().c_str()));
    }
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("a series appears together, or not at all") {
  const test::Folder folder;
  {
    sys::TemporarySeries series(folder.path(), false, "f-{}.png", 3);
    test::write(series.next(), "one");
    test::write(series.next(), "two");
    CHECK_FALSE(std::filesystem::exists(folder / "f-001.png"));
  }
  CHECK(folder.files() == 0);
  sys::TemporarySeries series(folder.path(), false, "f-{}.png", 3);
  test::write(series.next(), "one");
  test::write(series.next(), "two");
  CHECK_FALSE(series.rename_all());
  CHECK(test::read(folder / "f-002.png") == "two");
  CHECK(folder.files() == 2);
}

TEST_CASE("folders of the program lie where Windows keeps such") {
  CHECK(sys::settings_folder().filename() == "attnscope");
  CHECK(sys::settings_folder().parent_path().filename() == "Roaming");
  CHECK(sys::data_folder().parent_path().filename() == "Local");
}

}  // namespace files_windows_test
