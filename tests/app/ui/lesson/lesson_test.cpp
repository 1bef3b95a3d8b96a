// A lesson in the window: opened, gone through, left.
#include <set>
#include <utility>

#include "folder.h"
#include "lesson/lessons.h"

namespace lesson_test {

TEST_CASE("a lesson is opened from the list and from the head of its page") {
  Lessons rig;
  CHECK(rig.map()["lesson"].is_null());
  rig.click("list.lessons");
  rig.click("lesson:averaging");
  REQUIRE(rig.lesson()["name"] == "averaging");
  CHECK(rig.map()["lab"] == "pooling");
  CHECK(rig.map()["knobs"]["method"] == "kernel");
  CHECK_FALSE(rig.has("lab.pooling"));
  rig.tap(GLFW_KEY_ESCAPE);  // it asks
  CHECK(rig.lesson()["name"] == "averaging");
  rig.click("dialog.stay");
  CHECK(rig.lesson()["name"] == "averaging");
  rig.leave();
  CHECK(rig.map()["lesson"].is_null());
  rig.program.desk.show_lab("pooling");
  rig.settle();
  rig.click("open_lesson.averaging");
  CHECK(rig.lesson()["name"] == "averaging");
  CHECK_FALSE(rig.has("open_lesson.averaging"));
}

TEST_CASE("a lesson that is closed gives back the page that stood before, and undo the lesson's") {
  Lessons rig;
  rig.program.desk.show_lab("softmax");
  CHECK(rig.program.knobs.set("temperature", "3"));
  rig.settle();
  const session::Session own = rig.program.desk.now();
  rig.open("averaging", 2);
  rig.click("lesson.leave");
  rig.settle();
  CHECK(rig.map()["lesson"].is_null());
  CHECK(rig.program.desk.now() == own);
  CHECK(rig.program.messages.last().text.find("as it was before the lesson") != std::string::npos);
  rig.program.desk.undo();
  CHECK(rig.program.desk.lab().id == "pooling");
  CHECK(rig.program.knobs.value("method") == "kernel");
  rig.program.desk.redo();
  rig.settle();
  CHECK(rig.program.desk.now() == own);
  rig.program.messages.dismiss();
  // From lesson to lesson the first page is kept; at the end nothing more is said of it.
  rig.open("averaging", 8);
  rig.open("root_d", 8);
  rig.next(), rig.next(), rig.next();
  CHECK(rig.map()["lesson"].is_null());
  CHECK(rig.program.desk.now() == own);
  CHECK(rig.program.messages.last().text.empty());
  CHECK(rig.shell.start().open());
}

TEST_CASE(
    "a lesson begun from the start page leads back there; another lab that was gone to stays") {
  Lessons rig;
  rig.shell.act("start");
  rig.settle();
  rig.program.events.add(state::LessonRequest{"averaging"});
  rig.settle();
  CHECK_FALSE(rig.shell.start().open());
  rig.leave();
  CHECK(rig.shell.start().open());
  rig.tap(GLFW_KEY_ESCAPE);
  rig.open("averaging", 2);
  rig.program.desk.show_lab("softmax");
  rig.settle();
  rig.leave();
  CHECK(rig.map()["lesson"].is_null());
  CHECK(rig.map()["lab"] == "softmax");
}

TEST_CASE("a lesson left before its page is there shows all figures") {
  Lessons rig;
  REQUIRE(rig.shell.lesson().begin("first_steps", 0));  // a figure alone, once its page is there
  rig.shell.lesson().leave();
  rig.settle();
  CHECK(rig.map()["lesson"].is_null());
  CHECK(rig.map()["lab"] == "masks");
  CHECK_FALSE(rig.shell.page_view().presents());
  CHECK(rig.has("figure.mask"));
  rig.open("first_steps", 0);
  CHECK(rig.has("figure.pairs"));
  CHECK_FALSE(rig.has("figure.mask"));
}

TEST_CASE("a stop shows what it means, whole and in view, and one button brings the rest") {
  Lessons rig(1280, 720);
  rig.open("averaging", 6);  // waits for the bandwidth
  const auto has = [&](const char* id) { return rig.has(id); };
  CHECK(has("figure.sweep"));
  CHECK_FALSE(has("figure.attention"));
  CHECK(has("knob.bandwidth"));
  CHECK_FALSE(has("knob.noise"));
  CHECK(has("readout.left_out_error"));
  CHECK_FALSE(has("readout.largest"));
  for (const char* id : {"button.export", "button.statements", "formula", "page.question"}) {
    CHECK_MESSAGE(!rig.has(id), id);
  }
  const ui::Rect figure = rig.control("figure.sweep");
  CHECK(figure.y >= 0);
  CHECK(figure.bottom() <= 720);
  rig.click("lesson.whole");
  rig.settle();
  CHECK(has("figure.attention"));
  CHECK(has("button.export"));
  CHECK(has("readout.largest"));
  const ui::Rect other = rig.control("figure.attention");
  rig.input.move(other.x + other.w / 2, other.y + 20);
  rig.settle();
  rig.tap(GLFW_KEY_F);
  CHECK_FALSE(has("figure.sweep"));
  rig.tap(GLFW_KEY_ESCAPE);  // as the button there says
  CHECK(has("figure.sweep"));
  CHECK_FALSE(has("dialog.stay"));
  rig.click("lesson.whole");
  rig.settle();
  CHECK_FALSE(has("figure.attention"));
}

TEST_CASE("figures keep their size when a stop is answered, and its numbers come") {
  Lessons rig;
  rig.open("root_d", 2);
  const ui::Rect before = rig.control("figure.row");
  CHECK_FALSE(rig.has("readout.largest_plain"));
  rig.next();
  const ui::Rect after = rig.control("figure.row");
  CHECK(rig.has("readout.largest_plain"));
  CHECK(before.w == after.w);
  CHECK(before.x == after.x);
}

TEST_CASE("a thing to do ends with what was seen") {
  Lessons rig;
  rig.open("averaging", 2);
  CHECK_FALSE(rig.has("lesson.seen"));
  CHECK(rig.program.knobs.set("query", "45"));
  rig.settle();
  CHECK(rig.has("lesson.seen"));
}

TEST_CASE("the scene of a stop that is added is the one it was asked for on") {
  Lessons rig;
  rig.program.desk.show_lab("softmax");
  rig.settle();
  rig.click("button.export");
  rig.click("export.stop");
  REQUIRE(rig.has("stop.title"));
  rig.type("Mine");
  rig.program.desk.show_lab("cost");        // as a session that is dropped does
  REQUIRE_FALSE(rig.program.pages.page());  // not yet
  rig.frame();
  rig.frame();
  const test::Folder folder;
  const auto file = folder / "own_stop.md";
  rig.click("stop.sentence");
  rig.type("A sentence.");
  rig.click("dialog.path");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type(file.string());
  rig.tap(GLFW_KEY_ENTER);
  REQUIRE(std::filesystem::exists(file));
  CHECK(lesson::open(file.string()).stops.front().lab == "softmax");
  CHECK(rig.map()["lab"] == "softmax");  // the new stop is shown
}

TEST_CASE("space shows what is asked for, then goes on; backspace goes back") {
  Lessons rig;
  rig.open("averaging");
  rig.next();
  CHECK(rig.phase() == "answered");
  CHECK_FALSE(rig.has("lesson.wrong"));  // nobody answered
  rig.next();
  CHECK(rig.lesson()["at"] == 1);
  rig.next();
  rig.next();
  CHECK(rig.lesson()["at"] == 2);
  CHECK(rig.phase() == "waiting");
  rig.next();  // does it
  rig.settle();
  CHECK(rig.phase() == "done");
  rig.next();
  CHECK(rig.lesson()["at"] == 3);
  rig.tap(GLFW_KEY_BACKSPACE);
  CHECK(rig.lesson()["at"] == 2);
  rig.click("lesson.back");
  CHECK(rig.lesson()["at"] == 1);
  CHECK(rig.phase() == "answered");  // it stays answered
  rig.click("lesson.stops");
  rig.click("lesson.stop.6");
  CHECK(rig.lesson()["at"] == 6);
}

TEST_CASE("what is waited for is noticed when the learner does it") {
  Lessons rig;
  rig.open("averaging", 2);
  CHECK(rig.phase() == "waiting");
  CHECK(rig.program.knobs.set("query", "45"));
  rig.settle();
  CHECK(rig.phase() == "done");
  CHECK(rig.has("lesson.done"));
  CHECK(rig.program.knobs.set("query", "25"));
  rig.settle();
  CHECK(rig.phase() == "done");  // it was done
}

TEST_CASE("space goes on after a knob was clicked, and presses what was walked to by keys") {
  Lessons rig;
  rig.open("averaging", 2);
  REQUIRE(rig.phase() == "waiting");
  rig.click("knob.query.slider", 0.9f);
  REQUIRE(rig.phase() == "done");
  rig.next();
  CHECK(rig.lesson()["at"] == 3);
  rig.open("averaging", 2);
  rig.click("knob.query.slider", 0.9f);
  rig.tap(GLFW_KEY_TAB);  // to the number beside it
  rig.next();
  CHECK(rig.lesson()["at"] == 2);
  CHECK(rig.shell.typing());
}

TEST_CASE(
    "what a later stop asks is not on the page, and neither is what the page says of itself") {
  Lessons rig;
  const auto shows = [&](const std::string& figure) { return rig.has("figure." + figure); };
  rig.open("root_d");
  rig.click("lesson.whole");
  rig.settle();
  CHECK(shows("spread"));
  CHECK_FALSE(shows("row"));
  CHECK_FALSE(rig.has("readout.largest_plain"));
  CHECK_FALSE(rig.has("caption.spread"));
  CHECK_FALSE(rig.has("explanation"));
  for (int k = 0; k < 4; ++k) rig.next();  // answered, on, answered, on
  CHECK(rig.map()["lesson"]["at"] == 2);
  CHECK(shows("row"));
  CHECK_FALSE(rig.has("readout.largest_plain"));
  rig.next();
  CHECK(rig.has("readout.largest_plain"));
  CHECK_FALSE(shows("saturation"));  // stop 6 asks
  rig.shell.lesson().leave();
  rig.settle();
  CHECK(shows("saturation"));
  CHECK(rig.has("caption.spread"));
}

TEST_CASE("knobs go to where a stop has them, in one step of undo") {
  Lessons rig;
  rig.program.looks.moves = true;
  rig.open("averaging", 4);
  rig.next();  // bandwidth 1 to 0.02
  bool between = false;
  for (int k = 0; k < 120; ++k) {
    rig.frame();
    const double h = rig.map()["knobs"]["bandwidth"];
    between = between || (h > 0.03 && h < 0.9);
  }
  rig.settle();
  CHECK(between);
  CHECK(rig.map()["knobs"]["bandwidth"] == 0.02);
  CHECK(rig.phase() == "answered");
  CHECK(rig.lesson()["moving"] == false);
  rig.program.desk.undo();
  CHECK(rig.program.knobs.value("bandwidth") == "1");
}

TEST_CASE("what a stop has travel is on its way for a second, or until a click") {
  Lessons rig;
  const lesson::Lesson one = lesson::parse(
      "# T\nabout: a\nminutes: 1\nlab: softmax\n\n## One\n"
      "travel: bar:logits to bar:weights\n\nWords.\n\n## Two\n\nMore words.\n",
      "travel.md");
  const auto fly = [&] {
    rig.shell.lesson().begin("travel.md", one, 0);
    int frames = 0;
    std::set<float> places;
    for (int k = 0; k < 200; ++k) {
      rig.frame();
      if (!rig.has("lesson.flight")) continue;
      ++frames;
      places.insert(rig.control("lesson.flight").y);
    }
    return std::pair{frames, places};
  };
  CHECK(fly().first == 0);  // motion is off
  rig.program.looks.moves = true;
  const auto [frames, places] = fly();
  CHECK(frames > 30);
  CHECK(frames < 80);
  CHECK(places.size() > 10);
  rig.shell.lesson().begin("travel.md", one, 1);
  for (int k = 0; k < 60; ++k) rig.frame();
  CHECK_FALSE(rig.has("lesson.flight"));  // nothing travels there
  rig.shell.lesson().begin("travel.md", one, 0);
  for (int k = 0; k < 60 && !rig.has("lesson.flight"); ++k) rig.frame();
  REQUIRE(rig.has("lesson.flight"));
  rig.input.button(0, true);
  rig.frame();
  rig.frame();
  CHECK_FALSE(rig.has("lesson.flight"));
  rig.input.button(0, false);
  rig.settle();
}

TEST_CASE("the language changes under a lesson and its place stays") {
  Lessons rig;
  rig.open("averaging", 3);
  rig.tap(GLFW_KEY_L, GLFW_MOD_CONTROL);
  rig.settle();
  CHECK(rig.lesson()["at"] == 3);
  CHECK(rig.lesson()["stop"] ==
        lesson::shipped("averaging", words::Language::zh_CN).stops[3].title);
}

TEST_CASE("the place in a lesson is kept, and its end") {
  Lessons rig;
  rig.open("averaging", 4);
  CHECK(rig.program.learned.of("averaging").stop == 4);
  rig.leave();
  rig.shell.lesson().begin("averaging");
  rig.settle();
  CHECK(rig.lesson()["at"] == 4);
  rig.open("averaging", 8);
  rig.next();
  rig.next();
  CHECK(rig.phase() == "ended");
  CHECK(rig.program.learned.of("averaging").done);
  for (const char* id :
       {"lesson.tally", "lesson.to_read", "lesson.next_lesson", "lesson.answers"}) {
    CHECK_MESSAGE(rig.has(id), id);
  }
  CHECK_FALSE(rig.has("lesson.route_done"));
  rig.tap(GLFW_KEY_BACKSPACE);
  CHECK(rig.phase() == "answered");
  rig.next();
  rig.next();  // closes
  CHECK(rig.map()["lesson"].is_null());
  rig.shell.lesson().begin("averaging");
  rig.settle();
  CHECK(rig.lesson()["at"] == 0);  // from the beginning again
  CHECK(rig.program.learned.of("averaging").said.empty());
}

TEST_CASE("closed at the last stop, with nothing left to do, a lesson is finished") {
  Lessons rig;
  rig.open("averaging", 8);
  rig.leave();
  CHECK_FALSE(rig.program.learned.of("averaging").done);  // its question stands open
  rig.open("averaging", 8);
  rig.next();
  REQUIRE(rig.phase() == "answered");
  rig.leave();
  CHECK(rig.program.learned.of("averaging").done);
}

TEST_CASE("with nothing right a lesson is not finished, and goes on from its beginning") {
  Lessons rig;
  rig.open("averaging", 8);
  rig.program.learned.say("averaging", 0, {.words = "wrong"});
  rig.program.learned.say("averaging", 8, {.words = "wrong"});
  rig.next();
  rig.leave();
  CHECK_FALSE(rig.program.learned.of("averaging").done);
  CHECK(rig.program.learned.of("averaging").stop == 0);
}

TEST_CASE("at its end the next lesson is one that is open, around to the route's beginning") {
  Lessons rig;
  std::vector<std::string> all = lesson::of_route("first_steps");
  for (const std::string& name : lesson::after_route("first_steps")) all.push_back(name);
  const std::string last = all.back();
  for (const std::string& name : all) {
    if (name != "averaging") rig.program.learned.finish(name);
  }
  const auto end = [&](const std::string& name) {
    rig.open(name, lesson::shipped(name, words::Language::en).stops.size() - 1);
    while (rig.phase() != "ended") rig.next();
  };
  end(last);
  rig.click("lesson.next_lesson");
  rig.settle();
  CHECK(rig.lesson()["name"] == "averaging");
  rig.program.learned.finish("averaging");
  end(last);
  CHECK_FALSE(rig.has("lesson.next_lesson"));
}

TEST_CASE("at a route's end one reads what one can say now") {
  Lessons rig;
  for (const std::string& name : lesson::of_route("first_steps")) rig.program.learned.finish(name);
  rig.open("averaging", 8);
  rig.next();
  rig.next();
  CHECK(rig.has("lesson.route_done"));
  rig.click("lesson.next_lesson");
  rig.settle();
  CHECK(rig.lesson()["name"] != "averaging");
  CHECK(rig.lesson()["at"] == 0);
}

TEST_CASE("another lab is visited and the lesson brings one back") {
  Lessons rig;
  rig.open("averaging", 2);
  rig.program.desk.show_lab("softmax");
  rig.settle();
  CHECK(rig.map()["lab"] == "softmax");
  rig.click("lesson.next");
  rig.settle();
  CHECK(rig.map()["lab"] == "pooling");
  CHECK(rig.lesson()["at"] == 2);
}

TEST_CASE("a lesson's file is opened, and what is wrong with one is said with its line") {
  Lessons rig;
  const test::Folder folder;
  const std::string good =
      folder.write("good.md", "# Mine\nabout: a\nminutes: 1\nlab: softmax\n## One\nWords.\n");
  const std::string bad =
      folder.write("bad.md", "# Mine\nabout: a\nminutes: 1\nlab: softmacks\n## One\nWords.\n");
  rig.shell.drop({bad});
  rig.settle();
  rig.settle();
  CHECK(rig.map()["lesson"].is_null());
  CHECK(rig.program.messages.last().text.starts_with(
      "bad.md, line 4: expected a lab (such as softmax"));
  rig.shell.drop({good});
  rig.settle();
  rig.settle();
  CHECK(rig.lesson()["name"] == good);
  CHECK(rig.map()["lab"] == "softmax");
}

TEST_CASE("after an answer what was there before stays as a ghost, and the figure says so") {
  Lessons rig;
  rig.open("averaging", 5);
  CHECK_FALSE(rig.has("before.data"));
  rig.tap(GLFW_KEY_SPACE);
  for (int k = 0; k < 90; ++k) rig.frame();
  rig.settle();
  REQUIRE(rig.lesson()["phase"] == "answered");
  CHECK(rig.has("before.data"));
  CHECK(rig.has("legend.data"));
  // With the next stop it is gone.
  rig.tap(GLFW_KEY_SPACE);
  rig.settle();
  CHECK_FALSE(rig.has("before.data"));
  CHECK_FALSE(rig.has("before.sweep"));
}

// The column holds every stop whole at 1280 x 720; when all is large its buttons stay in the
// window.
TEST_CASE(
    "a figure that grows beyond the view as a box is opened shows that box, and what is below") {
  Lessons rig(1280, 720);
  rig.open("box", 4);
  rig.next();  // shows how
  rig.settle();
  REQUIRE(rig.phase() == "done");
  const auto hits = rig.shell.page_view().hits();
  const ui::Rect open = hits.at("opened=none"), below = hits.at("opened=decoder_self");
  CHECK(open.y > 0);
  CHECK(open.bottom() < 690);
  CHECK(below.bottom() < 690);
}

TEST_CASE("every stop of every lesson fits") {
  Lessons rig(1280, 720);
  const auto fits = [&](float scale) {
    const ui::Rect next = rig.control("lesson.next"), column = rig.control("lesson");
    if (scale == 1) {
      CHECK(rig.control("lesson.end").y <= next.y);
    } else {
      CHECK(next.bottom() <= 720);
      CHECK(next.right() <= column.right());
      CHECK(column.right() <= 660);
    }
  };
  // Fonts are made anew with the scale, so that changes least. Each stop is tried in both languages
  // and at both scales, in two of the four ways that there are.
  std::size_t turn = 0;
  for (const auto language : {words::Language::en, words::Language::zh_CN}) {
    for (const float scale : {1.0f, 2.0f}) {
      rig.program.set_language(language);
      rig.program.looks.rescale(scale);
      rig.settle();
      for (const std::string& name : lesson::names()) {
        const auto count = lesson::shipped(name, language).stops.size();
        for (std::size_t k = turn % 2; k < count; k += 2) {
          CAPTURE(name);
          CAPTURE(k);
          rig.open(name, k);
          fits(scale);
        }
      }
      ++turn;
    }
    ++turn;
  }
}

TEST_CASE("what is under the pointer lights the words that stand for it") {
  Lessons rig;
  rig.open("averaging", 6);
  const auto lit = [&](const std::string& what) { return rig.has("lesson.lit." + what); };
  rig.input.move(700, 5);
  rig.settle();
  CHECK_FALSE(lit("knob:bandwidth"));
  rig.point("knob.bandwidth");
  CHECK(lit("knob:bandwidth"));
  CHECK_FALSE(lit("readout:left_out_error"));
  rig.point("readout.left_out_error");
  CHECK(lit("readout:left_out_error"));
  CHECK_FALSE(lit("knob:bandwidth"));
  rig.open("averaging", 8);
  rig.point("figure.attention");
  CHECK(lit("figure:attention"));
  rig.input.move(700, 5);
  rig.settle();
  CHECK_FALSE(lit("figure:attention"));
}

}  // namespace lesson_test
