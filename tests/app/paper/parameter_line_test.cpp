// The line under a figure that tells what made it.
#include <doctest/doctest.h>

#include "app/labs/labs.h"
#include "app/paper/export_figure.h"
#include "app/paper/without_pointer.h"

namespace parameter_line_test {

std::string line_of(const lab::Lab& lab, words::Language language,
                    const std::string& settings = "") {
  const auto state = lab.make();
  param::assign(state->describe(), param::read_settings(settings));
  return paper::parameter_line(state->list(), words::Words(language));
}

TEST_CASE("what has no value is not in it, in any lab") {
  for (const lab::Lab& lab : lab::all()) {
    for (const auto language : {words::Language::en, words::Language::zh_CN}) {
      const std::string line = line_of(lab, language);
      CAPTURE(line);
      CHECK_FALSE(line.empty());
      CHECK(line.find("= ,") == line.npos);
      CHECK(line.find("= 、") == line.npos);
      CHECK_FALSE(line.ends_with("= "));
    }
  }
}

TEST_CASE("a whole path is not on paper: its name is; other paths are as they were given") {
  const lab::Lab& pooling = lab::find("pooling");
  for (const auto language : {words::Language::en, words::Language::zh_CN}) {
    const auto line = [&](const char* path) {
      return line_of(pooling, language, std::string("file=") + path);
    };
    CAPTURE(line("/home/ada/thesis/heights.csv"));
    CHECK(line("/home/ada/thesis/heights.csv").find("= heights.csv") != std::string::npos);
    CHECK(line("/home/ada/thesis/heights.csv").find("ada") == std::string::npos);
    CHECK(line("thesis/heights.csv").find("= thesis/heights.csv") != std::string::npos);
  }
  const std::string folder =
      line_of(lab::find("checkpoint"), words::Language::en, "folder=/home/ada/models/gpt2/");
  CAPTURE(folder);
  CHECK(folder.find("ada") == std::string::npos);
}

TEST_CASE("the arguments of a mask stand in parentheses behind its name") {
  const lab::Lab& masks = lab::find("masks");
  const std::string line = line_of(masks, words::Language::zh_CN, "stack=local window=3");
  CAPTURE(line);
  CHECK(line.find("局部窗口（窗口 = 3）") != line.npos);
}

TEST_CASE("sentences for a window alone are left out of what is on paper") {
  using paper::without_pointer;
  CHECK(without_pointer("There is no key: the output is 0. Click in the plane to add one.") ==
        "There is no key: the output is 0.");
  CHECK(without_pointer("\"Measure now\" times the kernels on this machine.").empty());
  CHECK(without_pointer("“立即测量”会在本机给内核计时。输出是 0。") == "输出是 0。");
  CHECK(without_pointer("Row 3 is empty.") == "Row 3 is empty.");
}

}  // namespace parameter_line_test
