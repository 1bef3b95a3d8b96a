#include "app/system/program.h"

#include <doctest/doctest.h>

#include "app/system/atomic_file.h"
#include "folder.h"

namespace program_test {

// What a shell makes of a script whose $1 is the path of the output.
struct Run {
  explicit Run(const std::string& script) : file(folder / "out.txt") {
    error =
        program.start(sys::find_program("sh"), {"sh", "-c", script, "script"}, file.temporary());
  }
  bool send(const std::string& text) {
    return program.send(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), {});
  }
  test::Folder folder;
  sys::AtomicFile file;
  sys::Program program;
  std::error_code error;
};

TEST_CASE("a program reads what is sent and writes to the file, whose place it does not know") {
  Run run("tr a-z A-Z > $1; echo said; echo and told >&2; exit 7");
  REQUIRE_FALSE(run.error);
  REQUIRE(run.program.started());
  std::string large(1'000'000, 'x');
  REQUIRE(run.send(large));
  run.program.end_of_input();
  CHECK(run.program.wait() == 7);
  CHECK_FALSE(run.program.started());
  CHECK(run.program.said(100) == "said\nand told\n");
  CHECK(run.program.said(4) == "said");
  run.file.commit();
  CHECK(test::read(run.folder / "out.txt") == std::string(1'000'000, 'X'));
}

TEST_CASE(
    "a program that reads no more ends the sending, and one that is not there is no program") {
  Run run("exec <&-; kill -9 $$");
  REQUIRE_FALSE(run.error);
  const std::string part(100'000, 'x');
  while (run.send(part)) {
  }
  CHECK(run.program.wait() == -1);
  CHECK(sys::find_program("there-is-none").empty());
  sys::Program none;
  CHECK(none.start("/there/is/none", {"none"}, run.file.temporary()) ==
        std::errc::no_such_file_or_directory);
  CHECK_FALSE(none.started());
}

}  // namespace program_test
