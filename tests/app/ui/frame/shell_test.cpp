#include "app/ui/frame/shell.h"
#include "core/system/memory.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "app/labs/labs.h"
#include "app/ui/frame/control_map.h"
#include "eventually.h"
#include "folder.h"
#include "rig.h"
#include "state/program_rig.h"

namespace shell_test {

TEST_CASE("keys for theme, language, scale and labs") {
  Rig rig;
  rig.tap(GLFW_KEY_T, GLFW_MOD_CONTROL);
  CHECK(rig.map()["theme"] == "light");
  rig.tap(GLFW_KEY_L, GLFW_MOD_CONTROL);
  CHECK(rig.map()["language"] == "zh_CN");
  rig.tap(GLFW_KEY_EQUAL, GLFW_MOD_CONTROL);
  CHECK(rig.map()["scale"] == 1.25);
  rig.tap(GLFW_KEY_0, GLFW_MOD_CONTROL);
  CHECK(rig.map()["scale"] == 1);
  rig.tap(GLFW_KEY_PAGE_DOWN);
  CHECK(rig.map()["lab"] == "two");
  rig.click("lab.one");
  CHECK(rig.map()["lab"] == "one");
}

TEST_CASE("search goes to what it finds") {
  Rig rig;
  rig.tap(GLFW_KEY_F, GLFW_MOD_CONTROL);
  rig.type("hot");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["temperature"] == 5);
}

TEST_CASE("menus open, choose and close") {
  Rig rig;
  rig.click("button.presets");
  REQUIRE(rig.has("preset.hot"));
  rig.click("preset.hot");
  CHECK(rig.map()["knobs"]["temperature"] == 5);
  CHECK_FALSE(rig.has("preset.hot"));
  rig.click("button.export");
  REQUIRE(rig.has("export.pdf"));
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.has("export.pdf"));
  rig.click("button.export");
  rig.click("export.pdf");
  REQUIRE(rig.has("dialog.accept"));
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK_FALSE(rig.has("dialog.accept"));
}

TEST_CASE("a preset that is about a figure brings it into view, however it is opened") {
  Rig rig(1600, 700);
  const auto in_view = [&] { return rig.control("figure.schemes").bottom() <= 700; };
  REQUIRE_FALSE(in_view());
  rig.click("button.presets");
  rig.click("preset.warm");
  CHECK(rig.map()["knobs"]["temperature"] == 2);
  CHECK(in_view());
  rig.click("lab.two");
  rig.tap(GLFW_KEY_F, GLFW_MOD_CONTROL);
  rig.type("warm");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["lab"] == "one");
  CHECK(in_view());
  // Another that names none leaves the page where it is.
  rig.click("button.presets");
  rig.click("preset.hot");
  CHECK(in_view());
}

TEST_CASE("every control lies inside of the window, at any size and scale") {
  for (const auto& [w, h, scale] : {std::tuple{1600.0f, 1000.0f, 1.0f},
                                    {1280.0f, 720.0f, 1.0f},
                                    {1280.0f, 720.0f, 2.0f},
                                    {1920.0f, 1080.0f, 3.0f}}) {
    Rig rig(w, h);
    rig.program.looks.rescale(scale);
    rig.settle();
    for (const auto& control : rig.shell.gui().controls()) {
      const std::string& id = control.first;
      const auto& r = control.second;
      CAPTURE(id);
      CHECK(r.x >= 0);
      CHECK(r.right() <= w + 0.5f);
      CHECK(r.w > 0);
    }
  }
}

TEST_CASE("what is cut is shown whole under the pointer, after a while") {
  Rig rig(800, 720);
  rig.tap(GLFW_KEY_F);  // the question stands in the header while a figure is alone
  const std::string question(rig.program.desk.lab().question);
  const auto rest = [&](float x) {
    rig.input.move(x, 20);
    for (int frame = 0; frame < 60; ++frame) rig.frame();
    return rig.shell.gui().tip();
  };
  const ui::Rect back = rig.control("button.back");
  CHECK(rest(back.right() + 40) == question);
  CHECK(rest(back.right() - 5) != question);
  rig.resize(2560, 720);
  rig.settle();
  CHECK(rest(back.right() + 40) == "");  // there is room for all of it
}

TEST_CASE("the control map tells what has come in: the pointer, held buttons, keys and wheels") {
  Rig rig;
  rig.input.move(40.4f, 30);
  rig.input.button(0, true);
  rig.settle();
  CHECK(rig.map()["input"]["pointer"] == nlohmann::json{40, 30});
  CHECK(rig.map()["input"]["down"] == nlohmann::json{0});
  CHECK(rig.map()["input"]["keys"] == 0);
  rig.input.button(0, false);
  rig.tap(GLFW_KEY_DOWN);
  rig.input.key(GLFW_KEY_DOWN, true, true, 0);  // held: the same press again
  rig.input.wheel(0, 1);
  rig.input.wheel(0, 1);
  rig.input.move(-1e6f, -1e6f);
  rig.settle();
  CHECK(rig.map()["input"] == nlohmann::json{{"pointer", {-1, -1}},
                                             {"down", nlohmann::json::array()},
                                             {"keys", 1},
                                             {"wheels", 2},
                                             {"characters", 0},
                                             {"clicks", 1},
                                             {"double_clicks", 0}});
  rig.type("añ");
  for (int k = 0; k < 2; ++k) {
    rig.input.button(0, true);
    rig.input.button(0, false);
  }
  rig.settle();
  CHECK(rig.map()["input"]["characters"] == 2);
  CHECK(rig.map()["input"]["clicks"] == 3);
  CHECK(rig.map()["input"]["double_clicks"] == 1);
}

TEST_CASE("the control map tells when all is computed and drawn, and whether anything is to come") {
  std::atomic<bool> go = true;
  const program_rig::During during([&](const test_lab::Parameters&, const lab::Context& context) {
    while (!go) context.cancel.poll(), std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  Rig rig;
  rig.input.move(-1e6f, -1e6f);
  rig.settle();
  CHECK(rig.map()["settled"] == true);
  CHECK(rig.map()["sleeps"] == true);
  CHECK(nlohmann::json::parse(rig.shell.control_map({}, 7, false))["settled"] == false);
  CHECK(nlohmann::json::parse(rig.shell.control_map({}, 7, false))["frames"] == 7);
  go = false;
  rig.program.knobs.set("heads", "9");
  CHECK(rig.map()["settled"] == false);
  rig.frame();
  CHECK(rig.map()["settled"] == false);
  go = true;
  // What has come since the last frame is not on screen before the next one.
  REQUIRE(eventually([&] { return rig.program.poll() || !rig.program.pages.busy(); }));
  CHECK(rig.map()["settled"] == false);
  rig.settle();
  CHECK(rig.map()["settled"] == true);
  // A sentence that will leave the screen: the window wakes for it, and nothing is computed.
  rig.program.messages.say("Told.");
  rig.frame();
  CHECK(rig.map()["settled"] == true);
  CHECK(rig.map()["sleeps"] == false);
}

TEST_CASE("what was said stays in the control map when it has left the screen") {
  Rig rig;
  rig.program.messages.say("One.");
  rig.frame();
  const auto first = rig.map()["said"].back();
  CHECK(first["text"] == "One.");
  for (int k = 0; k < 7 * 60; ++k) rig.frame();  // seconds
  CHECK(rig.map()["message"] == "");
  CHECK(rig.map()["said"].back() == first);
  rig.program.messages.say("One.");
  rig.frame();
  CHECK(rig.map()["said"].back()["number"] > first["number"]);
  for (int k = 0; k < 20; ++k) rig.program.messages.say("Again."), rig.frame();
  CHECK(rig.map()["said"].size() == 8);
}

TEST_CASE("the button for the theme changes the figures, too") {
  Rig rig;
  const auto card = [](figure::ThemeName name) { return figure::theme(name).card; };
  const auto text = [](figure::ThemeName name) { return figure::theme(name).dim; };
  using enum figure::ThemeName;
  REQUIRE(card(dark) != card(light));
  CHECK(rig.drawn_in(card(dark)));
  for (const auto& [now, before] : {std::pair{light, dark}, {dark, light}}) {
    rig.click("button.theme");
    CHECK(rig.drawn_in(card(now)));
    CHECK(rig.drawn_in(text(now)));
    CHECK_FALSE(rig.drawn_in(text(before)));
  }
}

TEST_CASE("the panel begins at its top in every lab") {
  Rig rig(1600, 600);
  const float knobs = rig.control("knob.text").y, formula = rig.control("formula").y;
  const auto panel = rig.control("knob.text");
  for (const float y : {panel.y + 40, 520.0f}) {
    rig.input.move(panel.x + panel.w / 2, y);
    rig.settle();
    rig.wheel(-3);
  }
  REQUIRE(rig.control("knob.text").y < knobs);
  REQUIRE(rig.control("formula").y < formula);
  rig.click("lab.two");
  CHECK(rig.control("knob.text").y == knobs);
  CHECK(rig.control("formula").y == formula);
}

TEST_CASE("what search finds stands over the name of its lab") {
  Rig rig;
  rig.tap(GLFW_KEY_F, GLFW_MOD_CONTROL);
  rig.type("e");
  REQUIRE(rig.has("found.0"));  // a lab
  CHECK(rig.control("found.0").h < 30);
  rig.tap(GLFW_KEY_A, GLFW_MOD_CONTROL);
  rig.type("temperature");
  REQUIRE(rig.has("found.1"));  // the same knob in another lab
  CHECK(rig.control("found.0").h > 36);
  rig.click("found.1");
  CHECK(rig.map()["lab"] == "two");
}

TEST_CASE("a sidebar that was opened beside the page never comes to lie over it by itself") {
  Rig rig;
  rig.tap(GLFW_KEY_F, GLFW_MOD_CONTROL);
  rig.tap(GLFW_KEY_ESCAPE);
  REQUIRE(rig.has("lab.one"));
  rig.program.looks.rescale(2);
  rig.settle();
  CHECK_FALSE(rig.has("lab.one"));
  rig.click("button.sidebar");
  CHECK(rig.has("lab.one"));
  rig.click("lab.two");
  CHECK_FALSE(rig.has("lab.one"));
  // Who searches sees the page again once it is found.
  rig.tap(GLFW_KEY_F, GLFW_MOD_CONTROL);
  rig.type("first");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["lab"] == "one");
  CHECK_FALSE(rig.has("search"));
  rig.program.looks.rescale(1);
  rig.settle();
  CHECK(rig.has("lab.one"));
}

TEST_CASE("a Chinese line neither begins nor ends with the wrong punctuation") {
  Rig rig;
  const std::string text =
      "每个词元用查询来提问，凭键被找到，并给出值。一个头（见“得分”）为每个查询打分：行是查询，列是"
      "键。";
  for (float room = 60; room < 400; room += 7) {
    std::string all;
    for (const std::string& line : rig.shell.gui().wrap(text, ui::TextStyle::body, room)) {
      CAPTURE(line);
      for (const char* closing : {"，", "。", "：", "）", "”"})
        CHECK_FALSE(line.starts_with(closing));
      for (const char* opening : {"（", "“"}) CHECK_FALSE(line.ends_with(opening));
      all += line;
    }
    CHECK(all == text);
  }
}

TEST_CASE("help dims the window at once and opens at its top each time") {
  Rig rig(1000, 420);
  const auto scrolled = [] {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (window->Active && std::string_view(window->Name).find("/help_") != std::string::npos) {
        return window->Scroll.y;
      }
    }
    return -1.0f;
  };
  rig.input.tap(GLFW_KEY_F1);
  rig.frame();
  rig.frame();
  CHECK(ImGui::GetCurrentContext()->DimBgRatio == 1);
  rig.settle();
  CHECK(scrolled() == 0);
  const ui::Rect close = rig.control("dialog.close");
  rig.input.move(close.x, close.y - 100);
  rig.settle();
  rig.wheel(-5);
  CHECK(scrolled() > 0);
  rig.tap(GLFW_KEY_ESCAPE);
  CHECK(ImGui::GetCurrentContext()->DimBgRatio == 0);
  rig.tap(GLFW_KEY_F1);
  CHECK(scrolled() == 0);
}

TEST_CASE("a knob that pins nothing says so, and is typed as a number all the same") {
  Rig rig(1600, 1400);
  rig.point("knob.key.value");
  for (int frame = 0; frame < 60; ++frame) rig.frame();
  CHECK(rig.shell.gui().tip().find("-1: nothing is pinned (Escape)") != std::string::npos);
  rig.click("knob.key.value");
  rig.tap(GLFW_KEY_ENTER);
  CHECK(rig.map()["knobs"]["key"] == -1);
  CHECK(rig.map()["errors"].empty());
}

// Work -------------------------------------------------------------------------------------------

TEST_CASE("what takes longer than a moment shows that it goes on, and what is quick does not") {
  using namespace std::chrono_literals;
  static std::atomic<bool> go = true;
  Rig rig;
  rig.input.move(-1e6f, -1e6f);
  rig.settle();
  test_lab::during = [](const test_lab::Parameters&, const lab::Context& context) {
    while (!go) context.cancel.poll(), std::this_thread::sleep_for(1ms);
  };
  go = false;
  rig.program.knobs.set("heads", "9");
  rig.frame();
  CHECK_FALSE(rig.has("working"));
  CHECK(rig.shell.next_change() <= 0.05);
  for (int frame = 0; frame < 4; ++frame) rig.frame();  // 67 ms
  CHECK(rig.has("working"));
  // Knobs that go on turning do not make it flicker.
  for (int k = 10; k < 16; ++k) {
    rig.program.knobs.set("heads", std::to_string(k));
    rig.frame();
    CHECK(rig.has("working"));
  }
  go = true;
  rig.settle();
  CHECK_FALSE(rig.has("working"));
  CHECK(std::isinf(rig.shell.next_change()));
  test_lab::during = {};
}

TEST_CASE("a control map that cannot be written says so once and goes on") {
  const test::Folder made;
  const auto folder = made / "map";
  ui::ControlMapFile map(folder / "map.json");
  CHECK_THROWS(map.update("one"));
  CHECK_NOTHROW(map.update("two"));
  std::filesystem::create_directory(folder);
  map.update("three");
  CHECK(std::filesystem::exists(folder / "map.json"));
  std::filesystem::remove_all(folder);
  CHECK_THROWS(map.update("four"));
  ui::ControlMapFile none("");
  CHECK_NOTHROW(none.update("one"));
}

TEST_CASE("an idle window has nothing to wait for") {
  Rig rig;
  rig.input.move(-1e6f, -1e6f);
  rig.settle();
  CHECK(std::isinf(rig.shell.next_change()));
}

TEST_CASE("a random walk over everything ends well") {
  Rig rig;
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr int kKeys[] = {GLFW_KEY_TAB,    GLFW_KEY_ENTER, GLFW_KEY_ESCAPE,    GLFW_KEY_LEFT,
                           GLFW_KEY_RIGHT,  GLFW_KEY_DOWN,  GLFW_KEY_SPACE,     GLFW_KEY_BACKSPACE,
                           GLFW_KEY_DELETE, GLFW_KEY_HOME,  GLFW_KEY_PAGE_DOWN, GLFW_KEY_F1};
  constexpr int kCtrlKeys[] = {GLFW_KEY_Z, GLFW_KEY_Y, GLFW_KEY_T,     GLFW_KEY_L, GLFW_KEY_A,
                               GLFW_KEY_V, GLFW_KEY_X, GLFW_KEY_EQUAL, GLFW_KEY_0, GLFW_KEY_F};
  bool down = false;
  for (int i = 0; i < 2500; ++i) {
    switch (below(9)) {
      case 0:
        rig.input.tap(kKeys[below(IM_ARRAYSIZE(kKeys))], below(4) == 0 ? GLFW_MOD_SHIFT : 0);
        break;
      case 1: rig.input.tap(kCtrlKeys[below(IM_ARRAYSIZE(kCtrlKeys))], GLFW_MOD_CONTROL); break;
      case 2: rig.input.type(below(2) ? "7" : "中 a"); break;
      case 3: rig.input.wheel(0, static_cast<float>(below(7) - 3)); break;
      case 4: rig.input.button(0, down = !down); break;
      case 5:
        if (below(20) == 0) {
          rig.resize(static_cast<float>(1 + below(2000)), static_cast<float>(1 + below(1200)));
        }
        break;
      case 6: {
        // Controls are likelier to do something than the space between them.
        const auto& all = rig.shell.gui().controls();
        auto at = all.begin();
        std::advance(at, below(static_cast<int>(all.size())));
        rig.input.move(at->second.x + at->second.w / 2, at->second.y + at->second.h / 2);
        rig.input.button(0, true);
        rig.input.button(0, false);
        break;
      }
      default:
        rig.input.move(static_cast<float>(below(1700)) - 50, static_cast<float>(below(1100)) - 50);
    }
    rig.frame();
  }
  rig.input.button(0, false);
  rig.settle();
  CHECK(rig.program.pages.page() != nullptr);
}

TEST_CASE("the status says what is held, and its menu how much may be") {
  Rig rig;
  rig.settle();
  REQUIRE(rig.has("button.memory"));
  rig.click("button.memory");
  rig.frame();
  REQUIRE(rig.has("memory.16"));
  rig.click("memory.16");
  rig.settle();
  CHECK(rig.program.memory_budget() ==
        std::max(core::machine_memory() / 16, std::size_t{64} << 20));
}

}  // namespace shell_test
