// How a figure looks on paper, as the command line is told.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/paper/file/session_carrier.h"
#include "cli_rig.h"

namespace style_test {

using namespace cli_rig;  // NOLINT: as words are given

namespace {

using Words = std::vector<std::string>;

// Of the softmax lab, whose figure "curve" has lines.
Words export_to(const std::string& out, const Words& more) {
  Words words = {"export", "softmax", "-o", out, "--figure", "melting", "--width", "85mm"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("a figure has the title, labels and fonts that the words say") {
  const Folder folder;
  CHECK(run(export_to(folder / "a.svg",
                      {"--title", "Melting", "--x-label", "temperature (units of logits)",
                       "--font-family", "dejavu serif", "--label-size", "9pt"})) == 0);
  const std::string svg = read(folder / "a.svg");
  CHECK(svg.find(">Melting</text>") != std::string::npos);
  CHECK(svg.find(">temperature (units of logits)</text>") != std::string::npos);
  CHECK(svg.find("\"DejaVu Serif, ") != std::string::npos);
  CHECK(svg.find("font-size=\"9\"") != std::string::npos);  // an SVG on paper is in points
}

TEST_CASE("what cannot be is said in a sentence, and nothing is written") {
  const Folder folder;
  const auto refused = [&](const Words& more) {
    CHECK(run(export_to(folder / "a.svg", more)) == 2);
    CHECK_FALSE(fs::exists(folder / "a.svg"));
    return said(export_to(folder / "a.svg", more));
  };
  CHECK(refused({"--font-family", "Nowhere"}).find("expected one of Inter, ") != std::string::npos);
  CHECK(refused({"--tick-size", "2"}).find(" --tick-size: expected 0 or 6 to 72 points, got 2") !=
        std::string::npos);
  CHECK(refused({"--no-legend", "--legend", "below"}).find("--legend") != std::string::npos);
  CHECK(refused({"--style", "nowhere"}).find("one of column, neurips, ") != std::string::npos);
  CHECK(refused({"--vmax", "0.5"}).find(" --vmax: ") != std::string::npos);
  CHECK(run({"export", "softmax", "-o", folder / "a.csv", "--title", "x"}) == 2);
  CHECK(said({"export", "softmax", "-o", folder / "a.csv", "--title", "x"})
            .find("--title: expected a picture") != std::string::npos);
}

TEST_CASE("a sentence names a setting as it was typed, or as it stands in the style's file") {
  const Folder folder;
  for (const char* lang : {"en", "zh_CN"}) {
    for (const Words& typed : {Words{"--x-ticks", "1000"}, Words{"--x-ticks=1000"}}) {
      Words words = export_to(folder / "a.svg", typed);
      words.insert(words.end(), {"--lang", lang});
      const std::string told = said(words);
      CHECK(told.find(" --x-ticks") != std::string::npos);
      CHECK(told.find("x_ticks") == std::string::npos);
    }
  }
  test::write(folder / "mine.json", R"({"attnscope_style": 1, "tick_size": 2})");
  const std::string told =
      said({"export", "softmax", "-o", folder / "a.svg", "--style", folder / "mine.json"});
  CHECK(told.find("tick_size: expected 0 or 6") != std::string::npos);
  CHECK(told.find("--tick-size") == std::string::npos);
  // What no option stands for is named as it is.
  CHECK(said({"export", "softmax", "-o", folder / "a.svg", "--set", "temperature=x"})
            .find(" temperature: ") != std::string::npos);
}

TEST_CASE("a figure carries how it looks, and its session makes it again") {
  const Folder folder;
  REQUIRE(run(export_to(folder / "a.svg", {"--title", "Melting", "--dashes"})) == 0);
  const auto json = nlohmann::json::parse(paper::read_session(folder / "a.svg"));
  CHECK(json["paper"] ==
        nlohmann::json{{"width", "85"}, {"dpi", "300"}, {"title", "Melting"}, {"dashes", "true"}});
  REQUIRE(run(export_to(folder / "b.svg", {"--session", folder / "a.svg"})) == 0);
  CHECK(read(folder / "b.svg") == read(folder / "a.svg"));
  // Another figure has the look, not this one's title.
  REQUIRE(run({"export", "softmax", "-o", folder / "c.svg", "--session", folder / "a.svg",
               "--figure", "weights"}) == 0);
  const auto other = nlohmann::json::parse(paper::read_session(folder / "c.svg"));
  CHECK(other["paper"] == nlohmann::json{{"width", "85"}, {"dpi", "300"}, {"dashes", "true"}});
}

TEST_CASE("a style is kept by a name or in a file, and taken from there") {
  const Folder folder;
  const test::Variable home(test::kSettingsFolder, folder.path().string().c_str());
  const Words look = {"--no-caption", "--font", "9pt", "--dashes", "--font-family", "DejaVu Serif"};
  for (const std::string& to : {std::string("mine"), folder / "mine.json"}) {
    Words words = look;
    words.insert(words.end(), {"--save-style", to});
    REQUIRE(run(export_to(folder / "a.svg", words)) == 0);
    REQUIRE(run({"export", "softmax", "-o", folder / "b.svg", "--figure", "melting", "--style",
                 to}) == 0);
    CHECK(read(folder / "b.svg") == read(folder / "a.svg"));
  }
  // Other options come on top.
  REQUIRE(run(export_to(folder / "c.svg", {"--style", "mine", "--width", "100mm"})) == 2);
  REQUIRE(run({"export", "softmax", "-o", folder / "c.svg", "--style", "mine", "--width",
               "100mm"}) == 0);
  CHECK(read(folder / "c.svg").find("width=\"283.4") != std::string::npos);  // points
}

}  // namespace style_test
