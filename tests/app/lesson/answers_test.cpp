// What learners answered: counted, written, read again, and of a class on one page.
#include "app/lesson/answers.h"

#include <doctest/doctest.h>

#include "app/lesson/handout/collected.h"
#include "folder.h"
#include "rig.h"

namespace answers_test {

using namespace lesson;

const std::string kText =
    "# T\nabout: a\nminutes: 3\nlab: pooling\n"
    "## One\nW.\n? Which, {knob:n}?\n- [ ] Half\n- [x] All\nwhy: So.\n"
    "## Two\nW.\n? Is it?\nanswer: true\nwhy: So.\n"
    "## Three\nW.\n"
    "## Four\nshow: figure:data\nW.\n? How many?\nanswer: 50 from knob:n\nwhy: So.\n";

const Lesson& lesson_here() {
  static const Lesson all = parse(kText, "class.md");
  return all;
}

Place place(std::map<std::size_t, Said> said) { return {.said = std::move(said)}; }

TEST_CASE("the first answers are counted: right, wrong, shown") {
  const Tally tally = tally_of(
      lesson_here(), place({{0, {"All", true, ""}}, {1, {"", false, ""}}, {3, {"49", false, ""}}}));
  CHECK(tally.asked == 3);
  CHECK(tally.right == 1);
  CHECK(tally.shown == 1);
  CHECK(tally.wrong == std::vector<std::size_t>{3});
  CHECK_FALSE(all_wrong(lesson_here(), place({})));
  CHECK_FALSE(all_wrong(lesson_here(), place({{1, {"", false, ""}}})));
  CHECK(all_wrong(lesson_here(), place({{0, {"Half", false, ""}}, {1, {"", false, ""}}})));
  CHECK_FALSE(
      all_wrong(lesson_here(),
                place({{0, {"Half", false, ""}}, {1, {"", false, ""}}, {3, {"", false, ""}}})));
  CHECK_FALSE(all_wrong(lesson_here(), place({{0, {"Half", false, ""}}, {3, {"50", true, ""}}})));
}

TEST_CASE("what is right since is no longer wrong") {
  const auto answered = place({{0, {"Half", false, ""}}, {3, {"49", false, "", true}}});
  const Tally tally = tally_of(lesson_here(), answered);
  CHECK(tally.right == 0);
  CHECK(tally.since == 1);
  CHECK(tally.wrong == std::vector<std::size_t>{0});
  CHECK_FALSE(all_wrong(lesson_here(), answered));
}

TEST_CASE("only the first answer counts, until the lesson is begun anew") {
  Progress progress;
  progress.say("rope", 2, {"No", false, "1"});
  progress.say("rope", 2, {"Yes", true, "2"});
  CHECK(progress.of("rope").said.at(2).since);
  CHECK(!progress.of("rope").said.at(2).right);
  CHECK(progress.of("rope").said.at(2).words == "No");
  progress.finish("rope");
  progress.begin_anew("rope");
  CHECK(progress.of("rope").said.empty());
  CHECK(progress.of("rope").done);
}

TEST_CASE("an answer is put in words as it was given") {
  rig::Pages pages;
  const rig::Seen seen(pages, rig::session("pooling"));
  const auto words = [&](const std::string& question, const Answer& answer) {
    const Lesson all = parse(rig::around("W.\n? Q\n" + question + "\nwhy: So."), "class.md");
    return words_of(*all.stops.front().question, answer, seen.sight(), pages.words());
  };
  CHECK(words("- [ ] Half\n- [x] All {knob:n}", {.option = 1}) == "All 50");
  CHECK(words("answer: true", {.truth = false}) == "False");
  CHECK(words("answer: 3", {.number = 0.25}) == "0.25");
  CHECK(words("answer: 3", {}) == "");
  CHECK(words("click: cell:attention:3,7", {.elements = {{.row = 2, .col = 5}}}) ==
        "row 2, column 5");
  CHECK(words("draw: line:data:0 within 9 %", {.curve = {{0, 1}, {5, 1}}}) == "a level curve");
}

std::vector<Record> records() {
  return records_of(lesson_here(), "class.md", "Ada, \"A\"",
                    place({{0, {"All", true, "2026-11-27 14:05"}},
                           {1, {"", false, "2026-11-27 14:06"}},
                           {2, {"of no question", true, ""}},
                           {9, {"of no stop", true, ""}}}));
}

TEST_CASE("answers are written as CSV and JSON, and read again as they were") {
  const std::vector<Record> all = records();
  REQUIRE(all.size() == 2);
  CHECK(all[0].question == "Which, {knob:n}?");
  CHECK(all[0].stop == 1);
  const test::Folder folder;
  for (const char* name : {"a.csv", "a.json"}) {
    CAPTURE(name);
    write_records(all, folder / name);
    CHECK(read_records(folder / name) == all);
  }
  CHECK(
      folder.read("a.csv").starts_with("name,lesson,stop,title,question,answer,right,time\n\"Ada, "
                                       "\"\"A\"\"\",class.md,1,One,\"Which, "
                                       "{knob:n}?\",All,true,2026-11-27 14:05\n"));
  CHECK_THROWS_WITH(write_records(all, folder / "a.txt"),
                    "expected a name that ends in .csv or .json, got \"a.txt\"");
}

TEST_CASE("a file that is something else is refused in one sentence") {
  const test::Folder folder;
  const auto fault = [&](const std::string& name, const std::string& text) -> std::string {
    folder.write(name, text);
    try {
      read_records(folder / name);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string head = "name,lesson,stop,title,question,answer,right,time\n";
  CHECK(fault("a.csv", head) == "");
  for (const std::string& text :
       {std::string(), std::string("x,y\n1,2\n"), head + "Ada,rope,1\n",
        head + "Ada,rope,0,t,q,a,true,now\n", head + "Ada,rope,1,t,q,a,maybe,now\n"}) {
    CAPTURE(text);
    CHECK(fault("a.csv", text).starts_with("a.csv: expected answers to a lesson as attnscope"));
  }
  for (const char* text : {"", "{", "[3]", "[{\"name\":\"Ada\"}]", "{\"a\":1}"}) {
    CAPTURE(text);
    CHECK(fault("a.json", text).starts_with("a.json: expected answers to a lesson as attnscope"));
  }
  CHECK_THROWS_WITH_AS(read_class(folder / "nowhere"),
                       doctest::Contains("--collect: expected a folder"), core::InputError);
}

struct Class {
  test::Folder folder;
  Class() {
    const auto one = [&](const char* file, const char* name, const char* said, bool right) {
      write_records(records_of(lesson_here(), "class.md", name, place({{0, {said, right, ""}}})),
                    folder / file);
    };
    one("a.csv", "Ada", "All", true);
    one("b.json", "", "Half", false);
    one("c.csv", "Cem", "All", true);
  }
};

TEST_CASE("a class's answers are counted, options in their order, and nobody is lost") {
  const Class here;
  const std::vector<Record> all = read_class(here.folder.path());
  CHECK(all.size() == 3);
  CHECK(all[1].name == "b");  // who gave no name has the file's
  rig::Pages pages;
  const rig::Seen seen(pages, scene(lesson_here(), 0, true));
  const auto chosen = chosen_at(lesson_here(), 0, all, seen.sight(), pages.words());
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].answer == "Half");
  CHECK(chosen[0].count == 1);
  CHECK(chosen[1].count == 2);
  CHECK(chosen[1].right);
  const rig::Seen last(pages, scene(lesson_here(), 3, true));
  std::vector<Record> typed;
  for (const char* said : {"49", "50", "49", ""}) {
    typed.push_back({"x", "class.md", 4, "", "", said, std::string(said) == "50", ""});
  }
  const auto numbers = chosen_at(lesson_here(), 3, typed, last.sight(), pages.words());
  REQUIRE(numbers.size() == 3);
  CHECK(numbers[0].answer == "49");
  CHECK(numbers[0].count == 2);
}

TEST_CASE("one page tells how many chose what, with the figure") {
  const Class here;
  rig::Pages pages;
  const auto page_of = [&](const session::Session& session) { return pages.of(session); };
  const auto page = [&](const std::string& name) {
    return write_collected(lesson_here(), name, read_class(here.folder.path()), page_of,
                           words::Language::en, here.folder / "class.md");
  };
  const auto beside = page("class.md");
  const std::string text = here.folder.read("class.md");
  CHECK(text.find("3 learners, 3 answers, 2 right at first") != text.npos);
  CHECK(text.find("A  Half: 1") != text.npos);
  CHECK(text.find("B  All: 2") != text.npos);
  CHECK(text.find("Nobody answered.") != text.npos);
  CHECK(beside.size() == 2);  // the counts of the first stop, the figure of the last
  CHECK_THROWS_WITH_AS(page("rope"), doctest::Contains("expected answers to \"rope\", got some to"),
                       core::InputError);
}

}  // namespace answers_test
