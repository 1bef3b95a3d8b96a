// The lecture in the window: what it shows and hides, its keys, its pen, and the way back.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/labs/labs.h"
#include "app/ui/lesson/spot_marks.h"
#include "folder.h"
#include "rig.h"

namespace lecture_test {

struct Lecture : Rig {
  explicit Lecture(float width = 1280, float height = 720) : Rig(width, height, lab::all()) {}
  nlohmann::json lecture() const { return map()["lecture"]; }
  nlohmann::json lesson() const { return map()["lesson"]; }
  void open(const std::string& name, std::size_t stop) {
    REQUIRE(shell.lesson().begin(name, stop));
    settle();
    settle();
  }
  void begin() {
    tap(GLFW_KEY_F5);
    settle();
  }
};

TEST_CASE(
    "only the figures and the sentence are on screen, large and light; then all is as before") {
  Lecture rig;
  rig.open("averaging", 2);
  const auto before = rig.map();
  rig.begin();
  const auto now = rig.map();
  CHECK(now["theme"] == "light");
  CHECK(now["scale"] == 2);
  CHECK(now["lecture"]["figures"] == nlohmann::json({"data"}));
  for (const char* id : {"button.export", "lesson", "panel.knobs", "status", "figure.data.menu",
                         "caption.data", "lab.pooling", "lesson.next"}) {
    CHECK_MESSAGE(!rig.has(id), id);
  }
  CHECK(rig.has("figure.data"));
  CHECK(rig.has("lecture.words"));
  rig.tap(GLFW_KEY_S);
  CHECK_FALSE(rig.has("lecture.words"));
  rig.tap(GLFW_KEY_ESCAPE);
  const auto after = rig.map();
  CHECK(after["lecture"].is_null());
  CHECK(after["theme"] == before["theme"]);
  CHECK(after["scale"] == before["scale"]);
  CHECK(after["lesson"]["at"] == 2);
  CHECK(rig.has("lesson.next"));
}

TEST_CASE("its looks are remembered apart from the person's own") {
  Lecture rig;
  rig.begin();
  rig.tap(GLFW_KEY_T, GLFW_MOD_CONTROL);
  rig.tap(GLFW_KEY_MINUS, GLFW_MOD_CONTROL);
  rig.tap(GLFW_KEY_F5);
  CHECK(rig.map()["theme"] == "dark");
  CHECK(rig.map()["scale"] == 1);
  rig.program.looks.theme = figure::ThemeName::light;
  rig.begin();
  CHECK(rig.map()["theme"] == "dark");
  CHECK(rig.map()["scale"] == 1.75);
  rig.shell.lecture().leave();
  CHECK(rig.program.looks.theme == figure::ThemeName::light);
  CHECK(rig.program.looks.lecture.scale == 1.75f);
}

TEST_CASE("a presenter's keys go on and back, and reveal before they go on") {
  Lecture rig;
  rig.open("averaging", 0);
  rig.begin();
  CHECK(rig.lesson()["phase"] == "asking");
  rig.tap(GLFW_KEY_PAGE_DOWN);
  rig.settle();
  CHECK(rig.lesson()["phase"] == "answered");
  CHECK(rig.lesson()["at"] == 0);
  rig.tap(GLFW_KEY_PAGE_DOWN);
  rig.settle();
  CHECK(rig.lesson()["at"] == 1);
  rig.tap(GLFW_KEY_PAGE_UP);
  rig.settle();
  CHECK(rig.lesson()["at"] == 0);
  CHECK(rig.lesson()["phase"] == "answered");
  rig.tap(GLFW_KEY_END);
  rig.settle();
  CHECK(rig.lesson()["at"] == rig.lesson()["of"].get<int>() - 1);
  rig.tap(GLFW_KEY_RIGHT);  // the answer
  rig.settle();
  rig.tap(GLFW_KEY_RIGHT);  // it ends here
  rig.settle();
  CHECK(rig.lesson()["at"] == rig.lesson()["of"].get<int>() - 1);
  CHECK(rig.program.learned.of("averaging").done);
  rig.tap(GLFW_KEY_HOME);
  rig.settle();
  CHECK(rig.lesson()["at"] == 0);
}

TEST_CASE("the next stop's page is made while this one is shown") {
  Lecture rig;
  rig.open("averaging", 1);
  CHECK_FALSE(rig.program.pages.ahead().of(lesson::scene(rig.shell.lesson().play()->lesson(), 2)));
  rig.begin();
  const auto next = lesson::scene(rig.shell.lesson().play()->lesson(), 2);
  CHECK(rig.program.pages.ahead().of(next));
  CHECK_FALSE(rig.program.pages.ahead().awaits(next));
  // It is on screen at once.
  rig.program.files.restore(next);
  REQUIRE(rig.program.pages.page());
  CHECK(rig.program.pages.page()->made_from.values == next.values);
  CHECK_FALSE(rig.program.pages.stale());
  rig.shell.lecture().leave();
  CHECK_FALSE(rig.program.pages.ahead().of(next));  // and is given up
}

TEST_CASE("the lecturer reads the next stop's numbers before it comes") {
  Lecture rig;
  // The first stop whose sentence has a number, seen from the stop before it.
  rig.open("averaging", 0);
  const lesson::Lesson& lesson = rig.shell.lesson().play()->lesson();
  std::size_t stop = 0;
  for (std::size_t k = 1; stop == 0 && k < lesson.stops.size(); ++k) {
    if (lesson.stops[k].text.empty()) continue;
    for (const lesson::Piece& piece : lesson.stops[k].text.front().pieces) {
      if (piece.kind == lesson::Piece::Kind::live) stop = k;
    }
  }
  REQUIRE(stop > 0);
  rig.open("averaging", stop - 1);
  rig.begin();
  const std::string sentence = rig.shell.lecture().place().next_sentence;
  CHECK(sentence.find("…") == sentence.npos);
  rig.open("averaging", stop);
  const lesson::Stop& there = rig.shell.lesson().play()->stop();
  CHECK(sentence == rig.shell.lesson().plain_text(there.text.front()));
}

TEST_CASE("what is small is pointed at with an arrow, and on a stage the rest is darker") {
  Lecture rig;
  rig.open("waves", 7);
  CHECK(rig.has("lesson.arrow"));
  CHECK_FALSE(rig.has("lesson.dimmed"));
  rig.begin();
  CHECK(rig.has("lesson.arrow"));
  CHECK(rig.has("lesson.dimmed"));
  // Until somebody does something, here.
  rig.click("lecture.picture", 0.02f, 0.98f);
  CHECK_FALSE(rig.has("lesson.dimmed"));
  CHECK_FALSE(rig.has("lesson.arrow"));
  // What is covered is not pointed at, and a figure that fills the stage darkens nothing.
  rig.open("gpt_training", 0);
  CHECK_FALSE(rig.has("lesson.arrow"));
  CHECK_FALSE(rig.has("lesson.dimmed"));
  rig.open("averaging", 0);
  CHECK_FALSE(rig.has("lesson.dimmed"));
}

TEST_CASE("what is around a place is all but it, and an arrow ends at its edge") {
  using ui::Rect;
  const Rect all{0, 0, 100, 80}, one{20, 10, 30, 20}, other{40, 20, 40, 20};
  double area = 0;
  for (const Rect& part : ui::around(all, {one, other})) {
    CHECK(part.w > 0);
    CHECK_FALSE(part.overlaps(one));
    CHECK_FALSE(part.overlaps(other));
    area += static_cast<double>(part.w * part.h);
  }
  CHECK(area == doctest::Approx(100 * 80 - 30 * 20 - 40 * 20 + 10 * 10));
  const ui::ArrowPlace arrow = ui::arrow_to({70, 50, 10, 10}, all, 20);
  CHECK(arrow.tip == figure::Point{70, 50});
  CHECK(all.contains(arrow.from));
  CHECK(all.contains(ui::arrow_to({5, 5, 10, 10}, all, 20).from));
}

TEST_CASE("where no strip names what is held, its figure does") {
  Lecture rig;
  rig.program.desk.show_lab("pooling");
  rig.settle();
  rig.program.holding.hold();
  rig.program.knobs.set("bandwidth", "0.3");
  rig.settle();
  CHECK(rig.has("holds"));
  CHECK_FALSE(rig.has("legend.data"));
  rig.begin();
  CHECK_FALSE(rig.has("holds"));
  CHECK(rig.has("legend.data"));
}

TEST_CASE("a knob on the stage says nothing of itself over what is watched") {
  Lecture rig;
  rig.open("averaging", 2);
  const auto waits = [&](const std::string& id) {
    rig.point(id);
    for (int k = 0; k < 60; ++k) rig.frame();
    return rig.shell.gui().tip();
  };
  CHECK_FALSE(waits("knob.query.slider").empty());
  rig.begin();
  rig.tap(GLFW_KEY_K);
  REQUIRE(rig.has("knob.query.slider"));
  CHECK(waits("knob.query.slider").empty());
}

TEST_CASE("a black or white screen ends with the next key") {
  Lecture rig;
  rig.open("averaging", 2);
  rig.begin();
  rig.tap(GLFW_KEY_B);
  CHECK(rig.lecture()["blank"] == "black");
  CHECK(rig.drawn_in({0, 0, 0, 255}));
  rig.tap(GLFW_KEY_COMMA);
  CHECK(rig.lecture()["blank"] == "white");
  rig.tap(GLFW_KEY_PAGE_DOWN);
  CHECK(rig.lecture()["blank"] == "none");
  CHECK(rig.lesson()["at"] == 2);
}

TEST_CASE("the pen draws over the figure, for this stop alone, and takes no clicks to it") {
  Lecture rig;
  rig.open("averaging", 2);
  rig.begin();
  const auto knobs = rig.map()["knobs"];
  rig.tap(GLFW_KEY_P);
  rig.drag("figure.data", 0.3f, 0.6f);
  CHECK(rig.lecture()["strokes"] == 1);
  CHECK(rig.map()["knobs"] == knobs);
  rig.tap(GLFW_KEY_2);
  rig.drag("figure.data", 0.35f, 0.5f);
  CHECK(rig.lecture()["strokes"] == 2);
  CHECK(rig.lecture()["ink"] == 1);
  rig.tap(GLFW_KEY_BACKSPACE);
  rig.settle();
  CHECK(rig.lecture()["strokes"] == 0);
  rig.tap(GLFW_KEY_END);
  rig.tap(GLFW_KEY_HOME);
  rig.settle();
  for (int k = 0; k < 4; ++k) rig.tap(GLFW_KEY_RIGHT), rig.settle();
  REQUIRE(rig.lesson()["at"] == 2);
  CHECK(rig.lecture()["strokes"] == 2);
  rig.tap(GLFW_KEY_E);
  rig.drag("figure.data", 0.55f, 0.6f);
  CHECK(rig.lecture()["strokes"] == 1);
  rig.tap(GLFW_KEY_DELETE);
  CHECK(rig.lecture()["strokes"] == 0);
  rig.tap(GLFW_KEY_E);
  rig.tap(GLFW_KEY_L);
  CHECK(rig.lecture()["tool"] == "spotlight");
  rig.point("figure.data");
  CHECK(rig.drawn_in({0, 0, 0, 150}));
}

TEST_CASE("strokes lie on their figure, are undone, and come back with the session") {
  const auto strokes = [](Lecture& rig) { return rig.lecture()["strokes"].get<int>(); };
  const test::Folder folder;
  const std::string file = folder.file("strokes.attn");
  {
    Lecture rig;
    rig.open("averaging", 2);
    rig.begin();
    rig.tap(GLFW_KEY_P);
    rig.drag("figure.data", 0.3f, 0.6f);
    rig.drag("figure.data", 0.3f, 0.4f);
    REQUIRE(strokes(rig) == 2);
    const session::Stroke& first = *rig.program.desk.now().strokes.all[0];
    CHECK(first.place == "averaging 2");
    CHECK(first.figure == "data");
    CHECK(first.points.front()[0] == doctest::Approx(0.3).epsilon(0.02));
    CHECK(first.points.back()[0] == doctest::Approx(0.6).epsilon(0.02));
    const auto values = rig.program.desk.now().values;
    rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(strokes(rig) == 1);
    rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
    CHECK(strokes(rig) == 2);
    CHECK(rig.program.desk.now().values == values);
    rig.tap(GLFW_KEY_E);  // what an eraser's one drag takes is one step
    rig.drag("figure.data", 0.2f, 0.7f);
    CHECK(strokes(rig) == 0);
    rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(strokes(rig) == 2);
    rig.tap(GLFW_KEY_ESCAPE);
    rig.begin();  // another lecture begins with them
    CHECK(strokes(rig) == 2);
    REQUIRE(rig.program.files.save(file));
    CHECK_FALSE(rig.program.files.unsaved());
    rig.tap(GLFW_KEY_DELETE, GLFW_MOD_SHIFT);
    CHECK(strokes(rig) == 0);
    CHECK(rig.program.files.unsaved());
  }
  // In a window of another size it lies where it lay on the figure.
  Lecture rig(1600, 1000);
  rig.program.files.open(file);
  rig.settle();
  rig.program.wait();
  REQUIRE(rig.program.desk.now().strokes.all.size() == 2);
  CHECK_FALSE(rig.program.files.unsaved());
  rig.open("averaging", 2);
  rig.begin();
  CHECK(strokes(rig) == 2);
  rig.tap(GLFW_KEY_E);
  rig.drag("figure.data", 0.45f, 0.45f);
  CHECK(strokes(rig) == 1);
  rig.tap(GLFW_KEY_DELETE);
  CHECK(strokes(rig) == 0);
  rig.tap(GLFW_KEY_BACKSPACE);
  rig.settle();
  CHECK(strokes(rig) == 0);
}

TEST_CASE(
    "knobs are at hand at the lower edge, and the arrows are theirs while they have the focus") {
  Lecture rig;
  rig.open("averaging", 6);  // waits for the bandwidth
  rig.begin();
  CHECK_FALSE(rig.has("knob.bandwidth"));
  rig.tap(GLFW_KEY_K);
  rig.settle();
  REQUIRE(rig.has("knob.bandwidth"));
  CHECK(rig.control("knob.bandwidth").y >
        rig.control("figure." + std::string(rig.lecture()["figures"][0])).bottom());
  rig.tap(GLFW_KEY_K);
  CHECK_FALSE(rig.has("knob.bandwidth"));
}

TEST_CASE("without a lesson the lab's figures are shown row by row") {
  Lecture rig(1920, 1080);
  rig.program.desk.show_lab("masks");
  rig.settle();
  rig.begin();
  CHECK(rig.lecture()["at"] == 0);
  const int rows = rig.lecture()["of"];
  REQUIRE(rows > 1);
  const auto first = rig.lecture()["figures"];
  rig.tap(GLFW_KEY_PAGE_DOWN);
  CHECK(rig.lecture()["at"] == 1);
  CHECK(rig.lecture()["figures"] != first);
  rig.tap(GLFW_KEY_END);
  CHECK(rig.lecture()["at"] == rows - 1);
  rig.tap(GLFW_KEY_PAGE_DOWN);
  CHECK(rig.lecture()["at"] == rows - 1);
  CHECK(rig.map()["lab"] == "masks");
}

TEST_CASE("a question is asked and answered as in the lesson") {
  Lecture rig;
  rig.open("averaging", 0);
  rig.begin();
  REQUIRE(rig.has("lesson.option.0"));
  rig.click("lesson.option.0");
  rig.settle();
  CHECK(rig.lesson()["phase"] == "answered");
  CHECK(rig.has("lesson.why"));
}

}  // namespace lecture_test
