// Lessons on the command line: opened, checked, written as handouts.
#include <doctest/doctest.h>

#include <optional>

#include "cli_rig.h"

namespace lesson_test {

using namespace cli_rig;

// What the window would be opened with; none: it would not.
std::optional<cli::Wanted> window(const std::vector<std::string>& words) {
  std::optional<cli::Wanted> wanted;
  const int status = cli::run(words, {[&](const cli::Wanted& asked) {
                                        wanted = asked;
                                        return 7;
                                      },
                                      [](const cli::Wanted&) {}});
  CHECK(status == (wanted ? 7 : 2));
  return wanted;
}

std::string printed(const std::vector<std::string>& words) {
  const Folder folder;
  {
    const Redirected redirected(STDOUT_FILENO, folder / "out");
    CHECK(run(words) == 0);
  }
  return read(folder / "out");
}

std::string written(const Folder& folder, const std::string& text) {
  std::ofstream(folder / "class.md") << text;
  return folder / "class.md";
}

constexpr const char* kHead = "# Mine\nabout: a\nminutes: 1\nlab: softmax\n";

TEST_CASE("a lesson is opened by its name or its file, at a stop") {
  const auto named = window({"lesson", "averaging", "--lang", "zh_CN"});
  REQUIRE(named);
  CHECK(named->lesson == "averaging");
  CHECK(named->language == words::Language::zh_CN);
  CHECK_FALSE(named->stop);
  CHECK_FALSE(named->lecture);
  CHECK(window({"lesson", "averaging", "--lecture"})->lecture);
  CHECK(window({"--theme", "light", "lesson", "averaging", "--stop", "3"})->stop == 2);
  const Folder folder;
  const std::string file = written(folder, std::string(kHead) + "## One\nWords.\n");
  for (const auto& words : {std::vector<std::string>{"lesson", file}, {file}}) {
    const auto own = window(words);
    REQUIRE(own);
    REQUIRE(own->own_lesson);
    CHECK(own->own_lesson->title == "Mine");
    CHECK(own->file == file);
  }
}

TEST_CASE("a lesson is filmed by its name's ending, whole, in the look that is asked for") {
  const Folder folder;
  std::optional<cli::Wanted> filmed;
  const auto film = [&](const std::vector<std::string>& words) {
    filmed.reset();
    return cli::run(words, {[](const cli::Wanted&) { return 7; },
                            [](const cli::Wanted&) {},
                            {},
                            [&](const cli::Wanted& asked) { filmed = asked; }});
  };
  const std::string out = folder / "film.gif";
  CHECK(film({"--size", "640x360", "--lang", "zh_CN", "lesson", "averaging", "-o", out}) == 0);
  REQUIRE(filmed);
  CHECK(filmed->lesson == "averaging");
  CHECK(filmed->out == out);
  CHECK(filmed->width == 640);
  CHECK(filmed->sized);
  CHECK(filmed->language == words::Language::zh_CN);
  const std::string file = written(folder, std::string(kHead) + "## One\nWords.\n");
  CHECK(film({"lesson", file, "-o", out}) == 0);
  REQUIRE(filmed);
  CHECK(filmed->own_lesson);
  CHECK(film({"lesson", "averaging", "-o", out, "--stop", "2"}) == 2);
  CHECK_FALSE(filmed);
}

TEST_CASE("a link opens the view, the lesson and the stop that it means") {
  const auto view = window({"https://example.org/x/#rotary?base=100&lang=zh_CN"});
  REQUIRE(view);
  REQUIRE(view->session);
  CHECK(view->session->lab == "rotary");
  CHECK(view->language == words::Language::zh_CN);
  CHECK(view->lesson.empty());
  CHECK(window({"#rotary?lang=zh_CN", "--lang", "en"})->language == words::Language::en);
  const auto stop = window({"#pooling?lesson=averaging&stop=3"});
  REQUIRE(stop);
  CHECK(stop->lesson == "averaging");
  CHECK(stop->stop == 2);
  CHECK_FALSE(stop->session);
  CHECK(window({"#pooling?lesson=averaging&stop=3&n=9"})->session);
  CHECK_FALSE(window({"#pooling?lesson=averaging&stop=300"}));
  CHECK_FALSE(window({"#rotary?lesson=averaging&stop=3"}));
  CHECK_FALSE(window({"#rotary?lesson=none"}));
  CHECK_FALSE(window({"#rotary?base=1"}));
  CHECK(said({"#pooling?lesson=averaging&stop=300"}).find("stops, got stop 300") !=
        std::string::npos);
  CHECK(said({"#rotary?lesson=averaging&stop=3"}).find("is in the lab pooling, got rotary") !=
        std::string::npos);
}

TEST_CASE("an embedded view names its figure and knobs, or leaves them to the lab") {
  const auto whole = window({"#rotary?base=100"});
  REQUIRE(whole);
  CHECK_FALSE(whole->embedded);
  const auto bare = window({"#rotary?base=100", "--embed"});
  REQUIRE(bare);
  CHECK(bare->embedded);
  CHECK(bare->embedded_figure.empty());
  CHECK(bare->embedded_knobs.empty());
  const auto named = window({"#rotary?base=100", "--embed=line,base,dim"});
  REQUIRE(named);
  CHECK(named->session->lab == "rotary");
  CHECK(named->embedded_figure == "line");
  CHECK(named->embedded_knobs == std::vector<std::string>{"base", "dim"});
  CHECK(window({"#rotary?base=100", "--embed=,base"})->embedded_knobs ==
        std::vector<std::string>{"base"});
  CHECK_FALSE(window({"#rotary?base=100", "--embed=line,a,b,c,d"}));
  CHECK(said({"#rotary?base=100", "--embed=line,a,b,c,d"}).find("at most 3 knobs, got 4") !=
        std::string::npos);
}

TEST_CASE("link prints the link of a view, which every --session takes") {
  const std::string link = printed({"link", "multi_head", "--set", "heads=4"});
  CHECK(link == "#multi_head?heads=4&v=1\n");
  const std::string word = link.substr(0, link.size() - 1);
  CHECK(printed({"link", "--session", word, "--lang", "zh_CN", "--base", "https://a.b/#c"}) ==
        "https://a.b/#multi_head?heads=4&lang=zh_CN&v=1\n");
  CHECK(printed({"link", "--lesson", "averaging", "--stop", "3"}) ==
        "#pooling?lesson=averaging&stop=3&v=1\n");
  const Folder folder;
  CHECK(run({"export", "multi_head", "--session", word, "-o", folder / "a.csv"}) == 0);
  CHECK(run({"export", "multi_head", "--set", "heads=4", "-o", folder / "b.csv"}) == 0);
  CHECK(read(folder / "a.csv") == read(folder / "b.csv"));
  CHECK(run({"export", "multi_head", "--compare", word, "-o", folder / "c.svg"}) == 0);
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"link"},
           {"link", "rotary", "--stop", "2"},
           {"link", "rotary", "--lesson", "averaging"},
           {"link", "--lesson", "averaging", "--stop", "99"},
           {"link", "rotary", "--session", word},
           {"export", "rotary", "--session", word, "-o", folder / "d.csv"}}) {
    CHECK(run(wrong) == 2);
  }
}

TEST_CASE("what is wrong with a lesson is said in one sentence") {
  const Folder folder;
  CHECK(said({"lesson", "averagin"})
            .starts_with("attnscope: expected a lesson (one of alignment, averaging, "));
  CHECK(said({"lesson", "averagin"}).ends_with("), got \"averagin\"\n"));
  CHECK(said({"lesson", "averaging", "--stop", "0"}) ==
        "attnscope: --stop: expected a whole number from 1 to 9, got \"0\"\n");
  CHECK(said({"lesson", "none.md"}).starts_with("attnscope: cannot read none.md: "));
  CHECK(
      said({"lesson", "averaging", "-o", folder / "a.txt"})
          .starts_with("attnscope: --out: expected a name that ends in .pdf, .html or .md, got "));
  const std::string file = written(folder, std::string(kHead) + "## One\nA {readout:entrop}.\n");
  CHECK(said({"lesson", file}) == "");  // its page is not computed
  CHECK(said({"lesson", file, "--check"})
            .starts_with("attnscope: class.md, line 6: expected a number of the page (such as "
                         "entropy"));
  const std::string claim =
      written(folder, std::string(kHead) + "## One\ncheck: readout:entropy > 99\nWords.\n");
  CHECK(said({"lesson", claim, "--check"}) ==
        "attnscope: class.md, line 6: expected \"check:\" to hold, got 1.1056 nats > 99\n");
}

TEST_CASE("every name that a lesson may use is listed") {
  const std::string names = printed({"lesson", "softmax", "--names", "--set", "count=3"});
  for (const char* one : {"knob:temperature = 1", "readout:entropy = ", "figure:row",
                          "plot:weights", "  bar:weights:1 … bar:weights:3\n", "line:melting:0"}) {
    CAPTURE(one);
    CHECK(names.find(one) != names.npos);
  }
}

TEST_CASE("a handout has the pictures, the questions and their answers at the end") {
  const Folder folder;
  CHECK(printed({"lesson", "averaging", "-o", folder / "a.html"}) == "");
  const std::string page = read(folder / "a.html");
  const std::size_t answers = page.find("<h1>Answers</h1>");
  REQUIRE(answers != page.npos);
  CHECK(page.find("It is a level line.") < answers);
  CHECK(page.find("The same mean, 2.32536, is the answer to every query.") > answers);
  CHECK(page.find("data:image/svg+xml;base64,PD94bWwg") != page.npos);  // "<?xml "
  CHECK(page.find("…") == page.npos);                                   // no number is missing
  CHECK(printed({"lesson", "averaging", "-o", folder / "b.md", "--lang", "zh_CN"}) == "");
  const std::string text = read(folder / "b.md");
  CHECK(text.starts_with("# 从平均到注意力\n"));
  CHECK(text.find("b-1.svg") != text.npos);
  CHECK(fs::exists(folder / "b-1.svg"));
}

}  // namespace lesson_test
