#include "app/ui/model.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "app/labs/labs.h"
#include "app/ui/search.h"
#include "core/types.h"
#include "test_lab.h"

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
  CHECK(model.page()->lab == "one");
  CHECK_FALSE(model.stale());
  model.set("text", "abc");
  CHECK(model.stale());
  model.show_lab("two");
  CHECK(model.page() == nullptr);
  model.wait();
  REQUIRE(model.page() != nullptr);
  CHECK(model.page()->lab == "two");
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
  CHECK_FALSE(model.open("/nonexistent/file.attn"));
  CHECK(model.message().is_error);
  CHECK(model.message().text.find("/nonexistent/file.attn") != std::string::npos);
  model.wait();
  CHECK_FALSE(model.export_to("/nonexistent/folder/x.png"));  // its session is of no lab there is
  CHECK(model.message().is_error);
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
