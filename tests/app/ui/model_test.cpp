#include "app/ui/model.h"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/labs/labs.h"
#include "app/page/session_carrier.h"
#include "app/ui/search.h"
#include "core/types.h"
#include "test_lab.h"

namespace {

using namespace std::chrono_literals;

// A folder of its own, gone with the block.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("attnscope_model_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// What computations do in this block; models are made in it, too.
struct During {
  explicit During(test_lab::During what) { test_lab::during = std::move(what); }
  ~During() { test_lab::during = {}; }
  During(const During&) = delete;
  During& operator=(const During&) = delete;
};

}  // namespace

TEST_CASE("a value that is refused stays away, with a sentence beside its knob") {
  ui::Model model(test_lab::labs());
  CHECK_FALSE(model.set("heads", "99"));
  CHECK(model.value("heads") == "4");
  CHECK(model.error_of("heads").find("32") != std::string::npos);
  CHECK(model.error_of("heads").find("99") != std::string::npos);
  CHECK_FALSE(model.can_undo());
  CHECK(model.set("heads", "8"));
  CHECK(model.error_of("heads").empty());
}

TEST_CASE("one drag is one step of undo") {
  ui::Model model(test_lab::labs());
  for (const char* v : {"5", "6", "7", "8"}) model.set("heads", v, "drag.heads");
  model.end_gesture();
  for (const char* v : {"9", "10"}) model.set("heads", v, "drag.heads");
  model.undo();
  CHECK(model.value("heads") == "8");
  model.undo();
  CHECK(model.value("heads") == "4");
  CHECK_FALSE(model.can_undo());
  model.redo();
  model.redo();
  CHECK(model.value("heads") == "10");
  CHECK_FALSE(model.can_redo());
}

TEST_CASE("what gives way during a drag comes back with it") {
  ui::Model model(lab::all());
  model.show_lab("multi_head");
  model.set("heads", "8");
  model.set("head", "5");
  model.set("heads", "2", "drag.heads");
  CHECK(model.value("head") == "2");
  CHECK_FALSE(model.set("heads", "99", "drag.heads"));
  CHECK(model.value("heads") == "2");
  CHECK(model.value("head") == "2");
  model.set("heads", "7", "drag.heads");
  CHECK(model.value("heads") == "7");
  CHECK(model.value("head") == "5");
  model.set("heads", "1", "drag.heads");
  model.end_gesture();
  model.set("heads", "8", "drag.heads");  // another one
  CHECK(model.value("head") == "1");
  model.undo();
  model.undo();
  CHECK(model.value("heads") == "8");
  CHECK(model.value("head") == "5");
}

TEST_CASE("a new change forgets what was undone") {
  ui::Model model(test_lab::labs());
  model.set("heads", "8");
  model.undo();
  model.set("scaled", "false");
  CHECK_FALSE(model.can_redo());
}

TEST_CASE("setting the same value again is no step") {
  ui::Model model(test_lab::labs());
  CHECK(model.set("heads", "4"));
  CHECK_FALSE(model.can_undo());
}

TEST_CASE("a pick sets its parameters in one step, and un-pinning sets back those that say so") {
  ui::Model model(test_lab::labs());
  CHECK_FALSE(model.unpin());
  model.apply({{"query", "3"}, {"key", "5"}});
  CHECK(model.value("query") == "3");
  CHECK(model.value("key") == "5");
  CHECK(model.unpin());
  CHECK(model.value("key") == "-1");
  CHECK(model.value("query") == "3");
  model.undo();
  CHECK(model.value("key") == "5");
  model.undo();
  CHECK(model.value("query") == "1");
}

TEST_CASE("a drag on a figure is one step of undo, each place the nearest permitted one") {
  ui::Model model(test_lab::labs());
  for (const double x : {1.4, 2.6, 99.0, 5.2}) {
    model.pick({{{"scaled", "false"}}, {{"query", x}, {"height", x / 10}}}, "drag.curve");
  }
  model.end_gesture();
  CHECK(model.value("query") == "5");
  CHECK(model.value("height") == "0.52");
  CHECK(model.value("scaled") == "false");
  model.pick({{}, {{"query", 6.0}}}, "drag.curve");
  model.undo();
  CHECK(model.value("query") == "5");
  model.undo();
  CHECK(model.value("query") == "1");
  CHECK(model.value("scaled") == "true");
  CHECK_FALSE(model.can_undo());
  model.pick({{}, {{"query", 1.2}}}, "drag.curve");  // where it is already
  CHECK_FALSE(model.can_undo());
  model.pick({{{"heads", "2"}}, {{"nothing", 1}}});
  CHECK(model.message().is_error);
  CHECK(model.value("heads") == "4");
}

TEST_CASE("pages come from the worker, and a late one of another lab is not shown") {
  ui::Model model(test_lab::labs());
  model.wait();
  REQUIRE(model.page() != nullptr);
  CHECK(model.page()->made_from.lab == "one");
  CHECK_FALSE(model.stale());
  model.set("text", "abc");
  CHECK(model.stale());
  model.show_lab("two");
  CHECK(model.page() == nullptr);
  model.wait();
  REQUIRE(model.page() != nullptr);
  CHECK(model.page()->made_from.lab == "two");
  model.show_lab("one");
  model.wait();
  CHECK(model.page()->page.status == "abc");
}

TEST_CASE("linked plots show the same part; the whole is no view") {
  ui::Model model(test_lab::labs());
  model.wait();
  model.set_view("left", {1, 4, 2, 6}, "zoom.left");
  REQUIRE(model.views().contains("right"));
  CHECK(model.views().at("right") == figure::View{1, 4, 2, 6});
  model.set_view("left", {2, 4, 2, 4}, "zoom.left");
  model.undo();
  CHECK(model.views().empty());
  model.redo();
  model.reset_view("right");
  CHECK(model.views().empty());
  model.set_view("nowhere", {0, 1, 0, 1});
  CHECK(model.views().empty());
}

TEST_CASE("a preset stands on the defaults and is recognised") {
  ui::Model model(test_lab::labs());
  model.set("heads", "9");
  CHECK(model.current_preset() == nullptr);
  model.apply_preset("hot");
  CHECK(model.value("heads") == "4");
  REQUIRE(model.current_preset() != nullptr);
  CHECK(model.current_preset()->id == "hot");
  model.undo();
  CHECK(model.value("heads") == "9");
  model.apply_preset("cold");
  CHECK(model.message().is_error);
}

TEST_CASE("a session brings back lab, values and views, and a bad one changes nothing") {
  ui::Model model(test_lab::labs());
  model.wait();
  model.set("heads", "12");
  model.set_view("left", {1, 4, 2, 6});
  const lab::Session session = model.session();
  ui::Model other(test_lab::labs());
  other.show_lab("two");
  other.restore(session);
  CHECK(other.lab().id == "one");
  CHECK(other.value("heads") == "12");
  CHECK(other.views() == model.views());
  lab::Session bad = session;
  bad.values = {{"heads", "1000"}};
  CHECK_THROWS_AS(other.restore(bad), core::InputError);
  CHECK(other.value("heads") == "12");
  bad.lab = "nothing";
  CHECK_THROWS_AS(other.restore(bad), core::InputError);
  CHECK(other.lab().id == "one");
}

TEST_CASE("what cannot be opened is said in a sentence") {
  ui::Model model(test_lab::labs());
  model.open("/nonexistent/file.attn");
  model.wait();
  CHECK(model.message().is_error);
  CHECK(model.message().text.find("/nonexistent/file.attn") != std::string::npos);
  CHECK(model.file().empty());
  CHECK_FALSE(model.export_to("/nonexistent/folder/x.png"));  // its session is of no lab there is
  CHECK(model.message().is_error);
}

TEST_CASE("a pipe is not waited for, and what is too large is not read") {
  const Folder folder("unreadable");
  ui::Model model(test_lab::labs());
  model.wait();
  const auto refused = [&](const std::string& path, const std::string& why) {
    model.open(path);  // comes back: nobody writes into the pipe
    model.wait();
    CHECK(model.message().is_error);
    CHECK(model.message().text.find(why) != std::string::npos);
  };
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  refused(folder.file("pipe"), "it is a pipe");
  refused("/dev/zero", "device");
  std::ofstream(folder.file("huge.attn")).put('{');
  std::filesystem::resize_file(folder.file("huge.attn"), std::uintmax_t{4} << 30);
  refused(folder.file("huge.attn"), "512 MiB");
}

TEST_CASE("a session is saved as .attn only, and knobs turned since then are unsaved") {
  const Folder folder("sessions");
  ui::Model model(lab::all());
  model.show_lab("softmax");
  model.set("count", "5");
  CHECK_FALSE(model.unsaved());  // a fresh exploration is nobody's file
  CHECK_FALSE(model.save(folder.file("thesis.tex")));
  CHECK(model.message().is_error);
  CHECK_FALSE(std::filesystem::exists(folder.file("thesis.tex")));
  CHECK(model.file().empty());
  REQUIRE(model.save(folder.file("mine.attn")));
  CHECK(model.file() == folder.file("mine.attn"));
  CHECK_FALSE(model.unsaved());
  model.set("count", "6");
  CHECK(model.unsaved());
  model.undo();
  CHECK_FALSE(model.unsaved());
  model.show_lab("cost");
  model.set("n", "64");
  CHECK_FALSE(model.unsaved());  // another lab is no part of that file
  model.show_lab("softmax");
  model.set("count", "7");
  CHECK(model.unsaved());
  model.open(folder.file("mine.attn"));
  model.wait();
  CHECK(model.value("count") == "5");
  CHECK_FALSE(model.unsaved());
}

TEST_CASE("figures that are hidden or moved are unsaved too") {
  const Folder folder("sessions");
  ui::Model model(lab::all());
  model.show_lab("softmax");
  model.wait();
  REQUIRE(model.save(folder.file("mine.attn")));
  const auto& figures = model.page()->page.figures;
  REQUIRE(figures.size() >= 2);
  model.hide_figure(figures[0].id);
  CHECK(model.unsaved());
  model.show_lab("cost");
  CHECK(model.unsaved());  // hidden in the lab of that file all the same
  model.undo();
  CHECK_FALSE(model.unsaved());
  model.show_lab("softmax");
  model.move_figure(figures[0].id, 1, {figures[0].id, figures[1].id});
  CHECK(model.unsaved());
  REQUIRE(model.save(folder.file("mine.attn")));
  CHECK_FALSE(model.unsaved());
}

TEST_CASE("an opened session is one step of undo, back to the lab that was shown") {
  ui::Model model(test_lab::labs());
  lab::Session session = model.session();
  session.lab = "two";
  for (auto& [id, value] : session.values) {
    if (id == "heads") value = "12";
  }
  model.restore(session);
  CHECK(model.lab().id == "two");
  CHECK(model.value("heads") == "12");
  model.undo();
  CHECK(model.lab().id == "one");
  model.show_lab("two");
  CHECK(model.value("heads") == "4");
  model.redo();
  CHECK(model.value("heads") == "12");
}

// What is on screen and what made it -----------------------------------------------------------

TEST_CASE("a page knows what made it, and is stale until the knobs and the language are its own") {
  const During block([](const test_lab::Parameters& p, const lab::Context& context) {
    while (p.heads == 7) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  ui::Model model(test_lab::labs());
  CHECK(model.stale());
  model.wait();
  CHECK_FALSE(model.stale());
  CHECK(model.page()->made_from == model.session());
  model.set("heads", "7");
  CHECK(model.stale());
  CHECK(model.busy());
  model.cancel();
  model.wait();
  CHECK_FALSE(model.busy());
  CHECK(model.stale());  // what was cancelled is not on screen
  model.undo();
  CHECK_FALSE(model.stale());  // the page is the one of these knobs
  model.wait();
  model.set_language(words::Language::zh_CN);
  CHECK(model.stale());
  model.wait();
  CHECK_FALSE(model.stale());
}

TEST_CASE("names are searched by every word, whatever the case") {
  const std::vector<param::Named> names = {
      {"layers.0.attn.weight"}, {"layers.1.attn.weight"}, {"Layers.1.mlp"}, {"x", "la 1 身高"}};
  using Found = std::vector<std::size_t>;
  CHECK(ui::search(names, "") == Found{0, 1, 2, 3});
  CHECK(ui::search(names, "LAYERS 1") == Found{1, 2});
  CHECK(ui::search(names, "attn 1") == Found{1});
  CHECK(ui::search(names, "身高") == Found{3});
  CHECK(ui::search(names, "nothing").empty());
}

TEST_CASE("a computation that fails leaves the page stale") {
  ui::Model model(test_lab::labs());
  model.wait();
  model.set("file", "bad.csv");
  model.wait();
  CHECK_FALSE(model.compute_error().empty());
  CHECK(model.stale());
}

TEST_CASE("a page that is published on the way is not whole, and what is cancelled stays so") {
  const During train([](const test_lab::Parameters& p, const lab::Context& context) {
    if (p.heads != 7) return;
    lab::Page part;
    part.status = "half";
    context.publish(part);
    for (;;) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  ui::Model model(test_lab::labs());
  model.wait();
  model.set("heads", "7");
  while (model.page()->page.status != "half") model.poll();
  CHECK_FALSE(model.page()->whole);
  CHECK(model.page()->made_from == model.session());
  CHECK(model.stale());
  model.cancel();
  model.wait();
  CHECK(model.page()->page.status == "half");
  CHECK(model.stale());
}

TEST_CASE("an export tells of the page on screen, wherever the knobs stand by now") {
  const Folder folder("made_from");
  ui::Model model(lab::all());
  model.set("heads", "8");
  model.wait();
  model.set("heads", "2");
  REQUIRE(model.page()->made_from.values != model.session().values);
  REQUIRE(model.export_to(folder.file("a.json")));
  REQUIRE(model.export_to(folder.file("a.svg"), "heads"));
  model.wait();
  const auto json = nlohmann::json::parse(std::ifstream(folder.file("a.json")));
  CHECK(json["session"]["values"]["heads"] == 8);
  const auto session = lab::from_json(page::read_session(folder.file("a.svg")));
  const auto heads = std::find_if(session.values.begin(), session.values.end(),
                                  [](const auto& v) { return v.first == "heads"; });
  CHECK(heads->second == "8");
  std::ifstream svg(folder.file("a.svg"));
  const std::string text(std::istreambuf_iterator<char>(svg), {});
  CHECK(text.find("heads = 8") != std::string::npos);
  CHECK(text.find("heads = 2") == std::string::npos);
}

TEST_CASE("an export of the page is what is seen: hidden figures are not in it, the order holds") {
  const Folder folder("shown_figures");
  ui::Model model(lab::all());
  model.show_lab("multi_head");
  model.wait();
  const auto& figures = model.page()->page.figures;
  REQUIRE(figures.size() >= 3);
  std::vector<std::string> ids;
  for (const auto& one : figures) ids.push_back(one.id);
  const auto written = [&](const std::string& path) {
    REQUIRE(model.export_to(folder.file(path)));
    model.wait();
    const auto json = nlohmann::json::parse(std::ifstream(folder.file(path)));
    std::vector<std::string> all;
    for (const auto& one : json["figures"]) all.push_back(one["id"]);
    return all;
  };
  CHECK(written("all.json") == ids);
  const double bytes = model.export_bytes(folder.file("all.json"), "");
  model.move_figure(ids.back(), -1, ids);
  model.hide_figure(ids.front());
  std::vector<std::string> wanted(ids.begin() + 1, ids.end());
  std::swap(wanted[wanted.size() - 1], wanted[wanted.size() - 2]);
  CHECK(written("some.json") == wanted);
  CHECK(model.export_bytes(folder.file("some.json"), "") < bytes);
  // Its session says the same.
  const auto json = nlohmann::json::parse(std::ifstream(folder.file("some.json")));
  CHECK(lab::from_json(json["session"].dump()).figures == model.figure_order());
  // One figure is written whether it is hidden or not.
  REQUIRE(model.export_to(folder.file("one.json"), ids.front()));
  model.wait();
  CHECK_FALSE(model.message().is_error);
  for (const std::string& id : ids) model.hide_figure(id);
  CHECK_FALSE(model.export_to(folder.file("none.json")));
  CHECK(model.message().text == "every figure of this page is hidden");
  CHECK_FALSE(std::filesystem::exists(folder.file("none.json")));
}

TEST_CASE("what is being written can be given up: the old file stays whole") {
  const Folder folder("given_up");
  std::ofstream(folder.file("large.json")) << "old";
  ui::Model model(lab::all());
  model.set("input", "random");
  model.set("length", "4096");
  model.wait();
  REQUIRE(model.export_to(folder.file("large.json")));
  REQUIRE(model.export_to(folder.file("next.json")));
  const auto given_up = model.give_up_exports(20ms);
  CHECK(given_up == std::vector{folder.file("large.json"), folder.file("next.json")});
  CHECK(std::filesystem::file_size(folder.file("large.json")) == 3);
  CHECK_FALSE(std::filesystem::exists(folder.file("next.json")));
  CHECK(model.give_up_exports(0ms).empty());
}

TEST_CASE("a long drag keeps what it began with and not what every step was") {
  ui::Model model(test_lab::labs());
  for (int k = 0; k < 200; ++k) model.set("height", std::to_string(k % 100) + "e-2", "drag");
  model.set("height", "0.5", "drag");  // where it began
  CHECK_FALSE(model.can_undo());
  model.set("height", "0.25", "drag");
  model.undo();
  CHECK(model.value("height") == "0.5");
}

TEST_CASE("while pages are made the player waits, and a cancelled page stops it") {
  std::atomic<bool> go = false;
  const During wait([&](const test_lab::Parameters& p, const lab::Context& context) {
    while (p.query > 1 && !go) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  });
  ui::Model model(test_lab::labs());
  model.wait();
  model.play("query");
  for (int k = 0; k < 20; ++k) model.advance(0.1);
  CHECK(model.value("query") == "3");  // 0.1 s at 20 a second; then it waits
  model.cancel();
  CHECK(model.playing().empty());
  model.wait();
}

TEST_CASE("exports are written in the background, one after the other, and before the end") {
  const auto folder = std::filesystem::temp_directory_path() / "attnscope_model_exports";
  std::filesystem::create_directory(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  {
    ui::Model model(lab::all());
    CHECK_FALSE(model.export_to(file("early.json")));  // no page yet
    model.wait();
    CHECK(model.writing().file.empty());
    CHECK(model.export_to(file("a.json")));
    CHECK(model.export_to(file("b.pdf"), "no such figure"));
    CHECK(model.exporting());
    model.wait();
    CHECK_FALSE(model.exporting());
    CHECK(model.message().is_error);  // of the last one
    CHECK(std::filesystem::exists(file("a.json")));
    CHECK_FALSE(std::filesystem::exists(file("b.pdf")));
    CHECK(model.export_to("/nonexistent/folder/x.png"));
    model.wait();
    CHECK(model.message().is_error);
    CHECK(model.message().text.find("/nonexistent/folder") != std::string::npos);
    CHECK(model.export_to(file("c.png")));
  }
  CHECK(std::filesystem::file_size(file("c.png")) > 1000);
  CHECK_FALSE(std::filesystem::exists(file("early.json")));
  std::filesystem::remove_all(folder);
}

TEST_CASE("scale keeps to its range") {
  ui::Model model(test_lab::labs());
  model.set_scale(9);
  CHECK(model.scale() == 3);
  model.set_scale(0.1f);
  CHECK(model.scale() == 1);
  model.set_scale(1.3f);
  CHECK(model.scale() == 1.25f);
  model.set_scale(std::numeric_limits<float>::quiet_NaN());
  CHECK(model.scale() == 1.25f);
}

TEST_CASE("search finds labs, presets and knobs by every word typed") {
  const words::Words w;
  const auto& labs = test_lab::labs();
  CHECK(ui::search(labs, "", w).empty());
  CHECK(ui::search(labs, "   ", w).empty());
  const auto hot = ui::search(labs, "HOT sc", w);
  REQUIRE(hot.size() == 1);
  CHECK(hot[0].kind == ui::Found::Kind::preset);
  CHECK(hot[0].id == "hot");
  const auto knobs = ui::search(labs, "temperature", w);
  REQUIRE(knobs.size() == 2);
  CHECK(knobs[0].kind == ui::Found::Kind::knob);
  CHECK(knobs[0].lab == "one");
  CHECK(ui::search(labs, "second", w)[0].kind == ui::Found::Kind::lab);
  CHECK(ui::search(labs, "hot nothing", w).empty());
}

// Trainings --------------------------------------------------------------------------------------

namespace {

// A training that a test can hold up.
struct Counting {
  struct State {
    int steps = 0;
  };
  static inline std::atomic<bool> go{true};
  bool operator==(const Counting&) const = default;
  State begin(const lab::Run&) const { return {}; }
  void step(State& state, const lab::Run& run) const {
    while (!go) run.cancel.poll(), std::this_thread::sleep_for(1ms);
    ++state.steps;
  }
  std::vector<double> scalars(const State& state) const { return {1.0 * state.steps}; }
  std::size_t bytes(const State&) const { return sizeof(State); }
  core::Message fault(const State&) const { return {}; }
};

}  // namespace

TEST_CASE("a training goes on while other knobs turn, and the page follows it to its end") {
  Counting::go = false;
  const During train([](const test_lab::Parameters& p, const lab::Context& context) {
    context.trained("counting", Counting{}, 10 * p.heads, 10 * p.heads);
  });
  ui::Model model(test_lab::labs());
  const auto reached = [&] { return model.trainings().at(0).reached; };
  while (!model.page()) model.poll();
  CHECK_FALSE(model.page()->whole);
  CHECK(model.stale());
  CHECK(reached() == 0);
  model.set("query", "3");  // no part of the task
  while (model.page()->made_from.values != model.session().values) model.poll();
  CHECK(reached() == 0);
  CHECK_FALSE(model.page()->whole);
  Counting::go = true;
  model.wait();
  CHECK(model.page()->whole);
  CHECK_FALSE(model.stale());
  CHECK(reached() == 40);
  model.set("heads", "5");
  model.wait();
  CHECK(reached() == 50);
  model.restart_training("counting");
  model.wait();
  CHECK(reached() == 50);
}

TEST_CASE("a training that is paused shows where it is, and goes on when asked to") {
  Counting::go = false;
  const During train([](const test_lab::Parameters&, const lab::Context& context) {
    context.trained("counting", Counting{}, 30, 30);
  });
  ui::Model model(test_lab::labs());
  while (!model.page()) model.poll();
  model.pause_training("counting");
  Counting::go = true;
  model.wait();
  CHECK(model.page()->whole);
  CHECK(model.trainings().at(0).state == worker::RunState::paused);
  const auto held = model.trainings().at(0).reached;
  CHECK(held <= 1);
  model.step_training("counting");
  model.wait();
  CHECK(model.trainings().at(0).reached == held + 1);
  model.go_on_training("counting");
  model.wait();
  CHECK(model.trainings().at(0).reached == 30);
  CHECK(model.trainings().at(0).state == worker::RunState::waiting);
}

namespace {

// A training whose state is larger than any budget.
struct Heavy {
  struct State {
    int steps = 0;
  };
  bool operator==(const Heavy&) const = default;
  State begin(const lab::Run&) const { return {}; }
  void step(State& state, const lab::Run&) const { ++state.steps; }
  std::vector<double> scalars(const State& state) const { return {1.0 * state.steps}; }
  std::size_t bytes(const State&) const { return std::size_t{1} << 40; }
  core::Message fault(const State&) const { return {}; }
};

}  // namespace

TEST_CASE("with a budget smaller than one state of a training every step is shown all the same") {
  std::atomic<int> shown = -1;
  const During train([&](const test_lab::Parameters& p, const lab::Context& context) {
    const auto run = context.trained("heavy", Heavy{}, 32, p.heads);
    shown = run.state ? run.state->steps : -1;
  });
  ui::Model model(test_lab::labs());
  model.set_memory_budget(1);
  CHECK(model.memory_budget() == std::size_t{64} << 20);
  for (const int step : {32, 7, 8, 31, 1, 7}) {
    model.set("heads", std::to_string(step));
    model.wait();
    CHECK_FALSE(model.stale());
    CHECK(model.compute_error().empty());
    CHECK(shown == step);
    CHECK(model.trainings().at(0).reached == 32);
  }
}

TEST_CASE("a learning rate that is far too large stops in a state that says so, and leads back") {
  ui::Model model(lab::all());
  model.show_lab("pooling");
  model.set("method", "parametric");
  model.set("epochs", "20");
  model.set("step", "20");
  model.wait();
  CHECK(model.trainings().at(0).reached == 20);
  REQUIRE(model.set("rate", "1e9"));
  model.wait();
  const auto run = model.trainings().at(0);
  CHECK(run.state == worker::RunState::stopped);
  CHECK(run.reached == 0);
  const std::string why = worker::why_stopped(run).in_english();
  CHECK(why.starts_with("training stopped after step 0: w would be "));
  CHECK(model.page()->page.notes.front().starts_with("Training stopped after step 0: w would be"));
  CHECK(model.page()->page.notes.front().ends_with("Step 20 was not reached."));
  CHECK(model.compute_error().empty());  // the last good step is shown
  CHECK_FALSE(model.stale());
  CHECK(model.value("step") == "20");
  CHECK(model.page()->page.status.find("step 0 of 20") != std::string::npos);
  REQUIRE(model.set("rate", "0.5"));
  model.wait();
  CHECK(model.trainings().at(0).state == worker::RunState::waiting);
  CHECK(model.page()->page.status.find("step 20 of 20") != std::string::npos);
  model.undo();
  model.wait();
  CHECK(model.trainings().at(0).state == worker::RunState::stopped);
}

TEST_CASE("a session whose file is gone or has changed: a sentence, and nothing is lost") {
  const Folder folder("file_gone");
  const auto write = [&](const std::string& text) { std::ofstream(folder.file("d.csv")) << text; };
  write("a,b,c\n1,2,3\n4,5,7\n6,8,9\n");
  ui::Model model(lab::all());
  model.show_lab("pooling");
  model.set("file", folder.file("d.csv"));
  model.set("y_column", "c");
  model.set("bandwidth", "0.25");
  model.wait();
  REQUIRE(model.save(folder.file("s.attn")));
  const param::Values saved = model.session().values;
  const auto opened = [&] {
    auto fresh = std::make_unique<ui::Model>(lab::all());
    fresh->open(folder.file("s.attn"));
    while (fresh->opening()) std::this_thread::sleep_for(1ms);
    fresh->poll();
    return fresh;
  };
  const auto ends = [](const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.ends_with(end);
  };
  std::filesystem::remove(folder.file("d.csv"));
  auto gone = opened();
  CHECK(ends(gone->message().text, "which cannot be read: there is no such file or folder"));
  gone->wait();
  CHECK(gone->compute_error() ==
        "cannot read " + folder.file("d.csv") + ": there is no such file or folder");
  CHECK(gone->session().values == saved);
  CHECK(gone->page() == nullptr);
  REQUIRE(gone->save(folder.file("again.attn")));  // as it was
  write("a,b,c\n1,2,3\n4,5,7\n6,8,9\n");
  gone->set("bandwidth", "0.5");
  gone->wait();
  CHECK(gone->compute_error().empty());
  CHECK(gone->page() != nullptr);
  write("a,b\n1,2\n4,5\n6,8\n");
  auto changed = opened();
  CHECK(changed->message().text.find("which has changed since") != std::string::npos);
  changed->wait();
  CHECK(changed->session().values == saved);
  CHECK(changed->value("y_column") == "c");
  CHECK(changed->compute_error() == folder.file("d.csv") + ": there is no column \"c\"");
  changed->set("y_column", "b");
  changed->wait();
  CHECK(changed->page() != nullptr);
  changed->undo();
  CHECK(changed->value("y_column") == "c");
}
