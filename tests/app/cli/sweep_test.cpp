// Sweeps on the command line: films, small multiples, and what is refused.
#include <doctest/doctest.h>

#include "cli_rig.h"

namespace sweep_test {

using namespace cli_rig;

std::vector<std::string> words_of(const std::string& out, std::vector<std::string> more) {
  std::vector<std::string> words = {"sweep", "softmax", "-o", out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_CASE("each kind of film begins as it should, and carries its session where it can") {
  const Folder folder;
  const std::vector<std::string> warm = {
      "--param", "temperature=0.1:10", "--frames", "3", "--figure", "weights", "--scale", "0.5"};
  CHECK(run(words_of(folder / "a.gif", warm)) == 0);
  CHECK(read(folder / "a.gif").starts_with("GIF89a"));
  CHECK(run(words_of(folder / "a.png", warm)) == 0);
  CHECK(read(folder / "a.png").find("acTL") != std::string::npos);
  // It is opened in the program as any exported figure.
  CHECK(run({folder / "a.png"}) == 7);
  CHECK(run(words_of(folder / "frames", warm)) == 0);
  CHECK(fs::exists(folder / "frames/frame-0004.png"));
  CHECK_FALSE(fs::exists(folder / "frames/frame-0005.png"));
}

TEST_CASE("key frames from presets and from a lesson's stops") {
  const Folder folder;
  CHECK(run(words_of(folder / "a.gif", {"--keys", "melted,hardmax", "--frames", "3", "--figure",
                                        "weights", "--scale", "0.5"})) == 0);
  CHECK(run(words_of(folder / "b.gif", {"--stops", "softmax:1,3", "--frames", "2", "--scale",
                                        "0.25", "--loop", "once"})) == 0);
  CHECK(said(words_of(folder / "c.gif", {"--keys", "melted,molten"}))
            .find("--keys: expected presets of first_look, hardmax") != std::string::npos);
  CHECK(said(words_of(folder / "c.gif", {"--stops", "softmax:1,1"}))
            .find("expected a lesson with at least two stops") != std::string::npos);
  CHECK(said(words_of(folder / "c.gif", {"--stops", "softmax:0,1"}))
            .find("--stops: expected stops from 1 to") != std::string::npos);
}

TEST_CASE("small multiples as a picture and as numbers") {
  const Folder folder;
  for (const char* name : {"a.pdf", "a.svg", "a.png", "a.csv", "a.json"}) {
    CHECK(run(words_of(folder / name, {"--param", "temperature=0.1:10", "--grid", "1x3", "--figure",
                                       "weights"})) == 0);
    CHECK(fs::file_size(folder / name) > 200);
  }
  CHECK(read(folder / "a.json").find("\"Temperature = 1\"") != std::string::npos);
}

TEST_CASE("small multiples and films look as they are asked to") {
  const Folder folder;
  const auto grid = [&](const char* name, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--param", "temperature=0.1:10", "--grid",
                                      "1x3",     "--figure",           "weights"};
    words.insert(words.end(), more.begin(), more.end());
    return words_of(folder / name, words);
  };
  CHECK(run(grid("a.svg", {"--font-family", "DejaVu Serif", "--title", "Three temperatures"})) ==
        0);
  CHECK(read(folder / "a.svg").find("DejaVu Serif") != std::string::npos);
  CHECK(read(folder / "a.svg").find("Three temperatures") != std::string::npos);
  CHECK(run(grid("b.svg", {"--style", "grey", "--save-style", folder / "own.json"})) == 0);
  CHECK(read(folder / "b.svg").find("width=\"240.945pt\"") != std::string::npos);
  CHECK(read(folder / "own.json").find("\"colors\": \"gray\"") != std::string::npos);
  CHECK(said(grid("a.csv", {"--letters"})).find("--letters: expected a picture") !=
        std::string::npos);
  const auto film = [&](const char* name, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--param", "temperature=1:2", "--frames",
                                      "2",       "--figure",        "weights"};
    words.insert(words.end(), more.begin(), more.end());
    return words_of(folder / name, words);
  };
  CHECK(run(film("a.gif", {})) == 0);
  CHECK(run(film("b.gif", {"--y-label", "share of the weight"})) == 0);
  CHECK(read(folder / "a.gif") != read(folder / "b.gif"));
  CHECK(said(film("c.gif", {"--style", "slide"})) ==
        "attnscope: expected --style only with --grid, got it without\n");
}

TEST_CASE("what is wrong is said in one sentence, and nothing is written") {
  const Folder folder;
  const std::string gif = folder / "a.gif";
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{}, "sweep: expected one of --param, --keys and --stops"},
      {{"--param", "temperature=1"}, "--param: expected id=from:to such as d_k=16:256"},
      {{"--param", "warmth=1:2"}, "expected a knob to sweep, one of view, count"},
      {{"--param", "temperature=1:101"},
       "temperature: expected a number from 0.01 to 100, got 101"},
      {{"--param", "temperature=1:2", "--frames", "1"},
       "--frames: expected a whole number from 2 to 5000, got \"1\""},
      {{"--param", "temperature=1:2", "--duration", "soon"},
       "--duration: expected a time from 0.1 to 600 s such as 4s or 800ms, got \"soon\""},
      {{"--param", "temperature=1:2", "--fps", "0"}, "--fps: expected a number from 1 to 60"},
      {{"--param", "temperature=1:2", "--frames", "9", "--fps", "5", "--duration", "1s"},
       "expected at most two of --frames, --duration and --fps"},
      {{"--param", "temperature=1:2", "--ease", "fast"}, "--ease: expected linear or in-out"},
      {{"--param", "temperature=1:2", "--loop", "3"}, "--loop: expected once, loop or back"},
      {{"--param", "temperature=1:2", "--transparent"},
       "expected --transparent only with --grid, got it without"},
      {{"--param", "temperature=1:2", "--grid", "2"}, "expected a name that ends in .png, .svg"},
      {{"--param", "temperature=1:2", "--grid", "1x3", "--loop", "once"},
       "expected --grid or --loop, got both"},
      {{"--param", "temperature=1:2", "--figure", "nothing"},
       "there is no figure \"nothing\" on this page"}};
  for (const auto& one : wrong) {
    const auto& words = one.first;
    const std::string& sentence = one.second;
    CAPTURE(sentence);
    CHECK(run(words_of(gif, words)) == 2);
    const std::string told = said(words_of(gif, words));
    CHECK(told.find(sentence) != std::string::npos);
    CHECK(std::count(told.begin(), told.end(), '\n') == 1);
  }
  CHECK(run(words_of(folder / "none/a.gif", {"--param", "temperature=1:2", "--frames", "2"})) == 1);
  CHECK(fs::is_empty(folder.path()));
}

}  // namespace sweep_test
