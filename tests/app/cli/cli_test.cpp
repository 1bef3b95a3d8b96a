// The command line's words: exit status, and what is written where.
#include "app/cli/cli.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/cli/options.h"

namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "attnscope-cli-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

int run(const std::vector<std::string>& words, int window_status = 7) {
  return cli::run(words, {[window_status](const cli::Wanted&) { return window_status; },
                          [](const cli::Wanted&) {}});
}

}  // namespace

TEST_CASE("no words open the window, and its status is the program's") {
  CHECK(run({}) == 7);
  CHECK(run({"--theme", "light", "--size", "1280x720"}) == 7);
}

TEST_CASE("wrong words are status 2 and write nothing") {
  const Folder folder;
  const std::string out = folder / "x.png";
  const std::vector<std::vector<std::string>> wrong = {
      {"nonsense"},
      {"--nonsense"},
      {"export"},
      {"export", "multi_head"},
      {"export", "no_lab", "-o", out},
      {"export", "multi_head", "-o", folder / "x.bmp"},
      {"export", "multi_head", "-o", out, "--set", "heads"},
      {"export", "multi_head", "-o", out, "--set", "heads=0"},
      {"export", "multi_head", "-o", out, "--set", "heads=33"},
      {"export", "multi_head", "-o", out, "--set", "nothing=1"},
      {"export", "multi_head", "-o", out, "--set", "text=\xff"},
      {"export", "multi_head", "-o", out, "--preset", "none"},
      {"export", "multi_head", "-o", out, "--pick", "weights"},
      {"export", "multi_head", "-o", out, "--pick", "weights:14,0"},
      {"export", "multi_head", "-o", out, "--pick", "nothing:0,0"},
      {"export", "multi_head", "-o", out, "--figure", "nothing"},
      {"export", "multi_head", "-o", out, "--size", "9x9"},
      {"export", "multi_head", "-o", out, "--scale", "99"},
      {"export", "multi_head", "-o", out, "--theme", "pink"},
      {"export", "multi_head", "-o", out, "--lang", "fr"},
      {"shot", "-o", folder / "x.jpg"},
  };
  for (const auto& words : wrong) {
    CAPTURE(words.back());
    CHECK(run(words) == 2);
  }
  CHECK(fs::is_empty(folder.path));
}

TEST_CASE("what cannot be done is status 1, and the old file stays") {
  const Folder folder;
  CHECK(run({"export", "multi_head", "-o", folder / "none/x.png"}) == 1);
  CHECK(run({"export", "multi_head", "-o", folder / "x.png", "--session", folder / "none.attn"}) ==
        1);
  CHECK(run({folder / "none.attn"}) == 1);
  std::ofstream(folder / "old.json") << "old";
  CHECK(run({"export", "multi_head", "-o", folder / "old.json", "--set", "heads=0"}) == 2);
  std::string kept;
  std::ifstream(folder / "old.json") >> kept;
  CHECK(kept == "old");
}

TEST_CASE("an exported figure is a session: it opens with the values that made it") {
  const Folder folder;
  const std::string first = folder / "first.svg";
  REQUIRE(run({"export", "multi_head", "-o", first, "--set", "heads=5", "--pick", "weights:9,4"}) ==
          0);
  cli::Wanted opened;
  CHECK(cli::run({first}, {[&](const cli::Wanted& wanted) {
                             opened = wanted;
                             return 0;
                           },
                           [](const cli::Wanted&) {}}) == 0);
  REQUIRE(opened.session);
  const auto value = [&](const std::string& id) {
    for (const auto& [key, text] : opened.session->values) {
      if (key == id) return text;
    }
    return std::string("none");
  };
  CHECK(value("heads") == "5");
  CHECK(value("query") == "9");
  CHECK(value("key") == "4");
}

TEST_CASE("sizes are read whole") {
  CHECK(cli::parse_size("1600x1000").width == 1600);
  CHECK(cli::parse_size("64x16384").height == 16384);
  for (const char* bad : {"", "x", "1600", "1600x", "1600x1000x", "63x64", "64x16385", "-1x64"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(cli::parse_size(bad), core::InputError);
  }
}
