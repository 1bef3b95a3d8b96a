#include "app/state/files/settings.h"

#include <doctest/doctest.h>

#include <fstream>
#include <future>
#include <iterator>
#include <string>

#include "app/system/atomic_file.h"
#include "core/system/opened_file.h"
#include "folder.h"
#include "test_lab.h"
#include "variable.h"

namespace settings_test {

namespace {

namespace fs = std::filesystem;

using test::Folder;
using test::Variable;

}  // namespace

TEST_CASE("settings survive their file, and what is not in it keeps its default") {
  const Folder folder;
  const fs::path file = folder.path() / "deep" / "settings.json";
  CHECK(state::read_settings(file) == state::Settings{});
  lesson::Progress lessons;
  lessons.at("averaging", 5);
  lessons.at("averaging", 3);
  lessons.at("/home/ada/课.md", 1);
  lessons.finish("rope");
  lessons.say("rope", 2, {"It doubles.", true, "2026-11-27 14:05"});
  state::Recents recent;
  recent.add({state::Recent::Kind::lesson, "rope"});
  recent.add({state::Recent::Kind::file, "/home/ada/图.attn"});
  const state::Settings all{.theme = figure::ThemeName::light,
                            .language = words::Language::zh_CN,
                            .scale = 1.75f,
                            .captions = false,
                            .introduction = false,
                            .motion = false,
                            .speed = 0.5,
                            .memory = std::size_t{5} << 30,
                            .ask_first = false,
                            .lessons = lessons,
                            .show_start = false,
                            .recent = recent,
                            .lecture = {figure::ThemeName::dark, 1.5f, false},
                            .film = {640, 12.5, 3},
                            .paper_style = {{"dashes", "true"}, {"font_family", "Inter"}}};
  state::write_settings(all, file);
  CHECK(state::read_settings(file) == all);
  std::ofstream(file) << R"({"captions":false,"of_a_later_version":[1]})";
  state::Settings wanted;
  wanted.captions = false;
  CHECK(state::read_settings(file) == wanted);
  state::write_settings(all, file);
  CHECK(state::read_settings(file) == all);
  CHECK(test::read(file).find("\"of_a_later_version\": [\n  1\n ]") != std::string::npos);
}

TEST_CASE("broken settings are refused in one sentence, and nothing is waited for") {
  const Folder folder;
  const fs::path file = folder.path() / "settings.json";
  const auto why = [&] {
    try {
      state::read_settings(file);
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string cannot = "the settings in " + file.string() + " cannot be used: ";
  for (const char* text : {"", "x", "[]", "{", "3", "{\"theme\":\"dark\"", "\xff"}) {
    CAPTURE(text);
    std::ofstream(file, std::ios::trunc) << text;
    CHECK(why() == cannot + "it is not a JSON object");
  }
  for (const char* text : {R"({"theme":"pink"})",
                           R"({"theme":1})",
                           R"({"language":"fr"})",
                           R"({"scale":9})",
                           R"({"scale":"2"})",
                           R"({"captions":1})",
                           R"({"introduction":null})",
                           R"({"speed":0})",
                           R"({"speed":1e99})",
                           R"({"memory":-1})",
                           R"({"lessons":3})",
                           R"({"lessons":{"a":3}})",
                           R"({"show_start":"no"})",
                           R"({"recent":{}})",
                           R"({"recent":["a"]})",
                           R"({"recent":[{"file":1}]})",
                           R"({"recent":[{"folder":"a"}]})",
                           R"({"lecture":1})",
                           R"({"film":[]})",
                           R"({"film":{"width":20}})",
                           R"({"film":{"seconds":0.01}})"}) {
    CAPTURE(text);
    std::ofstream(file, std::ios::trunc) << text;
    const std::string name = std::string(text).substr(2, std::string(text).find(':') - 3);
    CHECK(why() == cannot + "\"" + name + "\" has a value that is not allowed");
  }
  for (const char* text : {R"({"lessons":{"a":{"answers":3}}})",
                           R"({"lessons":{"a":{"answers":[{"answer":"x"}]}}})"}) {
    CAPTURE(text);
    std::ofstream(file, std::ios::trunc) << text;
    CHECK(why() == cannot + "\"answers\" has a value that is not allowed");
  }
  fs::remove(file);
  fs::create_directory(file);
  CHECK(why() == "cannot read " + file.string() + ": it is a folder");
  CHECK_THROWS_AS(state::write_settings({}, file), sys::IoError);
  std::ofstream(folder.path() / "none") << "a file";
  CHECK_THROWS_AS(state::write_settings({}, folder.path() / "none" / "settings.json"),
                  sys::IoError);
}

TEST_CASE("what a person changed is remembered, and nothing that the command line asked for") {
  state::Program program(test_lab::labs());
  state::Settings kept;
  kept.language = words::Language::zh_CN;
  kept.speed = 2;
  state::apply(kept, program, 1.5f);
  CHECK(program.looks.scale == 1.5f);
  CHECK(program.words().language() == words::Language::zh_CN);
  CHECK(program.playing.speed() == 2);
  program.looks.theme = figure::ThemeName::light;  // as --theme does
  const state::Settings before = state::settings_of(program, 1.5f);
  CHECK(before.scale == 0);
  CHECK(state::remembered(kept, before, state::settings_of(program, 1.5f)) == kept);
  program.looks.captions = false;
  program.looks.rescale(2);
  program.set_memory_budget(std::size_t{100} << 20);
  state::Settings wanted = kept;
  wanted.captions = false;
  wanted.scale = 2;
  wanted.memory = std::size_t{100} << 20;
  const state::Settings after = state::settings_of(program, 1.5f);
  CHECK(state::remembered(kept, before, after) == wanted);
  state::Program other(test_lab::labs());
  state::apply(wanted, other, 1);
  CHECK(other.looks.scale == 2);
  CHECK_FALSE(other.looks.captions);
  CHECK(other.memory_budget() == std::size_t{100} << 20);
  CHECK(other.looks.theme == figure::ThemeName::dark);
}

TEST_CASE("a page hands a file to another lab, equal ones as one") {
  const Folder folder;
  const Variable data(test::kDataFolder, folder.path().string().c_str());
  state::Program program(test_lab::labs());
  const auto hands_over = [&] {
    program.desk.show_lab("one");
    program.knobs.set("text", "leads on");
    program.wait();
    const auto bytes = [] { return std::string("the numbers of a model"); };
    program.jumps.jump({"two", "", "", {{"heads", "8"}}, {{"file", ".safetensors", bytes}}});
    program.wait();
  };
  hands_over();
  const fs::path file = program.knobs.value("file");
  CHECK(program.knobs.value("heads") == "8");
  CHECK(file.parent_path() == folder.path() / "attnscope" / "models");
  std::ifstream in(file);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "the numbers of a model");
  core::FileIdentity first, again;
  REQUIRE_FALSE(core::identify(file, first));
  hands_over();
  REQUIRE_FALSE(core::identify(file, again));
  CHECK(first == again);  // who has it open goes on reading it
  CHECK(program.knobs.value("file") == file.string());
  // Who has gone elsewhere while it is written is not led away.
  program.desk.show_lab("one");
  std::promise<void> gone;
  const auto slow = [&gone] { return gone.get_future().wait(), std::string("late"); };
  program.jumps.jump({"two", "", "", {{"heads", "7"}}, {{"file", ".safetensors", slow}}});
  CHECK(program.desk.lab().id == "one");
  CHECK(program.is_writing());
  program.desk.show_lab("two");
  gone.set_value();
  program.wait();
  CHECK(program.knobs.value("heads") == "8");
  // Where it cannot be kept nothing is opened, and that is said.
  const Variable nowhere(test::kDataFolder, folder.write("a file", "").c_str());
  hands_over();
  CHECK(program.desk.lab().id == "one");
  CHECK(program.messages.last().is_error);
  CHECK(program.messages.last().text.find("cannot make the folder") == 0);
}

}  // namespace settings_test
