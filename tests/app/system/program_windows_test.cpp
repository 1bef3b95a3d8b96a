#include <doctest/doctest.h>
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "app/system/atomic_file.h"
#include "app/system/program.h"
#include "core/system/own_program.h"
#include "folder.h"

namespace program_windows_test {

namespace {

// These tests are the program that they start, when their first word says so.
[[noreturn]] void be_child(const std::vector<std::string>& words) {
  if (words[0] == "--upper") {
    ::_setmode(0, _O_BINARY);
    std::ofstream out(std::filesystem::path(words.back()), std::ios::binary);
    for (int c = std::getchar(); c != EOF; c = std::getchar()) {
      out.put(static_cast<char>(std::toupper(c)));
    }
    out.close();
    std::printf("said\n");
    std::fflush(stdout);
    std::fprintf(stderr, "and told %s\n", words[1].c_str());
    std::_Exit(7);
  }
  if (words[0] == "--words") {
    for (std::size_t k = 1; k + 1 < words.size(); ++k) std::printf("[%s]", words[k].c_str());
    std::fflush(stdout);
    std::_Exit(0);
  }
  ::Sleep(words[0] == "--sleep" ? 60'000 : 0);  // it reads nothing
  std::_Exit(3);
}

const int as_child = [] {
  const std::vector<std::string> words = sys::own_words(0, nullptr);
  if (words.size() > 1 && (words[0] == "--upper" || words[0] == "--words" ||
                           words[0] == "--sleep" || words[0] == "--end")) {
    be_child(words);
  }
  return 0;
}();

struct Run {
  explicit Run(std::vector<std::string> words) : file(folder / "字 out.txt") {
    words.insert(words.begin(), "tests");
    error = program.start(core::own_program(), words, file.temporary());
  }
  bool send(const std::string& text, const core::Cancel& cancel = {}) {
    return program.send(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), cancel);
  }
  test::Folder folder;
  sys::AtomicFile file;
  sys::Program program;
  std::error_code error;
};

}  // namespace

TEST_CASE("a program reads what is sent and writes to the file, whose place it does not know") {
  Run run({"--upper", "注意 \"a\\\\\" b"});
  REQUIRE_FALSE(run.error);
  REQUIRE(run.program.started());
  REQUIRE(run.send(std::string(3'000'000, 'x')));
  run.program.end_of_input();
  CHECK(run.program.wait() == 7);
  CHECK_FALSE(run.program.started());
  CHECK(run.program.said(100) == "said\r\nand told 注意 \"a\\\\\" b\r\n");
  CHECK(run.program.said(4) == "said");
  run.file.commit();
  CHECK(test::read(run.folder / "字 out.txt") == std::string(3'000'000, 'X'));
}

TEST_CASE("words arrive as they were sent") {
  Run run(
      {"--words", "", "a b", "\\", "a\\", "a b\\", "\"", "\\\"x\\\\\"", "C:\\a b\\c", "%PATH%"});
  REQUIRE_FALSE(run.error);
  run.program.end_of_input();
  CHECK(run.program.wait() == 0);
  CHECK(run.program.said(200) == "[][a b][\\][a\\][a b\\][\"][\\\"x\\\\\"][C:\\a b\\c][%PATH%]");
}

TEST_CASE("a program that reads no more ends the sending, and one that is not there is none") {
  Run run({"--end"});
  REQUIRE_FALSE(run.error);
  const std::string part(100'000, 'x');
  while (run.send(part)) {
  }
  CHECK(run.program.wait() == 3);
  CHECK(sys::find_program("there-is-none").empty());
  CHECK_FALSE(sys::find_program("cmd").empty());
  sys::Program none;
  CHECK(none.start("C:\\there\\is\\none.exe", {"none"}, run.file.temporary()) ==
        std::errc::no_such_file_or_directory);
  CHECK_FALSE(none.started());
}

TEST_CASE("sending to a program that hangs can be cancelled, and it ends with its object") {
  const DWORD begun = ::GetTickCount();
  {
    Run run({"--sleep"});
    REQUIRE_FALSE(run.error);
    std::stop_source stop;
    stop.request_stop();
    const std::string large(8'000'000, 'x');
    CHECK_THROWS_AS(run.send(large, core::Cancel(stop.get_token())), core::Cancelled);
    CHECK_FALSE(run.program.ended());
  }
  CHECK(::GetTickCount() - begun < 30'000);
}

}  // namespace program_windows_test
