// Files that only one system has.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <string>

#include "core/io/tensor/csv.h"
#include "folder.h"

namespace csv_posix_test {

TEST_CASE("a pipe is no table") {
  const test::Folder folder;
  const std::string pipe = folder.file("pipe.csv");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string wanted = "cannot read " + pipe + ": it is a pipe, a socket or a device";
  CHECK_THROWS_WITH_AS(core::read_number_pairs(pipe), wanted.c_str(), core::InputError);
}

TEST_CASE("what the disk cannot give is told by the file's name") {
  // A file that cannot be read from its beginning.
  const std::string path = "/proc/self/mem";
  const std::string wanted = "cannot read /proc/self/mem: the disk reported an error";
  CHECK_THROWS_WITH_AS(core::csv_columns(path), wanted.c_str(), core::InputError);
  CHECK_THROWS_WITH_AS(core::read_number_pairs(path), wanted.c_str(), core::InputError);
}

}  // namespace csv_posix_test
