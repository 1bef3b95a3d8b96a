// What is right, what is wrong, and what is said to it.
#include <doctest/doctest.h>

#include <cmath>

#include "app/figure/layout.h"
#include "rig.h"

namespace answer_test {

using namespace lesson;

struct Asked {
  Lesson lesson;
  rig::Seen seen;
  Asked(rig::Pages& pages, const std::string& lines)
      : lesson(parse("# T\nabout: a\nminutes: 1\nlab: softmax\n## S\nset: count=4 | logit_1=1 | "
                     "logit_2=2 | logit_3=2 | logit_4=-1\n? Q\n" +
                         lines + "\nwhy: So.\n",
                     "q.md")),
        seen(pages, scene(lesson, 0, true)) {}
  const Question& q() const { return *lesson.stops[0].question; }
  Verdict graded(const Answer& answer) const { return grade(q(), answer, seen.sight()); }
  std::string said(const Answer& answer) const {
    return plain(text_of(graded(answer).said, seen.sight(), {}));
  }
  Answer right() const { return right_answer(q(), seen.sight()); }
};

rig::Pages& pages() {
  static rig::Pages all;
  return all;
}

TEST_CASE("one of several options") {
  const Asked a(pages(), "- [ ] A\n  Not {knob:count}.\n- [x] B\n- [ ] C");
  CHECK(a.right().option == 1);
  CHECK(a.graded({.option = 1}).right);
  CHECK_FALSE(a.graded({.option = 0}).right);
  CHECK(a.said({.option = 0}) == "Not 4.");
  CHECK(a.said({.option = 2}) == "");
  CHECK_FALSE(a.graded({}).right);
  CHECK_FALSE(a.graded({.option = 7}).right);
  CHECK(answer_text(a.q(), {.option = 2}, a.seen.sight(), {}) == "C");
}

TEST_CASE("true or false") {
  const Asked a(pages(), "answer: false");
  CHECK(a.graded({.truth = false}).right);
  CHECK_FALSE(a.graded({.truth = true}).right);
  CHECK_FALSE(a.graded({.option = 0}).right);
  const words::Words chinese(words::Language::zh_CN);
  CHECK(answer_text(a.q(), {.truth = true}, a.seen.sight(), {}) == "True");
}

TEST_CASE("the right answer to a staircase has its edges, halfway along the axis") {
  const Lesson lesson = parse(
      "# T\nabout: a\nminutes: 1\nlab: relative\n## S\npreset: t5_log\n? Q\ndraw: "
      "line:distance_curve:0\nwhy: So.\n",
      "q.md");
  const rig::Seen seen(pages(), scene(lesson, 0, true));
  const Answer right = right_answer(*lesson.stops[0].question, seen.sight());
  REQUIRE(right.curve.size() > 3);
  CHECK(right.curve[0][0] == 1);
  CHECK(right.curve[1][0] == doctest::Approx(std::sqrt(2)));
  CHECK(right.curve[1][1] == right.curve[0][1]);
  CHECK(right.curve[2][0] == right.curve[1][0]);
  CHECK(right.curve[2][1] == right.curve[3][1]);
  CHECK(grade(*lesson.stops[0].question, right, seen.sight()).right);
}

TEST_CASE("a number is right as near as the question says, and a known mistake has its sentence") {
  const Asked a(pages(),
                "answer: 2 * knob:logit_2 within 0.1\n- knob:logit_1: That is one.\n- 1 / "
                "0.125: That is eight.");
  CHECK(a.right().number == 4);
  CHECK(a.graded({.number = 4.1}).right);
  CHECK_FALSE(a.graded({.number = 4.11}).right);
  CHECK(a.said({.number = 1.05}) == "That is one.");
  CHECK(a.said({.number = 8}) == "That is eight.");
  CHECK(a.said({.number = 3}) == "");
  const Asked percent(pages(), "answer: largest(bar:weights) within 5 %");
  const double truth = *percent.right().number;
  CHECK(percent.graded({.number = truth * 1.049}).right);
  CHECK_FALSE(percent.graded({.number = truth * 1.051}).right);
  CHECK(answer_text(percent.q(), {.number = 0.25}, percent.seen.sight(), {}) == "0.25");
}

TEST_CASE("of equal largest bars any may be clicked") {
  const Asked a(pages(), "click: largest bar:weights\n- bar:weights:4: That is the smallest.");
  const auto clicked = [&](long k) {
    return Answer{.elements = {*element(*find_plot(a.seen.page, "weights"), Kind::bar, k, -1)}};
  };
  CHECK(right_elements(a.q(), a.seen.sight()).size() == 2);
  CHECK(a.graded(clicked(1)).right);
  CHECK(a.graded(clicked(2)).right);
  CHECK_FALSE(a.graded(clicked(0)).right);
  CHECK(a.said(clicked(0)) == "");
  CHECK(a.said(clicked(3)) == "That is the smallest.");
  const Asked least(pages(), "click: smallest bar:weights");
  CHECK(least.right().elements.at(0).row == 3);
  const Asked named(pages(), "click: bar:weights:weight");
  CHECK(named.right().elements.at(0).row + 1 ==
        std::stol(*knob_text(named.seen.sight(), "weight")));
}

TEST_CASE("all that are marked and no others") {
  const Asked a(pages(), "mark: bar:weights > 0.3");
  const auto& plot = *find_plot(a.seen.page, "weights");
  const auto bar = [&](long k) { return *element(plot, Kind::bar, k, -1); };
  CHECK(a.right().elements.size() == 2);
  CHECK(a.graded({.elements = {bar(2), bar(1)}}).right);
  CHECK_FALSE(a.graded({.elements = {bar(1)}}).right);
  CHECK_FALSE(a.graded({.elements = {bar(1), bar(2), bar(3)}}).right);
  // A bar that is the number itself is not less than it, however the number is rounded.
  const Asked edge(pages(), "mark: bar:weights < bar:weights:2 - 0.1 + 0.1");
  CHECK(edge.right().elements.size() == 2);
}

TEST_CASE("a drawn curve is held to the line, by how far it is off on average") {
  const figure::Line line{.x = {0, 10}, .y = {0, 1}};
  const figure::Axis x{"", 0, 10}, y{"", 0, 2};
  const auto off = [&](std::vector<std::array<double, 2>> drawn) {
    return drawn_off(drawn, line, x, y);
  };
  CHECK(off({{0, 0}, {10, 1}}) == doctest::Approx(0).epsilon(1e-9));
  CHECK(off({{0, 0.2}, {10, 1.2}}) == doctest::Approx(10));
  CHECK(off({{1, 0.1}, {9.5, 0.95}}) == doctest::Approx(0).epsilon(1e-6));
  CHECK(std::isinf(off({{0, 0}, {5, 0.5}})));  // half of it alone
  CHECK(std::isinf(off({{0, 0}})));
  CHECK(std::isinf(off({})));
}

TEST_CASE("a curve's shape is that which is seen: on a logarithmic height, too") {
  figure::Axis y{"", 0.1, 1e6};
  y.scale = figure::AxisScale::log;
  CHECK(drawn_shape({{0, 1}, {6, 30}, {12, 1000}}, y) == "rising");
  CHECK(drawn_shape({{0, 1000}, {12, 1}}, y) == "falling");
  CHECK(drawn_shape({{0, 1}, {12, 1.5}}, y) == "flat");
  const figure::Axis plain{"", 0.1, 1e6};
  CHECK(drawn_shape({{0, 1}, {6, 30}, {12, 1000}}, plain) == "flat");
}

TEST_CASE("a drawn curve of a wrong shape has its sentence") {
  const Asked a(pages(),
                "draw: line:melting:0 within 4 %\n- flat: Not flat.\n- rising: Not up.\n- "
                "falling: Not down.");
  const figure::Plot& plot = *find_plot(a.seen.page, "melting");
  CHECK(a.graded(a.right()).right);
  const auto straight = [&](double from, double to) {
    const auto at = [&](double share) { return plot.y.lo + (plot.y.hi - plot.y.lo) * share; };
    return Answer{.curve = {{plot.x.lo, at(from)}, {plot.x.hi, at(to)}}};
  };
  CHECK_FALSE(a.graded(straight(0.9, 0.95)).right);
  CHECK(a.said(straight(0.9, 0.95)) == "Not flat.");
  CHECK(a.said(straight(0.4, 0.95)) == "Not up.");
  CHECK(a.said(straight(0.99, 0.3)) == "Not down.");
}

TEST_CASE("what is clicked is what lies there") {
  const Asked a(pages(), "click: largest bar:weights");
  const figure::Plot& plot = *find_plot(a.seen.page, "weights");
  figure::PlotFrame frame;
  frame.area = {100, 50, 400, 200};
  frame.shown = figure::whole_view(plot);
  for (long k = 0; k < 4; ++k) {
    const Element bar = *element(plot, Kind::bar, k, -1);
    const figure::Rect r = place_of(plot, frame, Kind::bar, bar);
    const auto hit =
        element_at(plot, frame, Kind::bar, {r.x + r.w / 2, std::min(r.y + r.h / 2, 249.0f)});
    REQUIRE(hit);
    CHECK(hit->row == k);
    CHECK(r.bottom() <= 252);
  }
  CHECK_FALSE(element_at(plot, frame, Kind::bar, {50, 60}));
}

TEST_CASE("cells are found where they are drawn, in tables and in planes") {
  const auto source = std::make_shared<figure::DenseSource>(core::Matrix::Identity(3, 4));
  for (const bool upright : {false, true}) {
    figure::Plot plot{.id = "map", .x = {"", 0, 4}, .y = {"", 0, 3}};
    plot.x.cells = true, plot.y.cells = !upright;
    plot.upright = upright;
    plot.add(figure::Heatmap{.source = source});
    figure::PlotFrame frame;
    frame.area = {10, 20, 400, 300};
    frame.shown = upright ? figure::View{0, 4, 3, 0} : figure::View{0, 4, 0, 3};
    for (long row = 0; row < 3; ++row) {
      const figure::Rect r = place_of(plot, frame, Kind::cell, *element(plot, Kind::cell, row, 2));
      CHECK(r.y == doctest::Approx(20 + 100 * static_cast<double>(row)));  // row 0 at the top
      const auto hit = element_at(plot, frame, Kind::cell, {r.x + 50, r.y + 50});
      REQUIRE(hit);
      CHECK(hit->row == row);
      CHECK(hit->col == 2);
    }
  }
}

TEST_CASE("the way to a condition is found, or asked for") {
  const auto way = [&](const std::string& lines) {
    const Lesson all =
        parse("# T\nabout: a\nminutes: 1\nlab: softmax\n## S\n" + lines + "\nWords.\n", "w.md");
    rig::Seen seen(pages(), scene(all, 0));
    const Way found = way_to(all.stops[0], seen.sight());
    session::Session after = seen.session;
    const auto state = lab::find(after.lab).make();
    param::assign(state->describe(), after.values);
    param::assign(state->describe(), found.sets);
    after.values = param::values(state->describe());
    rig::Seen then(pages(), after);
    for (const Way::Click& one : found.clicks) then.picked.insert(one.in);
    for (const auto& [id, value] : found.sets) then.moved.insert(id);
    return holds(all.stops[0].wait->is, then.sight());
  };
  CHECK(way("wait: knob:temperature > 3"));
  CHECK(way("wait: knob:temperature < 0.2"));
  CHECK(way("wait: 3 <= knob:count"));
  CHECK(way("wait: not knob:temperature <= 3"));
  CHECK(way("wait: knob:count = 7 and knob:shift > 10"));
  CHECK(way("wait: knob:count = 3 or readout:entropy > 9"));
  CHECK(way("wait: knob:view = jacobian"));
  CHECK(way("wait: knob:view != weights"));
  CHECK(way("wait: moved:temperature"));
  CHECK(way("wait: moved:view"));
  CHECK(way("wait: picked:weights"));
  CHECK(way("wait: readout:entropy > 1.5\ndo: temperature=40"));
  CHECK_THROWS_WITH_AS(way("wait: readout:entropy > 1.5"),
                       "expected \"do:\" with knobs beside a condition on a computed value",
                       core::InputError);
}

}  // namespace answer_test
