// Holding in the model, and what a tip says of it.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/figure/layout.h"
#include "app/paper/file/session_carrier.h"
#include "app/session/compare.h"
#include "app/ui/page/differences.h"
#include "app/ui/page/held_values.h"
#include "app/ui/page/values_at.h"
#include "eventually.h"
#include "rig.h"
#include "state/program_rig.h"

namespace hold_test {

namespace {

const lab::Lab& one(std::string_view) { return test_lab::labs()[0]; }

}  // namespace

TEST_CASE("what is held is the page on screen, computed once and kept") {
  state::Program program(test_lab::labs());
  program.wait();
  const auto before = program.pages.shared();
  program.holding.hold();
  CHECK(program.holding.page() == before);  // the same page, not another
  program.knobs.set("heads", "8");
  program.wait();
  CHECK(program.holding.page() == before);
  CHECK(program.pages.page() != before.get());
  CHECK(program.holding.pages().computed() == 0);
  CHECK(program.holding.differs(program.holding.holds().all[0]) == "heads = 4");
  program.holding.hold();
  CHECK(program.holding.holds().all.size() == 2);
  CHECK(program.holding.holds().compared == 1);
  program.holding.hold();  // it is held already
  CHECK(program.holding.holds().all.size() == 2);
}

TEST_CASE("holding, naming, dropping and choosing are undone and done again") {
  state::Program program(test_lab::labs());
  program.wait();
  program.holding.hold();
  program.holding.rename(0, "four");
  program.knobs.set("heads", "8");
  program.holding.drop(0);
  CHECK(program.holding.holds().all.empty());
  CHECK_FALSE(program.holding.page());
  program.desk.undo();
  REQUIRE(program.holding.holds().all.size() == 1);
  CHECK(program.holding.holds().all[0].name == "four");
  program.desk.undo();  // the knob: what is held stays
  CHECK(program.knobs.value("heads") == "4");
  CHECK(program.holding.holds().all.size() == 1);
  program.desk.undo();
  CHECK(program.holding.holds().all[0].name.empty());
  program.desk.undo();
  CHECK(program.holding.holds().all.empty());
  CHECK_FALSE(program.desk.can_undo());
  for (int k = 0; k < 3; ++k) program.desk.redo();
  CHECK(program.knobs.value("heads") == "8");
  REQUIRE(program.holding.holds().all.size() == 1);
  CHECK(program.holding.holds().all[0].name == "four");
  program.holding.compare_with(-1);
  CHECK_FALSE(program.holding.page());
  program.desk.undo();
  CHECK(program.holding.page());
}

TEST_CASE("dropping the compared one compares the last of the others") {
  state::Program program(test_lab::labs());
  for (const char* heads : {"5", "6", "7"}) {
    program.knobs.set("heads", heads);
    program.wait();
    program.holding.hold();
  }
  program.holding.compare_with(1);
  program.holding.drop(0);
  CHECK(program.holding.holds().compared == 0);
  CHECK(program.holding.differs(*program.holding.holds().now()) == "heads = 6");
  program.holding.drop(0);
  CHECK(program.holding.holds().compared == 0);
  program.holding.drop(0);
  CHECK(program.holding.holds().compared == -1);
}

TEST_CASE("a lab has its own holds, and they wait for it") {
  state::Program program(test_lab::labs());
  program.wait();
  program.holding.hold();
  program.desk.show_lab("two");
  program.wait();
  CHECK(program.holding.holds().all.empty());
  CHECK_FALSE(program.holding.page());
  program.desk.show_lab("one");
  CHECK(program.holding.holds().all.size() == 1);
}

TEST_CASE("a session keeps what is held as values, and its page is made again") {
  state::Program program(test_lab::labs());
  program.knobs.set("heads", "8");
  program.wait();
  program.holding.hold();
  program.holding.rename(0, "eight, 八");
  program.knobs.set("heads", "16");
  program.holding.show_cells(figure::CellsShown::difference);
  program.holding.set_split(0.25f);
  const std::string text = session::to_json(program.desk.now(), one);
  const session::Session session = session::from_json(text, one);
  CHECK(session.holds == program.holding.holds());
  CHECK(session == program.desk.now());
  state::Program other(test_lab::labs());
  other.files.restore(session);
  CHECK_FALSE(other.holding.page());
  other.wait();
  REQUIRE(other.holding.page());
  CHECK(other.holding.pages().computed() == 1);
  CHECK(other.holding.page()->page.readouts[0].value == 8);
  CHECK(other.pages.page()->page.readouts[0].value == 16);
  // In another language its words are others: a page of its own.
  other.set_language(words::Language::zh_CN);
  other.wait();
  CHECK(other.holding.page()->language == words::Language::zh_CN);
  CHECK(other.holding.pages().computed() == 2);
}

TEST_CASE("what is no list of holds is refused in a sentence") {
  state::Program program(test_lab::labs());
  program.wait();
  program.holding.hold();
  const auto json = nlohmann::json::parse(session::to_json(program.desk.now(), one));
  const auto refused = [&](const std::string& at, const nlohmann::json& value) {
    nlohmann::json bad = json;
    bad["holds"][at] = value;
    CHECK_THROWS_AS(session::from_json(bad.dump(), one), core::InputError);
  };
  refused("all", 3);
  refused("all", {{{"name", 3}}});
  refused("all", {{{"values", {{"heads", 1000}}}}});
  refused("all", {{{"values", {{"unknown", 1}}}}});
  refused("compared", 1);
  refused("compared", "first");
  refused("cells", "half");
  refused("split", 2);
  nlohmann::json many = json;
  for (int k = 0; k < 13; ++k) many["holds"]["all"].push_back(json["holds"]["all"][0]);
  CHECK_THROWS_AS(session::from_json(many.dump(), one), core::InputError);
}

TEST_CASE("a hold that cannot be computed says why, and the page stays") {
  state::Program program(test_lab::labs());
  program.wait();
  session::Session session = program.desk.now();
  auto values = session.values;
  for (auto& [id, value] : values) {
    if (id == "file") value = "bad.csv";
  }
  session.holds = {{{"bad", values}}, 0};
  program.files.restore(session);
  program.wait();
  CHECK_FALSE(program.holding.page());
  CHECK(program.holding.fault(program.holding.holds().all[0]).find("expected a good file") !=
        std::string::npos);
  CHECK(program.pages.page());
}

TEST_CASE("while a knob is dragged the page at which the drag began is held by itself") {
  state::Program program(test_lab::labs());
  program.wait();
  const auto before = program.pages.shared();
  program.knobs.set("heads", "5", "drag.heads");  // no button is down: it is typed
  CHECK_FALSE(program.holding.page());
  program.desk.end_gesture();
  program.desk.undo();
  program.wait();
  const auto begun = program.pages.shared();
  program.holding.set_dragging(true);
  program.knobs.set("heads", "5", "drag.heads");
  program.knobs.set("heads", "6", "drag.heads");
  CHECK(program.holding.page() == begun);
  CHECK(program.holding.is_drag());
  CHECK(program.holding.holds().all.empty());
  program.wait();
  CHECK(program.holding.page() == begun);
  program.holding.set_dragging(false);
  program.desk.end_gesture();
  CHECK_FALSE(program.holding.page());
  // The next drag begins with what is there then, of the same knob, too.
  program.holding.set_dragging(true);
  program.knobs.set("heads", "9", "drag.heads");
  REQUIRE(program.holding.page());
  CHECK(program.holding.page()->page.readouts[0].value == 6);
  program.holding.set_dragging(false);
  program.looks.holds_drags = false;
  program.wait();
  program.holding.set_dragging(true);
  program.knobs.set("heads", "4", "drag.heads");
  CHECK_FALSE(program.holding.page());
}

TEST_CASE("a drag does not take the place of what is held") {
  state::Program program(test_lab::labs());
  program.wait();
  program.holding.hold();
  const auto held = program.holding.page();
  program.knobs.set("heads", "8");
  program.wait();
  program.holding.set_dragging(true);
  program.knobs.set("heads", "9", "drag.heads");
  CHECK(program.holding.page() == held);
  CHECK_FALSE(program.holding.is_drag());
}

TEST_CASE("an unfinished page is not held") {
  const program_rig::During during([](const test_lab::Parameters& p, const lab::Context& context) {
    if (p.heads != 8 || !context.publish) return;
    context.publish(lab::Page{});
    while (!context.cancel.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    context.cancel.poll();
  });
  state::Program program(test_lab::labs());
  program.wait();
  program.knobs.set("heads", "8");
  REQUIRE(eventually([&] { return program.poll() && !program.pages.page()->whole; }));
  program.holding.hold();
  CHECK(program.holding.holds().all.empty());
  CHECK(program.messages.last().is_error);
  program.cancel_page();
}

TEST_CASE("a tip tells the held value and the difference") {
  const auto frame_of = [](const figure::Plot& plot) {
    figure::PlotFrame frame;
    frame.area = frame.whole = {0, 0, 100, 100};
    frame.shown = figure::whole_view(plot);
    return frame;
  };
  const auto tip = [&](const figure::Plot& live, const figure::Plot& held, figure::Point at) {
    const auto frame = frame_of(live);
    return ui::with_held(ui::values_at(live, {}, frame, at, {}), live, held, {}, frame, at, {});
  };
  test_lab::Parameters now, then;
  then.heads = 2;
  const auto cell = tip(test_lab::heatmap("a", now), test_lab::heatmap("a", then), {99, 99});
  REQUIRE(cell.size() == 4);
  CHECK(cell[0] == "3.9375");  // 63 · 4 / 64
  CHECK(cell[1] == "held 1.96875 · difference +1.96875");

  figure::Plot lines;
  lines.x = {.label = "x", .lo = 0, .hi = 2};
  lines.y = {.lo = 0, .hi = 10};
  figure::Plot old = lines;
  lines.marks = {figure::Line{.x = {0, 1, 2}, .y = {0, 1, 2}, .label = "a"},
                 figure::Line{.x = {0, 1, 2}, .y = {5, 6, 7}, .label = "b"}};
  old.marks = {figure::Line{.x = {0, 1, 2}, .y = {5, 9, 7}, .label = "b"},
               figure::Line{.x = {0, 2}, .y = {2, 6}, .label = "a"}};
  const auto curve = tip(lines, old, {50, 50});
  REQUIRE(curve.size() == 3);
  CHECK(curve[1] == "a 1 · about: held 4 · difference -3");  // by its name, between two points
  CHECK(curve[2] == "b 6 · held 9 · difference -3");
  old.marks.pop_back();
  CHECK(tip(lines, old, {50, 50})[1] == "a 1");  // no such line was there

  figure::Plot bars = lines;
  bars.x.cells = true;
  figure::Plot less = bars;
  bars.marks = {figure::Bars{{1, 2}}};
  less.marks = {figure::Bars{{1.5}}};
  CHECK(tip(bars, less, {20, 50}) ==
        std::vector<std::string>{"0: 1", "held 1.5 · difference -0.5"});
  CHECK(tip(bars, less, {70, 50}) == std::vector<std::string>{"1: 2", "held: no such bar"});
  // Heads and layers count from 1, as their axis does.
  for (figure::Plot* one : {&bars, &less}) one->x.lo = 1, one->x.hi = 3;
  CHECK(tip(bars, less, {20, 50}).front() == "1: 1");
}

TEST_CASE("where a held line does not reach there is no value") {
  const figure::Line line{{1, 2}, {3, 5}};
  CHECK(std::isnan(ui::on_line(line, 0.5).value));
  CHECK(ui::on_line(line, 1).value == 3);
  CHECK_FALSE(ui::on_line(line, 1).between);
  CHECK(ui::on_line(line, 1.5).value == 4);
  CHECK(ui::on_line(line, 1.5).between);
}

TEST_CASE("large tables are taken from each other in the background, once") {
  const auto table = [](core::Index side, float value) -> ui::Differences::Source {
    return std::make_shared<figure::DenseSource>(core::Matrix::Constant(side, side, value).eval());
  };
  ui::Differences all({});
  const auto small = table(4, 2), smaller = table(4, 1);
  const auto made = all.of(small, smaller);
  REQUIRE(made);
  CHECK(made->largest == 1);
  CHECK(all.of(small, smaller) == made);
  const auto large = table(600, 2), larger = table(600, 5);
  CHECK_FALSE(all.of(large, larger));
  const long before = all.poll();
  REQUIRE(eventually([&] { return !all.busy(); }));
  CHECK(all.poll() == before + 1);
  REQUIRE(all.of(large, larger));
  CHECK(all.of(large, larger)->largest == -3);
}

TEST_CASE("a difference is drawn with its largest value; what is apart is only said") {
  test_lab::Parameters now, then;
  then.heads = 2;
  const auto page = [](const figure::Plot& plot) {
    figure::Figure f;
    f.plots = {plot};
    return f;
  };
  const auto find = [](const auto& live, const auto& held) {
    return std::make_shared<const figure::Difference>(figure::difference(*live, *held));
  };
  const figure::Figure live = page(test_lab::heatmap("a", now));
  const std::vector<figure::Figure> held{page(test_lab::heatmap("a", then))};
  const words::Words w;
  using Shown = figure::CellsShown;
  CHECK_FALSE(session::beside(live, held, Shown::split, find, w));
  CHECK_FALSE(session::beside(live, held, Shown::live, find, w));
  const auto taken = session::beside(live, held, Shown::difference, find, w);
  REQUIRE(taken);
  const figure::Heatmap& map = *figure::heatmap_in(taken->plots[0]);
  CHECK(map.source->value(7, 7) == doctest::Approx(63.0 * 2 / 64));
  CHECK(map.scale.map == figure::MapName::diverging);
  CHECK(map.scale.lo == -map.scale.hi);
  CHECK(taken->plots[0].note == "largest difference +1.969 at row 7, column 7");
  const auto old = session::beside(live, held, Shown::held, find, w);
  REQUIRE(old);
  CHECK(figure::heatmap_in(old->plots[0])->source == figure::heatmap_in(held[0].plots[0])->source);
  CHECK(figure::heatmap_in(old->plots[0])->scale == figure::heatmap_in(live.plots[0])->scale);
  figure::Plot other = test_lab::heatmap("a", then);
  std::get<figure::Heatmap>(other.marks[0]).source =
      std::make_shared<figure::DenseSource>(core::Matrix::Zero(4, 8).eval());
  const auto apart = session::beside(live, {page(other)}, Shown::difference, find, w);
  REQUIRE(apart);
  CHECK(figure::heatmap_in(apart->plots[0])->source == figure::heatmap_in(live.plots[0])->source);
  // One of another size stands beside it, in the live colours and with its own axes.
  REQUIRE(apart->plots.size() == 2);
  CHECK(apart->plots[0].note.empty());
  CHECK(apart->plots[1].id == "a.held");
  CHECK(figure::heatmap_in(apart->plots[1])->source == figure::heatmap_in(other)->source);
  CHECK(figure::heatmap_in(apart->plots[1])->scale == figure::heatmap_in(live.plots[0])->scale);
  CHECK(figure::heatmap_in(apart->plots[1])->row_param.empty());
  CHECK(session::beside(live, {page(other)}, Shown::split, find, w)->plots.size() == 2);
  CHECK(session::beside(live, {page(other)}, Shown::live, find, w)->plots.size() == 1);
  CHECK(session::compared(live, {page(other)}));
  CHECK_FALSE(session::compares_cells(live, {page(other)}));
  figure::Plot named = test_lab::heatmap("a", then);
  named.x.labels = std::make_shared<const std::vector<std::string>>(8, "other");
  const auto words_apart = session::beside(live, {page(named)}, Shown::split, find, w);
  REQUIRE(words_apart);
  REQUIRE(words_apart->plots.size() == 2);
  CHECK(words_apart->plots[1].x.labels == named.x.labels);
}

TEST_CASE("a table's cells say what they held, row by row of the same name") {
  using figure::Table;
  const auto row = [](const char* name, const char* value) {
    return std::vector<Table::Cell>{{{name}}, {{value}}};
  };
  const auto page = [](std::vector<std::vector<Table::Cell>> rows) {
    figure::Figure f;
    f.id = "table";
    f.plots = {{.id = "numbers"}};
    f.plots[0].add(Table{.columns = {{"name"}, {"value"}}, .rows = std::move(rows)});
    return f;
  };
  const auto live = page({row("heads", "8"), row("width", "64"), row("new", "1")});
  const auto held = page({row("width", "32"), row("heads", "8"), row("gone", "7")});
  const auto taken = session::beside(live, {held}, figure::CellsShown::split, {}, {});
  REQUIRE(taken);
  const auto& rows = std::get<Table>(taken->plots[0].marks[0]).rows;
  CHECK(rows[0][1].size() == 1);
  REQUIRE(rows[1][1].size() == 2);
  CHECK(rows[1][1][0].text == "64");
  CHECK(rows[1][1][1].text == "held 32");
  CHECK(rows[2][1].size() == 1);
  CHECK_FALSE(session::beside(live, {live}, figure::CellsShown::split, {}, {}));
}

TEST_CASE("a drawing of words stands beside the held one, one with pictures keeps its place") {
  using figure::Diagram;
  const auto page = [](const char* note, double x1, bool pictures) {
    figure::Figure f;
    f.id = "tree";
    f.height = 200;
    f.plots = {{.id = "tree"}};
    Diagram diagram;
    Diagram::Node node{.x0 = 0, .y0 = 0, .x1 = x1, .y1 = 1, .title = "the", .note = note};
    if (pictures)
      node.picture = std::make_shared<figure::DenseSource>(core::Matrix::Zero(2, 2).eval());
    node.pick = {{"taken", "1"}};
    diagram.nodes = {node};
    f.plots[0].add(diagram);
    return f;
  };
  const auto beside = [](const figure::Figure& live, const figure::Figure& held) {
    return session::beside(live, {held}, figure::CellsShown::split, {}, {});
  };
  const auto taken = beside(page("0.3", 1, false), page("0.2", 1, false));
  REQUIRE(taken);
  REQUIRE(taken->plots.size() == 2);
  CHECK(taken->columns == 1);
  CHECK(taken->height == 400);
  const auto& node = std::get<Diagram>(taken->plots[1].marks[0]).nodes[0];
  CHECK(node.note == "0.2");
  CHECK(node.pick.empty());
  CHECK_FALSE(beside(page("0.3", 1, false), page("0.3", 1, false)));
  CHECK_FALSE(beside(page("0.3", 1, true), page("0.2", 1, true)));
  CHECK(beside(page("0.3", 1, true), page("0.3", 2, true))->plots.size() == 2);
}

TEST_CASE("of small pictures the figure says it: the largest difference of all, in one scale") {
  test_lab::Parameters now, then;
  then.heads = 2;
  figure::Figure live, held;
  for (const char* id : {"a", "b"}) {
    live.plots.push_back(test_lab::heatmap(id, now));
    held.plots.push_back(test_lab::heatmap(id, then));
    live.plots.back().thumbnail = held.plots.back().thumbnail = true;
    then.heads = 1;  // the second differs more
  }
  const auto find = [](const auto& one, const auto& other) {
    return std::make_shared<const figure::Difference>(figure::difference(*one, *other));
  };
  const auto taken = session::beside(live, {held}, figure::CellsShown::difference, find, {});
  REQUIRE(taken);
  CHECK(taken->note == "b: largest difference +2.953 at row 7, column 7");
  CHECK(taken->plots[0].note.empty());
  CHECK(figure::heatmap_in(taken->plots[0])->scale == figure::heatmap_in(taken->plots[1])->scale);
  held.plots[0].x.label = held.plots[1].x.label = "another";
  const auto apart = session::beside(live, {held}, figure::CellsShown::split, find, {});
  REQUIRE(apart);
  CHECK(apart->note == "held: different axes, not comparable");
}

TEST_CASE(
    "in the window: H holds, the divider is dragged, a chip drops, and all is laid out again") {
  Rig rig;
  rig.tap(GLFW_KEY_H);
  CHECK(rig.program.holding.holds().all.size() == 1);
  CHECK(rig.has("hold.0"));
  CHECK_FALSE(rig.has("divider.left"));  // the page is the one that is held
  rig.program.knobs.set("heads", "8");
  rig.program.wait();
  rig.settle();
  REQUIRE(rig.has("divider.left"));
  const auto plot = rig.control("plot.left");
  const float y = plot.y + 20;
  rig.input.move(rig.control("divider.left").x + 5, y);
  rig.settle();
  rig.input.button(0, true);
  rig.settle();
  for (const float share : {0.4f, 0.25f}) {
    rig.input.move(plot.x + plot.w * share, y);
    rig.settle();
  }
  rig.input.button(0, false);
  rig.settle();
  CHECK(rig.program.holding.holds().split == doctest::Approx(0.25).epsilon(0.02));
  CHECK(rig.program.knobs.value("query") == "1");  // nothing was picked
  rig.program.desk.undo();
  CHECK(rig.program.holding.holds().split == 0.5f);  // one step
  rig.click("hold.cells.difference");
  CHECK(rig.program.holding.holds().cells == figure::CellsShown::difference);
  rig.settle();
  CHECK_FALSE(rig.has("divider.left"));
  rig.click("hold.0");
  CHECK(rig.program.holding.holds().compared == -1);
  rig.click("hold.0.drop");
  rig.settle();
  CHECK(rig.program.holding.holds().all.empty());
  CHECK_FALSE(rig.has("hold.0"));
}

}  // namespace hold_test
