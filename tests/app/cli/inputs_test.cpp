// No command writes over a file that it reads, whatever name leads there.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "cli_rig.h"

namespace inputs_test {

using namespace cli_rig;  // NOLINT: as words are given

namespace {

constexpr const char* kPoints = "x,y\n0,1\n1,2\n2,2\n3,1\n";

struct Desk : Folder {
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(*this / name) << text;
    return *this / name;
  }
};

constexpr const char* kLesson =
    "# Mine\nabout: a\nminutes: 1\nlab: pooling\n## One\nset: file=p.csv\nshow: "
    "figure:data\nWords.\n";

}  // namespace

TEST_CASE("an output that is an input is refused and stays as it was") {
  const Desk desk;
  const std::string csv = desk.write("p.csv", kPoints);
  fs::create_hard_link(csv, desk / "hard.csv");
  const std::string session =
      desk.write("s.json", R"({"attnscope":1,"lab":"pooling","values":{"file":"p.csv"}})");
  const std::string other = desk.write(
      "other.json", R"({"attnscope":1,"lab":"pooling","values":{"file":"p.csv","bandwidth":2}})");
  const std::string lesson = desk.write("my.md", kLesson);
  const std::string file = "file=" + csv;
  const std::vector<std::vector<std::string>> all = {
      {"export", "pooling", "--set", file, "-o", csv},
      {"export", "pooling", "--set", file, "-o", desk / "hard.csv"},
      {"export", "pooling", "--session", session, "-o", session},
      {"export", "pooling", "--session", session, "-o", csv},
      {"export", "pooling", "--session", session, "--with-json", "-o", desk / "s.csv"},
      {"sweep", "pooling", "--set", file, "--param", "bandwidth=0.1:1", "--grid", "1x2", "-o", csv},
      {"lesson", lesson, "-o", lesson},
  };
  for (const auto& words : all) {
    CAPTURE(words.back());
    CHECK(run(words) == 2);
  }
  CHECK(said(all[0]) ==
        "attnscope: " + csv + ": expected a file to write, got one that it is made from\n");
  CHECK(read(csv) == kPoints);
  CHECK(read(lesson) == kLesson);
  CHECK(read(session).starts_with("{\"attnscope\":1,\"lab\":\"pooling\",\"values\":{\"file\""));
  CHECK(!fs::exists(desk / "s.csv"));
}

TEST_CASE("a figure in a folder that is read may be made again, its own files may not") {
  const Desk desk;
  const fs::path model = fs::path(ATTNSCOPE_SOURCE_DIR) / "tests/reference/checkpoints/pythia";
  fs::copy(model, desk.path() / "m", fs::copy_options::recursive);
  const std::string folder = "folder=" + (desk / "m"), config = read(desk / "m/config.json");
  CHECK(run({"export", "checkpoint", "--set", folder, "-o", desk / "m/config.json"}) == 2);
  CHECK(read(desk / "m/config.json") == config);
  for (int k = 0; k < 2; ++k) {
    CHECK(run({"export", "checkpoint", "--set", folder, "-o", desk / "m/heads.png"}) == 0);
  }
}

TEST_CASE("a lesson's files count from where it lies, and its handout says what it writes") {
  const Desk desk;
  desk.write("p.csv", kPoints);
  const std::string lesson = desk.write("my.md", kLesson);
  const std::string beside = desk / "out-1.svg";
  CHECK(said({"lesson", lesson, "-o", desk / "out.md"}) ==
        "attnscope: also written: " + beside + "\n");
  CHECK(read(beside).find("p.csv") != std::string::npos);
  CHECK(run({"lesson", lesson, "-o", desk / "out.md"}) == 0);  // its own picture, again
  // What somebody else drew stays, and nothing else is written.
  desk.write("out-1.svg", "<svg/>");
  fs::remove(desk / "out.md");
  CHECK(run({"lesson", lesson, "-o", desk / "out.md"}) == 2);
  CHECK(read(beside) == "<svg/>");
  CHECK(!fs::exists(desk / "out.md"));
}

TEST_CASE("a folder that is not there is never another one") {
  const Desk desk;
  desk.write("config.json", "{}");
  const std::string none = desk / "none", wanted = "attnscope: cannot read " + none +
                                                   "/config.json: there is no such file or "
                                                   "folder\n";
  CHECK(run({"export", "checkpoint", "--set", "folder=" + none, "-o", desk / "o.json"}) == 2);
  CHECK(said({"export", "checkpoint", "--set", "folder=" + none, "-o", desk / "o.json"}) == wanted);
  CHECK(said({"export", "gpt_inside", "--set", "from=published", "--set", "folder=" + none, "-o",
              desk / "o.json"}) == wanted);
}

TEST_CASE("help is what --help says") {
  const Desk desk;
  const auto printed = [&](const std::vector<std::string>& words) {
    {
      const Redirected out(STDOUT_FILENO, desk / "out");
      CHECK(run(words) == 0);
    }
    return read(desk / "out");
  };
  CHECK(printed({"help"}) == printed({"--help"}));
  CHECK(printed({"help", "export"}) == printed({"export", "--help"}));
}

}  // namespace inputs_test
