// Exports that the model writes.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/labs/labs.h"
#include "app/paper/file/session_carrier.h"
#include "program_rig.h"

namespace program_export_test {

using namespace std::chrono_literals;
using program_rig::During, program_rig::Folder;

TEST_CASE("an export tells of the page on screen, wherever the knobs stand by now") {
  const Folder folder;
  state::Program program(lab::all());
  program.knobs.set("heads", "8");
  program.wait();
  program.knobs.set("heads", "2");
  REQUIRE(program.pages.page()->made_from.values != program.desk.now().values);
  REQUIRE(program.exports.write(folder.file("a.json")));
  REQUIRE(program.exports.write(folder.file("a.svg"), "heads"));
  program.wait();
  const auto json = nlohmann::json::parse(std::ifstream(folder.file("a.json")));
  CHECK(json["session"]["values"]["heads"] == 8);
  const auto session = session::from_json(paper::read_session(folder.file("a.svg")));
  const auto heads = std::find_if(session.values.begin(), session.values.end(),
                                  [](const auto& v) { return v.first == "heads"; });
  CHECK(heads->second == "8");
  std::ifstream svg(folder.file("a.svg"));
  const std::string text(std::istreambuf_iterator<char>(svg), {});
  CHECK(text.find("heads = 8") != std::string::npos);
  CHECK(text.find("heads = 2") == std::string::npos);
}

TEST_CASE("an exported figure remembers how it looks, and brings that back when it is opened") {
  const Folder folder;
  const std::string file = folder.file("a.svg");
  {
    state::Program program(lab::all());
    program.desk.show_lab("softmax");
    program.wait();
    program.looks.paper.style.dashes = true;
    program.looks.paper.style.title = "Mine";
    REQUIRE(program.exports.write(file, "melting", &program.looks.paper));
    program.wait();
  }
  CHECK(session::from_json(paper::read_session(file)).paper ==
        param::Values{{"dashes", "true"}, {"title", "Mine"}});
  state::Program program(lab::all());
  program.files.open(file);
  program.wait();
  const paper::Style& style = program.looks.paper.style;
  CHECK_FALSE(style.dashes);  // until the window takes the event up
  for (const state::Event& event : program.events.take()) {
    if (const auto* opened = std::get_if<state::PaperOpened>(&event)) program.take_paper(*opened);
  }
  CHECK(style.dashes);
  CHECK(style.title == "Mine");
  CHECK(program.looks.paper_of == "softmax melting");
  program.take_paper({"softmax", "", {{"nonsense", "1"}}});
  CHECK(style.title == "Mine");
  CHECK(program.messages.last().text.find("nonsense") != std::string::npos);
}

TEST_CASE("an export of the page is what is seen: hidden figures are not in it, the order holds") {
  const Folder folder;
  state::Program program(lab::all());
  program.desk.show_lab("multi_head");
  program.wait();
  const auto& figures = program.pages.page()->page.figures;
  REQUIRE(figures.size() >= 3);
  std::vector<std::string> ids;
  for (const auto& one : figures) ids.push_back(one.id);
  const auto written = [&](const std::string& path) {
    REQUIRE(program.exports.write(folder.file(path)));
    program.wait();
    const auto json = nlohmann::json::parse(std::ifstream(folder.file(path)));
    std::vector<std::string> all;
    for (const auto& one : json["figures"]) all.push_back(one["id"]);
    return all;
  };
  CHECK(written("all.json") == ids);
  const double bytes = program.exports.bytes(folder.file("all.json"), "");
  program.sight.move_figure(ids.back(), -1, ids);
  program.sight.hide_figure(ids.front());
  std::vector<std::string> wanted(ids.begin() + 1, ids.end());
  std::swap(wanted[wanted.size() - 1], wanted[wanted.size() - 2]);
  CHECK(written("some.json") == wanted);
  CHECK(program.exports.bytes(folder.file("some.json"), "") < bytes);
  // Its session says the same.
  const auto json = nlohmann::json::parse(std::ifstream(folder.file("some.json")));
  CHECK(session::from_json(json["session"].dump()).figures == program.sight.figures());
  // One figure is written whether it is hidden or not.
  REQUIRE(program.exports.write(folder.file("one.json"), ids.front()));
  program.wait();
  CHECK_FALSE(program.messages.last().is_error);
  for (const std::string& id : ids) program.sight.hide_figure(id);
  CHECK_FALSE(program.exports.write(folder.file("none.json")));
  CHECK(program.messages.last().text == "every figure of this page is hidden");
  CHECK_FALSE(std::filesystem::exists(folder.file("none.json")));
}

TEST_CASE("what is being written can be given up: the old file stays whole") {
  const Folder folder;
  std::ofstream(folder.file("large.json")) << "old";
  state::Program program(lab::all());
  program.knobs.set("input", "random");
  program.knobs.set("length", "4096");
  program.wait();
  REQUIRE(program.exports.write(folder.file("large.json")));
  REQUIRE(program.exports.write(folder.file("next.json")));
  CHECK(program.is_writing());  // gigabytes, which nothing writes between two lines
  const auto given_up = program.exports.give_up(20ms);
  CHECK(given_up == std::vector{folder.file("large.json"), folder.file("next.json")});
  CHECK(std::filesystem::file_size(folder.file("large.json")) == 3);
  CHECK_FALSE(std::filesystem::exists(folder.file("next.json")));
  CHECK(program.exports.give_up(0ms).empty());
}

TEST_CASE("exports are written in the background, one after the other, and before the end") {
  const Folder folder;
  const auto file = [&](const char* name) { return folder.file(name); };
  {
    state::Program program(lab::all());
    CHECK_FALSE(program.exports.write(file("early.json")));  // no page yet
    program.wait();
    CHECK(program.writing().file.empty());
    CHECK(program.exports.write(file("a.json")));
    CHECK(program.exports.write(file("b.pdf"), "no such figure"));
    program.wait();
    CHECK_FALSE(program.is_writing());
    CHECK(program.messages.last().is_error);  // of the last one
    CHECK(std::filesystem::exists(file("a.json")));
    CHECK_FALSE(std::filesystem::exists(file("b.pdf")));
    CHECK(program.exports.write("/nonexistent/folder/x.png"));
    program.wait();
    CHECK(program.messages.last().is_error);
    CHECK(program.messages.last().text.find("/nonexistent/folder") != std::string::npos);
    CHECK(program.exports.write(file("c.png")));
  }
  CHECK(std::filesystem::file_size(file("c.png")) > 1000);
  CHECK_FALSE(std::filesystem::exists(file("early.json")));
}

}  // namespace program_export_test
