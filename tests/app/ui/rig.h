// The shell with no window and no GL: injected input, and the control map to aim by.
#pragma once

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/ui/draw/theme.h"
#include "app/ui/frame/renderer.h"
#include "test_lab.h"

class Rig {
 public:
  explicit Rig(float width = 1600, float height = 1000,
               const std::vector<lab::Lab>& labs = test_lab::labs())
      : program(labs) {
    resize(width, height);
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    copied.clear();
    ImGui::GetIO().SetClipboardTextFn = [](void*, const char* text) { copied = text; };
    ImGui::GetIO().GetClipboardTextFn = [](void*) { return "pasted"; };
    program.wait();
    settle();
  }

  void resize(float width, float height) { ImGui::GetIO().DisplaySize = {width, height}; }

  void frame() {
    if (shell.prepare()) {
      unsigned char* pixels = nullptr;
      int w = 0, h = 0;
      ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &w, &h);
    }
    auto keys = input.feed(ImGui::GetIO());
    ImGui::NewFrame();
    shell.frame(std::move(keys));
    ImGui::Render();
  }
  // Until all input has gone through and the page answers to it.
  void settle() {
    while (!input.empty()) frame();
    program.wait();
    for (int i = 0; i < 4; ++i) frame();
  }

  nlohmann::json map() const {
    return nlohmann::json::parse(shell.control_map(input.count(), 0, true));
  }
  ui::Rect control(const std::string& id) const { return shell.gui().controls().at(id); }
  bool has(const std::string& id) const { return shell.gui().controls().contains(id); }

  void point(const std::string& id, float x = 0.5f, float y = 0.5f) {
    const ui::Rect r = control(id);
    input.move(r.x + r.w * x, r.y + r.h * y);
    settle();
  }
  void click(const std::string& id, float x = 0.5f, float y = 0.5f) {
    point(id, x, y);
    input.button(0, true);
    input.button(0, false);
    settle();
  }
  void drag(const std::string& id, float from, float to) {
    point(id, from);
    const ui::Rect r = control(id);
    input.button(0, true);
    settle();
    for (int i = 1; i <= 5; ++i) {
      input.move(r.x + r.w * (from + (to - from) * static_cast<float>(i) / 5), r.y + r.h / 2);
      settle();
    }
    input.button(0, false);
    settle();
  }
  // Over whatever the pointer is at.
  void wheel(float notches, bool control = false) {
    if (control) input.key(GLFW_KEY_LEFT_CONTROL, true, false, 0);
    input.wheel(0, notches);
    if (control) input.key(GLFW_KEY_LEFT_CONTROL, false, false, GLFW_MOD_CONTROL);
    settle();
  }
  // Whether anything of this colour is drawn now.
  bool drawn_in(figure::Rgba color) const {
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i) {
      for (const ImDrawVert& v : data.CmdLists[i]->VtxBuffer) {
        if (v.col == ui::to_im(color)) return true;
      }
    }
    return false;
  }
  void tap(int key, int mods = 0) {
    input.tap(key, mods);
    settle();
  }
  void type(const std::string& text) {
    input.type(text);
    settle();
  }

  inline static std::string copied;  // what the clipboard holds
  ui::ImGuiSession imgui;
  state::Program program;
  ui::Shell shell{program, {}};
  ui::InputQueue input;
};
