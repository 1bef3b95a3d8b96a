// Files that only one system has.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "core/io/tensor/csv.h"
#include "folder.h"
#include "io/made_files.h"

namespace csv_posix_test {

TEST_CASE("a pipe is no table") {
  const test::Folder folder;
  const std::string pipe = folder.file("pipe.csv");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string wanted = "cannot read " + pipe + ": it is a pipe, a socket or a device";
  CHECK_THROWS_WITH_AS(core::read_number_pairs(pipe), wanted.c_str(), core::InputError);
}

TEST_CASE("a name that is too long, and links in a loop") {
  const test::Folder folder;
  const std::string loop = folder.file("loop.csv");
  std::filesystem::create_symlink("loop.csv", loop);
  CHECK_THROWS_WITH_AS(core::read_number_pairs(loop),
                       ("cannot read " + loop + ": its links form a loop").c_str(),
                       core::InputError);
  const std::string name = folder.file(std::string(300, 'n'));
  CHECK_THROWS_WITH_AS(core::read_number_pairs(name),
                       ("cannot read " + name + ": the name is too long").c_str(),
                       core::InputError);
}

TEST_CASE("a link that leads nowhere is told as such") {
  const made::Folder folder;
  std::filesystem::create_symlink("gone.npy", folder.path() / "a.npy");
  CHECK(made::why_not(folder, folder.path() / "a.npy") ==
        "cannot read a.npy: it is a link to gone.npy, which is not there");
}

TEST_CASE("what the disk cannot give is told by the file's name") {
  // A file that cannot be read from its beginning.
  const std::string path = "/proc/self/mem";
  const std::string wanted = "cannot read /proc/self/mem: the disk reported an error";
  CHECK_THROWS_WITH_AS(core::csv_columns(path), wanted.c_str(), core::InputError);
  CHECK_THROWS_WITH_AS(core::read_number_pairs(path), wanted.c_str(), core::InputError);
}

}  // namespace csv_posix_test
