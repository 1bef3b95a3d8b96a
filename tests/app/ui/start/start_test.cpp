// The start page: what stands on it, where it leads, and how it is left.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <thread>

#include "app/labs/labs.h"
#include "app/lesson/library.h"
#include "eventually.h"
#include "rig.h"

namespace start_test {

struct Start : Rig {
  explicit Start(float width = 1600, float height = 1000) : Rig(width, height, lab::all()) {}
  bool open() { return shell.start().open(); }
  // Until every picture is made and drawn.
  void make_pictures() {
    for (int k = 0; k < 3; ++k) frame();
    REQUIRE(eventually([&] { return frame(), !shell.start().busy(); }));
    settle();
  }
};

TEST_CASE("what was opened last stands first, once, and eight are kept") {
  state::Recents recents;
  for (int k = 0; k < 10; ++k) recents.add({state::Recent::Kind::file, std::to_string(k)});
  REQUIRE(recents.all().size() == 8);
  CHECK(recents.all().front().name == "9");
  CHECK(recents.all().back().name == "2");
  recents.add({state::Recent::Kind::file, "5"});
  CHECK(recents.all().size() == 8);
  CHECK(recents.all().front().name == "5");
  recents.add({state::Recent::Kind::lesson, "5"});  // a lesson of that name is something else
  CHECK(recents.all()[1].name == "5");
  CHECK(recents.all().back().name == "3");
}

TEST_CASE("a route says how far one has come, and where to go on") {
  const lesson::Route& route = lesson::routes()[1];
  const auto names = lesson::of_route(route.id);
  REQUIRE(names.size() >= 3);
  lesson::Progress progress;
  const auto now = [&] { return state::status(route, progress, words::Language::en); };
  CHECK_FALSE(now().begun);
  CHECK(now().seen == 0);
  CHECK(now().next == names[0]);
  CHECK(now().lessons == names.size());
  int minutes = 0;
  std::size_t stops = 0;
  for (const auto& name : names) {
    minutes += lesson::shipped(name, words::Language::en).minutes;
    stops += lesson::shipped(name, words::Language::en).stops.size();
  }
  CHECK(now().minutes == minutes);
  CHECK(now().stops == stops);
  progress.at(names[2], 4);  // left in the middle
  CHECK(now().begun);
  CHECK(now().seen == 4);
  CHECK(now().next == names[2]);
  progress.finish(names[2]);
  CHECK(now().seen == lesson::shipped(names[2], words::Language::en).stops.size());
  CHECK(now().finished == 1);
  CHECK(now().next == names[0]);
  for (const auto& name : names) progress.at(name, 0), progress.finish(name);
  CHECK(now().finished_all());
  CHECK(now().seen == stops);
  CHECK(now().next == names[0]);  // once more
}

TEST_CASE("what comes after a route, as one likes, counts neither its minutes nor its stops") {
  const lesson::Route& route = lesson::routes().front();
  const auto own = lesson::of_route(route.id), after = lesson::after_route(route.id);
  REQUIRE(own.size() == 1);
  REQUIRE(!after.empty());
  lesson::Progress progress;
  const auto now = [&] { return state::status(route, progress, words::Language::en); };
  CHECK(now().minutes == 15);
  CHECK(now().stops == lesson::shipped(own[0], words::Language::en).stops.size());
  progress.at(after[0], 3);
  CHECK(now().seen == 0);
  CHECK(now().next == own[0]);
  progress.at(own[0], 0), progress.finish(own[0]);
  CHECK(now().finished_all());
  // All the same they stand on the page, under what is the route's own, and open from there.
  Start rig;
  rig.click("start");
  rig.settle();
  CHECK(rig.control("start.lesson." + after[0]).y > rig.control("start.lesson." + own[0]).bottom());
  rig.click("start.lesson." + after[0]);
  CHECK(rig.map()["lesson"]["name"] == after[0]);
}

TEST_CASE("the lesson to take now is the one that was left, else the next that is not finished") {
  lesson::Progress progress;
  state::Recents recents;
  const auto next = [&] { return state::next_lesson(progress, recents); };
  CHECK(next() == "first_steps");
  progress.at("first_steps", 0), progress.finish("first_steps");
  CHECK(next() == "course");  // an hour with one sentence
  recents.add({state::Recent::Kind::lesson, "rope"});
  CHECK(next() == "course");  // though nothing of it was begun
  progress.at("rope", 2);
  CHECK(next() == "rope");
  progress.at("masks", 1);
  recents.add({state::Recent::Kind::lesson, "masks"});
  CHECK(next() == "masks");
  recents.add({state::Recent::Kind::lesson, "no lesson"});
  recents.add({state::Recent::Kind::file, "softmax"});
  CHECK(next() == "masks");
  progress.finish("masks");
  CHECK(next() == "rope");
  for (const std::string& name : lesson::names()) progress.at(name, 0), progress.finish(name);
  CHECK(next() == "first_steps");
}

TEST_CASE("three ways in stand first: a lesson, something to try, a file") {
  Start rig;
  rig.click("start");
  const auto top = [&](const char* id) { return rig.control(id).y; };
  for (const char* id : {"start.learn", "start.sentence", "start.train", "start.open"}) {
    CAPTURE(id);
    CHECK(top(id) < top("start.route.first_steps"));
  }
  rig.click("start.train");
  CHECK_FALSE(rig.open());
  CHECK(rig.map()["lab"] == "gpt_training");
  CHECK(rig.map()["knobs"]["task"] == "own");
  rig.click("start");
  rig.click("start.learn");
  CHECK(rig.map()["lesson"]["name"] == "first_steps");
  rig.tap(GLFW_KEY_ESCAPE);
  rig.click("dialog.go");
  rig.click("start");
  rig.click("start.lesson.rope");
  rig.tap(GLFW_KEY_SPACE);
  const auto at = rig.map()["lesson"]["at"];
  rig.tap(GLFW_KEY_ESCAPE);
  rig.click("dialog.go");
  rig.click("start");
  rig.click("start.learn");  // goes on where it was left
  CHECK(rig.map()["lesson"]["name"] == "rope");
  CHECK(rig.map()["lesson"]["at"] == at);
}

TEST_CASE("labs without a model that has read have no box for a sentence") {
  Rig rig(1600, 1000);
  rig.click("start");
  REQUIRE(rig.shell.start().open());
  CHECK_FALSE(rig.has(ui::kStartSentence));
  CHECK(rig.has("start.learn"));
}

TEST_CASE("every lab has a picture, of a preset, a figure and plots that it has") {
  for (const lab::Lab& lab : lab::all()) {
    CAPTURE(lab.id);
    const lab::Picture& one = lab::picture_of(lab.id);
    const auto preset = std::find_if(lab.presets.begin(), lab.presets.end(),
                                     [&](const lab::Preset& p) { return p.id == one.preset; });
    REQUIRE(preset != lab.presets.end());
    const auto state = lab.make();
    param::assign(state->describe(), preset->values);
    lab::Memo memo;
    const words::Words words;
    const auto picture = state::picture_of(state->compute({{}, words, memo}), one);
    REQUIRE(picture);
    CHECK(picture->id == one.start_figure());
    if (!one.plots.empty()) CHECK(picture->plots.size() == one.plots.size());
    CHECK(picture->title.empty());
  }
}

TEST_CASE("a sentence is read by the model of its language; what cannot be is refused") {
  const auto read = [](const std::string& sentence) {
    const session::Session session = ui::looking_at(sentence, lab::find("gpt_inside"));
    CHECK(session.lab == "gpt_inside");
    const auto state = lab::find(session.lab).make();
    param::assign(state->describe(), session.values);
    lab::Memo memo;
    const words::Words words;
    const lab::Page page = state->compute({{}, words, memo});
    CHECK(page.made_up.empty());
    const auto next = std::find_if(page.figures.begin(), page.figures.end(),
                                   [](const auto& one) { return one.id == "next"; });
    REQUIRE(next != page.figures.end());
    const auto map = std::find_if(page.figures.begin(), page.figures.end(),
                                  [](const auto& one) { return one.id == "map"; });
    const auto model = std::find_if(session.values.begin(), session.values.end(),
                                    [](const auto& one) { return one.first == "published"; });
    return std::pair{model->second, *map->plots.back().x.labels};
  };
  const auto [english, words] = read("the dog and the cat");
  CHECK(english == "english");
  CHECK(std::vector<std::string>(words.begin() + 1, words.end()) ==
        std::vector<std::string>{"the", "␣dog", "␣and", "␣the", "␣cat"});
  CHECK(read("明月几时有").first == "chinese");
  CHECK_THROWS_AS(ui::looking_at(std::string(std::size_t{2} << 20, 'a'), lab::find("gpt_inside")),
                  core::InputError);
}

TEST_CASE("the start page is opened from the list and left by Escape, and is no step of undo") {
  Start rig;
  CHECK_FALSE(rig.open());
  CHECK(rig.has("figure.heads"));
  rig.click("start");
  REQUIRE(rig.open());
  CHECK(rig.has("start.page"));
  CHECK_FALSE(rig.has("figure.heads"));
  CHECK(rig.map()["plots"].empty());
  CHECK_FALSE(rig.program.desk.can_undo());
  // Nothing of the page that is not seen is changed by a key.
  rig.program.knobs.set("heads", "4");
  rig.settle();
  REQUIRE_FALSE(rig.open());
  rig.click("start");
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.program.knobs.value("heads") == "4");
  rig.tap(GLFW_KEY_PAGE_DOWN);
  CHECK(rig.map()["lab"] == "multi_head");
  CHECK(rig.open());
  rig.tap(GLFW_KEY_F1);
  CHECK(rig.has("help.start"));  // help is about what is seen
  rig.tap(GLFW_KEY_ESCAPE);
  REQUIRE(rig.open());
  // How it looks is changed there as everywhere.
  rig.tap(GLFW_KEY_L, GLFW_MOD_CONTROL);
  rig.tap(GLFW_KEY_T, GLFW_MOD_CONTROL);
  CHECK(rig.map()["language"] == "zh_CN");
  CHECK(rig.open());
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.open());
  rig.click("start");
  rig.click("lab.multi_head");  // the lab that was shown before
  CHECK_FALSE(rig.open());
}

TEST_CASE("pictures are made once for a language, then the window sleeps") {
  Start rig(1600, 2400);
  rig.click("start");
  rig.make_pictures();
  for (const lab::Lab& one : lab::all()) {
    CAPTURE(one.id);
    CHECK(rig.has("start.made." + std::string(one.id)));
  }
  CHECK(std::isinf(rig.shell.next_change()));
  CHECK_FALSE(rig.shell.start().busy());
  // Opened again they are there at once.
  rig.tap(GLFW_KEY_ESCAPE);
  rig.click("start");
  CHECK(rig.has("start.made.checkpoint"));
  CHECK_FALSE(rig.shell.start().busy());
}

TEST_CASE("a picture opens its lab with its preset, which one undo takes back") {
  Start rig(1600, 2400);
  rig.click("start");
  rig.click("start.picture.masks");
  CHECK_FALSE(rig.open());
  CHECK(rig.map()["lab"] == "masks");
  REQUIRE(rig.program.knobs.preset());
  CHECK(rig.program.knobs.preset()->id == "bigbird");
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.program.knobs.preset() != nullptr);
  CHECK(rig.program.knobs.preset()->id == "first_look");
  CHECK_FALSE(rig.program.desk.can_undo());
}

TEST_CASE("a typed sentence opens its lab; a word that is missing or too long is told beside it") {
  Start rig;
  rig.click("start");
  rig.click("start.look");
  CHECK(rig.open());
  CHECK(rig.has("start.sentence"));
  rig.click("start.sentence");
  rig.type("the bank of the river");
  rig.tap(GLFW_KEY_ENTER);
  CHECK_FALSE(rig.open());
  CHECK(rig.map()["lab"] == "gpt_inside");
  CHECK(rig.map()["knobs"]["published"] == "english");
  CHECK(rig.map()["knobs"]["text"] == "the bank of the river");
  rig.tap(GLFW_KEY_Z, GLFW_MOD_CONTROL);
  CHECK(rig.map()["knobs"]["text"] != "the bank of the river");
  CHECK_FALSE(rig.open());
}

TEST_CASE("routes and lessons are begun, gone on with, and stand among what was opened last") {
  Start rig;
  rig.click("start");
  rig.click("start.route.positions.go");
  CHECK_FALSE(rig.open());
  CHECK(rig.map()["lesson"]["name"] == lesson::of_route("positions").front());
  rig.tap(GLFW_KEY_ESCAPE);
  rig.click("dialog.go");
  rig.click("start");
  rig.click("start.lesson.rope");
  CHECK(rig.map()["lesson"]["name"] == "rope");
  // Over a lesson the start page is the only one that keys are for.
  rig.shell.start().show();
  rig.settle();
  CHECK_FALSE(rig.has("lesson"));
  const auto at = rig.map()["lesson"]["at"];
  rig.tap(GLFW_KEY_SPACE);
  CHECK(rig.map()["lesson"]["at"] == at);
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK(rig.has("lesson"));
  rig.tap(GLFW_KEY_ESCAPE);
  rig.click("dialog.go");
  rig.click("start");
  CHECK(rig.program.files.recents().all().front().name == "rope");
  rig.click("start.recent.1");
  CHECK(rig.map()["lesson"]["name"] == lesson::of_route("positions").front());
}

TEST_CASE("a file that is gone says so, and one that is there opens and leaves the page") {
  Start rig;
  rig.program.files.recents().add({state::Recent::Kind::file, "/nowhere/gone.attn"});
  rig.click("start");
  rig.click("start.recent.0");
  rig.settle();
  CHECK(rig.open());
  CHECK(rig.program.messages.last().is_error);
  CHECK(rig.program.messages.last().text.find("gone.attn") != std::string::npos);
  const std::string file = "start_test.attn";
  REQUIRE(rig.program.files.save(file));
  CHECK(rig.program.files.recents().all().front().name.ends_with(file));
  rig.settle();
  rig.click("start.recent.0");
  rig.settle();
  CHECK_FALSE(rig.open());  // though it is what was shown before
  std::filesystem::remove(file);
}

TEST_CASE("keys reach the start page: Tab to a lesson, Enter begins it; the switch is remembered") {
  Start rig;
  rig.click("start");
  CHECK(rig.program.looks.shows_start);
  rig.click("start.show");
  CHECK_FALSE(rig.program.looks.shows_start);
  rig.tap(GLFW_KEY_TAB);
  std::set<std::string> reached;
  for (int k = 0; k < 120 && reached.insert(rig.shell.gui().keyboard().focused()).second; ++k) {
    rig.tap(GLFW_KEY_TAB);
  }
  for (const char* id : {"start.lesson.averaging", "start.route.models.go", "start.sentence",
                         "start.look", "start.open", "start.picture.checkpoint", "start"}) {
    CAPTURE(id);
    CHECK(reached.contains(id));
  }
  while (rig.shell.gui().keyboard().focused() != "start.lesson.averaging") rig.tap(GLFW_KEY_TAB);
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["lesson"]["name"] == "averaging");
}

TEST_CASE("every character of a lesson's name can be drawn where names are listed") {
  Start rig;
  rig.program.set_language(words::Language::zh_CN);
  rig.click("start");
  const auto drawn = [&](unsigned character) {
    return ui::has_picture(*rig.shell.gui().fonts()[figure::TextStyle::label], character);
  };
  CHECK(drawn(0x2713));  // the tick
  CHECK(drawn(0x6BC1));  // 毁, of one lesson's title and nowhere else
}

TEST_CASE("in a narrow window the start page has one column and a way to the list") {
  Start rig(420, 700);
  rig.shell.start().show();
  rig.settle();
  CHECK(rig.has("button.sidebar"));
  const auto first = rig.control("start.route.first_steps");
  CHECK(rig.control("start.route.positions").y > first.bottom());
  CHECK(first.right() <= 420);
  rig.click("button.sidebar");
  CHECK(rig.has("lab.pooling"));
  rig.click("lab.pooling");
  CHECK_FALSE(rig.open());
}

}  // namespace start_test
