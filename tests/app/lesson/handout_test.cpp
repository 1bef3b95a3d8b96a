// A lesson on paper: what is asked stays open until the answers, and nothing needs a mouse.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/lesson/handout.h"
#include "rig.h"

namespace handout_test {

using namespace lesson;
namespace fs = std::filesystem;

struct Paper {
  fs::path folder = fs::temp_directory_path() / "attnscope-handout-test";
  std::string text;

  explicit Paper(const std::string& stops, const std::string& ending = ".md",
                 words::Language language = words::Language::en) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    rig::Pages pages(language);
    const Lesson lesson = parse("# T\nabout: a\nminutes: 1\nlab: pooling\n" + stops, "t.md");
    write_handout(
        lesson, [&](const lab::Session& session) { return pages.of(session); }, language,
        folder / ("t" + ending));
    text = content("t" + ending);
  }
  ~Paper() { fs::remove_all(folder); }

  std::string content(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return all.str();
  }
  bool says(std::string_view words) const { return text.find(words) != text.npos; }
};

TEST_CASE("a question stands at its stop, its answer behind all stops") {
  const Paper paper("## One\nW.\n? Q one\nanswer: true\nwhy: Since.\n## Two\nLast words.\n");
  CHECK(paper.says("> Q one\n\n- [ ] True\n- [ ] False\n"));
  const std::size_t asked = paper.text.find("Q one"), last = paper.text.find("Last words."),
                    answers = paper.text.find("# Answers"), why = paper.text.find("Since."),
                    sources = paper.text.find("## Sources");
  CHECK(asked < last);
  CHECK(last < answers);
  CHECK(answers < why);
  CHECK(why < sources);
  CHECK(paper.text.find("**True**") > answers);
}

TEST_CASE("a curve that is to be drawn is not on the empty axes, but in the answer") {
  const Paper paper(
      "## One\nshow: figure:data\nW.\n? Draw it.\ndraw: line:data:0 within 9 %\nwhy: So.\n");
  const std::string empty = paper.content("t-1.svg"), full = paper.content("t-2.svg");
  REQUIRE_FALSE(empty.empty());
  REQUIRE_FALSE(full.empty());
  CHECK(empty.find(">truth<") == empty.npos);
  CHECK(full.find(">truth<") != full.npos);
  // The caption would say what is seen.
  CHECK(paper.text.find("*50 points") > paper.text.find("# Answers"));
}

TEST_CASE("a figure that is hidden is shown with the answer only") {
  const Paper paper(
      "## One\nshow: figure:weights\nW.\n? Q\nanswer: 0.02 within 1 %\nhide: figure:weights\n"
      "why: So.\n");
  const std::size_t picture = paper.text.find("t-1.svg");
  REQUIRE(picture != std::string::npos);
  CHECK(picture > paper.text.find("# Answers"));
  CHECK_FALSE(paper.says("t-2.svg"));
}

TEST_CASE("what is done with a mouse is done already: the sentence goes, the page after it comes") {
  const Paper paper(
      "## One\nset: method=kernel\nshow: figure:data\nwait: knob:query > 40\nNear keys count. Drag "
      "the "
      "query to the end. Or turn [it](knob:query) up! Then look.\n");
  CHECK(paper.says("Near keys count. Then look."));
  CHECK_FALSE(paper.says("Drag"));
  CHECK_FALSE(paper.says("turn"));
  CHECK(paper.says("With Query = "));
  CHECK(paper.says("t-2.svg"));
}

TEST_CASE("what is clicked in the window is marked on paper") {
  const Paper paper(
      "## One\nset: method=kernel\nshow: figure:weights\nW.\n? Which is it? Click it.\nclick: "
      "largest "
      "point:weights\nwhy: So.\n");
  CHECK(paper.says("> Which is it? Mark it."));
  CHECK_FALSE(paper.says("Click"));
  CHECK(paper.says("**number "));
}

TEST_CASE("in PDF it has a title and every stop is a bookmark; another ending is refused") {
  const Paper paper("## One\nW.\n## Two\nW.\n", ".pdf");
  CHECK(paper.text.starts_with("%PDF-1"));
  CHECK(paper.says("/Outlines"));
  CHECK_THROWS_AS(Paper("## One\nW.\n", ".docx"), core::InputError);
  CHECK_FALSE(fs::exists(fs::temp_directory_path() / "attnscope-handout-test" / "t.docx"));
}

}  // namespace handout_test
