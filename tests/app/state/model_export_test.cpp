// Exports that the model writes.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/labs/labs.h"
#include "app/paper/file/session_carrier.h"
#include "model_rig.h"

namespace model_export_test {

using namespace std::chrono_literals;
using model_rig::During, model_rig::Folder;

TEST_CASE("an export tells of the page on screen, wherever the knobs stand by now") {
  const Folder folder("made_from");
  state::Model model(lab::all());
  model.set("heads", "8");
  model.wait();
  model.set("heads", "2");
  REQUIRE(model.page()->made_from.values != model.session().values);
  REQUIRE(model.export_to(folder.file("a.json")));
  REQUIRE(model.export_to(folder.file("a.svg"), "heads"));
  model.wait();
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

TEST_CASE("an export of the page is what is seen: hidden figures are not in it, the order holds") {
  const Folder folder("shown_figures");
  state::Model model(lab::all());
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
  CHECK(session::from_json(json["session"].dump()).figures == model.figure_order());
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
  state::Model model(lab::all());
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

TEST_CASE("exports are written in the background, one after the other, and before the end") {
  const auto folder = std::filesystem::temp_directory_path() / "attnscope_model_exports";
  std::filesystem::create_directory(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  {
    state::Model model(lab::all());
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

}  // namespace model_export_test
