// What a lecture shows at a stop, what is made ahead, and its switches.
#include <doctest/doctest.h>

#include "app/lesson/lecture.h"
#include "rig.h"

namespace lecture_test {

using namespace lesson;

figure::Figure figure_of_span(const char* id, int span) {
  figure::Figure one;
  one.id = id;
  one.span = span;
  one.plots.emplace_back().id = std::string("plot_") + id;
  return one;
}

lab::Page page() {
  lab::Page page;
  page.figures = {figure_of_span("a", 6), figure_of_span("b", 6), figure_of_span("c", 8),
                  figure_of_span("d", 5), figure_of_span("e", 7)};
  return page;
}

Stop stop(const std::string& lines) { return parse(rig::around(lines), "class.md").stops.front(); }

TEST_CASE("figures stand in rows as on the page, two at most beside each other") {
  const auto rows = rows_of(page().figures);
  CHECK(rows == std::vector<Row>{{"a", "b"}, {"c"}, {"d", "e"}});
  CHECK(rows_of({figure_of_span("x", 3), figure_of_span("y", 3), figure_of_span("z", 3)}) ==
        std::vector<Row>{{"x", "y"}, {"z"}});
  CHECK(rows_of({}).empty());
}

TEST_CASE("a stop's picture is what it shows, asks about and points at; else the first row") {
  CHECK(pictured(stop("W."), page()) == Row{"a", "b"});
  CHECK(pictured(stop("show: figure:c\nW."), page()) == Row{"c"});
  CHECK(pictured(stop("show: figure:c\npoint: plot:plot_d\nW."), page()) == Row{"c", "d"});
  CHECK(pictured(stop("point: knob:method, figure:e\nW."), page()) == Row{"e"});
  CHECK(pictured(stop("show: figure:c alone\npoint: figure:d\nW."), page()) == Row{"c"});
  // What is asked about is there, whatever is pointed at besides.
  const Stop asks = stop("show: figure:c\npoint: figure:a\n? Q\nclick: bar:plot_d:1\nwhy: So.");
  CHECK(pictured(asks, page()) == Row{"c", "d"});
  CHECK(pictured(stop("show: figure:none\nW."), page()) == Row{"a", "b"});
}

TEST_CASE("the knobs at hand are those pointed at, waited for and set") {
  const Stop one = stop(
      "set: n=20 | noise=0.1\npoint: figure:data, knob:query\nwait: knob:bandwidth < 1 and "
      "moved:query\nW.");
  CHECK(knobs_of(one) == std::vector<std::string>{"query", "bandwidth", "n", "noise"});
  CHECK(knobs_of(stop("W.")).empty());
}

TEST_CASE("what may come next is made ahead: the answer, the next stop, the one before") {
  const Lesson lesson = parse(
      "# T\nabout: a\nminutes: 1\nlab: pooling\n## A\nset: n=10\nW.\n## B\nset: n=20\n? Q\nanswer: "
      "true\nreveal: n=30\nwhy: So.\n## C\nset: n=40\nW.\n## D\nW.\n",
      "class.md");
  const auto n_of = [](const std::vector<session::Session>& scenes) {
    std::vector<std::string> all;
    for (const session::Session& one : scenes) {
      for (const auto& [id, value] : one.values) {
        if (id == "n") all.push_back(value);
      }
    }
    return all;
  };
  using All = std::vector<std::string>;
  CHECK(n_of(scenes_ahead(lesson, 0, {})) == All{"20", "40"});
  CHECK(n_of(scenes_ahead(lesson, 1, {})) == All{"30", "40", "10"});
  CHECK(n_of(scenes_ahead(lesson, 1, {false, true})) == All{"40", "10"});
  CHECK(n_of(scenes_ahead(lesson, 2, {false, true})) == All{"30"});  // D shows what C shows
  CHECK(n_of(scenes_ahead(lesson, 2, {})) == All{"20"});
}

TEST_CASE("every switch is off at first and goes off again") {
  Lecture lecture;
  CHECK_FALSE(lecture.on());
  CHECK(lecture.seconds(100) == 0);
  lecture.begin(40);
  CHECK(lecture.on());
  CHECK(lecture.seconds(100) == 60);
  CHECK(lecture.sentence());
  using Blank = Lecture::Blank;
  using Tool = Lecture::Tool;
  lecture.blank(Blank::black);
  lecture.blank(Blank::white);
  CHECK(lecture.blank() == Blank::white);
  lecture.blank(Blank::white);
  CHECK(lecture.blank() == Blank::none);
  lecture.take(Tool::spotlight);
  lecture.take_ink(2);
  CHECK(lecture.tool() == Tool::pen);
  CHECK(lecture.ink() == 2);
  lecture.take_ink(99);
  CHECK(lecture.ink() == Lecture::kInks - 1);
  lecture.take(Tool::pen);
  CHECK(lecture.tool() == Tool::none);
  lecture.switch_sentence();
  lecture.end();
  lecture.begin(200);  // what was chosen of the sentence stays
  CHECK_FALSE(lecture.sentence());
  CHECK(lecture.seconds(201) == 1);
}

TEST_CASE("a stop's strokes are found again wherever the lesson's file lies") {
  CHECK(stroke_place("averaging", 3) == "averaging 3");
  CHECK(stroke_place("/home/a/class/mine.md", 0) == "mine.md 0");
}

}  // namespace lecture_test
