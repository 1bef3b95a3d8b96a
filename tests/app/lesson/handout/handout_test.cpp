// A lesson on paper: what is asked stays open until the answers, and nothing needs a mouse.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/labs/labs.h"
#include "app/lesson/handout/handout.h"
#include "app/lesson/handout/handout_parts.h"
#include "app/lesson/library.h"
#include "app/lesson/text/check.h"
#include "app/lesson/text/sources.h"
#include "folder.h"
#include "rig.h"

namespace handout_test {

using namespace lesson;
namespace fs = std::filesystem;

void write_paper(const std::string& stops, const fs::path& to, words::Language language,
                 AnswersStand answers = AnswersStand::end) {
  rig::Pages pages(language);
  const Lesson lesson = parse("# T\nabout: a\nminutes: 1\nlab: pooling\n" + stops, "t.md");
  write_handout(
      lesson, [&](const session::Session& session) { return pages.of(session); }, language, to, {},
      answers);
}

struct Paper {
  test::Folder folder;
  std::string text;

  explicit Paper(const std::string& stops, const std::string& ending = ".md",
                 words::Language language = words::Language::en,
                 AnswersStand answers = AnswersStand::end) {
    write_paper(stops, folder / ("t" + ending), language, answers);
    text = content("t" + ending);
  }

  std::string content(const std::string& name) const { return folder.read(name); }
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

TEST_CASE("answers are left out, or stand below their questions, as asked") {
  const std::string stops = "## One\nW.\n? Q one\nanswer: true\nwhy: Since.\n## Two\nLast words.\n";
  const Paper none(stops, ".md", words::Language::en, AnswersStand::none);
  CHECK(none.says("Q one"));
  CHECK_FALSE(none.says("Since."));
  CHECK_FALSE(none.says("Answers"));
  const Paper place(stops, ".md", words::Language::en, AnswersStand::place);
  CHECK(place.text.find("Since.") > place.text.find("Q one"));
  CHECK(place.text.find("Since.") < place.text.find("Last words."));
  CHECK_FALSE(place.says("# Answers"));
  CHECK(place.text.find("Q one") == place.text.rfind("Q one"));  // it is not said again
  const Paper end(stops, ".html");
  CHECK(end.text.find("<div class=\"page\">") < end.text.find("Answers</h1>"));
}

TEST_CASE("what was to be seen is told with the numbers before and after") {
  const Paper paper(
      "## One\nset: method=kernel | bandwidth=1\nshow: figure:data\nwait: knob:bandwidth < 0.5\n"
      "do: bandwidth=0.25\nseen: From {was(knob:bandwidth)} to {knob:bandwidth}.\nLook at it.\n");
  CHECK(paper.says("From 1 to 0.25."));
}

TEST_CASE("a curve that is to be drawn is not on the empty axes, but in the answer") {
  const Paper paper(
      "## One\nshow: figure:data\nW.\n? Draw it.\ndraw: line:data:0 within 9 %\nwhy: So.\n");
  const std::string empty = paper.content("t-1.svg"), full = paper.content("t-2.svg");
  REQUIRE_FALSE(empty.empty());
  REQUIRE_FALSE(full.empty());
  CHECK(empty.find(">truth<") == empty.npos);
  CHECK(full.find(">truth<") != full.npos);
  // All else is there to draw it beside.
  const auto marks = [](const std::string& svg) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = svg.find("<path", at)) != svg.npos; ++at) ++count;
    return count;
  };
  CHECK(marks(empty) + 10 > marks(full));
  CHECK(marks(empty) < marks(full));
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
  CHECK(paper.says("After the change: Query = "));
  CHECK(paper.says("t-2.svg"));
}

TEST_CASE("where something is to be done, the values that a sentence tells stay") {
  const Paper paper(
      "## One\nset: method=kernel\nshow: figure:data\nwait: knob:query > 40\nThere are {knob:n} "
      "points. Turn [the query](knob:query) up.\n");
  CHECK(paper.says("There are 50 points."));
  CHECK_FALSE(paper.says("Turn"));
}

TEST_CASE("a readout that is waited for is told as it is then") {
  const Paper paper(
      "## One\nset: method=kernel | bandwidth=0.1\nshow: figure:data\nwait: readout:neighbours > "
      "40\n"
      "do: bandwidth=4\nLook at it.\n");
  const std::size_t text_of = paper.text.find("After the change: ");
  REQUIRE(text_of != std::string::npos);
  CHECK(paper.text.find(" = 49.", text_of) != std::string::npos);
}

TEST_CASE("what was changed is told as the window calls it, not as the file does") {
  const Paper paper(
      "## One\nset: method=kernel\nshow: figure:data\nwait: knob:kernel = boxcar\ndo: "
      "kernel=boxcar\nSee.\n",
      ".md", words::Language::zh_CN);
  CHECK(paper.says("改变之后："));
  CHECK_FALSE(paper.says("boxcar"));
}

TEST_CASE("an answer that is typed has a line to be written on") {
  CHECK(Paper("## One\nW.\n? Q\nanswer: 3 within 1\nwhy: So.\n").says("\\_\\_"));
  CHECK_FALSE(Paper("## One\nW.\n? Q\nanswer: true\nwhy: So.\n").says("\\_\\_"));
}

TEST_CASE("what is clicked in the window is marked on paper") {
  const Paper paper(
      "## One\nset: method=kernel\nshow: figure:weights\nW.\n? Which is it? Click it.\nclick: "
      "largest "
      "point:weights\nwhy: So.\n");
  CHECK(paper.says("> Which is it? Mark it."));
  CHECK_FALSE(paper.says("Click"));
  CHECK(paper.says("**x = "));
}

TEST_CASE("in PDF it has a title and every stop is a bookmark; another ending is refused") {
  const Paper paper("## One\nW.\n## Two\nW.\n", ".pdf");
  CHECK(paper.text.starts_with("%PDF-1"));
  CHECK(paper.says("/Outlines"));
  const test::Folder folder;
  CHECK_THROWS_AS(write_paper("## One\nW.\n", folder / "t.docx", words::Language::en),
                  core::InputError);
  CHECK(folder.files() == 0);
}

// A page of one heatmap with names, and a question about it.
struct OneMap {
  lab::Page page;
  Lesson lesson;
  explicit OneMap(const std::string& asks,
                  const std::vector<std::string>& rows = {"1", "the end"}) {
    figure::Plot plot{.id = "m"};
    plot.x = {.lo = 0, .hi = 5, .cells = true};
    plot.y = {.lo = 0, .hi = 2, .cells = true};
    plot.y.labels = std::make_shared<const std::vector<std::string>>(rows);
    core::Matrix values(2, 5);
    values << 1, 1, 0, 1, 1, 0, 1, 0, 0, 0;
    figure::Heatmap map;
    map.source = std::make_shared<figure::DenseSource>(values);
    plot.add(std::move(map));
    plot.add(figure::Boxes{.boxes = {{0, 0, 1, 1, "0"}, {1, 0, 2, 1, "1"}, {2, 0, 3, 1, "0"}}});
    page.figures = {{.id = "f", .plots = {plot}}};
    lesson = parse(
        "# T\nabout: a\nminutes: 1\nlab: pooling\n## S\nW.\n? Q\n" + asks + "\nwhy: S.\n", "t.md");
  }
  std::string text() const {
    return places_text(*lesson.stops[0].question, {.page = &page}, words::Words());
  }
};

TEST_CASE("places are called what the axes call them, neighbours by the first and the last") {
  // A digit that is a token is told from its place; places along an axis are said as they stand.
  CHECK(OneMap("mark: cell:m:0,* > 0").text() ==
        "row “1” (0), columns 0 to 1; row “1” (0), columns 3 to 4");
  CHECK(OneMap("mark: cell:m:0,* > 0", {"137", "138"}).text() ==
        "row 137, columns 0 to 1; row 137, columns 3 to 4");
  CHECK(OneMap("mark: cell:m:1,* > 0").text() == "row “the end” (1), column 1");
  CHECK(OneMap("click: box:m:1").text() == "“1”");
  CHECK(OneMap("click: box:m:2").text() == "box 3 from the left");
}

TEST_CASE("a sentence that hangs on one that is left out goes with it") {
  const Paper paper(
      "## One\nset: method=kernel\nshow: figure:data\nwait: knob:query > 40\nNear keys count. Turn "
      "[it](knob:query) up. It is {knob:query} now. That is little. Far keys do not. It is so.\n");
  CHECK(paper.says("Near keys count. Far keys do not. It is so."));
  CHECK_FALSE(paper.says("now."));
}

TEST_CASE("the sources are those that stops name, or else all of their labs") {
  const Paper all("## One\nW.\n"), one("## One\nsource: Nadaraya\nW.\n## Two\nW.\n");
  CHECK(all.says("Nadaraya 1964"));
  CHECK(all.says("Watson 1964"));
  CHECK(one.says("Nadaraya 1964"));
  CHECK_FALSE(one.says("Watson 1964"));
  for (const char* wrong : {"Nobody 1900", "Nadaraya | Nobody 1900"}) {
    const Lesson lesson = parse(
        std::string("# T\nabout: a\nminutes: 1\nlab: pooling\n## One\nsource: ") + wrong + "\nW.\n",
        "t.md");
    CHECK_THROWS_WITH_AS(check_scenes(lesson),
                         doctest::Contains("t.md, line 6: expected the beginning of one source of "
                                           "pooling"),
                         Fault);
  }
}

TEST_CASE("the program's lessons name their papers, the same in both languages") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    const auto cited_in = [&](words::Language language) {
      return sources_of(shipped(name, language));
    };
    const auto english = cited_in(words::Language::en);
    CHECK(english == cited_in(words::Language::zh_CN));
    bool any = false;
    for (const Stop& stop : shipped(name, words::Language::en).stops) {
      any = any || !stop.cites.empty();
    }
    CHECK(any);
  }
}

TEST_CASE("a work that several labs cite is listed once") {
  const auto of_labs = [](const std::vector<std::string>& labs) {
    std::vector<const lab::Source*> all;
    for (const std::string& id : labs) {
      for (const lab::Source& source : lab::find(id).sources) all.push_back(&source);
    }
    return cited(all, {});
  };
  CHECK(of_labs({"pooling"}) == of_labs({"pooling", "pooling"}));
  const std::vector<std::string> many = of_labs({"scoring", "multi_head", "masks", "transformer"});
  std::size_t vaswani = 0;
  for (const std::string& text : many) vaswani += text.find("Vaswani") != text.npos ? 1 : 0;
  CHECK(vaswani == 1);
}

}  // namespace handout_test
