// The questions of a lesson in the window: asked, answered rightly and wrongly, asked again.
#include <imgui_internal.h>

#include <cmath>

#include "app/ui/controls/rich_text.h"
#include "folder.h"
#include "lesson/lessons.h"

namespace question_test {

TEST_CASE("a question is asked again, and its first answer counts") {
  Lessons rig;
  rig.open("averaging");
  rig.click("lesson.option.0");
  rig.settle();
  rig.click("lesson.ask_again");
  rig.settle();
  CHECK(rig.phase() == "asking");
  rig.click("lesson.option.1");
  rig.settle();
  CHECK(rig.lesson()["right"] == true);
  CHECK_FALSE(rig.program.learned.of("averaging").said.at(0).right);
}

TEST_CASE("what is asked about is covered until it is answered, and a wrong answer is told why") {
  Lessons rig;
  rig.open("averaging");
  CHECK(rig.phase() == "asking");
  rig.click("lesson.option.0");
  rig.settle();
  CHECK(rig.phase() == "answered");
  CHECK(rig.lesson()["right"] == false);
  CHECK(rig.has("lesson.wrong"));
  CHECK(rig.has("lesson.said"));
  CHECK(rig.has("lesson.why"));
  rig.click("lesson.option.1");  // it is answered already
  CHECK(rig.lesson()["right"] == false);
}

TEST_CASE("after an answer the column begins with a whole line") {
  Lessons rig(1280, 720);
  const auto cut = [](const ui::Rect& r, float edge, float pitch) {
    if (r.y >= edge - 0.6f || r.bottom() <= edge + 0.6f) return false;
    return std::abs(std::remainder(edge - r.y, pitch)) > 0.6f;
  };
  int scrolled = 0;
  for (const std::string name : {"averaging", "softmax", "box"}) {
    const lesson::Lesson& lesson = lesson::shipped(name, words::Language::en);
    for (std::size_t k = 0; k < lesson.stops.size(); ++k) {
      if (!lesson.stops[k].question) continue;
      CAPTURE(name);
      CAPTURE(k);
      rig.open(name, k);
      rig.next();
      rig.settle();
      const ImGuiWindow* column = nullptr;
      for (const ImGuiWindow* one : ImGui::GetCurrentContext()->Windows) {
        if (std::string_view(one->Name).find("lesson.text") != std::string_view::npos) column = one;
      }
      REQUIRE(column);
      scrolled += column->Scroll.y > 0;
      const float edge = column->Pos.y;
      for (std::size_t p = 0; p < lesson.stops[k].text.size(); ++p) {
        const ui::Rect text = rig.control(fmt::format("lesson.text.{}", p));
        CHECK_FALSE(cut(text, edge, ui::rich_pitch(rig.shell.gui(), {})));
      }
      for (const char* id : {"lesson.option.0", "lesson.option.1", "lesson.true"}) {
        if (rig.has(id)) CHECK_FALSE(cut(rig.control(id), edge, 1000));
      }
    }
  }
  CHECK(scrolled > 2);
}

TEST_CASE("a choice is made by its number, by that of the numeric keypad, too") {
  Lessons rig;
  rig.open("averaging");
  rig.tap(GLFW_KEY_9);  // there are not as many
  CHECK(rig.phase() == "asking");
  rig.tap(GLFW_KEY_1);
  CHECK(rig.phase() == "answered");
  CHECK(rig.lesson()["right"] == false);
  rig.tap(GLFW_KEY_2);  // it is answered already
  CHECK(rig.lesson()["right"] == false);
  rig.click("lesson.ask_again");
  rig.tap(GLFW_KEY_KP_2);
  CHECK(rig.lesson()["right"] == true);
}

TEST_CASE("what asked for something to be done keeps its numbers once that is done") {
  Lessons rig;
  rig.open("masks", 2);  // a window that is to be made smaller
  REQUIRE(rig.phase() == "waiting");
  const auto said = [&] {
    std::string all;
    for (const lesson::Paragraph& one : rig.shell.lesson().play()->stop().text)
      all += rig.shell.lesson().plain_text(one) + "\n";
    return all;
  };
  const std::string before = said();
  REQUIRE(before.find_first_of("0123456789") != std::string::npos);
  rig.tap(GLFW_KEY_SPACE);  // does it
  rig.settle();
  REQUIRE(rig.phase() == "done");
  CHECK(said() == before);
}

TEST_CASE("a lesson holds less of what it has computed than a lab may") {
  Lessons rig;
  rig.program.set_memory_budget(std::size_t{1} << 30);
  rig.open("averaging");
  CHECK(rig.program.memory().bytes() == std::size_t{256} << 20);
  CHECK(rig.program.memory_budget() == std::size_t{1} << 30);
  rig.program.set_memory_budget(std::size_t{128} << 20);
  CHECK(rig.program.memory().bytes() == std::size_t{128} << 20);
  rig.program.set_memory_budget(std::size_t{1} << 30);
  rig.shell.lesson().leave();
  CHECK(rig.program.memory().bytes() == std::size_t{1} << 30);
}

TEST_CASE("true is the first and false the second") {
  Lessons rig;
  rig.open("checkpoint");
  REQUIRE(rig.phase() == "asking");
  rig.tap(GLFW_KEY_3);
  CHECK(rig.phase() == "asking");
  rig.tap(GLFW_KEY_2);
  CHECK(rig.lesson()["right"] == true);
}

// The plots whose "note" is covered, or the texts that are as an "end".
std::vector<std::string> covered(const Lessons& rig, const std::string& as) {
  const std::string begins = "covered." + as + ".";
  std::vector<std::string> all;
  for (const auto& [id, place] : rig.shell.gui().controls()) {
    if (id.starts_with(begins)) all.push_back(id.substr(begins.size()));
  }
  return all;
}

TEST_CASE("a note that tells the answer is covered, and no number at an axis that stands in it") {
  Lessons rig;
  rig.open("softmax");
  REQUIRE(rig.phase() == "asking");
  CHECK(covered(rig, "note") == std::vector<std::string>{"weights"});
  rig.open("softmax", 8);  // what do the hidden keys get? Each of six methods says it
  REQUIRE(rig.phase() == "asking");
  CHECK(covered(rig, "note").size() == 6);
  rig.open("clock_rounding", 4);  // how many cells of what is asked about a square stands for
  REQUIRE(rig.phase() == "asking");
  CHECK(covered(rig, "note") == std::vector<std::string>{"phase"});
}

TEST_CASE("the ends of an axis and of a colour bar that tell the answer are covered") {
  Lessons rig;
  rig.open("averaging", 1);  // which weight has each of 50 points?
  REQUIRE(rig.phase() == "asking");
  const auto has = [&](const std::string& number) {
    const std::vector<std::string> all = covered(rig, "end");
    return std::find(all.begin(), all.end(), number) != all.end();
  };
  CHECK(has("0.02"));
  CHECK(has("0.022"));
  CHECK_FALSE(has("0.5"));  // of the x axis
  rig.open("masks", 7);     // after how many layers?
  REQUIRE(rig.phase() == "asking");
  CHECK(has("2"));
  rig.open("averaging", 5);  // a curve is drawn: the axes are what it is drawn by
  REQUIRE(rig.phase() == "asking");
  CHECK(covered(rig, "end").empty());
}

TEST_CASE("a number is typed, and the page says what it has") {
  Lessons rig;
  rig.open("averaging", 1);
  rig.click("lesson.number");
  rig.type("a lot");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.phase() == "asking");
  for (int k = 0; k < 5; ++k) rig.tap(GLFW_KEY_BACKSPACE);
  CHECK(rig.lesson()["at"] == 1);  // Backspace is the box's
  rig.type("50");
  rig.tap(GLFW_KEY_ENTER);
  rig.settle();
  CHECK(rig.phase() == "answered");
  CHECK(rig.lesson()["right"] == false);
  CHECK(rig.has("lesson.said"));
  CHECK(rig.has("lesson.truth"));
  rig.open("averaging", 1);
  rig.click("lesson.number");
  rig.type("0,02");
  rig.tap(GLFW_KEY_ENTER);
  rig.settle();
  CHECK(rig.lesson()["right"] == true);
}

TEST_CASE("an answer stays as it was judged when the page is led to where nothing of it is") {
  Lessons rig;
  rig.open("first_steps");
  rig.click("lesson.number");
  rig.type("1");
  rig.tap(GLFW_KEY_ENTER);
  rig.settle();
  REQUIRE(rig.has("lesson.truth"));
  CHECK(rig.program.knobs.set("text", "the cat sat"));  // it was asked about word 12
  rig.settle();
  rig.settle();
  CHECK(rig.phase() == "answered");
  CHECK(rig.lesson()["right"] == true);
  CHECK(rig.has("lesson.truth"));
}

TEST_CASE("numbers in words follow the page as long as what is claimed of it is so") {
  Lessons rig;
  rig.open("averaging", 4);  // "as over {readout:neighbours} equal neighbours": more than 30
  const auto& text = rig.shell.lesson().play()->stop().text.front();
  const auto said = [&] { return rig.shell.lesson().plain_text(text); };
  const auto turn = [&](const std::string& bandwidth) {
    CHECK(rig.program.knobs.set("bandwidth", bandwidth));
    rig.settle();
    rig.settle();
  };
  const std::string first = said();
  CHECK(first.find("…") == std::string::npos);
  CHECK_FALSE(rig.has("lesson.set_again"));
  turn("3");
  const std::string wider = said();
  CHECK_FALSE(wider == first);
  CHECK(wider.find("h = 3") != std::string::npos);
  turn("0.05");
  CHECK(said() == wider);  // where it was true last
  CHECK(rig.has("lesson.set_again"));
  rig.click("lesson.set_again");
  rig.settle();
  rig.settle();
  CHECK(said() == first);
  CHECK_FALSE(rig.has("lesson.set_again"));
}

TEST_CASE("a stop that is come back to says what it said at first") {
  for (const char* name : {"averaging", "course", "distance"}) {
    CAPTURE(name);
    Lessons rig;
    rig.open(name);
    const auto said = [&] {
      const lesson::Stop& stop = rig.shell.lesson().play()->stop();
      std::string all = stop.question ? rig.shell.lesson().plain_text(stop.question->asked) : "";
      for (const auto& one : stop.text) all += "\n" + rig.shell.lesson().plain_text(one);
      return all;
    };
    // Numbers that are not there are dots; a lesson's own are more.
    const auto dots = [](const std::string& text) {
      std::size_t count = 0;
      for (auto k = text.find("…"); k != text.npos; k = text.find("…", k + 1)) ++count;
      return count;
    };
    const auto own_dots = [&] {
      std::size_t count = 0;
      for (const auto& one : rig.shell.lesson().play()->stop().text) {
        for (const auto& piece : one.pieces) {
          if (piece.kind != lesson::Piece::Kind::live) count += dots(piece.text);
        }
      }
      return count;
    };
    const auto at = [&] { return rig.lesson()["at"].get<std::size_t>(); };
    constexpr std::size_t kStops = 10;
    std::vector<std::string> first;
    while (first.size() < std::min(kStops, rig.shell.lesson().play()->lesson().stops.size() - 1)) {
      first.push_back(said());
      CAPTURE(first.back());
      CHECK(dots(first.back()) == own_dots());
      for (int k = 0; k < 3 && at() < first.size(); ++k) rig.next();
      REQUIRE(at() == first.size());
    }
    while (!first.empty()) {
      rig.tap(GLFW_KEY_BACKSPACE);
      rig.settle();
      rig.settle();
      REQUIRE(at() + 1 == first.size());
      CHECK(said() == first.back());
      first.pop_back();
    }
  }
}

TEST_CASE("what is said to an answer is said in the other language, too") {
  Lessons rig;
  rig.open("averaging");
  rig.click("lesson.option.0");
  rig.settle();
  const std::string said = rig.lesson()["said"];
  REQUIRE_FALSE(said.empty());
  rig.program.set_language(words::Language::zh_CN);
  rig.settle();
  rig.settle();
  CHECK(rig.lesson()["right"] == false);
  CHECK_FALSE(rig.lesson()["said"] == said);
  CHECK_FALSE(rig.lesson()["said"].get<std::string>().empty());
}

TEST_CASE("a click beside the number that is being typed takes it over and does what it does") {
  Lessons rig;
  rig.open("averaging", 2);
  REQUIRE(rig.phase() == "waiting");
  rig.click("knob.query.value");
  REQUIRE(rig.shell.typing());
  rig.type("45");
  rig.click("lesson.stops");
  CHECK_FALSE(rig.shell.typing());
  CHECK(rig.map()["knobs"]["query"] == 45);
  CHECK(rig.phase() == "done");
  CHECK(rig.has("lesson.stop.3"));
  rig.tap(GLFW_KEY_ESCAPE);
  rig.click("knob.query.value");
  REQUIRE(rig.shell.typing());
  rig.click("lesson.next");
  CHECK_FALSE(rig.shell.typing());
  CHECK(rig.lesson()["at"] == 3);
}

TEST_CASE("what plays is not offered while a stop asks where it leads") {
  Lessons rig;
  rig.open("averaging", 7);
  REQUIRE(rig.phase() == "asking");
  REQUIRE(rig.has("figure.data"));
  CHECK_FALSE(rig.has("figure.data.play.forward"));
  rig.click("lesson.option.0");
  CHECK(rig.has("figure.data.play.forward"));
}

TEST_CASE("a cell is clicked on an empty table") {
  Lessons rig;
  rig.open("course", 8);
  REQUIRE(rig.phase() == "asking");
  rig.click_element("turned", lesson::Kind::cell, 12, 2);
  CHECK(rig.phase() == "answered");
  CHECK(rig.lesson()["right"] == false);
  CHECK(rig.has("lesson.said"));
  CHECK(rig.map()["knobs"]["key"] == 2);  // as the preset has it: the click picked nothing
  rig.open("course", 8);
  rig.click_element("turned", lesson::Kind::cell, 12, 12);
  CHECK(rig.lesson()["right"] == true);
}

TEST_CASE("a curve is drawn over empty axes, and stays beside the true one") {
  Lessons rig;
  const auto draw = [&](float from, float to) {
    rig.open("averaging", 5);
    REQUIRE(rig.phase() == "asking");
    const ui::Rect r = rig.control("plot.data");
    // The names at the ends of its lines would give away how high they end.
    const ui::Rect names = rig.control("covered.names.data");
    // It is drawn over the points that it is asked about.
    CHECK(rig.has("given.data"));
    CHECK(names.x <= r.right() + 4);
    CHECK(names.right() > r.right() + 20);
    CHECK(names.y <= r.y);
    CHECK(names.bottom() >= r.bottom());
    for (int k = 0; k <= 20; ++k) {
      const float share = static_cast<float>(k) / 20;
      rig.input.move(r.x + 1 + (r.w - 2) * share, r.y + r.h * (from + (to - from) * share));
      if (k == 0) rig.input.button(0, true);
      rig.settle();
    }
    rig.input.button(0, false);
    rig.settle();
    rig.click("lesson.answer");
    rig.settle();
    CHECK(rig.phase() == "answered");
    return bool(rig.lesson()["right"]);
  };
  CHECK_FALSE(draw(0.95f, 0.05f));
  CHECK(rig.has("lesson.said"));
  CHECK(rig.drawn_in(rig.shell.gui().theme().accent));
  // Where the plain mean lies.
  const auto& place = rig.shell.page_view().plots().at("data");
  const auto y = (place.frame.py_at(2.35) - place.area.y) / place.area.h;
  CHECK(draw(y, y));
  CHECK(rig.map()["knobs"]["bandwidth"] == 4);
}

TEST_CASE("a readout that is asked about is not to be read") {
  Lessons rig;
  rig.open("root_d");
  CHECK(rig.shell.lesson().hides_readout("variance"));
  CHECK_FALSE(rig.shell.lesson().hides_readout("entropy_plain"));
  CHECK_FALSE(rig.has("readout.variance"));
  CHECK_FALSE(rig.has("readout.entropy_plain"));
  rig.click("lesson.whole");
  rig.settle();
  CHECK_FALSE(rig.has("readout.variance"));
  CHECK(rig.has("readout.entropy_plain"));
  rig.next();
  CHECK_FALSE(rig.shell.lesson().hides_readout("variance"));
  CHECK(rig.has("readout.variance"));
}

TEST_CASE("whoever got nothing right is not done, and is asked again") {
  Lessons rig;
  rig.open("averaging", 8);
  rig.click("lesson.true");
  rig.settle();
  REQUIRE(rig.lesson()["right"] == false);
  rig.next();
  CHECK(rig.phase() == "ended");
  CHECK_FALSE(rig.program.learned.of("averaging").done);
  rig.click("lesson.again.8");
  rig.settle();
  CHECK(rig.phase() == "asking");
  CHECK(rig.lesson()["at"] == 8);
}

TEST_CASE("answers are written to a file with a person's word") {
  Lessons rig;
  rig.open("averaging", 8);
  rig.click("lesson.false");
  rig.settle();
  rig.next();
  rig.click("lesson.answers");
  REQUIRE(rig.has("answers.name"));
  const test::Folder folder;
  rig.click("answers.name");
  rig.type("Ada");
  rig.click("dialog.path");
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type((folder / "mine.csv").string());
  rig.tap(GLFW_KEY_ENTER);
  const std::string text = folder.read("mine.csv");
  CHECK(text.find("Ada,averaging,9,What attention is,") != text.npos);
  CHECK(text.find(",False,true,") != text.npos);
}

}  // namespace question_test
