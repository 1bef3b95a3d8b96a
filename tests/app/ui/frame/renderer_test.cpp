// Drawing only what differs from the frame before shows what drawing everything shows: every frame
// of a script is compared, pixel by pixel, with one drawn from scratch. By the processor and by the
// driver it is the same picture.
#include "app/ui/frame/renderer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "app/gl/window.h"
#include "gl/gl_fixture.h"
#include "test_lab.h"

namespace renderer_test {

namespace {

constexpr int kWidth = 1280, kHeight = 820;
using By = ui::Renderer::By;

class Stage {
 public:
  Stage(gl::Windowless& context, By by)
      : context_(context), by_(by), program(test_lab::labs()), renderer(by) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {kWidth, kHeight};
    io.DeltaTime = 1.0f / 20;
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    io.SetClipboardTextFn = [](void*, const char*) {};
    io.GetClipboardTextFn = [](void*) { return "pasted"; };
    program.wait();
    settle("the first frames");
  }

  // Until all input has gone through; every frame is compared.
  void settle(const std::string& what) {
    program.wait();
    for (int left = 3; left > 0 || !input.empty(); --left) frame(what);
  }
  void point(const std::string& id, float x = 0.5f, float y = 0.5f) {
    const ui::Rect r = shell.gui().controls().at(id);
    input.move(r.x + r.w * x, r.y + r.h * y);
    settle("pointing at " + id);
  }
  void click(const std::string& id, float x = 0.5f, float y = 0.5f) {
    point(id, x, y);
    input.button(0, true);
    input.button(0, false);
    settle("clicking " + id);
  }
  void drag(const std::string& id) {
    point(id, 0.1f);
    const ui::Rect r = shell.gui().controls().at(id);
    input.button(0, true);
    for (int i = 1; i <= 6; ++i) {
      input.move(r.x + r.w * static_cast<float>(i) / 7, r.y + r.h / 2);
      settle("dragging " + id);
    }
    input.button(0, false);
    settle("after a drag");
  }
  void zoom(const std::string& id, float notches) {
    input.key(GLFW_KEY_LEFT_CONTROL, true, false, 0);
    wheel(id, notches);
    input.key(GLFW_KEY_LEFT_CONTROL, false, false, GLFW_MOD_CONTROL);
    settle("letting go of Ctrl");
  }
  void wheel(const std::string& id, float notches) {
    point(id, 0.4f, 0.3f);
    input.wheel(0, notches);
    settle("the wheel over " + id);
  }
  void tap(int key, int mods = 0) {
    input.tap(key, mods);
    settle("a key");
  }
  void type(const std::string& text) {
    input.type(text);
    settle("typing " + text);
  }
  void wait(const std::string& what) {
    for (int i = 0; i < 14; ++i) frame(what);
  }

  // The last frame, drawn from scratch.
  gl::Image drawn_anew(By by) const {
    ui::Renderer fresh(by);
    fresh.draw(shell);
    return gl::read_pixels(kWidth, kHeight);
  }

  // The share of the window that the last frame drew anew.
  double share() const {
    double pixels = 0;
    for (const gl::Box& b : renderer.drawn()) pixels += b.width() * b.height();
    return pixels / (kWidth * kHeight);
  }

 private:
  void frame(const std::string& what) {
    INFO(what);
    context_.bind();
    gl::clear(kWidth, kHeight, 255, 0, 255);
    renderer.frame(shell, input.feed(ImGui::GetIO()));
    const gl::Image kept = gl::read_pixels(kWidth, kHeight);
    gl::clear(kWidth, kHeight, 255, 0, 255);
    const gl::Image whole = drawn_anew(by_);
    int wrong = 0;
    for (std::size_t i = 0; i < whole.rgba.size(); ++i) wrong += kept.rgba[i] != whole.rgba[i];
    CHECK(wrong == 0);
    CHECK(gl::take_errors() == "");
    ++compared;
  }

  gl::Windowless& context_;
  By by_;
  ui::ImGuiSession imgui_;

 public:
  state::Program program;
  ui::Renderer renderer;
  ui::Shell shell{program, {}};
  ui::InputQueue input;
  int compared = 0;
};

}  // namespace

TEST_CASE("hover, drags, menus, tooltips, scrolling, typing: nothing stale stays") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  for (const By by : {By::processor, By::driver}) {
    Stage stage(*context, by);
    for (const float at : {0.1f, 0.2f, 0.21f, 0.6f, 0.9f}) stage.point("plot.left", at, 1 - at);
    CHECK(stage.share() < 0.5);
    stage.point("knob.heads.slider");
    stage.wait("a tooltip comes");
    stage.drag("knob.heads.slider");
    stage.drag("knob.temperature.slider");
    stage.click("choice.kind.third");
    stage.click("knob.scaled");
    stage.click("plot.right", 0.3f, 0.7f);
    stage.tap(GLFW_KEY_ESCAPE);
    stage.zoom("plot.left", 3);
    stage.zoom("plot.right", -1);
    stage.wheel("plot.right", -1);
    stage.click("button.presets");
    stage.tap(GLFW_KEY_ESCAPE);
    stage.click("knob.text.value");
    stage.type("a 注意力 rose");
    stage.wait("the cursor blinks");
    stage.tap(GLFW_KEY_ESCAPE);
    for (int i = 0; i < 6; ++i) stage.tap(GLFW_KEY_TAB);
    stage.wheel("knob.heads.slider", -4);
    stage.wheel("knob.heads.slider", 2);
    CHECK(stage.compared > 150);
  }
}

TEST_CASE("themes, languages, sizes, labs and messages: nothing stale stays") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  for (const By by : {By::processor, By::driver}) {
    Stage stage(*context, by);
    for (const figure::ThemeName theme : {figure::ThemeName::light, figure::ThemeName::dark}) {
      stage.program.looks.theme = theme;
      stage.settle("a theme");
    }
    stage.program.set_language(words::Language::zh_CN);
    stage.settle("Chinese");
    for (const float scale : {2.0f, 1.25f, 1.0f}) {
      stage.program.looks.rescale(scale);
      stage.settle("a scale");
    }
    stage.program.set_language(words::Language::en);
    stage.settle("English");
    for (const ImVec2 size : {ImVec2{900, 500}, ImVec2{901, 500}, ImVec2{kWidth, kHeight}}) {
      ImGui::GetIO().DisplaySize = size;
      stage.settle("a size");
    }
    stage.program.desk.show_lab("two");
    stage.settle("a lab");
    stage.program.messages.say("a message");
    stage.settle("a message comes");
    stage.program.messages.dismiss();
    stage.settle("a message goes");
    stage.program.knobs.set("heads", "7");
    stage.settle("other values");
    stage.tap(GLFW_KEY_F1);
    stage.tap(GLFW_KEY_ESCAPE);
    CHECK(stage.compared > 40);
  }
}

TEST_CASE("a quiet window draws nothing") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  for (const By by : {By::processor, By::driver}) {
    Stage stage(*context, by);
    stage.settle("sizes of what scrolls are known a few frames later");
    CHECK(stage.share() == 0);
    CHECK_FALSE(stage.renderer.frame(stage.shell, {}));
  }
}

TEST_CASE("who draws can be wished for") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  const ui::ImGuiSession imgui;
  for (const char* good : {"driver", "processor", ""}) {
    setenv("ATTNSCOPE_DRAW", good, 1);
    CHECK_NOTHROW(ui::Renderer());
  }
  setenv("ATTNSCOPE_DRAW", "nobody", 1);
  CHECK_THROWS_WITH_AS(ui::Renderer(), "ATTNSCOPE_DRAW: expected driver or processor, got nobody",
                       core::InputError);
  unsetenv("ATTNSCOPE_DRAW");
}

TEST_CASE("after a size that the driver refuses nothing is missing") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  for (const By by : {By::processor, By::driver}) {
    Stage stage(*context, by);
    ImVec2& size = ImGui::GetIO().DisplaySize;
    size = {100000, 50};
    ui::update(stage.shell, {});
    CHECK_THROWS_AS(stage.renderer.draw(stage.shell), gl::Unavailable);
    CHECK(gl::take_errors() == "");
    size = {kWidth, kHeight};
    stage.settle("the size before");
  }
}

TEST_CASE("the processor and the driver draw the same window") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  Stage stage(*context, By::processor);
  for (const figure::ThemeName theme : {figure::ThemeName::dark, figure::ThemeName::light}) {
    for (const float scale : {1.0f, 2.0f}) {
      stage.program.looks.theme = theme;
      stage.program.looks.rescale(scale);
      stage.settle("a theme and a scale");
      const gl::Image ours = stage.drawn_anew(By::processor);
      const gl::Image driver = stage.drawn_anew(By::driver);
      int apart = 0, wrong = 0;  // by a rounding or two, and by more
      for (std::size_t i = 0; i < ours.rgba.size(); ++i) {
        const int by = std::abs(ours.rgba[i] - driver.rgba[i]);
        apart += by > 0;
        wrong += by > 3;
      }
      MESSAGE("channels that differ: ", apart, ", by more than 3: ", wrong);
      // Pixels on the rim of letters and curves where the two round a place differently.
      CHECK(wrong < 200);
    }
  }
}

}  // namespace renderer_test
