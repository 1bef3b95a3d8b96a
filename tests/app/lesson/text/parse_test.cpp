// Lessons as text: what is read, and what is refused with its line.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "rig.h"

namespace parse_test {

using namespace lesson;
using rig::around, rig::fault;

constexpr const char* kGood = R"(# Averaging
about: From a mean
  to a query.
minutes: 10
lab: pooling
route: first_steps 1

<!-- a remark
over two lines -->
## Alike
preset: average
set: n=20 | query=4
show: figure:data alone
point: knob:n, bar:weights:3, cell:attention:1,2
check: knob:n = 20

One **mean** of {knob:n}
points, see the [weights](figure:weights).

Two \{braces\}.
> For the lecturer,
  on two lines.

? How many?
answer: knob:n within 5 % from 20
- 21: One too many.
hide: figure:weights, readout:prediction
reveal: n=30
check: knob:n = 30
why: There are {knob:n}.

And after.

## Turn
wait: knob:bandwidth < 0.5 and picked:data
do: bandwidth=0.4
多行
中文。

## Choose
? Which?
- [ ] This.
  No: not
  this.
- [x] That.
why: So.
)";

TEST_CASE("a lesson is read with everything in it") {
  const Lesson all = parse(kGood, "a.md");
  check_scenes(all);
  CHECK(all.title == "Averaging");
  CHECK(all.about.pieces.at(0).text == "From a mean to a query.");
  CHECK(all.minutes == 10);
  CHECK(all.lab == "pooling");
  CHECK(all.route == "first_steps");
  CHECK(all.place == 1);
  CHECK_FALSE(all.further);
  CHECK(
      parse("# T\nabout: a\nminutes: 5\nlab: pooling\nroute: models 1 further\n## S\nW.\n", "b.md")
          .further);
  REQUIRE(all.stops.size() == 3);

  const Stop& first = all.stops[0];
  CHECK(first.title == "Alike");
  CHECK(first.line == 10);
  CHECK(first.preset == "average");
  CHECK(first.sets.values == param::Values{{"n", "20"}, {"query", "4"}});
  CHECK(first.sets.line == 12);
  CHECK(to_text(first.shows->is) == "figure:data");
  CHECK(first.alone);
  REQUIRE(first.points.size() == 3);
  CHECK(to_text(first.points[2].is) == "cell:attention:1,2");
  REQUIRE(first.text.size() == 2);
  const auto& pieces = first.text[0].pieces;
  REQUIRE(pieces.size() == 7);
  CHECK(pieces[1].kind == Piece::Kind::strong);
  CHECK(pieces[3].kind == Piece::Kind::live);
  CHECK(pieces[4].text == " points, see the ");
  CHECK(to_text(pieces[5].target) == "figure:weights");
  CHECK(first.text[1].pieces.at(0).text == "Two {braces}.");
  CHECK(first.text[1].line == 20);
  REQUIRE(first.notes.size() == 1);
  CHECK(first.notes[0].pieces.at(0).text == "For the lecturer, on two lines.");

  REQUIRE(first.question);
  const Question& q = *first.question;
  const auto& number = std::get<TypeNumber>(q.kind);
  CHECK(number.within == 5);
  CHECK(number.percent);
  REQUIRE(number.from_page);
  CHECK(number.from_page->is.number == 20);
  REQUIRE(q.mistakes.size() == 1);
  CHECK(q.hides.size() == 2);
  CHECK(q.reveals.values == param::Values{{"n", "30"}});
  CHECK(q.checks.size() == 1);
  REQUIRE(q.after.size() == 1);

  const Stop& turn = all.stops[1];
  CHECK(turn.wait->is.does == Expression::Does::both);
  CHECK(turn.text.at(0).pieces.at(0).text == "多行中文。");

  const auto& options = std::get<Choose>(all.stops[2].question->kind).options;
  REQUIRE(options.size() == 2);
  CHECK(options[0].said.pieces.at(0).text == "No: not this.");
  CHECK_FALSE(options[0].right);
  CHECK(options[1].right);
  CHECK(options[1].said.empty());
}

TEST_CASE("line ends of Windows and a mark of byte order make no difference") {
  std::string text = "\xef\xbb\xbf";
  for (const char c : std::string(kGood)) text += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(parse(text, "a.md").stops.size() == 3);
  CHECK(parse(text, "a.md").stops[1].text.at(0).pieces == parse(kGood, "").stops[1].text[0].pieces);
}

TEST_CASE("scenes follow from the stops before") {
  const Lesson all = parse(kGood, "a.md");
  const auto knob = [&](std::size_t stop, bool revealed, const char* id) {
    const session::Session session = scene(all, stop, revealed);
    return *knob_text({.knobs = &session.values}, id);
  };
  CHECK(knob(0, false, "method") == "average");
  CHECK(knob(0, false, "n") == "20");
  CHECK(knob(0, true, "n") == "30");
  CHECK(knob(1, false, "n") == "30");  // what was revealed stays
  CHECK(knob(1, false, "bandwidth") == "1");
  CHECK(knob(2, false, "bandwidth") == "0.4");  // what was asked for was done
}

TEST_CASE("every line that is wrong is named, with what was expected") {
  const struct {
    std::string text;
    const char* said;
  } all[] = {
      {"", "line 1: expected \"# \" and a title, got no such line"},
      {"# T\n", "line 1: expected \"about:\" and a sentence, got no such line"},
      {"# T\nabout: a\n", "line 1: expected \"minutes:\" and a number, got no such line"},
      {"# T\nabout: a\nminutes: 5\n",
       "line 1: expected stops, each after \"## \" and a title, got none"},
      {"# T\nabout: a\nminutes: 5\n## S\nWords.\n",
       "line 4: expected \"lab:\" in the lesson's head or its first stop"},
      {"# T\nWords.\n",
       "line 2: expected a word of the lesson's head, or \"## \" and a title, got "
       "\"Words.\""},
      {"# T\n# U\n", "line 2: expected one title of the lesson, got \"# U\""},
      {"#T\n", "line 1: expected \"# \" before the title or \"## \" before a stop's, got \"#T\""},
      {"# T\nminutes: 0\n", "line 2: expected a whole number from 1 to 240, got \"0\""},
      {"# T\nabuot: a\n",
       "line 2: expected a word that is allowed here (one of about, lab, route, minutes), got "
       "\"abuot\""},
      {"# T\nabout:\n", "line 2: expected SENTENCE after \"about:\", got nothing"},
      {"# T\nabout: a\nminutes: 5\nlab: poling\n## S\nWords.\n",
       "line 4: expected a lab (such as pooling, scoring, decoding, rotary), got \"poling\""},
      {"# T\nabout: a\nminutes: 5\nlab: pooling\nroute: first 1\n## S\nWords.\n",
       "line 5: expected a route (one of first_steps, models, positions, precision), got "
       "\"first\""},
      {"# T\nabout: a\nminutes: 5\nlab: pooling\nroute: models 1 furthr\n## S\nWords.\n",
       "line 5: expected \"further\" or nothing after the place, got \"furthr\""},
      {around(""), "line 5: expected a sentence or a question in this stop, got nothing"},
      {around("preset: averge\nWords."), "line 6: expected a preset of pooling (such as average, "},
      {around("set: bandwith=2\nWords."),
       "line 6: expected a knob of pooling (such as bandwidth, "},
      {around("set: bandwidth=-2\nWords."), "line 6: bandwidth: expected "},
      {around("set: bandwidth\nWords."),
       "line 6: expected knobs such as n=16 | mask=causal, got \"bandwidth\""},
      {around("show: data\nWords."), "line 6: expected what a name begins with (such as "},
      {around("show: plot:data\nWords."),
       "line 6: expected a figure such as figure:weights, got \"plot:data\""},
      {around("point: knob:m\nWords."), "line 6: expected a knob of pooling (such as "},
      {around("wait: knob:n\nWords."),
       "line 6: expected a condition such as knob:n > 3, got \"knob:n\""},
      {around("wait: knob:method = kernl\nWords."),
       "line 6: expected a value of method (one of kernel, average, parametric), got \"kernl\""},
      {around("wait: knob:n > 3\nwait: knob:n > 4\nWords."),
       "line 7: expected \"wait:\" once, got it again"},
      {around("Words.\nseen: So."),
       "line 7: expected \"wait:\" in a stop with \"seen:\", got none"},
      {around("wiat: knob:n > 3\nWords."),
       "line 6: expected a word that is allowed here (such as wait, "},
      {around("answer: 3\nWords."), "line 6: expected a word that is allowed here (such as "},
      {around("- [ ] a\n"),
       "line 6: expected a sentence: \"- \" is for questions only, got \"- [ ] a\""},
      {around("A **word.\n\nMore."), "line 6: expected ** after **, got the end of the paragraph"},
      {around("\nA [word].\n"), "line 7: expected a name in parentheses after ], got \".\""},
      {around("\nA [word](nob:n).\n"), "line 7: expected what a name begins with (such as "},
      {around("\nA {knob:n > 3}.\n"),
       "line 7: expected a number that the page has, got \"knob:n > 3\""},
      {around("\nA {knob:n ~x}.\n"),
       "line 7: expected a number of digits from 1 to 17 after ~, got \"x\""},
      {around("\nA {knob:m}.\n"), "line 7: expected a knob of pooling (such as "},
      {around("Words.\n? Q\n"),
       "line 7: expected how the question is answered: options \"- [ ]\", "
       "\"answer:\", \"click:\", \"mark:\" or \"draw:\""},
      {around("? Q\nanswer: true\n"),
       "line 6: expected \"why:\" and a sentence after the question"},
      {around("? Q\nanswer: true\nWords.\n"),
       "line 8: expected \"why:\" before the text after the question"},
      {around("? Q\nanswer: maybe\nwhy: So.\n"),
       "line 7: expected true, false or a number such as "
       "readout:prediction, got \"maybe\""},
      {around("? Q\nanswer: 3 within a lot\nwhy: So.\n"),
       "line 7: expected a number such as 0.01 or 5 %, got \"a lot\""},
      {around("? Q\nanswer: 3\nanswer: 4\nwhy: So.\n"),
       "line 8: expected one kind of answer, got a second one"},
      {around("? Q\n- [ ] a\n- [ ] b\nwhy: So.\n"),
       "line 6: expected two options or more, one of them right (- [x]), got 2 with 0 right"},
      {around("? Q\n- [x] a\nwhy: So.\n"),
       "line 6: expected two options or more, one of them right (- [x]), got 1 with 1 right"},
      {around("? Q\nclick: knob:n\nwhy: So.\n"),
       "line 7: expected cells, bars, points or boxes such as bar:weights, got \"knob:n\""},
      {around("? Q\nmark: bar:weights\nwhy: So.\n"),
       "line 7: expected a condition such as knob:n > 3, got \"bar:weights\""},
      {around("? Q\nmark: knob:n > 3\nwhy: So.\n"),
       "line 7: expected which ones, such as bar:weights > 0.1, got \"knob:n > 3\""},
      {around("? Q\ndraw: line:data\nwhy: So.\n"),
       "line 7: expected a line such as line:score:0, got \"line:data\""},
      {around("? Q\ndraw: line:data:0 within 3\nwhy: So.\n"),
       "line 7: expected a share of the height such as 10 %, got \"3\""},
      {around("? Q\ndraw: line:data:0\n- wavy: No.\nwhy: So.\n"),
       "line 8: expected the shape of a curve (one of "},
      {around("? Q\nanswer: true\n- 3: No.\nwhy: So.\n"),
       "line 8: expected \"answer:\", \"click:\", \"mark:\" or \"draw:\" before its known "
       "mistakes"},
      {around("? Q\nanswer: 3\n- no\nwhy: So.\n"),
       "line 8: expected - [x], - [ ] or - ANSWER: and a sentence, got \"- no\""},
      {around("? Q\nanswer: 3\nwhy: So.\n? R\n"),
       "line 9: expected one question in a stop, got "
       "\"? R\""},
      {around("wait: knob:n > 3\n? Q\nanswer: true\nwhy: So.\n"),
       "line 6: expected a question or \"wait:\" in a stop, got both"},
      {around("Words.\n<!-- never closed\n"),
       "line 7: expected --> after <!--, got the end of the "
       "file"},
      {around("\xff\xfe words"), "line 6: expected text in UTF-8, got other bytes"},
  };
  for (const auto& [given, said] : all) {
    const auto& text = given;
    CAPTURE(text);
    const std::string came = fault(text);
    CAPTURE(came);
    CHECK(came.starts_with(std::string("class.md, ") + said));
  }
}

TEST_CASE("what a page does not have is refused with its line") {
  rig::Pages pages;
  const auto on_page = [&](const std::string& stop) -> std::string {
    const Lesson all = parse(around(stop), "class.md");
    try {
      check_scenes(all);
    } catch (const Fault& error) {
      return error.what();
    }
    std::string told;
    for (const Fault& one : faults_of(all, [&](const auto& session) { return pages.of(session); }))
      told += (told.empty() ? "" : "\n") + std::string(one.what());
    return told;
  };
  CHECK(on_page("show: figure:data\npoint: bar:loss:0\nWords.") != "");
  CHECK(on_page("show: figure:date\nWords.")
            .starts_with("class.md, line 6: expected something of the page (such as data"));
  CHECK(on_page("\nA {readout:pediction}.")
            .starts_with("class.md, line 7: expected a number of the page (such as prediction"));
  CHECK(on_page("\nThe [plot](plot:weihgts).")
            .starts_with("class.md, line 7: expected something of the page (such as weights"));
  CHECK(on_page("? Q\nclick: cell:attention:0,99999\nwhy: So.")
            .starts_with("class.md, line 7: expected an index from 0 to 49, got "));
  CHECK(on_page("\nA {1 / 0}.").starts_with("class.md, line 7: expected a number, got "));
  CHECK(on_page("? Q\nanswer: 1 / 0\nwhy: So.")
            .starts_with("class.md, line 7: expected a number, got "));
  // Every fault at once, with the values that are there.
  CHECK(on_page("set: bandwidth=1\ncheck: knob:bandwidth > 2\n\nA {readout:pediction}.\n"
                "? Q\nanswer: 5 from knob:n\n- knob:n - 45: So.\nwhy: {readout:loss}.")
            .find("class.md, line 7: expected \"check:\" to hold, got 1 > 2\n"
                  "class.md, line 9: expected a number of the page") == 0);
  const std::string faults =
      on_page("? Q\nanswer: 5 from knob:n\n- knob:n - 45: So.\nwhy: {readout:loss}.");
  CHECK(faults.find("line 7: expected the number of the page, 50, got 5") != faults.npos);
  CHECK(faults.find("line 8: expected a wrong answer, got the right one, 5") != faults.npos);
  CHECK(faults.find("line 9: expected a number of the page (such as ") != faults.npos);
  CHECK(std::count(faults.begin(), faults.end(), '\n') == 2);
}

TEST_CASE("what is waited for is not there at first, and comes by what is done") {
  rig::Pages pages;
  const auto told = [&](const std::string& stop) {
    const Lesson all = parse(around(stop), "class.md");
    std::string faults;
    for (const Fault& one : faults_of(all, [&](const auto& session) { return pages.of(session); }))
      faults += std::string(one.what()) + "\n";
    return faults;
  };
  CHECK(told("set: bandwidth=1\nwait: knob:bandwidth > 0.5\nWords.") ==
        "class.md, line 7: expected \"wait:\" not to hold before anything is done, got 1 > 0.5\n");
  CHECK(told("set: bandwidth=1\nwait: readout:neighbours < 2\ndo: bandwidth=0.9\nWords.")
            .starts_with("class.md, line 8: expected \"wait:\" to hold once it is done, got 3"));
  CHECK(told("wait: readout:neighbours < 2\ndo: bandwidth=0.02\n"
             "seen: From {was(readout:neighbours)} to {readout:neighbours}.\nWords.") == "");
  CHECK(told("wait: readout:neighbours < 2\ndo: bandwidth=0.02\nseen: To {readout:nothing}.\nW.")
            .starts_with("class.md, line 8: expected a number of the page"));
}

TEST_CASE("what was as the stop began is told beside what is") {
  rig::Pages pages;
  const rig::Seen first(pages, rig::session("pooling", "bandwidth=1"));
  const rig::Seen then(pages, rig::session("pooling", "bandwidth=0.02"));
  const Paragraph said = read_paragraph(
      "{was(readout:neighbours)}, {was(knob:bandwidth) - knob:bandwidth}", {"class.md", 1});
  const Sight begun = first.sight();
  Sight now = then.sight();
  CHECK(plain(text_of(said, now, pages.words())).ends_with(", 0"));  // nothing is known of before
  now.begun = &begun;
  const std::string text = first.page.readouts.at(1).text;
  CHECK(plain(text_of(said, now, pages.words())) == text + ", 0.98");
}

// The table of words is what assets/lessons/README.md tells of, and the other way round.
TEST_CASE("every word of the format is told of") {
  std::ostringstream text;
  text << std::ifstream(ATTNSCOPE_SOURCE_DIR "/assets/lessons/README.md").rdbuf();
  const std::string readme = text.str();
  REQUIRE(readme.size() > 1000);
  for (const WordInfo& one : word_table()) {
    CAPTURE(std::string(one.name));
    CHECK(readme.find("| `" + std::string(one.name) + ":` |") != readme.npos);
  }
  for (const Function& one : functions()) {
    CAPTURE(std::string(one.name));
    CHECK(readme.find("`" + std::string(one.name) + "(") != readme.npos);
  }
  for (const Kind kind :
       {Kind::knob, Kind::readout, Kind::figure, Kind::plot, Kind::cell, Kind::bar, Kind::point,
        Kind::box, Kind::line, Kind::picked, Kind::moved}) {
    CHECK(readme.find("`" + std::string(kind_name(kind)) + ":") != readme.npos);
  }
}

// The lesson in the README can be opened as it stands.
TEST_CASE("the example of the README is a lesson") {
  std::ostringstream text;
  text << std::ifstream(ATTNSCOPE_SOURCE_DIR "/assets/lessons/README.md").rdbuf();
  const std::string readme = text.str(), begin = "```markdown\n";
  const std::size_t from = readme.find(begin);
  REQUIRE(from != readme.npos);
  const std::size_t to = readme.find("```", from + begin.size());
  const Lesson all = parse(readme.substr(from + begin.size(), to - from - begin.size()), "README");
  check_scenes(all);
  rig::Pages pages;
  CHECK(faults_of(all, [&](const auto& session) { return pages.of(session); }).empty());
  CHECK(all.stops.size() == 2);
}

}  // namespace parse_test
