#include "core/system/opened_file.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <ctime>
#include <fstream>
#include <string>

#include "core/system/environment.h"
#include "io/made_files.h"

namespace opened_file_test {

namespace fs = std::filesystem;

TEST_CASE("a file that is open is read in places, and stays itself when its name means another") {
  const made::Folder folder;
  const fs::path path = folder.path() / "a.bin";
  std::ofstream(path) << "0123456789";
  core::OpenedFile file;
  REQUIRE_FALSE(file.open(path));
  core::FileIdentity opened, named;
  REQUIRE_FALSE(file.identify(opened));
  REQUIRE_FALSE(core::identify(path, named));
  CHECK(opened == named);
  CHECK(opened.size == 10);
  CHECK(std::abs(static_cast<double>(opened.seconds) - static_cast<double>(std::time(nullptr))) <
        600);

  std::array<std::byte, 8> bytes{};
  std::size_t got = 0;
  REQUIRE_FALSE(file.read(4, bytes, got));
  CHECK(got == 6);
  CHECK(bytes[0] == std::byte{'4'});
  REQUIRE_FALSE(file.read(10, bytes, got));
  CHECK(got == 0);
  const auto data = file.data_from(0, opened.size);
  CHECK(data.begin == 0);
  CHECK(data.end == 10);

  fs::rename(path, folder.path() / "b.bin");
  std::ofstream(path) << "another";
  REQUIRE_FALSE(core::identify(path, named));
  CHECK(named.node != opened.node);
  REQUIRE_FALSE(file.read(0, bytes, got));
  CHECK(bytes[0] == std::byte{'0'});
}

TEST_CASE("a file that is not there says so") {
  core::OpenedFile file;
  CHECK(file.open("there/is/none") == std::errc::no_such_file_or_directory);
  core::FileIdentity identity;
  CHECK(core::identify("there/is/none", identity) == std::errc::no_such_file_or_directory);
}

TEST_CASE("the environment tells what is empty from what is not set") {
  CHECK(core::environment("PATH").value_or("") != "");
  CHECK_FALSE(core::environment("ATTNSCOPE_IS_NOT_SET"));
}

}  // namespace opened_file_test
