#include "app/ui/draw/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include "app/ui/draw/imgui_versions.h"

namespace input_test {

namespace {

// Frames until the queue is empty; of each, which of `keys` were seen down and how much was typed.
struct Seen {
  bool a = false, control = false, shift = false;
  int characters = 0;
};

ImGuiIO& begin() {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {100, 100};
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  ui::name_keys(io);
  return io;
}

std::vector<Seen> frames(ui::InputQueue& queue) {
  ImGuiIO& io = begin();
  std::vector<Seen> seen;
  while (!queue.empty()) {
    queue.feed(io);
    ImGui::NewFrame();
    seen.push_back(
        {ui::is_down(GLFW_KEY_A), io.KeyCtrl, io.KeyShift, io.InputQueueCharacters.Size});
    ImGui::EndFrame();
  }
  ImGui::DestroyContext();
  return seen;
}

}  // namespace

TEST_CASE("a command between two frames is seen with its modifier, whichever key is let go first") {
  for (const bool control_first : {true, false}) {
    ui::InputQueue queue;
    queue.key(GLFW_KEY_LEFT_CONTROL, true, false, 0);
    queue.key(GLFW_KEY_A, true, false, GLFW_MOD_CONTROL);
    if (control_first) {
      queue.key(GLFW_KEY_LEFT_CONTROL, false, false, GLFW_MOD_CONTROL);
      queue.key(GLFW_KEY_A, false, false, 0);
    } else {
      queue.key(GLFW_KEY_A, false, false, GLFW_MOD_CONTROL);
      queue.key(GLFW_KEY_LEFT_CONTROL, false, false, GLFW_MOD_CONTROL);
    }
    queue.character('x');
    const auto seen = frames(queue);
    int pressed = 0;
    for (const Seen& s : seen) {
      pressed += s.a && s.control;
      if (s.characters > 0) CHECK_FALSE(s.control);
    }
    CHECK(pressed == 1);
    CHECK_FALSE(seen.back().a);
    CHECK_FALSE(seen.back().control);
  }
}

TEST_CASE("quick typing passes in one frame, capitals nearly so") {
  ui::InputQueue queue;
  for (const char c : {'r', 'o', 's', 'e'}) {
    queue.key(c - 32, true, false, 0);
    queue.character(static_cast<unsigned>(c));
    queue.key(c - 32, false, false, 0);
  }
  const auto seen = frames(queue);
  CHECK(seen.size() == 1);
  CHECK(seen[0].characters == 4);
}

TEST_CASE("every press of an editing key is seen, and in order with what is typed") {
  ui::InputQueue queue;
  queue.character('x');
  queue.tap(GLFW_KEY_BACKSPACE);
  queue.tap(GLFW_KEY_BACKSPACE);
  ImGuiIO& io = begin();
  int presses = 0;
  bool down = false;
  while (!queue.empty()) {
    queue.feed(io);
    ImGui::NewFrame();
    const bool now = ui::is_down(GLFW_KEY_BACKSPACE);
    presses += now && !down;
    if (io.InputQueueCharacters.Size > 0) CHECK(presses == 0);
    ImGui::EndFrame();
    down = now;
  }
  ImGui::DestroyContext();
  CHECK(presses == 2);
}

TEST_CASE("a click between two frames is seen where it happened") {
  ui::InputQueue queue;
  queue.move(10, 10);
  queue.button(0, true);
  queue.move(50, 50);
  queue.button(0, false);
  queue.move(90, 90);
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  queue.feed(io);
  CHECK(io.MouseDown[0]);
  CHECK(io.MousePos.x == 10);
  queue.feed(io);
  CHECK_FALSE(io.MouseDown[0]);
  CHECK(io.MousePos.x == 50);
  queue.feed(io);
  CHECK(io.MousePos.x == 90);
  CHECK(queue.empty());
  ImGui::DestroyContext();
}

TEST_CASE("two presses are a double click by when they happened, however slow the frames are") {
  using std::chrono::milliseconds;
  for (const float frame : {0.001f, 2.0f}) {
    for (const int apart : {20, 290, 310, 5000}) {
      CAPTURE(frame);
      CAPTURE(apart);
      ui::InputQueue queue;
      ImGui::CreateContext();
      ImGuiIO& io = ImGui::GetIO();
      io.IniFilename = nullptr;
      io.DisplaySize = {100, 100};
      io.DeltaTime = frame;
      unsigned char* pixels = nullptr;
      int w = 0, h = 0;
      io.Fonts->GetTexDataAsAlpha8(&pixels, &w, &h);
      const ui::InputTime first{};
      queue.move(10, 10);
      for (const int at : {0, apart}) {
        queue.button(0, true, first + milliseconds(at));
        queue.button(0, false, first + milliseconds(at + 1));
      }
      int doubles = 0;
      for (int k = 0; k < 6; ++k) {
        queue.feed(io);
        ImGui::NewFrame();
        doubles += ImGui::IsMouseDoubleClicked(0);
        ImGui::EndFrame();
      }
      CHECK(doubles == (apart < 300 ? 1 : 0));
      ImGui::DestroyContext();
    }
  }
}

}  // namespace input_test
