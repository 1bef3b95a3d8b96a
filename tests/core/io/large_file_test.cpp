#include "core/io/large_file.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "io/made_files.h"
#include "system_files.h"

namespace large_file_test {

namespace {

std::string part_of(const core::LargeFile& file, std::uint64_t begin, std::size_t size) {
  std::string out(size, '?');
  file.read(begin, std::as_writable_bytes(std::span(out)), {});
  return out;
}

std::string complaint(const core::LargeFile& file, std::uint64_t begin, std::size_t size) {
  try {
    part_of(file, begin, size);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("parts of a file are read, and nothing outside of it") {
  const made::Folder folder;
  const core::LargeFile file(folder.write("ten", "0123456789"));
  CHECK(file.size() == 10);
  CHECK(part_of(file, 0, 10) == "0123456789");
  CHECK(part_of(file, 7, 3) == "789");
  CHECK(part_of(file, 10, 0).empty());
  CHECK_THROWS_AS(part_of(file, 8, 3), core::InputError);
  CHECK_THROWS_AS(part_of(file, 11, 0), core::InputError);
  CHECK_THROWS_AS(part_of(file, ~std::uint64_t{0}, 2), core::InputError);
}

TEST_CASE("what is no file is refused") {
  const made::Folder folder;
  const std::string name = folder.path().string(), none = folder.file("none");
  CHECK_THROWS_WITH_AS(core::LargeFile(folder.path()),
                       ("cannot read " + name + ": it is a folder").c_str(), core::InputError);
  CHECK_THROWS_WITH_AS(core::LargeFile(folder.path() / "none"),
                       ("cannot read " + none + ": there is no such file or folder").c_str(),
                       core::InputError);
}

TEST_CASE("a file that is changed while it is open is noticed at the next reading") {
  const made::Folder folder;
  const auto path = folder.write("data", std::string(100'000, 'a'));
  const core::LargeFile file(path);
  const std::string& name = path;
  REQUIRE(part_of(file, 99'999, 1) == "a");

  SUBCASE("cut off") {
    std::filesystem::resize_file(path, 10);
    const std::string want =
        name + ": expected 100000 bytes, as when it was opened, got 10: open it again";
    CHECK(complaint(file, 90'000, 5) == want);
    CHECK(complaint(file, 0, 5) == want);  // also where bytes are left
  }
  SUBCASE("longer") {
    std::filesystem::resize_file(path, 100'001);
    CHECK(complaint(file, 0, 5) ==
          name + ": expected 100000 bytes, as when it was opened, got 100001: open it again");
  }
  SUBCASE("overwritten") {
    const auto before = std::filesystem::last_write_time(path);
    std::ofstream(path, std::ios::in | std::ios::out) << "b";
    // Two writings may fall between two ticks of the system's clock.
    std::filesystem::last_write_time(path, before + std::chrono::seconds(1));
    CHECK(complaint(file, 0, 5) == name +
                                       ": expected the file that was opened, got one that was "
                                       "written to since: open it again");
  }
  SUBCASE("replaced, as a program does that saves safely") {
    const auto time = std::filesystem::last_write_time(path);
    const auto other = folder.write("other", std::string(100'000, 'a'));
    std::filesystem::last_write_time(other, time);
    if (!test::replace_open(other, path)) return;
    CHECK(complaint(file, 0, 5) ==
          name +
              ": expected the file that was opened, got another one in its place: open it again");
  }
  SUBCASE("removed") {
    std::filesystem::remove(path);
    CHECK(complaint(file, 0, 5) ==
          name + ": expected the file that was opened, but there is no such file or folder");
  }
}

TEST_CASE("a file that is cut off during a long reading ends no program") {
  const made::Folder folder;
  const auto path = folder.write("data", "");
  for (int round = 0; round < 20; ++round) {
    std::filesystem::resize_file(path, std::uintmax_t{64} << 20);
    const core::LargeFile file(path);
    std::thread cutter([&] { std::filesystem::resize_file(path, 4096); });
    const std::string why = complaint(file, 0, std::size_t{64} << 20);
    cutter.join();
    CHECK((why == "nothing was refused" || why.ends_with("open it again")));
  }
}

}  // namespace large_file_test
