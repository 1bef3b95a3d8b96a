// Styles that have a name: as files, and how they are found.
#include "app/paper/style/named_style.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/paper/export_figure.h"
#include "support.h"
#include "variable.h"

namespace named_style_test {

TEST_CASE("a named style is a file that others can have") {
  paper::NamedStyle mine{.width = 100, .captions = false};
  paper::set(mine.style, {{"font_family", "DejaVu Serif"}, {"dashes", "true"}, {"title", "Mine"}});
  const std::string text = paper::to_json(mine);
  CHECK(text.find("Mine") == std::string::npos);  // one figure's title is no look
  paper::NamedStyle read = paper::style_from_json(text);
  CHECK(read.width == 100);
  CHECK_FALSE(read.captions);
  CHECK(read.style.dashes);
  CHECK(paper::to_json(read) == text);
  const auto said = [](const std::string& json) {
    try {
      paper::style_from_json(json);
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(said("[]") == "it is not a JSON object");
  CHECK(said("{}") == "expected \"attnscope_style\": 1");
  CHECK(said(R"({"attnscope_style":1,"colour":"red"})") ==
        "it has a member \"colour\", which no style has");
  CHECK(said(R"({"attnscope_style":1,"width":-3})").starts_with("width: expected "));
  // Onto paper and back.
  paper::PaperOptions options;
  options.style.x_ticks = "0 1";
  paper::apply(read, options);
  CHECK(options.paper_width == doctest::Approx(100 * 72 / 25.4));
  CHECK(options.style.x_ticks == "0 1");  // what is the figure's stays
  CHECK(paper::to_json(paper::named_style_of(options)) == text);
}

TEST_CASE("styles are found by name and by file") {
  const test::Folder folder;
  const test::Variable home(test::kSettingsFolder, folder.path().string().c_str());
  CHECK(paper::style_names() ==
        std::vector<std::string>{"column", "neurips", "grey", "thesis", "slide"});
  CHECK(paper::find_style("neurips").width == 139.7);
  paper::NamedStyle mine{.width = 77};
  CHECK(paper::save_style("my thesis", mine) ==
        folder.path() / "attnscope" / "styles" / "my thesis.json");
  CHECK(paper::style_names().back() == "my thesis");
  CHECK(paper::find_style("my thesis").width == 77);
  const std::string file = (folder.path() / "shared.json").string();
  paper::save_style(file, mine);
  CHECK(paper::find_style(file).width == 77);
  const auto said = [](auto&& call) {
    try {
      call();
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(said([] { paper::find_style("nature"); }) ==
        "style: expected a file that ends in .json, or one of column, neurips, grey, thesis, "
        "slide, my thesis, got \"nature\"");
  CHECK(said([&] { paper::save_style("slide", mine); }) ==
        "\"slide\" is a style of the program: expected another name");
  CHECK(said([&] { paper::save_style("../up", mine); }).ends_with("got \"../up\""));
  test::write(folder.path() / "broken.json", "{");
  CHECK(said([&] {
          paper::find_style((folder.path() / "broken.json").string());
        }).ends_with("broken.json is no style: it is not a JSON object"));
}

}  // namespace named_style_test
