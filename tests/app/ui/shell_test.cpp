#include "app/ui/shell.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <random>

#include "rig.h"

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

TEST_CASE("every control lies inside of the window, at any size and scale") {
  for (const auto& [w, h, scale] : {std::tuple{1600.0f, 1000.0f, 1.0f},
                                    {1280.0f, 720.0f, 1.0f},
                                    {1280.0f, 720.0f, 2.0f},
                                    {1920.0f, 1080.0f, 3.0f}}) {
    Rig rig(w, h);
    rig.model.set_scale(scale);
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
  Rig rig(1280, 720);
  const std::string question(rig.model.lab().question);
  const auto rest = [&](float x) {
    rig.input.move(x, 29);
    for (int frame = 0; frame < 60; ++frame) rig.frame();
    return rig.shell.gui().tip();
  };
  const ui::Rect undo = rig.control("button.undo");
  CHECK(rest(undo.x - 30) == question);
  CHECK(rest(undo.x + 5) != question);
  rig.resize(2560, 720);
  rig.settle();
  CHECK(rest(undo.x - 30) == "");  // there is room for all of it
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
  CHECK(rig.map()["input"] ==
        nlohmann::json{
            {"pointer", {-1, -1}}, {"down", nlohmann::json::array()}, {"keys", 1}, {"wheels", 2}});
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
  for (int i = 0; i < 4000; ++i) {
    switch (below(9)) {
      case 0:
        rig.input.tap(kKeys[below(IM_ARRAYSIZE(kKeys))], below(4) == 0 ? GLFW_MOD_SHIFT : 0);
        break;
      case 1:
        rig.input.tap(kCtrlKeys[below(IM_ARRAYSIZE(kCtrlKeys))], GLFW_MOD_CONTROL);
        break;
      case 2:
        rig.input.type(below(2) ? "7" : "中 a");
        break;
      case 3:
        rig.input.wheel(0, static_cast<float>(below(7) - 3));
        break;
      case 4:
        rig.input.button(0, down = !down);
        break;
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
  CHECK(rig.model.page() != nullptr);
}
