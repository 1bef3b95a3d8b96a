// Files that other systems do not have: links, pipes, devices that are full.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <vector>

#include "cli_rig.h"

namespace files_posix_test {

using namespace cli_rig;  // NOLINT: as words are given

TEST_CASE("streams that cannot be written to: a status, not an end by signal") {
  const Folder folder;
  {
    const Redirected full(STDERR_FILENO, "/dev/full");
    CHECK(run({"export", "zzz", "-o", folder / "q.png"}) == 2);
    CHECK(run({"--nonsense"}) == 2);
    CHECK(run({folder / "none.attn"}) == 1);
  }
  std::vector<int> statuses;
  {
    const Redirected full(STDOUT_FILENO, "/dev/full");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"--help"}, {"--version"}, {"export", "--help"}, {"labs"}, {"labs", "--json"}}) {
      statuses.push_back(run(words));
    }
  }
  CHECK(statuses == std::vector<int>(5, 1));
  {
    const Redirected file(STDOUT_FILENO, folder / "help");
    CHECK(run({"--version"}) == 0);
  }
  CHECK(read(folder / "help").find('.') != std::string::npos);
}

TEST_CASE("links in a loop and pipes are refused in a sentence") {
  const Folder folder;
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  fs::create_symlink("loop.attn", folder / "loop.attn");
  CHECK(has(said({folder / "loop.attn"}), "loop.attn: its links form a loop"));
  REQUIRE(::mkfifo((folder / "pipe.attn").c_str(), 0600) == 0);
  CHECK(has(said({folder / "pipe.attn"}), "pipe.attn: it is a pipe, a socket or a device"));
  CHECK(has(
      said({"export", "pooling", "-o", folder / "x.png", "--set", "file=" + folder / "pipe.attn"}),
      "it is a pipe, a socket or a device"));
}

TEST_CASE("an output that is an input by a link is refused and stays as it was") {
  const Folder folder;
  const std::string csv = folder / "p.csv", points = "x,y\n0,1\n1,2\n2,2\n3,1\n";
  std::ofstream(csv) << points;
  fs::create_symlink("p.csv", folder / "soft.csv");
  CHECK(run({"export", "pooling", "--set", "file=" + csv, "-o", folder / "soft.csv"}) == 2);
  CHECK(read(csv) == points);
  CHECK(fs::is_symlink(folder / "soft.csv"));
}

}  // namespace files_posix_test
